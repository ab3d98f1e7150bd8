package jsonshape

import (
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/lenientjson"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// nest returns the fix that moves the entries of `patches` to the end of `files`, as entries with the operation patch
// (rule B7). It returns no fix if a list is broken.
func (d *Document) nest(o Object, files, patches *lenientjson.Member) []diag.Fix {
	if files.Value.Kind != lenientjson.Array || len(files.Value.Elems) == 0 || patches.Value.Kind != lenientjson.Array || !d.Whole() {
		return nil
	}
	last := files.Value.Elems[len(files.Value.Elems)-1].Span.End
	var entries strings.Builder
	for _, e := range patches.Value.Elems {
		literal := has(e, "find") && has(e, "replace")
		if e.Kind != lenientjson.Object || !has(e, "path") || literal == has(e, "replacements") {
			return nil
		}
		entries.WriteString(", " + d.nested(e))
	}
	fix := o.Remove(patches)
	fix.Title = "Move `patches` into `files`"
	fix.Edits = append(fix.Edits, text.Insertion(last, entries.String()))
	return []diag.Fix{fix}
}

// nested returns an entry of `patches` as an entry of `files`, with its values as written.
func (d *Document) nested(e *lenientjson.Node) string {
	head := `{"path": ` + d.raw(e.Member("path")) + `, "operation": "patch", "patches": `
	if list := e.Member("replacements"); list != nil {
		return head + d.raw(list) + "}"
	}
	var members []string
	for _, name := range []string{"find", "replace", "limit"} {
		if m := e.Member(name); m != nil {
			members = append(members, `"`+name+`": `+d.raw(m))
		}
	}
	return head + "[{" + strings.Join(members, ", ") + "}]}"
}

func (d *Document) raw(m *lenientjson.Member) string { return m.Value.Span.In(d.body) }
