package lines

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/format/jsonshape"
	"github.com/aptix-dev/aptix/server/internal/lenientjson"
)

// where names the place at an offset as the writer of the patch would: `files[0] ("demo/a.go"),
// changes[2] ("rename"), endLine`.
func where(r *format.Region, offset int) string {
	var steps []string
	for n := jsonshape.Tree(r); n != nil; {
		step, next := inside(n, offset)
		if step != "" {
			steps = append(steps, step)
		}
		n = next
	}
	return strings.Join(steps, ", ")
}

// inside returns the value in n that contains an offset, and the value's name. It returns nil if
// no value does.
func inside(n *lenientjson.Node, offset int) (string, *lenientjson.Node) {
	for _, m := range n.Members {
		switch {
		case offset < m.Span.Start || offset >= m.Span.End:
		case m.Value.Kind == lenientjson.Array && offset >= m.Value.Span.Start:
			return element(m.Key.Text, m.Value, offset)
		default:
			return m.Key.Text, m.Value
		}
	}
	return "", nil
}

func element(name string, list *lenientjson.Node, offset int) (string, *lenientjson.Node) {
	for i, e := range list.Elems {
		if offset < e.Span.Start || offset >= e.Span.End {
			continue
		}
		step := fmt.Sprintf("%s[%d]", name, i)
		if key := cmp.Or(jsonshape.StringOf(e, "docPath"), jsonshape.StringOf(e, "changeKey")); key != "" {
			step += fmt.Sprintf(" (%q)", key)
		}
		return step, e
	}
	return name, nil
}
