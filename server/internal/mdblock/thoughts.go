package mdblock

import (
	"strings"

	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
)

// thinks begins what a model thinks before it answers.
var (
	thinks     = lazyregexp.New(`^[\s\x{feff}]*<(think|thinking|thought|thoughts|reasoning|analysis|scratchpad)>`)
	thoughtEnd = lazyregexp.New(`(?m)^[ \t]*</think(?:ing)?>[ \t]*\r?$`)
)

// WithoutThoughts is a document with spaces in place of what a model thinks aloud at its
// beginning, between tags, so that all offsets stay (rule R51). A model's template may write the
// tag that begins it: then the one that ends it, on a line of its own and outside of fences, is
// enough. Without an end, all of the document is still thought.
func WithoutThoughts(doc string) string { return blank(doc, ThoughtsEnd(doc)) }

// ThoughtsEnd is the offset at which the thoughts at the beginning of a document end; 0 for none.
func ThoughtsEnd(doc string) int {
	if m := thinks.FindStringSubmatch(doc); m != nil {
		tag := "</" + m[1] + ">"
		i := strings.Index(doc, tag)
		if i < 0 {
			return len(doc)
		}
		return i + len(tag)
	}
	if strings.Contains(doc, "</think") { // the expression takes long for a large document
		return endOfThought(doc)
	}
	return 0
}

// endOfThought is 0 where the document has no beginning that its template wrote.
func endOfThought(doc string) int {
	at := thoughtEnd.FindStringIndex(doc)
	if at == nil || strings.Contains(doc[:at[0]], "<think") || fenced(doc, at[0]) {
		return 0
	}
	return at[1]
}

// blank is a document whose lines up to an offset are spaces.
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
	return string(b)
}

func fenced(doc string, at int) bool {
	for _, b := range Find(doc) {
		if b.Span.Start <= at && at < b.Span.End {
			return true
		}
	}
	return false
}
