package elision

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/text"
)

// A Reason explains why the person is asked about a reading, or why it is refused.
type Reason struct {
	Kind  Kind
	Part  int    // index of a part of the reading
	Line  int    // line of the text, from 0
	Text  string // the text of that line
	Other int    // a line of the file, from 0; for MuchGone, the number of deleted lines
	To    int    // for kinds about deleted lines, the line after the last deleted line
}

// A Kind is a kind of [Reason].
type Kind int

// The kinds of reasons: first the reasons to ask the person, then the reasons to refuse.
const (
	Unclear    Kind = iota // another place is also possible
	Fragment               // the text begins or ends in the middle of the file, without an elision at that end
	CutOff                 // the last line says that the text was cut off
	Unknown                // a comment is read as an elision
	Shifted                // the part is indented differently than the file
	NewEdge                // there are new lines next to an elision
	SaysLittle             // a changed part keeps no line of the file with enough letters
	Moved                  // the file has some of the new lines elsewhere
	MayReplace             // the part may be meant to replace more lines
	LikeBeyond             // the part inserts lines that resemble lines of the file beyond an edge of its place
	// the first or last lines of the part match more lines in a row elsewhere, among the lines that the text leaves out
	// or replaces
	LongerRun
	MayChange     // the part changes nothing, but could change something at another place
	MayRemove     // the part inserts lines, but at another place it would only remove some
	Forgotten     // lines of the file stay although the text has neither them nor an elision
	LeavesNothing // an elision leaves out no line, or only blank lines
	CommentEdge   // a new comment at the start or the end of the text replaces lines
	Gone          // lines are deleted without a replacement
	ManyGone      // at least mostMore more lines are deleted than added
	ForComment    // a comment replaces lines
	LessIndented  // a deleted line is less indented than all added lines
	MuchGone      // many deleted lines have no similar line in their place

	NoAnchor  // a part next to an elision contains no line of the file
	Tied      // several places are equally good
	NoOrder   // the parts are not in the order of the file
	TooMuch   // there are too many places to examine
	EmptyFile // the file has no lines
	NoLines   // the text has no lines
	NoChange  // the file already has every part
)

// loses reports whether a reason is about deleted lines, or about a comment that may stand for deleted lines.
func (k Kind) loses() bool { return k >= CommentEdge && k <= MuchGone }

// edge is the advice to a model at the end of refusals.
const edge = "begin and end each part with two lines of the file, of which at least one occurs only once"

// messages explain each kind of reason. {line} is the line of the text, {text} the text of that line, {at} a line of
// the file, {count} a number of lines, and {goes} the deleted lines.
var messages = map[Kind]string{
	Unclear:       "the part that begins at {line} fits more than one place",
	Fragment:      "{line} is not the first or last line of the file, and no elision, such as `...`, is next to it",
	CutOff:        "{line} says that the text was cut off, so changes below it may be missing",
	Unknown:       "{line} is read as a comment that stands for lines left out",
	Shifted:       "the part that begins at {line} is indented differently from the file",
	NewEdge:       "{line} is new and directly above or below an elision, so its place would be a guess",
	SaysLittle:    "the part that begins at {line} shares so little with the file that its place is uncertain",
	Moved:         "{text} is new here, but the file already has it at line {at}. If it should move, check the place; otherwise, `...` may be missing above or below it",
	MayReplace:    "the part that begins at {line} may also be meant to replace the lines that begin at line {at} of the file",
	LikeBeyond:    "the part that begins at {line} adds lines that resemble line {at} of the file, but that line stays; the new lines may be meant to replace it",
	LongerRun:     "{line} and its neighbors fit better at line {at} of the file, a line that the text leaves out or replaces; `...` may be missing next to them",
	MayChange:     "the file already has the part that begins at {line}, but the part may be meant to change the lines at line {at}",
	MayRemove:     "the file already has every line of the part that begins at {line}; the part may be meant to remove lines after line {at}",
	Forgotten:     "{goes} are missing from the text, and no elision stands for them. Aptix keeps these lines: they are not a whole block, so an elision was probably forgotten; to remove them, send a diff",
	LeavesNothing: "the elision next to {line} leaves out nothing, or only blank lines",
	CommentEdge:   "{line} may stand for lines that are left out",
	Gone:          "{goes} would be removed, with nothing in their place",
	ManyGone:      "{goes} would be removed, with fewer lines in their place",
	ForComment:    "{goes} would be removed, with only a comment in their place",
	LessIndented:  "{goes} would be removed, and one of them is less indented than the lines in their place",
	MuchGone:      "{count} lines would be removed without a similar line in their place",

	NoAnchor:  "{line} is next to an elision, and the file has no such line; " + edge,
	Tied:      "the part that begins at {line} fits several places equally well; " + edge,
	NoOrder:   "the part that begins at {line} fits nowhere in the file between the parts above and below it; " + edge + ", in the order of the file",
	TooMuch:   "the part that begins at {line} fits too many places; " + edge,
	NoChange:  "the file already has every part of the text, so the text changes nothing; show the lines that change, with two lines of the file around them",
	EmptyFile: "the file has no lines that could be left out; send its whole text",
	NoLines:   "the text only says that lines are left out; send the lines that change",
}

// String explains the reason to a person, or to the model that wrote the text.
func (r Reason) String() string {
	return strings.NewReplacer("{line}", fmt.Sprintf("line %d of the text (%q)", r.Line+1, r.Text), "{text}", strconv.Quote(r.Text),
		"{at}", fmt.Sprint(r.Other+1), "{count}", fmt.Sprint(r.Other), "{goes}", r.goes()).Replace(messages[r.Kind])
}

func (r Reason) goes() string {
	return text.LineNames(r.Other+1, r.To) + " of the file"
}
