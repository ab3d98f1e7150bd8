package reply

import (
	"strings"
	"unicode"

	"github.com/aptix-dev/aptix/server/internal/artifact"
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/mdblock"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A Label is the part of the text around a fence that names the fence's file.
type Label struct {
	Path  string // the path, relative to the root if the file is known, otherwise as written; "" if no file is named
	Alone bool   // the path is alone on its line or in the info string, or follows a colon
	Line  text.Span
}

// mostLine limits the part of a line that is read, in bytes.
const mostLine = 2 << 10

// LineAbove returns the last nonblank line between two offsets, without its ending. The buttons that a web page shows
// above code count as blank lines, and so do the name of a language above a fence with this name, and lines with only the
// marks of a quotation.
func LineAbove(doc string, from, before int) text.Span {
	for end := before - artifact.ButtonsAtEnd(doc[from:before]); end > from; {
		end = from + len(strings.TrimRight(doc[from:end], " \t\r\n"))
		start := max(from, strings.LastIndexAny(doc[:end], "\r\n")+1)
		if strings.Trim(doc[start:end], " \t>") != "" && !artifact.NamesLanguage(doc[start:end], doc[end:]) {
			return text.Span{Start: start, End: min(end, start+mostLine)}
		}
		end = start
	}
	return text.Span{Start: from, End: from}
}

func (a *lister) label(from int, b *mdblock.Block) Label {
	above := LineAbove(a.doc, from, b.Open.Start)
	labelled, ok := a.lineLabel(above, true)
	if ok && labelled.Alone {
		return labelled
	}
	// The path in a sentence is used only if the fence itself names no file.
	if s := FileOf(a.doc, from, b); s.Where >= InInfo && s.Where <= FirstLine {
		if name, is := a.files.resolve(s.Path); is && (s.Where == InInfo || !ok && a.files.isPlace(name)) {
			return Label{Path: name, Alone: true, Line: b.Open}
		}
	}
	if ok {
		return labelled
	}
	if l, ok := a.commentLabel(b); ok {
		return l
	}
	// If the line directly above only introduces the fence, the path may be on the line before.
	if line := above.In(a.doc); strings.HasSuffix(strings.TrimRight(line, "*_ "), ":") || strings.HasSuffix(line, "：") {
		if l, ok := a.lineLabel(LineAbove(a.doc, from, above.Start), false); ok && l.Alone {
			return l
		}
	}
	if end, next := text.LineEnd(a.doc, b.Span.End); endsAsLabel(above.In(a.doc)) && next > end {
		// The path may be alone on the line below the fence, unless that line labels another fence.
		lineEnd, _ := text.LineEnd(a.doc, next)
		below := text.Span{Start: next, End: min(lineEnd, next+mostLine)}
		after := strings.TrimLeft(a.doc[below.End:], " \t\r\n>")
		if l, ok := a.lineLabel(below, false); ok && l.Alone && isPath(below.In(a.doc)) && !strings.HasPrefix(after, "```") && !strings.HasPrefix(after, "~~~") {
			return l
		}
	}
	if l, ok := a.sectionLabel(from, b, above); ok {
		return l
	}
	if l, ok := a.labelBelow(b); ok {
		return l
	}
	return Label{Line: above}
}

// labelBelow returns the label in the first sentence below a fence: "That is the complete `deps.edn`." The sentence
// must name one file, and the file must have lines like those of the fence.
func (a *lister) labelBelow(b *mdblock.Block) (l Label, ok bool) {
	start := a.textBelow(b.Span.End)
	end, _ := text.LineEnd(a.doc, start)
	line := text.Span{Start: start, End: min(end, start+mostLine)}
	sentence := Sentences(line.In(a.doc))[0].In(line.In(a.doc))
	names := a.mentions(sentence)
	if len(names) != 1 || !names[0].code || endsAsLabel(sentence) || !a.files.isFile(names[0].name) || a.files.changes(names[0].name) || !mayHold(b, names[0].name) {
		return l, false
	}
	return Label{Path: names[0].name, Alone: true, Line: line}, a.files.resembles(names[0].name, b.Body) || a.files.isNear(names[0].name, b.Body)
}

// sectionLabel returns the label of the first fence with code or Markdown in a section. The label is a heading, or a
// line between the heading and the fence, that names the fence's file.
func (a *lister) sectionLabel(from int, b *mdblock.Block, line text.Span) (Label, bool) {
	if kind := b.Kind(); kind != mdblock.OtherCode && kind != mdblock.Untagged && kind != mdblock.Markdown {
		return Label{}, false
	}
	for at, heading := range section(a.doc, from, line) {
		if name := a.fileOn(at.In(a.doc), heading, b); name != "" {
			return Label{Path: name, Line: at}, true
		}
	}
	return Label{}, false
}

// fileOn returns the file that a line further up names for a fence. It returns "" if the line names none. A heading
// names any file at its end. Another line names a new file, or a file that has much of the fence's text.
func (a *lister) fileOn(said string, heading bool, b *mdblock.Block) string {
	at, _, _, ok := FileLine(said)
	if !ok && endsAsLabel(said) { // `And the helper in src/x.py:`
		at, ok = OnlyPath(said)
		ok = ok && countWords(said[at.End:]) == 0
	}
	if name, is := a.files.resolve(at.In(said)); ok && is && (heading || !a.files.isFile(name) && a.files.isPlace(name)) {
		return name
	}
	names := a.mentions(said)
	if len(names) == 0 || !mayHold(b, names[len(names)-1].name) {
		return ""
	}
	last := names[len(names)-1]
	switch {
	case !a.files.isFile(last.name) && isTold(said, len(said)),
		a.files.isFile(last.name) && (heading && last.code && countWords(said[last.at.End:]) == 0 || a.files.resembles(last.name, b.Body)):
		return last.name
	}
	return ""
}

// commentLabel returns the label in a comment on the first line of a fence: a few words with a file of the tree first
// or last, such as `// at the end of src/app.scss`.
func (a *lister) commentLabel(b *mdblock.Block) (l Label, ok bool) {
	end, next := text.LineEnd(b.Body, 0)
	m := comment.FindStringSubmatch(b.Body[:end])
	if m == nil || b.Kind() != mdblock.OtherCode || !text.HasWord(b.Body[next:]) {
		return l, false
	}
	said := strings.Trim(m[1], " \t.:,")
	names := a.mentions(said)
	if len(names) != 1 || !a.files.isFile(names[0].name) || names[0].at.Start > 0 && names[0].at.End < len(said) || countWords(wordsOf(said)) > mostInLabel {
		return l, false
	}
	return Label{Path: names[0].name, Alone: true, Line: b.Open}, true
}

// mostInLabel limits the words next to the path in a comment or sentence that labels a fence.
const mostInLabel = 5

// lineLabel returns the label on a line. The path may be alone or after a colon. If `sentence` is true, the path may
// also be inside a sentence.
func (a *lister) lineLabel(at text.Span, sentence bool) (Label, bool) {
	line := at.In(a.doc)
	if p, ok := PathIn(line); ok {
		if name, ok := a.files.resolve(p.In(line)); ok {
			return Label{Path: name, Alone: true, Line: at}, true
		}
	}
	written := a.mentions(line)
	if len(written) == 0 {
		// A name such as Dockerfile has no extension: "And a Dockerfile:"
		if p, ok := OnlyPath(line); ok && sentence && endsAsLabel(line) && bareNames[p.In(line)] && p.In(line) != strings.ToUpper(p.In(line)) {
			return Label{Path: p.In(line), Line: at}, true
		}
		return Label{}, false
	}
	first, last := written[0], written[len(written)-1]
	if first.name == last.name && behindColon(line, last.at) {
		return Label{Path: last.name, Alone: true, Line: at}, true
	}
	if !sentence || first.name != last.name && text.HasWord(line[last.at.End:]) {
		return Label{}, false
	}
	return Label{Path: last.name, Line: at}, true
}

// wordsOf returns a line with spaces in place of its paths and of its code in backticks, because words inside them do
// not belong to the sentence.
func wordsOf(line string) string {
	words := []byte(line)
	blank := func(at text.Span) {
		for i := range at.Len() {
			words[at.Start+i] = ' '
		}
	}
	for _, code := range codesIn(line, -1) {
		blank(code.at)
	}
	for _, at := range wordsIn(string(words), -1) {
		if IsFileName(at.In(line)) {
			rest := line[at.End:]
			at.End += len(rest) - len(strings.TrimLeft(rest, ".!?"))
			blank(at)
		}
	}
	return string(words)
}

// A code is a text in backticks.
type code struct {
	at   text.Span // the span in the line, with the backticks
	text text.Span // the span in the line, between the backticks
}

// codesIn returns the texts in backticks in a line, in order: at most `most` of them, or all if `most` is -1.
func codesIn(line string, most int) (all []code) {
	for at := 0; len(all) != most; {
		open := strings.IndexByte(line[at:], '`')
		if open < 0 {
			break
		}
		c := code{at: text.Span{Start: at + open}}
		c.text.Start = len(line) - len(strings.TrimLeft(line[c.at.Start:], "`"))
		n := strings.IndexAny(line[c.text.Start:], "`\n")
		if n < 0 {
			break
		}
		c.text.End = c.text.Start + n
		c.at.End = len(line) - len(strings.TrimLeft(line[c.text.End:], "`"))
		if at = c.at.End; at > c.text.End {
			all = append(all, c)
		}
	}
	return all
}

// inBrackets matches a folder or a name in brackets that belongs to a path: `app/(auth)/[id]/page.tsx`.
var inBrackets = lazyregexp.New(`\([\w.@-]+\)/|\[+[\w.=@-]+\]+(?:/|\.\w)`)

// wordsIn returns the words of a line that may be paths, without punctuation at their ends, in order: at most `most` of
// them, or all if `most` is -1.
func wordsIn(line string, most int) (all []text.Span) {
	if strings.Contains(line, ")/") || strings.Contains(line, "]/") || strings.Contains(line, "].") {
		line = inBrackets.ReplaceAllStringFunc(line, func(s string) string { return strings.Repeat("x", len(s)-1) + s[len(s)-1:] })
	}
	at := 0
	for word := range strings.FieldsFuncSeq(line, isAround) {
		at += strings.Index(line[at:], word)
		all = append(all, text.Span{Start: at, End: at + len(strings.TrimRight(word, ".!?"))})
		if at += len(word); len(all) == most {
			break
		}
	}
	return all
}

// isAround reports whether a character may surround a path in a line, but is never part of one.
func isAround(r rune) bool {
	return strings.ContainsRune("\t\n\f\r `*\"'“”‘’「」()<>[],;:：，。、", r)
}

// behindColon reports whether a path follows a few words and a colon: `Neue Datei: x`.
func behindColon(line string, at text.Span) bool {
	words := line[:at.Start] + " " + line[at.End:]
	if countWords(words) <= 2 && endsAsLabel(line) {
		return true
	}
	before := strings.TrimRight(line[:at.Start], " \t`*_\"'“「")
	if !strings.HasSuffix(before, ":") && !strings.HasSuffix(before, "：") || len(strings.Fields(before)) > 5 {
		return false
	}
	rest := strings.Trim(line[at.End:], " \t`*_\"'”」:：")
	return rest == "" || strings.HasPrefix(rest, "(") && strings.HasSuffix(rest, ")")
}

func countWords(s string) int {
	return len(strings.FieldsFunc(s, func(r rune) bool { return !unicode.IsLetter(r) }))
}

type mention struct {
	name string // the path relative to the root
	at   text.Span
	code bool // the path is between backticks
}

// mentions returns the paths in a line that name files of the tree, or possible new files in quotes.
func (a *lister) mentions(line string) []mention {
	var found []mention
	for _, at := range wordsIn(line, 200) {
		if !IsPath(at.In(line)) {
			continue
		}
		code := at.Start > 0 && strings.ContainsRune("`*\"'", rune(line[at.Start-1])) && at.End < len(line) && line[at.End] == line[at.Start-1]
		name, ok := a.files.resolve(at.In(line))
		if ok && code && !a.files.isFile(name) {
			name = a.files.ending(name)
		}
		if ok && (a.files.isFile(name) || code && IsFileName(name) && a.files.isPlace(name)) {
			found = append(found, mention{name, at, code})
		}
	}
	return found
}
