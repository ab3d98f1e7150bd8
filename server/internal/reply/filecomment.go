package reply

import (
	"strings"

	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/text"
)

var (
	// preamble matches the lines that may stand above a comment with the path, such as `#!/bin/sh`.
	preamble = lazyregexp.New(`^(?:#!.*|#.*-\*- coding.*|<\?php|<\?xml[^>]*>|<!(?i:doctype)[^>]*>|["']use (?:client|server|strict)["'];?|[ \t]*)$`)
	comment  = lazyregexp.New(`^[ \t]*(?://+|#+|--|;+|/\*+|\{/\*|<!--|%|"""|'''|REM\b)(.*?)(?:\*/\}?|-->|"""|''')?[ \t]*$`)
	// includes matches a line that includes another file, but that looks like a comment in other languages, such as
	// `#include`.
	includes = lazyregexp.New(`^[ \t]*[#%;]+[ \t]*(?:include|import|require|load)\b`)
	// opensComment matches a line that only begins a comment of several lines.
	opensComment = lazyregexp.New(`^[ \t]*(?:/\*+|<!--|"""|\x27\x27\x27)[ \t]*$`)
	opening      = lazyregexp.New(`^[ \t]*(?:@file\b|BEGIN(?: OF)?(?: FILE)?:?|(?i:start of(?: file)?:?))?[ \t]*`)
)

// labelComment matches a comment such as `// filepath: src/a.ts`. Editors tell models to name files in this way, and
// real files have no such line.
var labelComment = lazyregexp.New(`^[ \t]*(?://+|#+|--|;+|/\*+|<!--|%)[ \t]*(?i:file ?path):?[ \t]`)

// completedBy reads a comment with the same path in the first line of a fence's text. If the comment has more folders
// of the path, completedBy uses the comment's path. A comment with the label `filepath:` is not part of the file.
func (s *NamedFile) completedBy(body string) {
	end, next := text.LineEnd(body, 0)
	path, ok := commentPath(body[:end])
	longer := ok && !EndsWith(s.Path, path) && EndsWith(path, s.Path)
	if longer {
		s.Path, s.At = path, text.Span{}
	}
	if (longer || ok && EndsWith(s.Path, path)) && labelComment.MatchString(body[:end]) {
		s.Skip, s.Sure = next, true
	}
}

// LabelComment adds the label `filepath:` to a comment that has only a path. With this label, the comment does not
// count as a line of the file.
func LabelComment(line string) string {
	m := comment.FindStringSubmatchIndex(line)
	at := m[2] + len(line[m[2]:m[3]]) - len(strings.TrimLeft(line[m[2]:m[3]], " \t"))
	return line[:m[2]] + " filepath: " + line[at:]
}

// inText finds the path in the first lines of a fence's text. A comment with the label `filepath:` is not part of the
// file, and neither is a comment above JSON, because JSON has no comments.
func (s *NamedFile) inText(body string) {
	inside := false // true inside a comment of several lines
	for at, n := 0, 0; at < len(body) && n < 3; n++ {
		end, next := text.LineEnd(body, at)
		line := body[at:end]
		if inside && !text.HasWord(body[next:]) {
			return
		}
		if inside {
			line = "// " + strings.TrimLeft(line, " \t*")
		}
		if path, ok := commentPath(line); ok {
			s.Where, s.Path = InComment, path
			if s.Sure = at == 0 && labelComment.MatchString(line); s.Sure || strings.HasSuffix(path, ".json") {
				s.Skip = next
			}
			return
		}
		if path, ok := PathIn(line); ok && IsFileName(path.In(line)) && isText(body[next:]) {
			s.Where, s.Path, s.Skip = FirstLine, path.In(line), next
			return
		}
		inside = inside || opensComment.MatchString(line)
		if !inside && !preamble.MatchString(line) {
			return
		}
		at = next
	}
}

// commentPath returns the path in a comment that has only the path and a few label words.
func commentPath(line string) (string, bool) {
	m := comment.FindStringSubmatch(line)
	if m == nil || includes.MatchString(line) {
		return "", false
	}
	inner := m[1][len(opening.FindString(m[1])):]
	at, _, _, ok := FileLine(inner)
	return at.In(inner), ok && extension.MatchString(ending(at.In(inner)))
}

// IsPathComment reports whether a line is a comment that has only the path of a file, or the end of that path.
func IsPathComment(line, path string) bool {
	const signs = "#/*;-%<!> \t"
	if said := strings.Trim(line, signs); said == path && said != strings.TrimSpace(line) {
		// A name such as Makefile counts as a path here, because it is the name of this file.
		return true
	}
	named, ok := commentPath(line)
	return ok && EndsWith(path, named)
}

// isText reports whether the lines below a path may be the text of a file. It returns false for blank lines, and for
// lines that begin with another path.
func isText(below string) bool {
	below = strings.TrimLeft(below, " \t\r\n")
	end, _ := text.LineEnd(below, 0)
	_, path := PathIn(below[:end])
	return below != "" && !path
}
