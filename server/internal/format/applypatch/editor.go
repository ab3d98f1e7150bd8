package applypatch

import (
	"strings"

	"github.com/aptix-dev/aptix/server/internal/format"
)

// complete offers the files of the workspace after `*** Update File:`, and the headers at
// the beginning of a line.
func complete(r *format.Region, at int, claimed bool) (format.Completion, bool) {
	if !claimed {
		return format.Completion{}, false
	}
	line := format.LineAt(r.Body, at)
	if verb, path := header(line.In(r.Body)); verb == add || verb == update || verb == remove || verb == move {
		typed := line
		typed.End = typed.Start + len(strings.TrimRight(line.In(r.Body), " \t"))
		typed.Start = typed.End - len(path)
		if at < typed.Start || at > typed.End {
			return format.Completion{}, false
		}
		return format.Completion{Typed: typed, Ask: format.Paths, Name: format.FileName{Path: r.Body[typed.Start:at]}, Write: func(path string) string { return path }}, true
	}
	if typed := line.In(r.Body)[:at-line.Start]; typed == "" || !strings.HasPrefix(begin, typed) && !strings.HasPrefix("*** ", typed) {
		return format.Completion{}, false
	}
	c := format.Completion{Typed: line}
	for _, h := range []struct{ text, doc string }{
		{update + " ", "Changes a file that exists."}, {add + " ", "Creates a file; every line begins with `+`."}, {remove + " ", "Deletes a file."},
		{move + " ", "Renames the file of the section."}, {endOfFile, "The hunk above ends the file."}, {begin, "Begins a patch."}, {end, "Ends a patch."},
	} {
		c.Items = append(c.Items, format.Item{Label: strings.TrimSpace(h.text), Text: h.text, Doc: h.doc})
	}
	return c, true
}
