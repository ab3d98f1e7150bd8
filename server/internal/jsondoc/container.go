package jsondoc

import (
	"fmt"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// container reads an array or object.
func (p *parser) container() *Node {
	n := p.node(Array, p.pos, p.pos+1)
	if p.src[p.pos] == '{' {
		n.Kind = Object
	}
	if len(p.open) == maxDepth {
		p.stop(diag.JSONTooDeep, "arrays and objects nest more than %d deep; that is not an edit", maxDepth)
		return n
	}
	p.enter(n)
	p.items(n)
	p.leave(n)
	n.Span.End = p.pos
	if n.Kind == Object {
		p.duplicates(n)
	}
	return n
}

func (p *parser) enter(n *Node) {
	p.open = append(p.open, p.src[p.pos])
	if n.Kind == Object {
		p.braces++
	}
	p.pos++
}

func (p *parser) leave(n *Node) {
	if len(p.open) > 0 {
		p.open = p.open[:len(p.open)-1]
	}
	if n.Kind == Object {
		p.braces--
	}
}

// items reads elements or members up to the closing bracket, with the commas
// between them.
func (p *parser) items(n *Node) {
	const (
		begin = iota
		behindItem
		behindComma
	)
	state, comma, last := begin, 0, 0 // comma: offset of the last one; last: end of the last item
	for {
		p.space()
		if p.eof() {
			p.unclosed(n)
			return
		}
		switch c := p.src[p.pos]; {
		case c == '}' || c == ']':
			if state == behindComma {
				p.report(diag.JSONTrailingComma, text.Span{Start: comma, End: comma + 1}, "a comma before `%c`; remove it", c)
			}
			p.close(n, c)
			return
		case c == ',' && state == behindItem:
			state, comma = behindComma, p.pos
			p.pos++
		case c == ',':
			p.report(diag.JSONExtraComma, text.Span{Start: p.pos, End: p.pos + 1}, "a comma where %s is expected; remove it", item(n))
			p.pos++
		default:
			if state == behindItem {
				p.report(diag.JSONMissingComma, text.Span{Start: last, End: last}, "a comma is missing here, before the next %s", itemName(n))
			}
			p.item(n)
			state, last = behindItem, p.pos
		}
	}
}

func itemName(n *Node) string {
	if n.Kind == Object {
		return "member"
	}
	return "element"
}

func item(n *Node) string {
	if n.Kind == Object {
		return "a member"
	}
	return "an element"
}

// close ends n at the closing bracket c. Where c belongs to an outer container, it
// stays there, and n is what was not closed.
func (p *parser) close(n *Node, c byte) {
	opening, want, outer := byte('['), byte(']'), p.braces
	if n.Kind == Object {
		opening, want, outer = '{', '}', len(p.open)-p.braces
	}
	here := text.Span{Start: p.pos, End: p.pos + 1}
	start := text.Span{Start: n.Span.Start, End: n.Span.Start + 1}
	if c != want && outer > 0 {
		p.report(diag.JSONUnclosed, start, "this `%c` is not closed: a `%c` is missing before a `%c` that closes what is around it", opening, want, c)
		p.related(here, fmt.Sprintf("`%c` is expected before this", want))
		return
	}
	if c != want {
		p.report(diag.JSONMismatchedBracket, here, "`%c` where `%c` is expected", c, want)
		p.related(start, "what it should close")
	}
	p.pos++
}

// unclosed tells, once and at the innermost bracket, what is open at the end.
func (p *parser) unclosed(n *Node) {
	if len(p.open) == 0 {
		return
	}
	missing := make([]byte, 0, 16)
	for i := len(p.open) - 1; i >= 0 && len(missing) < cap(missing); i-- {
		missing = append(missing, p.open[i]+2) // [ and ], { and } lie two apart in ASCII
	}
	p.report(diag.JSONUnclosed, text.Span{Start: n.Span.Start, End: n.Span.Start + 1},
		"the JSON ends while this bracket is open; `%s` is missing at the end", missing)
	p.open = nil
}

func (p *parser) item(n *Node) {
	if n.Kind == Array {
		n.Elems = append(n.Elems, p.value())
		return
	}
	p.member(n)
}

// member reads `"name": value`.
func (p *parser) member(n *Node) {
	key := p.name()
	if key == nil {
		return
	}
	p.space()
	colon := p.at(':')
	if colon {
		p.pos++
		p.space()
	} else if !p.eof() {
		p.report(diag.JSONMissingColon, text.Span{Start: key.Span.End, End: key.Span.End}, "a colon is missing behind the name %s", shown(key))
	}
	value := p.memberValue(key, colon)
	n.Members = append(n.Members, Member{Key: key, Value: value, Span: text.Span{Start: key.Span.Start, End: value.Span.End}})
}

func (p *parser) memberValue(key *Node, colon bool) *Node {
	if p.eof() || p.at(',') || p.at('}') || p.at(']') {
		if colon {
			p.report(diag.JSONMissingValue, key.Span, "%s has no value", shown(key))
		}
		return p.node(Invalid, key.Span.End, key.Span.End)
	}
	return p.value()
}

// name reads the name of a member; nil where there is none.
func (p *parser) name() *Node {
	c := p.src[p.pos]
	switch {
	case c == '"' || p.quote().opening != "":
		return p.string(true)
	case isWord(c):
		start := p.pos
		for !p.eof() && (isWord(p.src[p.pos]) || p.src[p.pos] == '-') {
			p.pos++
		}
		key := p.node(String, start, p.pos)
		key.Text = p.src[start:p.pos]
		key.literal = &literal{raw: key.Text, start: start}
		p.report(diag.JSONUnquotedName, key.Span, "the name %s needs double quotes", shown(key))
		return key
	case c == '{' || c == '[' || c == '-' || c == ':':
		p.report(diag.JSONMissingName, text.Span{Start: p.pos, End: p.pos + 1}, "`%c` where the name of a member is expected", c)
		if c == ':' {
			p.pos++
			return nil
		}
		p.value()
		return nil
	}
	p.junk()
	return nil
}

// duplicates reports names that come again in an object.
func (p *parser) duplicates(n *Node) {
	const few = 8
	if len(n.Members) <= few {
		for i := range n.Members {
			for j := range i {
				if n.Members[i].Key.Text == n.Members[j].Key.Text {
					p.duplicate(n.Members[j].Key, n.Members[i].Key)
					break
				}
			}
		}
		return
	}
	first := make(map[string]*Node, len(n.Members))
	for _, m := range n.Members {
		if before := first[m.Key.Text]; before != nil {
			p.duplicate(before, m.Key)
			continue
		}
		first[m.Key.Text] = m.Key
	}
}

func (p *parser) duplicate(first, again *Node) {
	p.report(diag.JSONDuplicateName, again.Span, "%s is there twice in one object; keep the one that is meant", shown(again))
	p.related(first.Span, "the first one")
}

// shown is a name for a message, cut where it is long.
func shown(n *Node) string { return Quote(cut(n.Text)) }
