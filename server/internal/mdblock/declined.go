package mdblock

import (
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
