package reply

import (
	_ "embed"
	"regexp"
	"regexp/syntax"
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
	Perhaps   Verb = "perhaps"    // the sentence only offers a change, or states a condition
	Find      Verb = "find"       // the text below is the old text of a pair, which is to be replaced
	Before    Verb = "before"     // the text below is the old text of a pair
	After     Verb = "after"      // the text below is the new text of a pair
	Option    Verb = "option"     // the block is one of several ways to reach the goal: "Option 2"
	Optional  Verb = "optional"   // the block need not be applied
	Otherwise Verb = "otherwise"  // the block is an alternative to the preceding one
	TakenBack Verb = "taken-back" // the block replaces an earlier one of the reply
	// the block is only shown: a mistake to avoid, an old or rejected text, an example, or an explanation of a notation
	Not       Verb = "not"
	NewFile   Verb = "new-file"   // a label such as `New file:`
	NewText   Verb = "new-text"   // a label such as `Updated file:`
	GoneFile  Verb = "gone-file"  // a label such as `Deleted file:`
	Undo      Verb = "undo"       // the block undoes an earlier block, and is meant for a later time
	Choice    Verb = "choice"     // only one of several blocks is meant
	Contents  Verb = "contents"   // a label such as `Contents of`
	Shows     Verb = "shows"      // the text below is the new text: "Here is the updated"
	MayGo     Verb = "may-go"     // the end of the sentence says that a file can or should be deleted
	InFile    Verb = "in-file"    // a place in a file: "line 5", "at the top of the file"
	NotNow    Verb = "not-now"    // nothing is to be done, or not yet
	Wait      Verb = "wait"       // the edits of the reply are not to be applied yet, or only under a condition
	RestStays Verb = "rest-stays" // everything that the reply does not name stays as it is
	OnePlace  Verb = "one-place"  // only one place of a file changes
	// only comments change, and no code
	OnlyComments Verb = "only-comments"
	Retract      Verb = "retract" // takes back or restricts the blocks above: "Ignore the above.", "Wait, ..."
	Note         Verb = "note"    // a harmless note next to a path: "(updated)"
	Filler       Verb = "filler"  // words in labels that name no action: "the", "file"
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

// An expression is a regular expression that matches the words for a verb at the beginning of a text.
type expression struct {
	*regexp.Regexp
	first [utf8.RuneSelf]bool // true for each ASCII character with which one of the words begins
}

var words = sync.OnceValue(func() map[Verb]expression {
	all := map[Verb][]string{}
	for _, p := range phrases() {
		// Marks may surround a word, as in "do **not** do".
		all[p.verb] = append(all[p.verb], strings.ReplaceAll(p.words, " ", "[ *_]+"))
	}
	compiled := map[Verb]expression{}
	for v, alternatives := range all {
		pattern := `^(?i:` + strings.Join(alternatives, "|") + `)`
		e := expression{Regexp: regexp.MustCompile(pattern), first: firstOf(pattern)}
		e.Longest()
		compiled[v] = e
	}
	return compiled
})

// firstOf returns the ASCII characters with which a match of a valid pattern can begin.
func firstOf(pattern string) (first [utf8.RuneSelf]bool) {
	parsed, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		panic(err)
	}
	prog, err := syntax.Compile(parsed.Simplify())
	if err != nil {
		panic(err)
	}
	seen := map[uint32]bool{}
	var walk func(pc uint32)
	walk = func(pc uint32) {
		if seen[pc] {
			return
		}
		seen[pc] = true
		switch in := prog.Inst[pc]; in.Op {
		case syntax.InstAlt, syntax.InstAltMatch:
			walk(in.Out)
			walk(in.Arg)
		case syntax.InstCapture, syntax.InstNop, syntax.InstEmptyWidth:
			walk(in.Out)
		case syntax.InstRune, syntax.InstRune1, syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
			for c := range first {
				first[c] = first[c] || in.MatchRune(rune(c))
			}
		}
	}
	walk(uint32(prog.Start))
	return first
}

// say finds the first words for a verb in a line. In scripts with spaces, only whole words count.
func say(line string, verb Verb) (at text.Span, ok bool) {
	e := words()[verb]
	before := rune(0)
	for i, r := range line {
		if (r >= utf8.RuneSelf || e.first[r]) && !joins(before, r) {
			if m := e.FindStringIndex(line[i:]); m != nil && isWhole(line, text.Span{Start: i, End: i + m[1]}) {
				return text.Span{Start: i, End: i + m[1]}, true
			}
		}
		before = r
	}
	return at, false
}

// isWhole reports whether a span does not begin or end inside a word.
func isWhole(line string, at text.Span) bool {
	before, _ := utf8.DecodeLastRuneInString(line[:at.Start])
	first, _ := utf8.DecodeRuneInString(line[at.Start:])
	last, _ := utf8.DecodeLastRuneInString(line[:at.End])
	after, _ := utf8.DecodeRuneInString(line[at.End:])
	return !joins(before, first) && !joins(last, after)
}

// unspaced lists the scripts that write no spaces between words, or attach endings to words.
var unspaced = []*unicode.RangeTable{unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai}

func joins(a, b rune) bool {
	return unicode.IsLetter(a) && unicode.IsLetter(b) && !unicode.In(a, unspaced...) && !unicode.In(b, unspaced...)
}
