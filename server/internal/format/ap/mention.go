package ap

import (
	"fmt"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/intent"
)

// mention describes the directive on a line, and the part of the patch that begins there.
func mention(r *format.Region, set intent.Set, at int) (format.Mention, bool) {
	m, ok := format.MentionPart(r.Body, set, at)
	line := format.LineAt(r.Body, at)
	if doc := about(r.Body, line.In(r.Body)); doc != "" {
		m.Doc = doc
		if m.Subject != format.Part {
			m.Span = line
		}
		ok = true
	}
	return m, ok
}

// about returns the documentation of the directive on a line, or "" if the line is not a
// directive.
func about(body, line string) string {
	id, _ := identity(body)
	m := begunLine.FindStringSubmatch(line)
	if m == nil || m[1] != id {
		return ""
	}
	for _, w := range words {
		if w.name == m[2] {
			return fmt.Sprintf("`%s`: %s (%s)", w.name, w.doc, w.rule)
		}
	}
	return ""
}

// describe returns the name of a modification, which is its directive without the patch's ID, and
// the first line of its first value.
func describe(modification string) (name, detail string) {
	head, rest, _ := strings.Cut(strings.TrimSpace(modification), "\n")
	id, name, found := strings.Cut(strings.TrimSpace(head), " ")
	if !found {
		name = id
	}
	for line := range strings.Lines(rest) {
		if s := strings.TrimSpace(line); s != "" && !strings.HasPrefix(s, id+" ") {
			return strings.TrimSpace(name), s
		}
	}
	return strings.TrimSpace(name), ""
}

// summary returns the description in the first comment of a patch, or "".
func summary(body string) string {
	if m := summaryLine.FindStringSubmatch(body); m != nil {
		return m[1]
	}
	return ""
}
