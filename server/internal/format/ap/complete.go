package ap

import (
	"crypto/rand"
	"encoding/hex"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// complete offers the directives of a patch after its ID. At the start of a line, it offers them
// together with the ID. If the patch has no header, it offers one.
func complete(r *format.Region, at int, _ bool) (format.Completion, bool) {
	before := text.Span{Start: format.LineAt(r.Body, at).Start, End: at}
	typed := before.In(r.Body)
	id, version := identity(r.Body)
	c := format.Completion{Typed: before}
	switch m := begunLine.FindStringSubmatch(typed); {
	case id == "" && typed == "":
		header := words[len(words)-1]
		c.Lead = newID() + " "
		c.Items = []format.Item{{Label: "AP 3.1", Text: c.Lead + "AP 3.1", Doc: header.doc, Snippet: c.Lead + "AP 3.1\n\n" + c.Lead + "FILE\n$1"}}
	case id == "":
	case m != nil && m[1] == id && len(m[0]) == len(typed):
		c.Typed.Start = at - len(m[2])
		c.Items = items(id, version, "")
	case strings.HasPrefix(id, typed):
		c.Lead = id + " "
		c.Items = items(id, version, c.Lead)
	}
	return c, true
}

func newID() string {
	raw := make([]byte, 4)
	_, _ = rand.Read(raw) // this never fails
	return hex.EncodeToString(raw)
}

// items returns the completions for the directives of a version.
func items(id, version, lead string) []format.Item {
	var found []format.Item
	for _, w := range words {
		if w.name == kwAP || w.only32 && version == "3.1" {
			continue
		}
		found = append(found, format.Item{Label: w.name, Text: lead + w.name, Doc: w.doc,
			Snippet: lead + w.name + strings.ReplaceAll(w.rest, "ID ", id+" ")})
	}
	return found
}
