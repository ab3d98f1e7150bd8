// Package formattest_test defines a format that only this folder knows. It shows that an
// entry in the list of formats is enough for a format to work through every front end.
package formattest_test

import (
	"os"
	"strings"
	"testing"

	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// whole is a format of whole files, between marks or in a fence, with the path on the line
// above:
//
//	Write `notes/a.txt`:
//	<<<<
//	the whole text
//	>>>>
var whole = format.Format{
	Name:   "whole",
	Title:  "a whole file",
	Noun:   "patch",
	Claims: format.Claims{Find: find},
	Parse:  parse,
	Editor: format.Editor{Outline: outline, Mention: mention, Complete: complete},
}

const (
	opens  = "<<<<"
	closes = ">>>>"
)

func TestMain(m *testing.M) {
	check.Formats = append(check.Formats, whole, broken)
	os.Exit(m.Run())
}

// find claims a pair of marks outside of fences, or a fence, with a path on the line above.
func find(d format.Document) []*format.Region {
	var found []*format.Region
	fences := d.Fences
	above, start := -1, -1 // start of the line above, and of the region
	for at := 0; at < len(d.Text); {
		if len(fences) > 0 && at >= fences[0].Span.Start {
			if f := fences[0]; start < 0 && above >= 0 && !pathIn(d.Text[above:at]).Empty() {
				found = append(found, format.Piece(d.Text, text.Span{Start: above, End: f.Span.End}, f.Closed))
			}
			above, at, fences = -1, max(at+1, fences[0].Span.End), fences[1:]
			continue
		}
		end, next := text.LineEnd(d.Text, at)
		switch line := d.Text[at:end]; {
		case start < 0 && line == opens && above >= 0 && !pathIn(d.Text[above:at]).Empty():
			start = above
		case start >= 0 && line == closes:
			found = append(found, format.Piece(d.Text, text.Span{Start: start, End: next}, true))
			start = -1
		}
		above, at = at, next
	}
	if start >= 0 {
		found = append(found, format.Piece(d.Text, text.Span{Start: start, End: len(d.Text)}, false))
	}
	return found
}

// pathIn returns the path that a line names. It is empty if there is none.
func pathIn(line string) text.Span {
	start := strings.Index(line, "`") + 1
	length := strings.Index(line[start:], "`")
	if start == 0 || length <= 0 || !strings.HasPrefix(line, "Write ") {
		return text.Span{}
	}
	return text.Span{Start: start, End: start + length}
}

func parse(r *format.Region) format.Parsed {
	path := pathIn(r.Body)
	_, head := text.LineEnd(r.Body, 0)
	openEnd, start := text.LineEnd(r.Body, head)
	content := text.Span{Start: start, End: strings.LastIndexByte(strings.TrimRight(r.Body, "\r\n"), '\n') + 1}
	change := intent.Change{
		Kind: intent.Write, At: text.Span{End: len(r.Body)},
		Path: path.In(r.Body), PathAt: intent.Literal{Span: path},
		Content: content.In(r.Body), ContentAt: intent.Literal{Span: content},
	}
	parsed := format.Parsed{Entries: 1, Readable: 1, Set: intent.Set{Changes: []intent.Change{change}}, Summary: "one whole file"}
	if content.Empty() {
		parsed.Readable, parsed.Set.Changes = 0, nil
		parsed.Diagnostics = []diag.Diagnostic{{Span: text.Span{Start: head, End: openEnd}, Severity: diag.Error, Code: diag.MissingContent, Message: "nothing is between the marks; write the whole file"}}
	}
	return parsed
}

func outline(r *format.Region, _ intent.Set) format.Outline {
	path := pathIn(r.Body)
	return format.Outline{Name: "Whole file", Files: []format.Symbol{{Name: path.In(r.Body), Span: text.Span{End: len(r.Body)}, Select: path}}}
}

func mention(r *format.Region, _ intent.Set, at int) (format.Mention, bool) {
	path := pathIn(r.Body)
	m := format.Mention{Span: path, Subject: format.File, Entry: text.Span{End: len(r.Body)}, Name: format.FileName{Path: path.In(r.Body)}}
	return m, path.Start <= at && at <= path.End
}

// complete offers the files of the workspace while the path is typed.
func complete(r *format.Region, at int, _ bool) (format.Completion, bool) {
	path := pathIn(r.Body)
	c := format.Completion{Typed: path, Ask: format.Paths, Write: func(path string) string { return path }}
	c.Name.Path = r.Body[path.Start:max(path.Start, min(at, path.End))]
	return c, path.Start <= at && at <= path.End
}
