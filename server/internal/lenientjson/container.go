package lenientjson

import (
	"fmt"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/text"
)

func (p *parser) container() *Node {
	n := p.node(Array, p.pos, p.pos+1)
	if p.src[p.pos] == '{' {
		n.Kind = Object
	}
	if len(p.open) == maxDepth {
		p.stop(diag.JSONTooDeep, "arrays and objects are nested more than %d deep; no edit needs that", maxDepth)
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

func (p *parser) items(n *Node) {
	const (
		begin = iota
		behindItem
		behindComma
	)
	// `comma` is the offset of the last comma, or -1. `last` is the end of the last item.
	state, comma, last := begin, -1, n.Span.Start+1
	for {
		p.space()
		if p.eof() {
			p.unclosed(n, text.Span{Start: last, End: max(last, comma+1)}, state == behindItem)
			return
		}
		switch c := p.src[p.pos]; {
		case c == '}' || c == ']':
			if state == behindComma {
				here := text.Span{Start: comma, End: comma + 1}
				p.report(diag.JSONTrailingComma, here, certainly("Remove the comma", remove(comma, comma+1)), "there is a comma before `%c`; remove it", c)
			}
			p.close(n, c, state == behindItem)
			return
		case c == ',' && state == behindItem:
			state, comma = behindComma, p.pos
			p.pos++
		case c == ',':
			p.report(diag.JSONExtraComma, text.Span{Start: p.pos, End: p.pos + 1}, certainly("Remove the comma", remove(p.pos, p.pos+1)), "a comma is here, but %s is expected; remove the comma", item(n))
			p.pos++
		default:
			if state == behindItem {
				p.report(diag.JSONMissingComma, text.Span{Start: last, End: last}, p.insertComma(n, last), "a comma is missing here, before the next %s", itemName(n))
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

// close ends n at the closing bracket c. If the bracket belongs to an outer container, n counts as
// unclosed and the bracket is not consumed. `complete` is false if a comma comes before the
// bracket, or if n has no items.
func (p *parser) close(n *Node, c byte, complete bool) {
	opening, want, outer := byte('['), byte(']'), p.braces
	if n.Kind == Object {
		opening, want, outer = '{', '}', len(p.open)-p.braces
	}
	here := text.Span{Start: p.pos, End: p.pos + 1}
	start := text.Span{Start: n.Span.Start, End: n.Span.Start + 1}
	if c != want && outer > 0 {
		p.report(diag.JSONUnclosed, start, offer(complete, fmt.Sprintf("Insert `%c` before the `%c`", want, c), text.Insertion(p.pos, string(want))),
			"this `%c` is not closed: a `%c` is missing before the `%c` that closes the enclosing bracket", opening, want, c)
		p.related(here, fmt.Sprintf("`%c` is expected before this", want))
		return
	}
	if c != want {
		last := len(strings.TrimRight(p.src, " \t\r\n")) == here.End
		p.report(diag.JSONMismatchedBracket, here, offer(complete && last, fmt.Sprintf("Change `%c` to `%c`", c, want), text.Edit{Span: here, New: string(want)}),
			"this is `%c`, but `%c` is expected", c, want)
		p.related(start, "the opening bracket without a match")
	}
	p.pos++
}

// unclosed adds one diagnostic, at the innermost bracket, about all brackets that are open at the end of the text. The
// span `rest` follows the last item, and is empty or contains a comma.
//
// The fix is certain only if just the outermost bracket is missing. If a list is still open, the text after it may be
// lost. After a comma, an item may be lost.
func (p *parser) unclosed(n *Node, rest text.Span, complete bool) {
	if len(p.open) == 0 {
		return
	}
	missing := make([]byte, 0, 16)
	for i := len(p.open) - 1; i >= 0 && len(missing) < cap(missing); i-- {
		// in ASCII, a closing bracket is two codes after its opening bracket
		missing = append(missing, p.open[i]+2)
	}
	certain := complete && len(p.open) == 1 && n.Kind == Object
	var fixes []diag.Fix
	if len(p.open) <= len(missing) {
		fixes = offer(certain, fmt.Sprintf("Insert `%s` at the end", missing), text.Edit{Span: rest, New: string(missing)})
	}
	p.report(diag.JSONUnclosed, text.Span{Start: n.Span.Start, End: n.Span.Start + 1}, fixes,
		"the JSON ends while this bracket is open; `%s` is missing at the end", missing)
	p.open = nil
}

func (p *parser) item(n *Node) {
	if n.Kind == Array {
		p.key = ""
		n.Elems = append(n.Elems, p.value())
		return
	}
	p.member(n)
}

func (p *parser) member(n *Node) {
	key := p.name()
	if key == nil {
		return
	}
	p.space()
	sign := signAt(p.src[p.pos:])
	switch {
	case sign != "":
		p.sign(n, key, sign)
	case !p.eof():
		at := key.Span.End
		p.report(diag.JSONMissingColon, text.Span{Start: at, End: at}, p.insertColon(key), "a colon is missing after the name %s", shown(key))
	}
	p.key = key.Text
	value := p.memberValue(key, sign != "")
	n.Members = append(n.Members, Member{Key: key, Value: value, Span: text.Span{Start: key.Span.Start, End: value.Span.End}, sign: sign})
}

// sign reads the separator after the name of a member of n: a colon, or an operator such as `=>` in its place.
func (p *parser) sign(n *Node, key *Node, sign string) {
	start := p.pos
	p.pos += len(sign)
	p.space()
	if sign == ":" {
		return
	}
	p.equals = true
	here := text.Span{Start: start, End: start + len(sign)}
	p.report(diag.JSONMissingColon, here, offer(p.writesColon(n, key, sign), "Write `:`", text.Edit{Span: here, New: ":"}),
		"this is `%s`, but a colon is expected after the name %s", sign, shown(key))
}

func (p *parser) memberValue(key *Node, colon bool) *Node {
	if p.eof() || p.at(',') || p.at('}') || p.at(']') {
		if colon {
			p.report(diag.JSONMissingValue, key.Span, nil, "%s has no value; write one, or remove the name", shown(key))
		}
		return p.node(Invalid, key.Span.End, key.Span.End)
	}
	return p.value()
}

// name reads the name of a member, or returns nil.
func (p *parser) name() *Node {
	c := p.src[p.pos]
	switch {
	case c == '"' || p.quote().opening != "":
		return p.string(true)
	case IsWord(c):
		start := p.pos
		for !p.eof() && (IsWord(p.src[p.pos]) || p.src[p.pos] == '-') {
			p.pos++
		}
		key := p.node(String, start, p.pos)
		key.Text = p.src[start:p.pos]
		key.literal = &literal{raw: key.Text, start: start}
		p.report(diag.JSONUnquotedName, key.Span, offer(p.known(key.Text), fmt.Sprintf("Write `%s`", Quote(text.Short(key.Text))), text.Edit{Span: key.Span, New: Quote(key.Text)}),
			"the name %s needs double quotes", shown(key))
		return key
	case c == '{' || c == '[' || c == '-' || c == ':':
		p.report(diag.JSONMissingName, text.Span{Start: p.pos, End: p.pos + 1}, nil, "this is `%c`, but the name of a member is expected", c)
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

// duplicates adds diagnostics about names that repeat in an object. If an object has only one duplicate, and both
// members have the same value, the fix that removes the duplicate is certain. If there are several duplicates, the
// writer may have meant two objects and lost the brackets between them.
func (p *parser) duplicates(n *Node) {
	pairs := repeated(n.Members)
	for _, at := range pairs {
		one, other := n.Members[at.first], n.Members[at.again]
		certain := len(pairs) == 1 && p.known(one.Key.Text) && alike(one.Value, other.Value)
		fixes := offer(certain, "Remove the repeated "+shown(other.Key), remove(n.Members[at.again-1].Span.End, other.Span.End))
		if !certain {
			fixes = append(fixes, offer(false, "Remove the first "+shown(one.Key), remove(one.Span.Start, n.Members[at.first+1].Span.Start))...)
		}
		p.report(diag.JSONDuplicateName, other.Key.Span, fixes, "%s occurs twice in one object; keep only one of them", shown(other.Key))
		p.related(one.Key.Span, "the first occurrence")
	}
}

type pair struct{ first, again int }

func repeated(members []Member) (pairs []pair) {
	const few = 8
	if len(members) <= few {
		for i := range members {
			for j := range i {
				if members[i].Key.Text == members[j].Key.Text {
					pairs = append(pairs, pair{j, i})
					break
				}
			}
		}
		return pairs
	}
	first := make(map[string]int, len(members))
	for i, m := range members {
		if j, there := first[m.Key.Text]; there {
			pairs = append(pairs, pair{j, i})
			continue
		}
		first[m.Key.Text] = i
	}
	return pairs
}

func shown(n *Node) string { return Quote(text.Short(n.Text)) }
