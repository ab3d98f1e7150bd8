package jsonshape

import (
	"slices"

	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/lenientjson"
)

// Tree returns the JSON of a region. If the JSON is broken, the tree has the readable parts.
func Tree(r *format.Region) *lenientjson.Node { return readOnce(r).root }

// An Address is the place of a string or number in a block: the name of a member, or a value.
type Address struct {
	Node   *lenientjson.Node
	IsName bool
	// the names of the members that lead to the string or number, of which the last is its own member
	Names   []string
	Objects []*lenientjson.Node // the objects around the string or number, outermost first
}

// AddressAt returns the string or number around an offset, or directly before it.
func AddressAt(root *lenientjson.Node, at int) (a Address, ok bool) {
	for n := root; ; {
		switch n.Kind {
		case lenientjson.String, lenientjson.Number:
			a.Node = n
			return a, true
		case lenientjson.Object:
			m := memberAt(n, at)
			if m == nil {
				return Address{}, false
			}
			a.Objects, a.Names = append(a.Objects, n), append(a.Names, m.Key.Text)
			if holds(m.Key, at) {
				a.Node, a.IsName = m.Key, true
				return a, true
			}
			n = m.Value
		case lenientjson.Array:
			i := slices.IndexFunc(n.Elems, func(e *lenientjson.Node) bool { return holds(e, at) })
			if i < 0 {
				return Address{}, false
			}
			n = n.Elems[i]
		default:
			return Address{}, false
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

// Name returns the name of the member to which the address belongs, or "".
func (a Address) Name() string {
	if len(a.Names) == 0 {
		return ""
	}
	return a.Names[len(a.Names)-1]
}

// Entry returns the entry of `files` or `patches` around the address, or nil.
func (a Address) Entry() *lenientjson.Node {
	if len(a.Objects) < 2 {
		return nil
	}
	return a.Objects[1]
}

// StringOf returns the string value of a member, or "".
func StringOf(n *lenientjson.Node, name string) string {
	if m := n.Member(name); m != nil && m.Value.Kind == lenientjson.String {
		return m.Value.Text
	}
	return ""
}
