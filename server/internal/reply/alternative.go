package reply

import (
	"slices"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/mdblock"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// nearLines is the number of lines above a block in which the reply may say something about the block.
const nearLines = 4

// Around describes the text around a block.
type Around struct {
	Above  text.Span       // the text between the preceding block or fence and this block
	Below  text.Span       // for the last block, the text to the end of the reply; otherwise empty
	Fences []mdblock.Block // the fences of the document
	Second bool            // another block comes before this one
	Again  bool            // an earlier block changes the same file
}

// Alternative finds words near a block which say that the block may not be meant in addition to the other changes. The
// block may be one of several ways, optional, or only shown, or it may undo another change. The result is the span of
// the words and their verb, or Nothing.
func Alternative(doc string, a Around) (at text.Span, says Verb) {
	near, options := a.Above, a.Above
	if above := fencesIn(a.Fences, a.Above); len(above) > 0 {
		near.Start = max(near.Start, min(near.End, above[len(above)-1].Span.End))
		// An option may follow a code block that is not an edit.
		if !a.Second {
			a.Second, options.Start = true, above[0].Open.End
		}
	}
	if a.Second {
		if at, ok := firstInLines(doc, options, otherOption); ok {
			return at, Option
		}
	}
	for _, line := range last(linesIn(doc, near), nearLines) {
		if at, says = a.lineSays(doc, line); says != Nothing {
			return at, says
		}
	}
	return a.belowSays(doc)
}

// Says finds the words for a verb in the prose of a reply. `parts` are the spans of the blocks and of everything else that
// is not prose. The result is empty if there are no such words.
func Says(doc string, parts []text.Span, verb Verb) text.Span {
	from := 0
	for _, p := range append(slices.Clone(parts), text.Span{Start: len(doc), End: len(doc)}) {
		if at, ok := firstInLines(doc, text.Span{Start: from, End: max(from, p.Start)}, says(verb)); ok {
			return at
		}
		from = max(from, p.End)
	}
	return text.Span{}
}

// OnlyAdds reports whether the lines above a block ask to add something, and for no other change. `above` is the text
// between the preceding block or fence and this block.
func OnlyAdds(doc string, above text.Span) (adds bool) {
	for _, at := range last(linesIn(doc, above), nearLines) {
		line := wordsOf(at.In(doc))
		for _, other := range []Verb{Change, Delete, Rename} {
			if _, ok := say(line, other); ok {
				return false
			}
		}
		adds = adds || Asks(line, Add)
	}
	return adds
}

func says(v Verb) func(line string) (text.Span, bool) {
	return func(line string) (text.Span, bool) { return say(line, v) }
}

// fencesIn returns the fences that begin in a span.
func fencesIn(fences []mdblock.Block, in text.Span) []mdblock.Block {
	from := sort.Search(len(fences), func(i int) bool { return fences[i].Span.Start >= in.Start })
	to := sort.Search(len(fences), func(i int) bool { return fences[i].Span.Start >= in.End })
	return fences[from:max(from, to)]
}

// lineSays finds words in a line above a block which say that the block may not be meant. It returns their span and
// their verb.
func (a Around) lineSays(doc string, at text.Span) (text.Span, Verb) {
	line := at.In(doc)
	isLabel := endsAsLabel(line)
	for _, by := range []struct {
		verb  Verb
		given bool
		where func(string, text.Span) bool
	}{
		{Optional, true, isLabelled},
		{Otherwise, a.Second, beginsClause},
		{TakenBack, a.Again, anywhere},
		{Undo, a.Again && isLabel, anywhere},
		{Not, isLabel, func(line string, words text.Span) bool {
			ends := strings.Contains(words.In(line), " ") && !isLetter(strings.TrimLeft(line[words.End:], " *_:"))
			return ends || beginsClause(line, words)
		}},
	} {
		if !by.given {
			continue
		}
		if words, ok := say(line, by.verb); ok && by.where(line, words) {
			return words.Shift(at.Start), by.verb
		}
	}
	return text.Span{}, Nothing
}

func anywhere(string, text.Span) bool { return true }

// marks matches the characters that may precede the first word of a line.
var marks = lazyregexp.New(`^(?:[\s>#*_\-–—+•.\d)(\[\]]|\p{So}|\x{fe0f}|(?i:step \d+[:.)]?))*`)

// beginsClause reports whether words are at the beginning of a line or of a clause.
func beginsClause(line string, words text.Span) bool {
	before := strings.TrimRight(line[:words.Start], " *_“\"")
	if words.Start <= len(marks.FindString(line)) {
		return true
	}
	end, _ := utf8.DecodeLastRuneInString(before)
	return strings.ContainsRune(".!?:,;—–。！？，：", end)
}

// isLabelled reports whether words such as "optional" are a label: they begin the line or are in brackets. Within a
// sentence, the word is only an adjective.
func isLabelled(line string, words text.Span) bool {
	before := strings.TrimRight(line[:words.Start], " *_")
	after := strings.TrimLeft(line[words.End:], " *_")
	if strings.HasSuffix(before, "(") || strings.HasSuffix(before, "（") || strings.HasSuffix(before, "[") {
		return true
	}
	return words.Start <= len(marks.FindString(line)) && (strings.HasPrefix(strings.TrimLeft(line, " >"), "#") || endsAsLabel(line) || after == "" || strings.ContainsAny(after[:1], ":,-(") || !isLetter(after))
}

func isLetter(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return text.HasWord(string(r))
}

// secondOne matches a number other than 1 after the word for an option.
var secondOne = lazyregexp.New(`^[ *_]*(?i:#?[2-9]\b|[B-F]\b|two\b|three\b|second\b|[二三四五乙丙]|两)`)

// otherOption finds words that introduce a second or later option: "Option 2", "Or, if you prefer".
func otherOption(line string) (text.Span, bool) {
	begins := func(at text.Span) bool {
		lead := line[:at.Start]
		return at.Start <= len(marks.FindString(line)) || strings.EqualFold(strings.TrimLeft(lead, " >#*_-"), "or ") || strings.EqualFold(strings.TrimLeft(lead, " >#*_-"), "or, ")
	}
	at, ok := say(line, Option)
	if ok && begins(at) {
		if m := secondOne.FindStringIndex(line[at.End:]); m != nil {
			return text.Span{Start: at.Start, End: at.End + m[1]}, true
		}
	}
	if at, ok = say(line, Otherwise); ok && begins(at) && strings.Contains(line[at.Start:at.End], " ") {
		return at, true
	}
	return at, false
}

// belowSays finds words below the last block which say that the block is an alternative. It returns their span and
// their verb. Words for a choice ("choose one") count in any line, and other words only above the next code block.
func (a Around) belowSays(doc string) (text.Span, Verb) {
	if a.Second {
		if at, ok := firstInLines(doc, a.Below, says(Choice)); ok {
			return at, Choice
		}
	}
	fences := fencesIn(a.Fences, a.Below)
	if len(fences) == 0 {
		return text.Span{}, Nothing
	}
	below := text.Span{Start: a.Below.Start, End: fences[len(fences)-1].Open.Start}
	if at, ok := firstInLines(doc, below, otherOption); ok {
		return at, Option
	}
	if at, ok := firstInLines(doc, below, says(TakenBack)); ok {
		return at, TakenBack
	}
	return text.Span{}, Nothing
}

// firstInLines calls find for each line in a part of the document, and returns the first span that it finds.
func firstInLines(doc string, in text.Span, find func(string) (text.Span, bool)) (text.Span, bool) {
	for _, line := range linesIn(doc, in) {
		if at, ok := find(line.In(doc)); ok {
			return at.Shift(line.Start), true
		}
	}
	return text.Span{}, false
}

// linesIn returns the lines of a span without blank lines and without their endings.
func linesIn(doc string, in text.Span) []text.Span {
	var lines []text.Span
	for at := in.Start; at < in.End; {
		end, next := text.LineEnd(doc, at)
		if end = min(end, in.End); strings.Trim(doc[at:end], " \t>") != "" {
			lines = append(lines, text.Span{Start: at, End: min(end, at+mostLine)})
		}
		at = next
	}
	return lines
}

func last(lines []text.Span, n int) []text.Span { return lines[max(0, len(lines)-n):] }
