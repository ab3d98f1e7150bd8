package mdblock

import (
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// gap matches the text between two words of a sentence: white space, marks of emphasis or quotation, and at most one
// line ending.
const (
	gapMarks = "[ \t\u00a0*_~`>\"'“”‘’«»\\\\]"
	gap      = `(?:` + gapMarks + `+|` + gapMarks + `*(?:\r\n|\r|\n)` + gapMarks + `*)`
)

// refusal matches the words by which rule R7 recognizes a refusal, such as "unable to generate a safe git patch".
var refusal = lazyregexp.New(`(?i)(?:^|[^\pL\pN])(` +
	strings.ReplaceAll(`a patch (?:can['’]t|can(?: )?not) be safely generated|unable to generate a safe git patch`, " ", gap) + `)(?:[^\pL\pN]|$)`)

// Declined looks for a model's refusal to write an edit (rule R7) outside of fences and thoughts,
// and returns the span of its sentence. It ignores case, emphasis, quotation marks, the marks of
// block quotes and line breaks inside a paragraph. It reads "can't" and "can not" as "cannot".
func (s Structure) Declined() (text.Span, bool) {
	doc := s.Text
	// Every refusal contains "generate". Looking for this word first is faster than matching the expression.
	if !strings.Contains(strings.ToLower(doc), "generate") {
		return text.Span{}, false
	}
	at := 0
	for _, b := range s.Fences {
		if span, ok := declined(doc, text.Span{Start: at, End: b.Span.Start}); ok {
			return span, true
		}
		at = b.Span.End
	}
	return declined(doc, text.Span{Start: at, End: len(doc)})
}

func declined(doc string, in text.Span) (text.Span, bool) {
	m := refusal.FindStringSubmatchIndex(in.In(doc))
	if m == nil {
		return text.Span{}, false
	}
	return text.Span{Start: in.Start + m[2], End: sentenceEnd(doc[:in.End], in.Start+m[3])}, true
}

// sentenceEnd returns the end of the sentence that contains an offset. A sentence ends after its mark, such as a full
// stop, or at the end of its paragraph.
func sentenceEnd(doc string, at int) int {
	for i := at; i < len(doc); i++ {
		switch doc[i] {
		case '.', '!', '?':
			return i + 1
		case '\n', '\r':
			_, next := text.LineEnd(doc, i)
			if end, _ := text.LineEnd(doc, next); isBlankLine(strings.Trim(doc[next:end], ">")) {
				return i
			}
		}
	}
	return len(doc)
}

// thinks matches the tag before a model's thoughts, and thoughtEnd the tag after them.
var (
	thinks     = lazyregexp.New(`^[\s\x{feff}]*<((?i:think|thinking|thought|thoughts|reasoning|analysis|plan|planning|reflection|scratchpad)(?:[-_][\w-]*)?)>|^[\s\x{feff}]*(?:<\|start\|>assistant)?<\|channel\|>analysis<\|message\|>`)
	thoughtEnd = lazyregexp.New(`(?m)^[ \t]*</think(?:ing)?>[ \t]*\r?$`)
)

// thoughtsEnd returns the end of the thoughts that a model writes between tags at the beginning of a document (rule
// R51), or 0. If the closing tag is missing, the whole document consists of thoughts. If the opening tag is missing,
// [endOfThought] decides.
func thoughtsEnd(doc string) int {
	if m := thinks.FindStringSubmatch(doc); m != nil {
		tag := "</" + m[1] + ">"
		if m[1] == "" {
			tag = "<|end|>"
		}
		i := strings.Index(doc, tag)
		if i < 0 {
			return len(doc)
		}
		return i + len(tag)
	}
	if strings.Contains(doc, "</think") { // quick test, because matching the expression is slow in a large document
		return endOfThought(doc)
	}
	return 0
}

// endOfThought returns the end of thoughts without an opening tag, or 0. (Some chat templates write the opening tag
// into the prompt.) The closing tag must be on a line of its own and outside of fences.
func endOfThought(doc string) int {
	at := thoughtEnd.FindStringIndex(doc)
	if at == nil || strings.Contains(doc[:at[0]], "<think") || fenced(doc, at[0]) {
		return 0
	}
	return at[1]
}

// blank returns the document with spaces in place of all text before an offset. Lines keep their endings. If a
// special token follows, the line begins with a period, because many spaces would make it indented code.
func blank(doc string, to int) string {
	if to == 0 {
		return doc
	}
	b := []byte(doc)
	for i := range b[:to] {
		if b[i] != '\n' && b[i] != '\r' {
			b[i] = ' '
		}
	}
	if strings.HasPrefix(doc[to:], "<|") {
		b[strings.LastIndexAny(doc[:to], "\r\n")+1] = '.'
	}
	return string(b)
}

func fenced(doc string, at int) bool {
	return slices.ContainsFunc(Find(doc), func(b Block) bool { return b.Span.Start <= at && at < b.Span.End })
}
