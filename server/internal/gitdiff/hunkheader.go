package gitdiff

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/hunk"
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/text"
)

var (
	strictHeader = lazyregexp.New(`^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@(.*)$`)
	looseHeader  = lazyregexp.New(`^@@+ *- *(\d+)(?: *, *(\d+))?[ ,]*\+ *(\d+)(?: *, *(\d+))? *(?:$|@+(.*)$)`)
)

// hunkNumbers reads line i as the header of a hunk. strict is true if git accepts this header,
// too.
func (s *source) hunkNumbers(i int) (h hunk.Hunk, strict bool) {
	line := s.text(i)
	h.Header = s.line(i)
	m := strictHeader.FindStringSubmatch(line)
	if strict = m != nil; !strict {
		m = looseHeader.FindStringSubmatch(line)
	}
	if m == nil {
		h.Section = placeholder(line)
		return h, false
	}
	h.Numbered = true
	h.Old = hunk.Range{Start: number(m[1]), Count: number(m[2])}
	h.New = hunk.Range{Start: number(m[3]), Count: number(m[4])}
	h.Section = strings.TrimSpace(m[5])
	return h, strict
}

// placeholder returns the text that a header without numbers has in their place.
func placeholder(line string) string {
	line = strings.Trim(line, "@ \t")
	if strings.Trim(line, ".…-+, 0123456789XxYy?_") == "" {
		return ""
	}
	return strings.TrimSpace(strings.TrimPrefix(strings.TrimPrefix(line, "..."), "…"))
}

// number reads a number of a header. A missing count is 1.
func number(s string) int {
	if s == "" {
		return 1
	}
	n, err := strconv.ParseInt(s, 10, 31)
	if err != nil {
		return 1 << 30 // more than any file has
	}
	return int(n)
}

// hunkHeader reads a hunk's header, and reports one that git does not read.
func (s *section) hunkHeader(i int) hunk.Hunk {
	h, strict := s.hunkNumbers(i)
	if h.Numbered && !strict {
		fixed := writeHeader(h.Old.Start, h.Old.Count, h.New.Start, h.New.Count, h.Section)
		s.fail(diag.GitHunkHeader, h.Header, fmt.Sprintf("git does not recognize this hunk: its header must be written `%s`", fixed),
			diag.Fix{Title: "Write " + fixed, Edits: []text.Edit{{Span: h.Header, New: fixed}}, Preferred: true})
	}
	return h
}

func writeHeader(old, oldCount, new, newCount int, section string) string {
	header := fmt.Sprintf("@@ -%s +%s @@", writeRange(old, oldCount), writeRange(new, newCount))
	if section != "" {
		header += " " + section
	}
	return header
}

func writeRange(start, count int) string {
	if count == 1 {
		return fmt.Sprint(start)
	}
	return fmt.Sprintf("%d,%d", start, count)
}
