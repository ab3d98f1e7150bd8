package reply

import (
	"strings"

	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A Section is the part of a fence for one of several files. The line above the text has the path.
type Section struct {
	Path string
	At   text.Span // the path, as a span of the fence's text
	Text text.Span // the text of the file
}

// rule matches a line that only separates other lines, such as `======`.
var rule = lazyregexp.New(`^[ \t]*(?://|#|--|;|/\*|<!--|%)?[ \t]*(?:={5,}|-{5,}|#{5,}|\*{5,}|/{5,}|~{5,})[ \t]*(?:\*/|-->)?[ \t]*$`)

// Sections returns the files in a text with several files, each below a line with its path: `=== src/a.py ===`, `//
// src/b.ts`. All lines with paths must have the same marks, and the text must begin with one of them. Sections returns
// nil if there are fewer than two files.
func Sections(body string) []Section {
	lines := text.NewLines(body)
	var found []Section
	marks := ""
	end := func(before int) {
		if n := len(found); n > 0 {
			part := &found[n-1].Text
			part.End = max(part.Start, lines.Start(before))
			s := part.In(body)
			part.End -= len(s) - len(strings.TrimRight(s, " \t\r\n"))
			if end, next := text.LineEnd(body, part.End); end == part.End {
				part.End = next
			}
		}
	}
	for i := 0; i < lines.Count(); i++ {
		line := lines.Line(i).In(body)
		at, its, ok := sectionLine(line)
		if !ok || len(found) > 0 && its != marks {
			if len(found) == 0 && strings.TrimSpace(line) != "" && !rule.MatchString(line) {
				return nil
			}
			continue
		}
		above := i
		if i > 0 && rule.MatchString(lines.Line(i-1).In(body)) {
			above--
		}
		end(above)
		next := i + 1
		for next < lines.Count() && (above < i && next == i+1 && rule.MatchString(lines.Line(next).In(body)) || strings.TrimSpace(lines.Line(next).In(body)) == "") {
			next++
		}
		marks = its
		found = append(found, Section{Path: at.In(line), At: at.Shift(lines.Line(i).Start), Text: text.Span{Start: lines.Start(next)}})
		i = next - 1
	}
	end(lines.Count())
	if len(found) < 2 {
		return nil
	}
	return found
}

// sectionLine returns the path on a line that separates files, and the marks before the path, such as `===`.
func sectionLine(line string) (at text.Span, marks string, ok bool) {
	if len(line) > mostLine || !strings.Contains(line, ".") {
		return at, "", false
	}
	inner, shift := line, 0
	if m := comment.FindStringSubmatchIndex(line); m != nil {
		inner, shift, marks = line[m[2]:m[3]], m[2], "comment"
	}
	if at, ok = PathIn(inner); !ok || !IsFileName(at.In(inner)) {
		return at, "", false
	}
	marks += strings.Trim(inner[:at.Start], "0123456789 \t`*\"'")
	return at.Shift(shift), marks, marks != ""
}
