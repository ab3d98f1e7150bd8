package reply

import (
	_ "embed"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/aptix-dev/aptix/server/internal/text"
)

// A Verb is the meaning of words near a path or a block.
type Verb string

// The verbs, as words.txt names them.
const (
	Nothing   Verb = ""
	Create    Verb = "create"
	Delete    Verb = "delete"
	Rename    Verb = "rename"
	Add       Verb = "add"
	Change    Verb = "change"
	Added     Verb = "added"      // something was added, or is new
	Removed   Verb = "removed"    // something was deleted
	Moved     Verb = "moved"      // something was renamed or moved
	Changed   Verb = "changed"    // something was changed in another way
	Perhaps   Verb = "perhaps"    // the sentence only offers a change
	Condition Verb = "condition"  // the sentence sets a condition: "if", "once"
	Find      Verb = "find"       // the text below is the old text of a pair and should be replaced
	Before    Verb = "before"     // the text below is the old text of a pair
	After     Verb = "after"      // the text below is the new text of a pair
	Option    Verb = "option"     // the block is one of several ways to reach the goal: "Option 2"
	Optional  Verb = "optional"   // the block need not be applied
	Otherwise Verb = "otherwise"  // the block is an alternative to the preceding one
	TakenBack Verb = "taken-back" // the block replaces an earlier one of the reply
	// the block is only shown, for example as a mistake to avoid, an old or rejected text, an example, or an
	// explanation of a notation
	Not      Verb = "not"
	NewFile  Verb = "new-file"  // a label such as `New file:`
	NewText  Verb = "new-text"  // a label such as `Updated file:`
	GoneFile Verb = "gone-file" // a label such as `Deleted file:`
	Undo     Verb = "undo"      // the block undoes an earlier block, and is to be applied later
	Choice   Verb = "choice"    // only one of several blocks is to be applied
	Contents Verb = "contents"  // a label such as `Contents of`
	Shows    Verb = "shows"     // the text below is the new text: "Here is the updated"
	MayGo    Verb = "may-go"    // the end of the sentence says that a file can or should be deleted
	InFile   Verb = "in-file"   // a place in a file: "line 5", "at the top of the file"
	Below    Verb = "below"     // the new lines belong below the code that is named next: "after `open()`"
	Above    Verb = "above"     // the new lines belong above the code that is named next
	AtEnd    Verb = "at-end"    // the place is at the end of the file, or of a part of it
	AtTop    Verb = "at-top"    // the place is at the beginning of the file
	NotNow   Verb = "not-now"   // nothing should be done, or not yet
	Remember Verb = "remember"  // a negation that asks for something: "don't forget"
	// the edits of the reply should wait, have a condition, are for another project, or should not be kept
	Wait      Verb = "wait"
	RestStays Verb = "rest-stays" // everything that the reply does not name stays as it is
	Stays     Verb = "stays"      // the names before the words stay as they are: "`open` is unchanged"
	Keeps     Verb = "keeps"      // the name before the words keeps the value after them: "`web` should keep `info`"
	OnePlace  Verb = "one-place"  // only one place of a file changes
	Both      Verb = "both"       // the edit is meant for both places that have the text
	AllPlaces Verb = "all-places" // the edit is meant for all places that have the text
	// only comments change, and no code
	OnlyComments Verb = "only-comments"
	Retract      Verb = "retract"      // the blocks above are withdrawn or restricted: "Ignore the above.", "Wait, ..."
	Reverted     Verb = "reverted"     // an edit of the reply was taken back: "I have reverted it"
	CallRefused  Verb = "call-refused" // the result of a call that a person rejected or interrupted
	CallFailed   Verb = "call-failed"  // the result of a call of a tool that changed nothing
	CallMade     Verb = "call-made"    // the result of a call of a tool that changed a file
	Note         Verb = "note"         // a harmless note next to a path: "(updated)"
	Filler       Verb = "filler"       // words in labels that do not name an action: "the", "file"
	Repeat       Verb = "repeat"       // a change is also meant for another place: "do the same in"
	// another part changes as a consequence of the edits: "changes accordingly"
	Accordingly Verb = "accordingly"
	Instead     Verb = "instead" // one of two values is rejected: "instead of"
	Common      Verb = "common"  // words by which the language of a sentence is recognized
)

// A phrase has the words for a verb in one language, as alternatives of a regular expression in lower case.
type phrase struct {
	verb     Verb
	language string // the language's code in ISO 639-1
	words    string
	example  string // a line that has such words
}

//go:embed words.txt
var wordsText string

func phrases() (all []phrase) {
	for line := range strings.Lines(wordsText) {
		if f := strings.Split(strings.TrimRight(line, "\r\n"), "\t"); len(f) == 4 {
			all = append(all, phrase{Verb(f[0]), f[1], f[2], f[3]})
		}
	}
	return all
}

var words = sync.OnceValue(func() map[Verb]expression {
	all := map[Verb][]string{}
	for _, p := range phrases() {
		// Allow marks around each word, as in "do **not** do".
		all[p.verb] = append(all[p.verb], strings.ReplaceAll(p.words, " ", "[ *_]+"))
	}
	expressions := map[Verb]expression{}
	for v, alternatives := range all {
		expressions[v] = newExpression(`(?i:` + strings.Join(alternatives, "|") + `)`)
	}
	return expressions
})

func say(line string, verb Verb) (at text.Span, ok bool) {
	e := words()[verb]
	before := rune(0)
	for i, r := range line {
		if !joins(before, r) {
			if at, ok := e.at(line, i); ok {
				return at, true
			}
		}
		before = r
	}
	return at, false
}

func isWhole(line string, at text.Span) bool {
	before, _ := utf8.DecodeLastRuneInString(line[:at.Start])
	first, _ := utf8.DecodeRuneInString(line[at.Start:])
	last, _ := utf8.DecodeLastRuneInString(line[:at.End])
	after, _ := utf8.DecodeRuneInString(line[at.End:])
	return !joins(before, first) && !joins(last, after)
}

// unspaced lists the scripts that are written without spaces between words, or attach endings to words.
var unspaced = []*unicode.RangeTable{unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai}

func joins(a, b rune) bool {
	if a < utf8.RuneSelf && b < utf8.RuneSelf {
		return unicode.IsLetter(a) && unicode.IsLetter(b)
	}
	return unicode.IsLetter(a) && unicode.IsLetter(b) && !unicode.In(a, unspaced...) && !unicode.In(b, unspaced...)
}
