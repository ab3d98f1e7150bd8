package mdblock

import (
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
)

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
