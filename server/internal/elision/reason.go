package elision

import "fmt"

// A Reason says why a reading asks, or why it is refused.
type Reason struct {
	Kind  Kind
	Part  int    // index of a part of the reading
	Line  int    // line of the text, from 0
	Text  string // the text of that line
	Other int    // a line of the file, from 0; for MuchGone, the number of deleted lines
	To    int    // for kinds about deleted lines, the end of these lines
}

// A Kind is the cause of a reason.
type Kind int

// The kinds of reasons: first those for asking, then those for refusing.
const (
	Unclear       Kind = iota // another place is possible, too
	Fragment                  // the text begins or ends with a line from the middle of the file, without an elision there
	CutOff                    // the last line says that the text was cut off
	Unknown                   // a comment is read as an elision
	Shifted                   // the part is indented differently than the file
	NewEdge                   // there are new lines next to an elision
	SaysLittle                // a changed part keeps no line of the file with enough letters
	Moved                     // the file has some of the new lines elsewhere
	MayReplace                // the part may be meant to replace more lines
	LikeBeyond                // the part inserts lines that resemble lines beyond an edge
	LongerRun                 // an edge of the part matches better at lines that the part leaves out
	MayChange                 // the part changes nothing, but could change something at another place
	MayRemove                 // the part inserts lines, but at another place it would only remove some
	LeavesNothing             // an elision leaves out no line, or only blank ones
	CommentEdge               // a new comment at the start or the end of the text replaces lines
	Gone                      // lines are deleted without a replacement
	ManyGone                  // mostMore lines more are deleted than added
	ForComment                // a comment replaces lines
	LessIndented              // a deleted line is less indented than all added ones
	MuchGone                  // many deleted lines have no similar line in their place

	NoAnchor   // a part next to an elision has no line of the file
	LikeBeside // new lines next to an elision may be changed lines of the file
	Tied       // several places are equally good
	NoOrder    // the parts are not in the order of the file
	TooMuch    // there are too many places to examine
	EmptyFile  // the file has no lines
	NoLines    // the text has no lines
	NoChange   // the file already has every part
)

// loses reports whether a reason is about deleted lines, or about a comment that may stand for deleted
// lines.
func (k Kind) loses() bool { return k >= CommentEdge && k <= MuchGone }

// String explains the reason to a person, or to the model that wrote the text.
func (r Reason) String() string {
	line := fmt.Sprintf("line %d of the text (%q)", r.Line+1, r.Text)
	switch r.Kind {
	case Unclear:
		return "the part that begins at " + line + " fits more than one place"
	case Fragment:
		return line + " is not the first or last line of the file, and no elision is next to it"
	case CutOff:
		return line + " says that the text was cut off, so changes below it may be missing"
	case Unknown:
		return line + " is read as a comment that stands for lines left out"
	case Shifted:
		return "the part that begins at " + line + " is indented differently from the file"
	case NewEdge:
		return line + " is new and directly beside an elision, so its place would be a guess"
	case SaysLittle:
		return "the part that begins at " + line + " shares so little with the file that its place is uncertain"
	case Moved:
		return fmt.Sprintf("%q is new here, but the file already has it at line %d. The line may have moved, or an elision may be missing", r.Text, r.Other+1)
	case MayReplace:
		return fmt.Sprintf("the part that begins at %s may also be meant to replace the lines that begin at line %d of the file", line, r.Other+1)
	case LikeBeyond:
		return fmt.Sprintf("the part that begins at %s adds lines that resemble line %d, which stays; the new lines may be meant to replace that line", line, r.Other+1)
	case LongerRun:
		return fmt.Sprintf("%s and the lines next to it match the file better at line %d, which is left out: an elision may be missing", line, r.Other+1)
	case MayChange:
		return fmt.Sprintf("the part that begins at %s is already in the file, but may be meant for line %d", line, r.Other+1)
	case MayRemove:
		return fmt.Sprintf("the file already has every line of the part that begins at %s; the part may be meant to remove lines after line %d", line, r.Other+1)
	case LeavesNothing:
		return "the elision next to " + line + " leaves out nothing, or only blank lines"
	case CommentEdge:
		return line + " may stand for lines that are left out"
	case Gone:
		return fmt.Sprintf("%s would be removed, with nothing in their place", r.goes())
	case ManyGone:
		return fmt.Sprintf("%s would be removed, with fewer lines in their place", r.goes())
	case ForComment:
		return fmt.Sprintf("%s would be removed, with only a comment in their place", r.goes())
	case LessIndented:
		return fmt.Sprintf("%s would be removed, and one of them is less indented than the lines in their place", r.goes())
	case MuchGone:
		return fmt.Sprintf("%d lines would be removed without a similar line in their place", r.Other)
	}
	return r.refusal(line)
}

// edge ends refusals with advice to a model.
const edge = "begin and end each part with two lines of the file, of which at least one occurs only once"

func (r Reason) refusal(line string) string {
	switch r.Kind {
	case NoAnchor:
		return line + " is beside an elision, and the file has no such line; " + edge
	case LikeBeside:
		return "new lines of the part that begins at " + line + " are beside an elision, and it is unclear which lines of the file they replace; " + edge
	case Tied:
		return "the part that begins at " + line + " fits several places as well; " + edge
	case NoOrder:
		return "the part that begins at " + line + " fits nowhere in the file between the parts above and below it; " + edge + ", in the order of the file"
	case TooMuch:
		return "the part that begins at " + line + " fits too many places; " + edge
	case NoChange:
		return "the file already has every part of the text, so it changes nothing; show the lines that change, with two lines of the file around them"
	case EmptyFile:
		return "the file has no lines that could be left out; send its whole text"
	}
	return "the text only says that lines are left out; send the lines that change"
}

func (r Reason) goes() string {
	if r.To-r.Other == 1 {
		return fmt.Sprintf("line %d of the file", r.Other+1)
	}
	return fmt.Sprintf("lines %d to %d of the file", r.Other+1, r.To)
}
