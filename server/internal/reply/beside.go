package reply

import (
	"iter"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/mdblock"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A Place is a kind of place near a fence that can name the fence's file.
type Place int

// The places, in order of precedence: if several of them have a path, the first one is used.
const (
	Nowhere    Place = iota
	OnLine           // the line above the fence, if it has the path and few other words
	InInfo           // the info string
	InComment        // a comment on the first line of the fence's text
	FirstLine        // the first line of the fence's text, if it has only the path
	InSentence       // a sentence above the fence
	InHeading        // a heading above that sentence
)

// A NamedFile is the file to which a fence belongs, according to the fence itself or to the text next to it.
type NamedFile struct {
	Where Place
	Path  string
	At    text.Span // the span of the path in the document; empty if the path is only in the fence's text
	Line  text.Span // the line above the fence, if it has the path; otherwise empty
	Other string    // a different path that the text next to the fence also names
	Says  Verb      // [Create] or [Change] if words next to the path say so, otherwise [Nothing]
	// Asks is the action that the sentence asks for or the text that it announces: [Change], [Add], [Shows], [Contents] or
	// [Nothing].
	Asks  Verb
	Label bool // the words are an unmistakable label: `New file: src/a.py`
	Skip  int  // the number of bytes at the start of the fence's text that are not the text of the file
	Sure  bool // the skipped bytes are certainly not part of the file
	Part  bool // a range of lines is next to the path, so the fence has only a part of the file
	// Section is true if the path labels the section that begins with this fence: other lines may be between the
	// heading and the fence.
	Section bool
	// Under is another path that labels the section of the sentence with Path; "" if there is none
	Under string
	// Brief is true if the path is in backticks after a comma, at the end of a sentence with a colon and few other
	// words: "And the new migration, `db/2.sql`:"
	Brief bool
}

// FileOf returns the file that a fence itself or the text above it names. It ignores text before the offset `from`.
func FileOf(doc string, from int, b *mdblock.Block) NamedFile {
	s := NamedFile{}
	if at, ok := InfoPath(b.Info); ok {
		start := b.Open.Start + strings.LastIndex(b.Open.In(doc), b.Info)
		s = NamedFile{Where: InInfo, Path: at.In(b.Info), At: at.Shift(start), Part: infoRange.MatchString(b.Info)}
	}
	above := labelAbove(doc, from, b.Open.Start)
	if at, says, label, ok := labelIn(above.In(doc)); ok && isOwnLine(doc, from, above) {
		s.Says, s.Label, s.Line = says, label, above
		s.Part = s.Part || lineRange.MatchString(above.In(doc)[at.End:])
		switch path := at.In(above.In(doc)); {
		case s.Path == "" || EndsWith(path, s.Path):
			s.Path, s.At, s.Where = path, at.Shift(above.Start), OnLine
		case !EndsWith(s.Path, path):
			s.Other = path
		}
	}
	if s.Where == Nowhere {
		s.inText(b.Body)
	} else {
		s.completedBy(b.Body)
	}
	if s.Where == Nowhere {
		s.inSentence(doc, from, b, above)
	}
	return s
}

// infoRange matches a range of lines in an info string, such as `12:14:src/a.py` or `src/a.py:12-14`. A range that
// begins on line 1 is not matched, because it may be the whole file.
var infoRange = lazyregexp.New(`(?:^|\s)(?:[2-9]|1\d)\d*:\d+:|(?::|#)L?(?:[2-9]|1\d)\d*-L?\d+(?:\s|$)`)

// lineRange matches a range of lines after the path of a file, such as `src/a.py:12-14` or `src/a.py (lines 12-14)`. A
// range that begins on line 1 is not matched.
var lineRange = lazyregexp.New(`^[` + "`" + `*"')\]]*(?::|#L?|,? [(\[]?(?i:lines?|L) ?)(?:[2-9]|1\d)`)

var underline = lazyregexp.New(`^[ \t>]*(?:-{3,}|={3,})[ \t]*$`)

// Underlines reports whether a line only underlines the heading above it, if there is one.
func Underlines(line string) bool { return underline.MatchString(line) }

// labelAbove returns the last nonblank line above a fence. If this line only underlines a heading, labelAbove returns
// the heading.
func labelAbove(doc string, from, before int) text.Span {
	above := LineAbove(doc, from, before)
	if Underlines(above.In(doc)) {
		return LineAbove(doc, from, above.Start)
	}
	return above
}

// isOwnLine reports whether a line begins a sentence, rather than continuing a sentence of the previous line.
func isOwnLine(doc string, from int, line text.Span) bool {
	before := doc[from:line.Start]
	before = strings.TrimRight(strings.TrimSuffix(strings.TrimSuffix(before, "\n"), "\r"), " \t>")
	if before == "" {
		return true
	}
	last := before[strings.LastIndexAny(before, "\r\n")+1:]
	return last == "" || strings.HasPrefix(last, "#") || strings.HasPrefix(last, "<") || strings.ContainsAny(last[len(last)-1:], ".:!?`~*_-=")
}

var (
	saysCreate = lazyregexp.New(`(?i)\b(?:new|creat(?:e|ed|ing)|add(?:ed)?)\b|🆕`)
	saysChange = lazyregexp.New(`(?i)\b(?:updated?|modif(?:y|ied)|chang(?:e|ed)|edit(?:ed)?|replaced?)\b`)
	// colon matches a colon, or a word in brackets such as "(new)". Both show that the words next to a path are a
	// label.
	colon = lazyregexp.New(`[:：]|[(\[（](?i:new|created|新建?|新增|neu|nuev[oa]|nouveau|novo|нов\pL+|新規|nuovo)(?i: file)?[)\]）]|🆕`)
)

// FileLine returns the path on a line that has few other words, as a span of the line, and the operation that these
// words name. `label` is true if the words clearly announce the whole text of a file, such as `New file: src/a.py`.
func FileLine(line string) (at text.Span, says Verb, label, ok bool) {
	if len(line) > mostLine {
		return at, Nothing, false, false
	}
	if at, ok = PathIn(line); !ok {
		if m := note.FindStringIndex(line); m != nil { // `src/a.c` (replace the whole file)
			remark := strings.Fields(withoutWords(line[m[0]:], Change))
			at, ok = PathIn(line[:m[0]] + beside.Replace(strings.Join(remark, " ")))
		}
	}
	if !ok {
		if at, ok = OnlyPath(line); !ok || !isLabel(line, at) {
			return at, Nothing, false, false
		}
	}
	words := line[:at.Start] + " " + line[at.End:]
	_, created := say(words, NewFile)
	_, updated := say(words, NewText)
	switch {
	case created, saysCreate.MatchString(words), !updated && begins(words, Create):
		says = Create
	case updated, saysChange.MatchString(words), begins(words, Change):
		says = Change
	}
	return at, says, (created || updated) && colon.MatchString(words), true
}

// beside removes blanks next to brackets.
var beside = strings.NewReplacer("( ", "(", "（ ", "（", " )", ")", " ）", "）")

// labelIn returns the results of [FileLine] for a line, or for the last clause of a statement if this clause asks for a new
// file: "Beside `a_spec.rb`, which is long already, create `b_spec.rb`:".
func labelIn(line string) (at text.Span, says Verb, label, ok bool) {
	if at, says, label, ok = FileLine(line); ok || !endsAsLabel(line) {
		return at, says, label, ok
	}
	start := strings.LastIndex(line, ", ") + len(", ")
	clause := line[min(start, len(line)):]
	at, says, label, ok = FileLine(clause)
	ok = ok && start > len(", ") && says == Create && isCode(clause, at) && Asks(clause, Create) && isTold(clause, len(clause)) && !saysAny(lastSentence(line), Condition)
	return at.Shift(start), says, label, ok
}

// isLabel reports whether a line does nothing but announce the text of a file: `Update src/a.py`, `Neue Datei:
// src/a.py`, `src/a.py の内容:`.
func isLabel(line string, at text.Span) bool {
	before, after := line[leadIn(line[:at.Start]):at.Start], note.ReplaceAllString(line[at.End:], "")
	if beginsPath(line, at) {
		before = "" // `第二步：src/app.py 完整代码`
	}
	_, created := say(line, NewFile)
	_, updated := say(line, NewText)
	if (created || updated) && countWords(withoutWords(after, NewFile)) == 0 && countWords(before) <= 5 {
		return true
	}
	words := before + " " + after
	_, old := say(before, Before)
	heads := isHeading(line) && !old && !formerly.MatchString(before) && countWords(after) == 0
	if last, _ := utf8.DecodeLastRuneInString(strings.TrimRight(before, " \t`*_\"'“「")); strings.ContainsRune(":：–—-", last) && countWords(after) == 0 {
		if heads && countWords(before) <= 2 || !hasOtherWords(before) {
			return true // `文件：src/app.py`, or `**2. Code** – src/app.py`
		}
	}
	if bold := max(0, strings.LastIndex(before, "**")); heads && countWords(before) <= mostInLabel && countWords(before[bold:]) <= 2 && isCode(line, at) && !saysAny(before, Delete, Rename) {
		return true // "**Migration** – nowy plik `db/2.sql`", or "### Nieuw bestand `src/app.py`"
	}
	if partOf.MatchString(before) && saysAny(after, Change) {
		return false // "In `src/a.py`, replace": the text below is probably the old one
	}
	rest := words
	for _, v := range []Verb{Contents, Create, Add, Change} {
		rest = withoutWords(rest, v)
	}
	return len(rest) < len(words) && countWords(withoutWords(rest, Filler)) == 0
}

// begins reports whether a text begins with a word for v. In languages that put the verb last, the word may be
// anywhere.
func begins(words string, v Verb) bool {
	at, ok := say(words, v)
	return ok && (at.Start <= leadIn(words) || isUnspaced(words[at.Start:at.End]))
}

// formerly matches words for an old text of a file, such as "before".
var formerly = lazyregexp.New(`(?i)\b(?:before|old|original|originally|current|currently|was|existing|previous|previously|instead|today|now has|so far)\b`)

// inSentence finds the path in a sentence above the fence, or in a heading above that sentence. If the sentence asks
// for an edit and names no code, the path may also be in the line above the sentence.
func (s *NamedFile) inSentence(doc string, from int, b *mdblock.Block, above text.Span) {
	sentence := above.In(doc)
	s.Asks = introduces(sentence)
	if s.Asks == Nothing && formerly.MatchString(lastSentence(sentence)) {
		return
	}
	at, ok := OnlyPath(sentence)
	if !ok { // the sentences before the last one may name other files
		last := lastSentence(sentence)
		at, ok = OnlyPath(last)
		at = at.Shift(len(sentence) - len(last))
	}
	if ok {
		if s.underHeading(doc, from, above, at) {
			return
		}
		s.Where, s.Path, s.At, s.Line = InSentence, at.In(sentence), at.Shift(above.Start), above
		said, ending := sentence[:at.Start], lastSentence(sentence)
		last, _ := utf8.DecodeLastRuneInString(strings.TrimRight(said, " `*"))
		s.Brief = endsAsLabel(sentence) &&
			isCode(sentence, at) &&
			countWords(sentence[at.End:]) == 0 &&
			countWords(said) <= mostInLabel &&
			strings.ContainsRune(",，、", last)
		if _, says, _, ok := FileLine(ending); ok && says == Create && endsAsLabel(ending) && isCode(sentence, at) {
			s.Brief = true // "It is the same for everybody then. Save the following as `a.sh`:"
		}
		if saysCreate.MatchString(sentence) || Asks(sentence, Create) || Asks(ending, Create) || s.Brief && saysAny(wordsOf(sentence), Added) {
			s.Says = Create
		}
		return
	}
	if !strings.HasSuffix(strings.TrimRight(sentence, " \t*"), ":") {
		heading := headingAbove(doc, from, above)
		if at, says, _, ok := FileLine(heading.In(doc)); ok && b.Kind() == mdblock.OtherCode {
			s.Where, s.Section, s.Says, s.Path, s.At, s.Line = InHeading, true, says, at.In(heading.In(doc)), at.Shift(heading.Start), heading
		}
		return
	}
	heading := labelAbove(doc, from, above.Start)
	at, _, _, ok = FileLine(heading.In(doc))
	if !ok && s.Asks != Nothing && !strings.Contains(sentence, "`") {
		at, ok = OnlyPath(heading.In(doc))
	}
	if ok && !formerly.MatchString(heading.In(doc)) {
		s.Where, s.Path, s.At, s.Line = InHeading, at.In(heading.In(doc)), at.Shift(heading.Start), heading
	}
}

// underHeading looks at the heading of the section if the sentence has the path `at`. If the heading is the label of
// another file, with which the sentence only compares ("like the one in `src/b.py`:"), the fence is for the file of the
// heading, and underHeading returns true. Otherwise, the path of such a heading is in the field Under.
func (s *NamedFile) underHeading(doc string, from int, above, at text.Span) bool {
	sentence, heading := above.In(doc), headingAbove(doc, from, above)
	label, says, _, ok := FileLine(heading.In(doc))
	path := label.In(heading.In(doc))
	if !ok || EndsWith(path, at.In(sentence)) || EndsWith(at.In(sentence), path) {
		return false
	}
	if !isLikened(sentence[:at.Start]) {
		s.Under = path
		return false
	}
	s.Where, s.Section, s.Says, s.Path, s.At, s.Line = InHeading, true, says, path, label.Shift(heading.Start), heading
	return true
}

// mostInSection limits the nonblank lines between a heading and the first fence of its section.
const mostInSection = 8

// section yields the nonblank lines of a section, from `line` up to the heading, each with whether it is the heading. A
// label in bold counts as a heading.
func section(doc string, from int, line text.Span) iter.Seq2[text.Span, bool] {
	return func(yield func(text.Span, bool) bool) {
		for range mostInSection {
			heading := isHeading(line.In(doc)) && endsAsLabel(line.In(doc))
			if line.Empty() || !yield(line, heading) || heading {
				return
			}
			line = labelAbove(doc, from, line.Start)
		}
	}
}

// headingAbove returns the heading of the section that contains `line`, or an empty span.
func headingAbove(doc string, from int, line text.Span) text.Span {
	for above, heading := range section(doc, from, labelAbove(doc, from, line.Start)) {
		if heading {
			return above
		}
	}
	return text.Span{}
}

// IsOld reports whether the line above a fence says that the text of the fence is old.
func IsOld(doc string, b *mdblock.Block) bool {
	line := wordsOf(LineAbove(doc, 0, b.Open.Start).In(doc))
	_, old := say(line, Before)
	return endsAsLabel(line) && (old || formerly.MatchString(line))
}

// sentenceEnd matches the end of a sentence if another sentence follows.
var sentenceEnd = lazyregexp.New(`[.!?][*_)"']*\s+|[。！？]\s*`)

// sentenceEnds returns the ends of the sentences in a line. A period before a small letter does not end a sentence:
// `Append "Done." to`.
func sentenceEnds(line string) [][]int {
	from := strings.IndexAny(line, ".!?。！？")
	if from < 0 {
		return nil
	}
	return slices.DeleteFunc(sentenceEnd.FindAllStringIndex(line[from:], -1), func(at []int) bool {
		at[0], at[1] = from+at[0], from+at[1]
		next, _ := utf8.DecodeRuneInString(line[at[1]:])
		return unicode.IsLower(next)
	})
}

func lastSentence(line string) string {
	if ends := sentenceEnds(line); len(ends) > 0 {
		if last := line[ends[len(ends)-1][1]:]; last != "" {
			return last
		}
	}
	return line
}

// introduces returns the verb for the text that a line above a fence announces: a change of a file ([Change]), a text
// to add to the file ([Add]), the new text of a part ([Shows]), or the whole file ([Contents]).
func introduces(line string) Verb {
	if !endsAsLabel(line) {
		return Nothing
	}
	words := wordsOf(line)
	for _, v := range []Verb{Contents, Shows} {
		if _, ok := say(words, v); ok {
			return v
		}
	}
	for _, v := range []Verb{Change, Add} {
		if Asks(line, v) || Asks(lastSentence(line), v) {
			return v
		}
	}
	return Nothing
}

// follows matches the end of a sentence that says that something follows.
var follows = newExpression(`(?:次|以下|下記|如下|다음|아래)[^.。]*[.。]$|(?i)(?:below|as follows|wie folgt|unten|ci-dessous|a continuación|abaixo|a seguir|ниже|di seguito)\.$`)

// Continues reports whether a fence may belong to the file of the preceding fence, which ends at the offset `from`.
// Both fences must be in the same section, and the line above the second one must not name a file. `asks` is the verb
// of that line.
func Continues(doc string, from int, b *mdblock.Block) (asks Verb, ok bool) {
	above := labelAbove(doc, from, b.Open.Start)
	for line := range strings.Lines(doc[from:above.End]) {
		if isHeading(line) {
			return Nothing, false
		}
	}
	line := above.In(doc)
	if asks = introduces(line); asks == Nothing && formerly.MatchString(line) {
		return Nothing, false
	}
	return asks, endsAsLabel(line) && len(Mentioned(line)) == 0
}

func hasOtherWords(s string) bool { return countWords(withoutWords(s, Filler)) > 0 }

func isCode(line string, at text.Span) bool {
	return at.Start > 0 && line[at.Start-1] == '`' && at.End < len(line) && line[at.End] == '`'
}

func withoutWords(line string, v Verb) string {
	for at, ok := say(line, v); ok; at, ok = say(line, v) {
		line = line[:at.Start] + line[at.End:]
	}
	return line
}

// isHeading reports whether a line is a heading, or begins in bold.
func isHeading(line string) bool {
	line = strings.TrimSpace(line)
	return strings.HasPrefix(line, "#") || strings.HasPrefix(line, "**")
}
