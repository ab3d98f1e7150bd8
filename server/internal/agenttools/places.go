package agenttools

import (
	"fmt"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/lenientjson"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// linesFormat is the name of the format of line patches.
const linesFormat = "lines"

// places says where in a reply something is. It reads the reply once, whatever the
// number of questions.
type places struct {
	single bool // the reply has one block
	batch  *lenientjson.Node
	lines  *text.Lines
}

// of is to be read in front of a message.
func (p *places) of(doc string, b *check.Block, offset int) string {
	if b.Format.Name == linesFormat && !b.Fenced {
		if p.batch == nil {
			p.batch, _ = lenientjson.Parse(doc)
		}
		if where := inBatch(p.batch, offset); where != "" {
			return where + ": "
		}
	}
	if p.lines == nil {
		p.lines = text.NewLines(doc)
	}
	line := fmt.Sprintf("line %d: ", p.lines.Position(offset).Line+1)
	if p.single {
		return line
	}
	return fmt.Sprintf("block %d, %s", b.Index, line)
}

// inBatch says where in the JSON of a line patch an offset is, as its writer knows
// it: `files[0] ("demo/a.go"), changes[2] ("rename"), endLine`.
func inBatch(root *lenientjson.Node, offset int) string {
	var steps []string
	for n := root; n != nil; {
		step, next := inside(n, offset)
		if step != "" {
			steps = append(steps, step)
		}
		n = next
	}
	return strings.Join(steps, ", ")
}

// inside is the value in n that an offset is in, and how it is called; nil for none.
func inside(n *lenientjson.Node, offset int) (string, *lenientjson.Node) {
	for _, m := range n.Members {
		switch {
		case offset < m.Span.Start || offset >= m.Span.End:
		case m.Value == nil:
			return m.Key.Text, nil
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
		if key := keyOf(e); key != "" {
			step += fmt.Sprintf(" (%q)", key)
		}
		return step, e
	}
	return name, nil
}

// keyOf is what an entry is known by.
func keyOf(n *lenientjson.Node) string {
	for _, name := range []string{"docPath", "changeKey"} {
		if m := n.Member(name); m != nil && m.Value != nil && m.Value.Kind == lenientjson.String {
			return m.Value.Text
		}
	}
	return ""
}
