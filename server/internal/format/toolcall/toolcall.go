// Package toolcall reads calls of tools that edit files, as models write them in JSON or as tags. The rules are in
// docs/formats/tool-call.md.
package toolcall

import (
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/edittools"
	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/format/jsonshape"
	"github.com/aptix-dev/aptix/server/internal/meter"
	"github.com/aptix-dev/aptix/server/internal/schema"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// Format is the format of tool calls.
var Format = format.Format{
	Name:   "tool-call",
	Title:  "a tool call",
	Noun:   "patch",
	Part:   "edit",
	Guest:  true,
	Calls:  true,
	Claims: format.Claims{Find: find, Shaped: shaped},
	Files:  format.Files{SharedNames: []string{".json", ".jsonl"}, Begins: jsonshape.Begins},
	Parse:  parse,
	Schema: schema.ToolCall,
	Editor: format.Editor{Outline: format.OutlineParts("Tool calls", "call", nil), Mention: format.MentionPathOrPart, Complete: format.CompletePaths(parse)},
}

func parse(r *format.Region) format.Parsed {
	parsed := format.Parsed{}
	unread, _ := r.Shared.(interface {
		parsed(body string) format.Parsed
	})
	switch {
	case unread != nil:
		parsed = unread.parsed(r.Body)
	case inTags(r.Body):
		parsed = readTags(r.Body)
	default:
		parsed = readJSON(r.Body, "")
	}
	if parsed.Entries == 0 && !diag.HasErrors(parsed.Diagnostics) {
		end, _ := text.LineEnd(r.Body, 0)
		parsed.Diagnostics = append(parsed.Diagnostics, diag.New(diag.CallUnknown, text.Span{End: end},
			"there is no call here that changes a file; Aptix supports "+edittools.Known()))
	}
	if parsed.Entries != 1 {
		parsed.Undoes = ""
	}
	parsed.Summary = format.Count(parsed.Entries, "tool call")
	return parsed
}

func inTags(body string) bool { return strings.HasPrefix(strings.TrimLeft(body, " \t\r\n\ufeff"), "<") }

// takesParameters reports whether a text begins with a call in tags that has known parameters and a real path.
// Documentation has words instead of the path.
func takesParameters(s string, m *meter.Meter) bool {
	const enough = 4 << 10
	if !m.Pay(eachMatched * min(len(s), enough)) {
		return false
	}
	if invoked(strings.TrimLeft(s, " ")) != "" {
		return invokes(s[:min(len(s), enough)])
	}
	tagEnd := strings.IndexByte(s, '>') + 1
	change := strings.HasSuffix(s[:tagEnd], "<change>")
	s = s[tagEnd:]
	s = s[:min(len(s), enough)]
	if change && !strings.Contains(s, "<find>") {
		// Other XML has elements with this name, too.
		return false
	}
	if !strings.HasPrefix(strings.TrimLeft(s, " \t\r\n"), "<") {
		return false
	}
	tag := "path>"
	if given := tagsIn(s); !slices.Contains(given, "path") {
		if i := slices.IndexFunc(given, func(name string) bool { return edittools.IsOneOf(name, edittools.Sources) }); i >= 0 {
			tag = given[i] + ">"
		}
	}
	_, path, _ := strings.Cut(s, "<"+tag)
	path, _, closed := strings.Cut(path, "</"+tag)
	return !closed || !strings.ContainsAny(strings.TrimSpace(path), " ") || strings.ContainsAny(path, "./")
}
