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

// nearLines is the number of lines above a block that are searched for words about the block.
const nearLines = 4

// Around describes the text around a block.
type Around struct {
	Above  text.Span // the text between the preceding block or fence and this block
	Start  int       // the offset of the block, which may begin with a label
	Below  text.Span // the text below the block if it is the last one of the document; otherwise empty
	Fences []mdblock.Block
	Second bool // the block is not the first one
	Again  bool // an earlier block changes the same file
	Gone   bool // the block only deletes or renames files, so it has no text that could be old
}

// Alternative finds words near a block that are a reason not to apply it: the block may be one of several options,
// optional or only an illustration, or may undo another change. It returns the span of the words and their verb, or
// [Nothing] if there are no such words.
func Alternative(doc string, a Around) (at text.Span, says Verb) {
	near, options := a.Above, a.Above
	if above := fencesIn(a.Fences, a.Above); len(above) > 0 {
		near.Start = max(near.Start, min(near.End, above[len(above)-1].Span.End))
		// If this block is an option, the first option may be a code block that is not an edit, so search from that
		// code block on.
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
	near.End = min(near.End, a.Start)
	if a.Second {
		if at, ok := firstInLines(doc, near, withdraws); ok {
			return at, Retract
		}
		if at := invented.FindStringIndex(a.Above.In(doc)); at != nil {
			start := a.Above.Start + at[0]
			end, _ := text.LineEnd(doc, start)
			return text.Span{Start: start, End: end}, Not
		}
	}
	if lines := linesIn(doc, near); len(lines) > 0 {
		last := len(lines) - 1
		at, ok := lineOnlyShown(doc, lines, last)
		if _, _, _, isLabel := FileLine(bracket.ReplaceAllString(lines[last].In(doc), "")); isLabel && !ok && last > 0 {
			at, ok = lineOnlyShown(doc, lines, last-1)
		}
		if ok && !(a.Gone && formerly.MatchString(at.In(doc))) {
			return at, Not
		}
	}
	return a.belowSays(doc)
}

// invented matches a turn of a person up to the label of the answer to it. A model that does not stop after its answer
// invents such turns, in the form of the chats with which it was trained, and answers them.
var invented = lazyregexp.New(`(?m)^[ \t>*_#]*(?:Human|User)[*_ \t]*:(?s:.{0,1000}?)^[ \t>*_#]*(?:Assistant|AI)[*_ \t]*:|<\|im_start\|>\s*user\b|<\|user\|>|<start_of_turn>\s*user\b|\[INST\]`)

// Says finds the words for a verb in the prose of a reply. `parts` are the spans of the blocks and of everything else
// that is not prose. The span is empty if the prose has no such words.
func Says(doc string, parts []text.Span, verb Verb) text.Span { return inProse(doc, parts, says(verb)) }

// KeepsAll returns the words of a reply that say that something stays as it is, if no sentence speaks of deleting or moving,
// or names the file with the given base name. Otherwise the span is empty.
func KeepsAll(doc string, parts []text.Span, base string) text.Span {
	goes := inProse(doc, parts, func(line string) (text.Span, bool) {
		return text.Span{End: len(line)}, strings.Contains(line, base) || saysAny(line, Delete, Removed, Rename, Moved, MayGo, GoneFile)
	})
	if !goes.Empty() {
		return text.Span{}
	}
	return Says(doc, parts, Stays)
}

// Retracts finds a sentence below offset `end`, the end of the last block, that withdraws something.
func Retracts(doc string, parts []text.Span, end int) text.Span {
	return inProse(doc, append([]text.Span{{End: end}}, parts...), withdraws)
}

func inProse(doc string, parts []text.Span, find func(string) (text.Span, bool)) text.Span {
	from := 0
	for _, p := range append(slices.Clone(parts), text.Span{Start: len(doc), End: len(doc)}) {
		if at, ok := firstInLines(doc, text.Span{Start: from, End: max(from, p.Start)}, find); ok {
			return at
		}
		from = max(from, p.End)
	}
	return text.Span{}
}

// Numbers returns the numbers in the prose of a reply. The value for each is another number from the same sentence, or
// "" if there is none.
func Numbers(doc string, parts []text.Span) map[string]string {
	all := map[string]string{}
	inProse(doc, parts, func(line string) (text.Span, bool) {
		found := numbersIn(line, 20)
		for _, n := range found {
			if _, ok := all[n]; !ok {
				all[n] = ""
			}
		}
		if len(found) < 2 {
			return text.Span{}, false
		}
		for _, at := range Sentences(line) {
			sentence := at.In(line)
			if place, ok := say(sentence, InFile); ok { // ignore line numbers
				sentence = sentence[:place.Start] + sentence[place.End:]
			}
			inSentence := numbersIn(sentence, 10)
			for _, one := range inSentence {
				for _, other := range inSentence {
					if one != other {
						all[one] = other
					}
				}
			}
		}
		return text.Span{}, false
	})
	return all
}

// numbersIn returns the first numbers in a line, at most `most`. The number of an issue, such as #12, is left out.
func numbersIn(line string, most int) (found []string) {
	for _, m := range number.FindAllStringSubmatch(line, most) {
		if !strings.HasPrefix(m[0], "#") {
			found = append(found, m[0])
		}
	}
	return found
}

var number = lazyregexp.New(`#?\d+(?:\.\d+)*`)

// OnlyAdds reports whether the lines above a block ask only for an addition. `above` is the text between the preceding
// block or fence and this block.
func OnlyAdds(doc string, above text.Span) (adds bool) {
	for _, at := range last(linesIn(doc, above), nearLines) {
		line := wordsOf(at.In(doc))
		if saysAny(line, Change, Delete, Rename, Create) {
			return false
		}
		adds = adds || Asks(line, Add)
	}
	return adds
}

// Places reads the lines above a block for the place of its edit. It returns the names in code marks or in bold, and
// whether the edit is meant for all places that have its text.
func Places(doc string, above text.Span) (names []string, everywhere bool) {
	for _, at := range last(linesIn(doc, above), nearLines) {
		line := at.In(doc)
		for _, code := range codesIn(line, mostNamed) {
			if name := strings.TrimSuffix(code.text.In(line), "()"); text.HasWord(name) {
				names = append(names, name)
			}
		}
		for _, m := range boldName.FindAllStringSubmatch(line, mostNamed) {
			names = append(names, m[1])
		}
		words := wordsOf(line)
		everywhere = everywhere || several.MatchString(words) || saysAny(words, Both, AllPlaces)
	}
	return names, everywhere
}

const mostNamed = 20

// The expression `several` matches words for more than one thing, such as “all” or “both”.
var several = lazyregexp.New(`(?i)\b(?:all|every|each|both|two|three|four|five|alle[nrs]?|jede[nmrs]?|beiden?|tous|toutes|chaque|todos|todas|cada|ambos|ambas|tutt[ei]|ogni)\b|(?:^|[^\pL])(?:все|всех|кажд\pL+)|所有|每|全部|都|すべて|全て|各|모든|모두|सभी|हर|كل|جميع`)

var boldName = lazyregexp.New(`\*\*([\pL\d_][^\s*:]*)\*\*`)

// conjunction matches a word that joins a sentence to the one before.
var conjunction = lazyregexp.New(`(?i)^\W*(?:so|but|therefore|hence|daher|deshalb|darum|aber|donc|mais|alors|pero|así que|por eso|entonces|mas|então|portanto|ma|quindi|perciò|но|поэтому)\s+`)

// withdraws finds a sentence that withdraws the text above, or calls it optional.
func withdraws(line string) (text.Span, bool) {
	for at := 0; at < len(line); {
		end := len(line)
		if m := sentenceEnd.FindStringIndex(line[at:]); m != nil && m[1] > 0 {
			end = at + m[1]
		}
		sentence := wordsOf(line[at:end])
		_, named := OnlyPath(line[at:end])
		if _, ok := say(sentence, Reverted); ok {
			return text.Span{Start: at, End: at + len(strings.TrimRight(sentence, " "))}, true
		}
		found, ok := say(sentence, Retract)
		before := strings.TrimPrefix(sentence[:found.Start], conjunction.FindString(sentence[:found.Start])) // "So please do not apply this."
		called, clause, _ := strings.Cut(before, ",")                                                        // "Stop, please do not apply this."
		if ok && !item.MatchString(line) && (named || countWords(called) <= mostBetween && countWords(clause) <= 1 && (clause != "" || countWords(called) <= 1) || isUnspaced(found.In(sentence))) {
			return text.Span{Start: at, End: at + len(strings.TrimRight(sentence, " "))}, true
		}
		at = end
	}
	return text.Span{}, false
}

var (
	// bracket matches a note at the end of a line, either in brackets or after an `@`.
	bracket = lazyregexp.New("(?:[(（\\[【][^()（）]*[)）\\]】]|@.*)[ \t*_:：`]*$")
	dash    = lazyregexp.New("^[ \t*_:`\"']*[—–-]+[ \t]")
	// noun matches an English noun that is also used as a verb: "a change".
	noun = lazyregexp.New(`(?i)\b(?:an?|the|this|that|such|any|my|your) (?:\pL+ )?(?:changes?|edits?|updates?|sets?)\b`)
)

// lineOnlyShown looks in line i of the given lines for words that say that a block is only shown. An item of a list is
// not a label of the block, so unknown words in brackets after its path say nothing about the block.
func lineOnlyShown(doc string, lines []text.Span, i int) (at text.Span, ok bool) {
	line := lines[i].In(doc)
	isItem := func(i int) bool { return i >= 0 && i < len(lines) && item.MatchString(lines[i].In(doc)) }
	if at, ok = onlyShown(line); ok && isItem(i) && (isItem(i-1) || isItem(i+1)) {
		ok = saysAny(wordsOf(at.In(line)), Not, NotNow, Otherwise)
	}
	return at.Shift(lines[i].Start), ok
}

// onlyShown finds words that say that a block is only shown: an unknown note next to the path, a question, or a word
// such as "example" in a line that does not ask for a change. The line is the block's label or the sentence above the
// block.
func onlyShown(line string) (text.Span, bool) {
	words := wordsOf(line)
	at := text.Span{Start: len(words) - len(lastSentence(words)), End: len(strings.TrimRight(line, " \t"))}
	if m := bracket.FindStringIndex(line); m != nil && !isPath(line) && isPath(line[:m[0]]) {
		at.Start = m[0]
		return at, countWords(at.In(line)) > 0 && (saysAny(at.In(words), Not, NotNow, Otherwise) || !saysAny(words, harmless...))
	}
	if path, ok := OnlyPath(line); ok && dash.MatchString(line[path.End:]) {
		at.Start = path.End
		said := at.In(words)
		against := slices.ContainsFunc([]Verb{Not, NotNow, Otherwise}, func(v Verb) bool {
			found, ok := say(said, v)
			return ok && (countWords(said[:found.Start]) <= 1 || isUnspaced(found.In(said)))
		})
		return at, against && !saysAny(words, orders...)
	}
	sentence := noun.ReplaceAllString(at.In(words), " ")
	if last, _ := utf8.DecodeLastRuneInString(strings.TrimRight(sentence, " *_`")); !endsAsLabel(line) && strings.ContainsRune("?？؟.!。！।", last) {
		return at, strings.ContainsRune("?？؟", last)
	}
	found, ok := say(sentence, Not)
	if !ok || saysAny(sentence[:found.Start]+" "+sentence[found.End:], orders...) {
		return at, false
	}
	// Otherwise, at least two of these must be true: the words begin the sentence, they end it, there are several of
	// them.
	begins, ends, several := countWords(sentence[:found.Start]) <= 1, countWords(sentence[found.End:]) == 0, strings.Contains(found.In(sentence), " ")
	ok = beginsClause(sentence, found) || isUnspaced(found.In(sentence)) || begins && (ends || several) || ends && several
	return found.Shift(at.Start), ok
}

var (
	// orders are the verbs of a sentence that asks for a change or announces it.
	orders = []Verb{Create, Add, Change, Delete, Rename, Shows}
	// unsure are the verbs of a sentence that only offers a change, or sets a condition for it.
	unsure = []Verb{Perhaps, Condition}
	// harmless lists the verbs whose words, in a note next to a path, say nothing against the block.
	harmless = append([]Verb{Note, NewFile, NewText, Contents, InFile}, orders...)
)

func saysAny(words string, verbs ...Verb) bool {
	return slices.ContainsFunc(verbs, func(v Verb) bool { _, ok := say(words, v); return ok })
}

func says(v Verb) func(line string) (text.Span, bool) {
	return func(line string) (text.Span, bool) { return say(line, v) }
}

func fencesIn(fences []mdblock.Block, in text.Span) []mdblock.Block {
	from := sort.Search(len(fences), func(i int) bool { return fences[i].Span.Start >= in.Start })
	to := sort.Search(len(fences), func(i int) bool { return fences[i].Span.Start >= in.End })
	return fences[from:max(from, to)]
}

// lineSays finds words, in a line above a block, that cast doubt on the block. It returns their span and their verb.
func (a Around) lineSays(doc string, at text.Span) (text.Span, Verb) {
	line := at.In(doc)
	if words, ok := a.condition(line); ok {
		return words.Shift(at.Start), Optional
	}
	for _, by := range []struct {
		verb  Verb
		given bool
		where func(string, text.Span) bool
	}{
		{Optional, true, isLabelled},
		{Otherwise, a.Second, beginsClause},
		{TakenBack, a.Again, anywhere},
		{Undo, a.Again && endsAsLabel(line), anywhere},
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

// condition finds words, in a label above a block, that make the block depend on a condition: "If nothing else reads
// the file, you can delete it:". An edit may describe a condition in the code ("If the list is empty, return 0:"), so for
// an edit of a text the label must also offer the edit.
func (a Around) condition(line string) (text.Span, bool) {
	from := len(line) - len(lastSentence(line))
	words := wordsOf(line)
	at, ok := say(words[from:], Condition)
	if !ok || !endsAsLabel(line) {
		return at, false
	}
	at = at.Shift(from)
	label := text.Span{Start: at.Start, End: len(strings.TrimRight(line, " \t"))}
	return label, a.Gone || beginsClause(line, at) && saysAny(words[at.End:], Perhaps)
}

func anywhere(string, text.Span) bool { return true }

// marks matches the characters that may precede the first word of a line.
var marks = lazyregexp.New(`^(?:[\s>#*_\-–—+•.\d)(\[\]]|\p{So}|\x{fe0f}|(?i:step \d+[:.)]?))*`)

func beginsClause(line string, words text.Span) bool {
	before := strings.TrimRight(line[:words.Start], " *_“\"")
	if words.Start <= len(marks.FindString(line)) {
		return true
	}
	end, _ := utf8.DecodeLastRuneInString(before)
	return strings.ContainsRune(".!?:,;—–。！？，：", end)
}

// isLabelled reports whether words such as "optional" are a label: they begin the line or are in brackets. Elsewhere in
// a sentence, "optional" is only an adjective, but several words such as "you may want to" may begin any clause of a
// label.
func isLabelled(line string, words text.Span) bool {
	before := strings.TrimRight(line[:words.Start], " *_")
	after := strings.TrimLeft(line[words.End:], " *_")
	if strings.HasSuffix(before, "(") || strings.HasSuffix(before, "（") || strings.HasSuffix(before, "[") {
		return true
	}
	if strings.Contains(words.In(line), " ") && endsAsLabel(line) && beginsClause(line, words) {
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
		return at.Start <= len(marks.FindString(line)) ||
			strings.EqualFold(strings.TrimLeft(lead, " >#*_-"), "or ") ||
			strings.EqualFold(strings.TrimLeft(lead, " >#*_-"), "or, ")
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

// belowSays finds words, below the last block, which say that the block is an alternative. It returns their span and
// their verb. It looks for a choice ("choose one") in any line, and for other words only above the next code block.
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
	for line := range text.EachLine(doc[in.Start:max(in.Start, in.End)]) {
		if line = line.Shift(in.Start); strings.Trim(line.In(doc), " \t>") != "" {
			lines = append(lines, text.Span{Start: line.Start, End: min(line.End, line.Start+mostLine)})
		}
	}
	return lines
}

func last(lines []text.Span, n int) []text.Span { return lines[max(0, len(lines)-n):] }
