package reply

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/aptix-dev/aptix/server/internal/elision"
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/mdblock"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// mostAlone is the number of words that are a label although they do not end as one.
const mostAlone = 2

// introduced adds a fence without a path to the unread parts if the sentence above asks for an edit, and reports
// whether the sentence does. If the sentence has no word for an edit, such as `and line 15 to:`, the fence must
// resemble lines of the file.
func (a *lister) introduced(from int, b *mdblock.Block, above text.Span) bool {
	line := above.In(a.doc)
	name := cmp.Or(a.sectionPath(from, above), a.files.only())
	_, added := say(wordsOf(line), Added)
	added = (added || a.continues(from, b)) && isTold(line, len(line)) && a.isLikeEdits(b) && text.IsCode(b.Body)
	labels := endsAsLabel(line) || countWords(wordsOf(line)) <= mostAlone // `insert` below a quoted line
	asked := labels && (added || Asks(line, Add, Change))
	if asked && name == "" {
		name = a.fileAbove(0, above, a.files.Meter, a.files.existing)
	}
	missing := "" // "In both `src/a.html` and `src/b.html`, add this line:"
	for _, m := range a.mentions(line) {
		if missing == "" && asked && a.files.isFile(m.name) && !a.files.has(m.name, b.Body) {
			missing = m.name
		}
	}
	name = cmp.Or(missing, name)
	if !labels || !asked && !(introducesNew(wordsOf(line)) && name != "" && a.files.isNear(name, b.Body)) {
		return false
	}
	if name != "" && a.files.has(name, b.Body) || missing == "" && a.anyHas(b.Body) {
		return true
	}
	what := "an instruction and a code block"
	if name != "" {
		what += " for " + name
	}
	a.used = append(a.used, above)
	// The fence is not certain to be an edit if it only shows how to call the new code: "you can use it in this way:".
	perhaps := saysAny(wordsOf(line), unsure...)
	a.add(Unread{Kind: Instruction, At: above, Path: name, What: what, Sure: name != "" && !(perhaps && a.callsNew(b))})
	return true
}

const mostCalled = 20

// callsNew reports whether the reply adds any of the first names in a fence to a changed file that lacks it.
func (a *lister) callsNew(b *mdblock.Block) bool {
	names := text.Names(b.Body)
	isNew := func(name string) bool {
		return slices.ContainsFunc(a.files.changed(), func(file string) bool { return a.files.gets(file, name) })
	}
	return slices.ContainsFunc(names[:min(len(names), mostCalled)], isNew)
}

// continues reports whether the prose between a fence that a format reads and the next fence begins with a small
// letter, such as "and at the end of the same file:". If so, the prose continues the sentence above the first fence.
func (a *lister) continues(from int, b *mdblock.Block) bool {
	first, _ := utf8.DecodeRuneInString(strings.TrimLeft(a.doc[from:max(from, b.Open.Start)], " \t\r\n>"))
	return from > 0 && unicode.IsLower(first) && a.isRead(text.Span{Start: from - 1, End: from})
}

// isLikeEdits reports whether a fence has the same tag as some fence that a format reads.
func (a *lister) isLikeEdits(b *mdblock.Block) bool {
	return b.Kind() == mdblock.OtherCode && slices.ContainsFunc(a.document.Fences, func(other mdblock.Block) bool {
		return other.Lang == b.Lang && a.isRead(other.Span)
	})
}

// version adds a fence without a path to the unread parts if the fence has another version of a changed file or of a
// part of it, or if it leaves out lines of some file. It skips a fence if the line above calls the text old.
func (a *lister) version(b *mdblock.Block, above text.Span) {
	words := wordsOf(above.In(a.doc))
	if _, old := say(words, Before); old && countWords(words) <= mostInLabel {
		return
	}
	name, sure, known := a.files.like(b.Body)
	if known {
		return
	}
	label, part := above.In(a.doc), isPart(b)
	if name == "" {
		name = a.files.versionOf(b.Body)
		sure = name != ""
		if !sure && b.Kind() == mdblock.OtherCode && endsAsLabel(label) {
			name = a.files.definer(label, b.Body)
			sure, part = name != "" && isTold(label, len(label)), part && name == ""
		}
	}
	switch {
	case name != "":
		a.add(Unread{Kind: Fence, At: b.Open, Path: name, What: "a code block that resembles lines of " + name, Sure: sure || part, Unlabelled: true})
		return
	case part:
		if _, quotes := a.files.holder(b.Body); !quotes {
			a.add(Unread{Kind: Fence, At: b.Open, What: "a code block with a part of a file that it does not name", Sure: !test.MatchString(b.Body) || isTold(label, len(label))})
		}
		return
	}
	if leavesOut(b) {
		a.add(Unread{Kind: Fence, At: b.Open, What: "a code block that leaves out lines of a file and does not name the file"})
	}
}

// leavesOut reports whether a line of a fence stands for lines that are left out.
func leavesOut(b *mdblock.Block) bool {
	return slices.ContainsFunc(text.SplitLines(b.Body), func(line string) bool { return elision.IsPlaceholder(strings.TrimSpace(line)) })
}

// isPart reports whether a fence has a part of some file that it does not name: indented code, a test, or the
// suggestion of a review. Other code may be an example of a call, which begins at the margin.
func isPart(b *mdblock.Block) bool {
	return b.Lang == "suggestion" || b.Fenced && b.Kind() == mdblock.OtherCode && text.IsCode(b.Body) && (indented.MatchString(b.Body) || test.MatchString(b.Body))
}

// test matches the first line of a test, or of a group of tests.
var test = lazyregexp.New("(?m)^[ \\t]*(?:(?:test|it|describe|context)\\([\"'`]|(?:async )?def test_\\w+\\(|func Test[A-Z]\\w*\\(|#\\[(?:tokio::)?test\\]|@(?:Test|ParameterizedTest)\\b|\\[(?:Fact|Theory|Test)\\b|TEST(?:_F|_P)?\\(|(?:RSpec\\.)?describe [A-Z\"']|public function test)")

func (a *lister) anyHas(body string) bool {
	for name := range a.files.Made {
		if a.files.has(name, body) {
			return true
		}
	}
	return false
}

// sectionPath returns the path on one of the three lines above `line`, but not above the offset `from`, or "".
func (a *lister) sectionPath(from int, line text.Span) string {
	for range 3 {
		line = LineAbove(a.doc, from, line.Start)
		if line.Empty() {
			return ""
		}
		if l, ok := a.lineLabel(line, true); ok {
			return l.Path
		}
	}
	return ""
}
