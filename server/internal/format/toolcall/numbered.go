package toolcall

import (
	"github.com/aptix-dev/aptix/server/internal/edittools"
	"github.com/aptix-dev/aptix/server/internal/lenientjson"
)

// numberedEdits returns the edits of a call that numbers its parameters, such as `old_str_1` and `new_str_1`, as objects
// with these parameters. It returns nil if no old text has a number.
func numberedEdits(n *lenientjson.Node) (edits []*lenientjson.Node) {
	byNumber, found := map[string]*lenientjson.Node{}, false
	for _, m := range n.Members {
		of, number, ok := edittools.Numbered(m.Key.Text)
		if !ok {
			continue
		}
		edit := byNumber[number]
		if edit == nil {
			edit = &lenientjson.Node{Kind: lenientjson.Object, Span: n.Span}
			byNumber[number] = edit
			edits = append(edits, edit)
		}
		key := *m.Key
		key.Text = of
		m.Key = &key
		edit.Members = append(edit.Members, m)
		found = found || edittools.IsOneOf(of, edittools.Olds)
	}
	if !found {
		return nil
	}
	return edits
}

// readNumbered reads a call with numbered edits (rule C22). They apply in the order in which they are written.
func (r *reader) readNumbered(name string, t edittools.Tool, n *lenientjson.Node, edits []*lenientjson.Node) {
	rest := *n
	rest.Members = nil
	for _, m := range n.Members {
		if _, _, ok := edittools.Numbered(m.Key.Text); !ok {
			rest.Members = append(rest.Members, m)
		}
	}
	path := r.object(t, &rest, t.Path).Member(t.Path)
	r.edits(name, edits, func(c *call) {
		if path != nil {
			c.set(c.tool.Path, path.Value)
		}
	})
}
