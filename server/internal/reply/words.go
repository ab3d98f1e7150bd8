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
	Perhaps   Verb = "perhaps"    // the sentence only offers a change, or sets a condition
	Find      Verb = "find"       // the text below is the old text of a pair and should be replaced
	Before    Verb = "before"     // the text below is the old text of a pair
	After     Verb = "after"      // the text below is the new text of a pair
	Option    Verb = "option"     // the block is one of several ways to reach the goal: "Option 2"
	Optional  Verb = "optional"   // the block need not be applied
	Otherwise Verb = "otherwise"  // the block is an alternative to the preceding one
	TakenBack Verb = "taken-back" // the block replaces an earlier one of the reply
	// the block is only shown, for example as a mistake to avoid, an old or rejected text, an example, or an
	// explanation of a notation
	Not       Verb = "not"
	NewFile   Verb = "new-file"   // a label such as `New file:`
	NewText   Verb = "new-text"   // a label such as `Updated file:`
	GoneFile  Verb = "gone-file"  // a label such as `Deleted file:`
	Undo      Verb = "undo"       // the block undoes an earlier block, and is to be applied later
	Choice    Verb = "choice"     // only one of several blocks is to be applied
	Contents  Verb = "contents"   // a label such as `Contents of`
	Shows     Verb = "shows"      // the text below is the new text: "Here is the updated"
	MayGo     Verb = "may-go"     // the end of the sentence says that a file can or should be deleted
	InFile    Verb = "in-file"    // a place in a file: "line 5", "at the top of the file"
	Below     Verb = "below"      // the new lines belong below the code that is named next: "after `open()`"
	Above     Verb = "above"      // the new lines belong above the code that is named next
	AtEnd     Verb = "at-end"     // the place is at the end of the file
	NotNow    Verb = "not-now"    // nothing should be done, or not yet
	Remember  Verb = "remember"   // a negation that asks for something: "don't forget"
	Wait      Verb = "wait"       // the edits of the reply should wait, or have a condition
	RestStays Verb = "rest-stays" // everything that the reply does not name stays as it is
	Stays     Verb = "stays"      // the names before the words stay as they are: "`open` is unchanged"
	OnePlace  Verb = "one-place"  // only one place of a file changes
	Both      Verb = "both"       // the edit is meant for both places that have the text
	AllPlaces Verb = "all-places" // the edit is meant for all places that have the text
	// only comments change, and no code
	OnlyComments Verb = "only-comments"
	Retract      Verb = "retract" // the blocks above are withdrawn or restricted: "Ignore the above.", "Wait, ..."
	Note         Verb = "note"    // a harmless note next to a path: "(updated)"
	Filler       Verb = "filler"  // words in labels that do not name an action: "the", "file"
	Repeat       Verb = "repeat"  // a change is also meant for another place: "do the same in"
	Instead      Verb = "instead" // one of two values is rejected: "instead of"
	Common       Verb = "common"  // words by which the language of a sentence is recognized
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

// An expression matches the words for a verb at the beginning of a text. It is compiled when it is first needed: most
// replies need only a few verbs, and compiling all takes longer than reading a short reply.
type expression struct {
	heads    func() *heads // the first characters of each match
	compiled func() *regexp.Regexp
}

// A head is the first three characters of a text. A 0 stands for any character or for the end of the text.
type head [3]rune

type heads struct {
	all   map[head]bool
	ascii [utf8.RuneSelf]bool // the ASCII characters with which a match can begin; a quick test, because most texts begin with others
}

var words = sync.OnceValue(func() map[Verb]expression {
	all := map[Verb][]string{}
	for _, p := range phrases() {
		// Allow marks around each word, as in "do **not** do".
		all[p.verb] = append(all[p.verb], strings.ReplaceAll(p.words, " ", "[ *_]+"))
	}
	expressions := map[Verb]expression{}
	for v, alternatives := range all {
		expressions[v] = newExpression(`^(?i:` + strings.Join(alternatives, "|") + `)`)
	}
	return expressions
})

func newExpression(pattern string) expression {
	return expression{
		heads: sync.OnceValue(func() *heads { return headsOf(pattern) }),
		compiled: sync.OnceValue(func() *regexp.Regexp {
			compiled := regexp.MustCompile(pattern)
			compiled.Longest()
			return compiled
		}),
	}
}

// headsOf returns the heads of the texts that match a valid pattern. Almost no word begins like the words for a verb,
// so comparing heads first avoids most runs of the expression. Without this, the expressions would take three quarters
// of the time for a reply with much prose.
func headsOf(pattern string) *heads {
	parsed, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		panic(err)
	}
	prog, err := syntax.Compile(parsed.Simplify())
	if err != nil {
		panic(err)
	}
	found := &heads{all: map[head]bool{}}
	var add func(h head, n int, pc uint32)
	add = func(h head, n int, pc uint32) {
		if n == len(h) || n > 0 && h[n-1] == 0 {
			found.all[h] = true
			return
		}
		for _, s := range next(prog, pc) {
			for _, r := range s.runes {
				h[n] = r
				add(h, n+1, s.then)
			}
		}
	}
	add(head{}, 0, uint32(prog.Start))
	for h := range found.all {
		for c := range found.ascii {
			found.ascii[c] = found.ascii[c] || h[0] == rune(c) || h[0] == 0
		}
	}
	return found
}

type step struct {
	runes []rune
	then  uint32
}

// next returns the steps that a match can take from an instruction of a compiled expression. A step with the character
// 0 means that a match may end there.
func next(prog *syntax.Prog, pc uint32) (steps []step) {
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
		case syntax.InstRune, syntax.InstRune1:
			steps = append(steps, step{runesOf(in), in.Out})
		case syntax.InstRuneAny, syntax.InstRuneAnyNotNL, syntax.InstMatch:
			steps = append(steps, step{[]rune{0}, pc})
		}
	}
	walk(pc)
	return steps
}

// mostRunes limits the characters of a class that are listed one by one; a larger class counts as any character.
const mostRunes = 32

// runesOf returns the characters that an instruction reads, or 0 if there are too many. A single character stands for
// all its cases.
func runesOf(in syntax.Inst) (all []rune) {
	if len(in.Rune) == 1 {
		all = append(all, in.Rune[0])
		for r := unicode.SimpleFold(in.Rune[0]); syntax.Flags(in.Arg)&syntax.FoldCase != 0 && r != in.Rune[0]; r = unicode.SimpleFold(r) {
			all = append(all, r)
		}
		return all
	}
	for i := 0; i < len(in.Rune); i += 2 {
		for r := in.Rune[i]; r <= in.Rune[i+1]; r++ {
			if all = append(all, r); len(all) > mostRunes {
				return []rune{0}
			}
		}
	}
	return all
}

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

// at returns the span of the words that begin at offset i of a line.
func (e expression) at(line string, i int) (at text.Span, ok bool) {
	if isHead(e.heads(), line[i:]) {
		if m := e.compiled().FindStringIndex(line[i:]); m != nil {
			at = text.Span{Start: i, End: i + m[1]}
			return at, isWhole(line, at)
		}
	}
	return at, false
}

func isHead(heads *heads, s string) bool {
	if s != "" && s[0] < utf8.RuneSelf && !heads.ascii[s[0]] {
		return false
	}
	var h head
	for i := range h {
		r, size := utf8.DecodeRuneInString(s)
		h[i], s = r, s[size:]
	}
	return heads.all[h] || heads.all[head{h[0], h[1]}] || heads.all[head{h[0]}] || heads.all[head{}]
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
