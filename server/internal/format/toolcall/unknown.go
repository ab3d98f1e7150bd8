package toolcall

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/edittools"
	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/mdblock"
	"github.com/aptix-dev/aptix/server/internal/meter"
	"github.com/aptix-dev/aptix/server/internal/reply"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// An unknown is the tag of an edit in an unsupported notation (rule C17), so it is reported.
type unknown string

var (
	// startOfTag matches a tag at the start of a line. Its group is the name.
	startOfTag = lazyregexp.New(`^ {0,3}<(\w+)\b[^<>\n]*>`)
	// wrapper matches the names of tags around calls.
	wrapper = lazyregexp.New(`^(?:tool_use|tool_calls?|function_calls?|tool_code|function|invoke)$`)
	// pathValue matches a parameter whose value may be a path.
	pathValue = lazyregexp.New(`(?:\b(\w+)\\?"?\s*[:=]\s*\\?["']|\b(\w+)"?>\s*)([^\s"'<>\\]+)`)
)

// unknownEnd returns the end of the unsupported edit in tags that begins at an offset, and its tag, or "".
func unknownEnd(s string, at int, m *meter.Meter) (end int, closed bool, tag unknown) {
	lineEnd, _ := text.LineEnd(s, at)
	if s[at] != '<' && s[at] != ' ' || mdblock.OpensCall(s[at:lineEnd]) {
		return 0, false, ""
	}
	tagged := startOfTag.FindStringSubmatch(s[at:lineEnd])
	if tagged == nil || !isTool(tagged[1]) {
		return 0, false, ""
	}
	end = len(s)
	if !m.Pay((len(s) - at) / 8) {
		return 0, false, ""
	}
	if i := strings.Index(s[at:], "</"+tagged[1]+">"); i >= 0 {
		_, end = text.LineEnd(s, at+i)
		closed = true
	}
	if s = s[at:min(end, at+enough)]; !m.Pay(4*eachMatched*len(s)) || !mayEdit(s) {
		return 0, false, ""
	}
	return end, closed, unknown(tagged[1])
}

// holdsUnknown reports whether a fence begins with an unsupported edit in tags. It returns false for a fence with
// the tag of a programming language, because the text may be code.
func holdsUnknown(r *format.Region) (tag unknown, ok bool) {
	switch r.Lang {
	case "", "xml", "text", "txt", "tool_call", "tool_calls", "tool_use", "tool_code":
		body := strings.TrimLeft(r.Body, " \t\r\n")
		if body != "" {
			_, _, tag = unknownEnd(body, 0, nil)
		}
	}
	return tag, tag != ""
}

const (
	enough      = 64 << 10 // the number of bytes that are read to recognize an edit
	eachMatched = 64       // the cost of matching a byte, in units of the meter
)

func isEditor(word string) bool {
	return edittools.Edits(word) || strings.HasPrefix(word, "str_replace") || strings.HasPrefix(word, "text_editor")
}

// isTool reports whether a word is the name of a tool that edits, or of a tag around calls.
func isTool(word string) bool { return isEditor(word) || wrapper.MatchString(word) }

// mayEdit reports whether a text names a tool that edits, a file, and a parameter with a text, but has no supported
// call.
func mayEdit(s string) bool {
	named := func(m []string) bool {
		return edittools.IsOneOf(cmp.Or(m[1], m[2]), edittools.Paths) && reply.IsPath(m[3])
	}
	all := text.Names(s)
	if !slices.ContainsFunc(pathValue.FindAllStringSubmatch(s, -1), named) || !slices.ContainsFunc(all, isEditor) || !slices.ContainsFunc(all, edittools.IsText) {
		return false
	}
	for line := range text.EachLine(s) {
		if mdblock.OpensCall(line.In(s)) || beginsCall(s, line.Start) {
			return false
		}
	}
	return true
}

func (u unknown) parsed(body string) format.Parsed {
	end, _ := text.LineEnd(body, 0)
	return format.Parsed{Entries: 1, Diagnostics: []diag.Diagnostic{diag.New(diag.CallUnknown, text.Span{End: end},
		fmt.Sprintf("`<%s>` seems to begin an edit, but this notation is not supported; Aptix supports %s", string(u), edittools.Known()))}}
}
