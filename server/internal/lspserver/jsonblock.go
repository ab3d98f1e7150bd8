package lspserver

import (
	"slices"
	"strings"

	"go.lsp.dev/protocol"

	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/format/bundle"
	"github.com/aptix-dev/aptix/server/internal/format/jsonshape"
	"github.com/aptix-dev/aptix/server/internal/lenientjson"
	"github.com/aptix-dev/aptix/server/internal/lspconv"
	"github.com/aptix-dev/aptix/server/internal/mdblock"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// jsonBlocks are the blocks of a document that are JSON, whether they are ours or
// not. All of an *.aptix.json document is one; and of one that has no name yet,
// where it begins as JSON does.
func jsonBlocks(doc *Document) []mdblock.Block {
	if isWholePatch(doc) {
		return nil // what it adds to files may hold fences
	}
	if isWhole(doc) && (hasOurName(doc) || strings.HasPrefix(strings.TrimLeft(doc.Text, " \t\r\n"), "{")) {
		return []mdblock.Block{mdblock.Whole(doc.Text)}
	}
	return slices.DeleteFunc(mdblock.Find(doc.Text), func(b mdblock.Block) bool {
		return b.Lang != "" && !slices.Contains(bundle.Format.Fences, b.Lang)
	})
}

// hasOurName reports whether a document is ours whatever it holds.
func hasOurName(doc *Document) bool {
	return strings.HasSuffix(strings.ToLower(string(doc.URI)), ".aptix.json")
}

// isOurs reports whether a block that is JSON is one of ours.
func isOurs(doc *Document, b mdblock.Block) bool {
	switch {
	case !b.Fenced && hasOurName(doc):
		return true
	case b.Lang == "":
		return jsonshape.Unmistakable(&format.Region{Block: b}) != jsonshape.Other
	}
	return jsonshape.Of(&format.Region{Block: b}) != jsonshape.Other
}

// jsonBlockAt is the block that holds a position, and where that is in its body.
func jsonBlockAt(doc *Document, p protocol.Position) (b mdblock.Block, at int, ok bool) {
	host := lspconv.Offset(text.NewLines(doc.Text), p)
	for _, b := range jsonBlocks(doc) {
		if b.Fenced && host <= b.Open.End {
			continue
		}
		if at, ok := b.BodyOffset(host); ok {
			return b, at, true
		}
	}
	return mdblock.Block{}, 0, false
}

// A hit is a string or a number in a block: a member's name, or a value.
type hit struct {
	node    *lenientjson.Node
	isName  bool
	names   []string            // of the members that lead to it, its own as the last
	objects []*lenientjson.Node // that hold it, the outermost first
}

// hitAt is the string or number that holds or ends at the offset at.
func hitAt(root *lenientjson.Node, at int) (h hit, ok bool) {
	for n := root; ; {
		switch n.Kind {
		case lenientjson.String, lenientjson.Number:
			h.node = n
			return h, true
		case lenientjson.Object:
			m := memberAt(n, at)
			if m == nil {
				return hit{}, false
			}
			h.objects, h.names = append(h.objects, n), append(h.names, m.Key.Text)
			if holds(m.Key, at) {
				h.node, h.isName = m.Key, true
				return h, true
			}
			n = m.Value
		case lenientjson.Array:
			i := slices.IndexFunc(n.Elems, func(e *lenientjson.Node) bool { return holds(e, at) })
			if i < 0 {
				return hit{}, false
			}
			n = n.Elems[i]
		default:
			return hit{}, false
		}
	}
}

func memberAt(n *lenientjson.Node, at int) *lenientjson.Member {
	for i := range n.Members {
		if m := &n.Members[i]; holds(m.Key, at) || holds(m.Value, at) {
			return m
		}
	}
	return nil
}

func holds(n *lenientjson.Node, at int) bool { return n.Span.Start <= at && at <= n.Span.End }

// name is that of the member that h is, or is the value of.
func (h hit) name() string {
	if len(h.names) == 0 {
		return ""
	}
	return h.names[len(h.names)-1]
}

// entry is the entry of files or patches that h belongs to; nil where it belongs
// to none.
func (h hit) entry() *lenientjson.Node {
	if len(h.objects) < 2 {
		return nil
	}
	return h.objects[1]
}

// stringOf is the string that a member has; "" where it has none.
func stringOf(n *lenientjson.Node, name string) string {
	if m := n.Member(name); m != nil && m.Value.Kind == lenientjson.String {
		return m.Value.Text
	}
	return ""
}
