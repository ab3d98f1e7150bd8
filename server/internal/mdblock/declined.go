package mdblock

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/aptix-dev/aptix/server/internal/text"
)

// The refusals of rule R7, as the words that all of their forms contain.
var refusals = [][]string{
	strings.Fields("a patch cannot be safely generated"),
	strings.Fields("unable to generate a safe git patch"),
}

// Declined finds one of the specified refusals outside fenced blocks, and returns the span
// of its sentence. It ignores case, emphasis, quotation marks, the marks of block quotes
// and line breaks inside a paragraph, and reads "can't" and "can not" as "cannot".
func Declined(doc string) (text.Span, bool) {
	at := 0
	for _, b := range Find(doc) {
		if span, ok := declined(doc, text.Span{Start: at, End: b.Span.Start}); ok {
			return span, true
		}
		at = b.Span.End
	}
	return declined(doc, text.Span{Start: at, End: len(doc)})
}

func declined(doc string, in text.Span) (text.Span, bool) {
	known := make([]int, len(refusals))  // number of words of each that have just been read
	starts := make([]int, len(refusals)) // offset of the first of them
	w := words{doc: doc, at: in.Start, end: in.End}
	for w.next() {
		for i, refusal := range refusals {
			if w.broken || w.word != refusal[known[i]] {
				known[i] = 0
			}
			if w.word != refusal[known[i]] {
				continue
			}
			if known[i] == 0 {
				starts[i] = w.start
			}
			if known[i]++; known[i] == len(refusal) {
				return text.Span{Start: starts[i], End: sentenceEnd(doc[:in.End], w.at)}, true
			}
		}
	}
	return text.Span{}, false
}

// sentenceEnd returns the end of the sentence that contains offset at: after its mark, or
// at the end of the line.
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

// words reads the words of a text in lower case.
type words struct {
	doc     string
	at, end int    // the unread part
	word    string // the last one
	start   int    // its offset
	broken  bool   // a sentence or a paragraph ended before it
}

func (w *words) next() bool {
	if !w.scan() {
		return false
	}
	if w.word == "can" {
		if ahead := *w; ahead.scan() && ahead.word == "not" && !ahead.broken {
			w.at, w.word = ahead.at, "cannot"
		}
	}
	return true
}

func (w *words) scan() bool {
	w.skip()
	w.start = w.at
	for w.at < w.end {
		r, size := utf8.DecodeRuneInString(w.doc[w.at:w.end])
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !w.isApostrophe(r, size) {
			break
		}
		w.at += size
	}
	w.word = strings.ToLower(w.doc[w.start:w.at])
	if w.word == "can't" || w.word == "can’t" {
		w.word = "cannot"
	}
	return w.at > w.start
}

// isApostrophe reports whether r at w.at is between two letters.
func (w *words) isApostrophe(r rune, size int) bool {
	if (r != '\'' && r != '’') || w.at == w.start {
		return false
	}
	behind, _ := utf8.DecodeRuneInString(w.doc[w.at+size : w.end])
	return unicode.IsLetter(behind)
}

// skip moves to the next word. Between two words of a sentence there may be only white
// space and marks, and no blank line.
func (w *words) skip() {
	lines := 0
	w.broken = false
	for w.at < w.end {
		r, size := utf8.DecodeRuneInString(w.doc[w.at:w.end])
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			return
		case r == '\n' || r == '\r' && !strings.HasPrefix(w.doc[w.at:w.end], "\r\n"):
			lines++
			w.broken = w.broken || lines > 1
		case !unicode.IsSpace(r) && !strings.ContainsRune("*_~`>\"'“”‘’«»\\", r):
			w.broken = true
		}
		w.at += size
	}
}
