package jsonshape

import (
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/lenientjson"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A typing describes where in a JSON text a person types. Only the text before the cursor counts, because the text
// after it might not fit yet.
type typing struct {
	token      text.Span         // with quotes; empty before the first character is typed
	typed      string            // the token up to the cursor
	quoted     bool              // the token begins with a quote
	isName     bool              // the token is the name of a member, not a value
	names      []string          // the names of the members that lead to the cursor
	present    map[string]string // the other members of the object, as in [schema.Place.Members]
	lacksComma int               // the offset before the cursor where a comma is missing, or -1
}

// typingAt returns the typing at an offset of body. It returns false if neither a name nor a value can be typed
// there.
func typingAt(body string, at int) (typing, bool) {
	t := typing{lacksComma: -1}
	if !t.begin(body, at) || strings.ContainsAny(t.token.In(body), "\r\n") {
		// No completion can replace a complete token or a token of several lines.
		return typing{}, false
	}
	start := t.token.Start
	// An empty string stands for the token. The text before it shows whether the token is a name or a value, and of
	// which member.
	root, diags := lenientjson.Parse(body[:start] + `""`)
	object, ok := t.find(root, start)
	if !ok {
		return typing{}, false
	}
	t.note(object, start)
	whole, _ := lenientjson.Parse(body)
	t.note(objectAt(whole, object.Span.Start), start)
	if n := len(object.Members); t.isName && n > 1 {
		t.missingComma(diags, text.Span{Start: object.Members[n-2].Span.End, End: start})
	}
	return t, true
}

// begin finds the token that is being typed. It returns false if the cursor is after a complete token.
func (t *typing) begin(body string, at int) bool {
	root, diags := lenientjson.Parse(body[:at])
	t.token = text.Span{Start: at, End: at}
	leaf := lastLeaf(root)
	if leaf.Span.End != at || leaf.Span.Empty() || leaf.Kind == lenientjson.Object || leaf.Kind == lenientjson.Array {
		return true
	}
	if leaf.Kind == lenientjson.String && !slices.ContainsFunc(diags, func(d diag.Diagnostic) bool {
		return d.Span.Start == leaf.Span.Start && (d.Code == diag.JSONUnterminatedString || d.Code == diag.JSONUnquotedName)
	}) {
		return false
	}
	t.token.Start, t.typed = leaf.Span.Start, leaf.Text
	t.quoted = !lenientjson.IsWord(body[t.token.Start])
	t.token.End = tokenEnd(body, t.token)
	return true
}

// lastLeaf returns the last name or value in a tree that has no parts.
func lastLeaf(n *lenientjson.Node) *lenientjson.Node {
	for {
		switch {
		case len(n.Elems) > 0:
			n = n.Elems[len(n.Elems)-1]
		case len(n.Members) == 0:
			return n
		default:
			m := n.Members[len(n.Members)-1]
			if n = m.Value; n.Kind == lenientjson.Invalid && n.Span.Empty() {
				return m.Key
			}
		}
	}
}

// tokenEnd returns the end of a token whose beginning is typed. A closing quote on the rest of the line belongs to
// the token.
func tokenEnd(body string, typed text.Span) int {
	end, _ := text.LineEnd(body, typed.End)
	quote := body[typed.Start]
	if lenientjson.IsWord(quote) {
		for at := typed.End; at < end && lenientjson.IsWord(body[at]); at++ {
			typed.End++
		}
		return typed.End
	}
	for at := typed.Start + 1; at < end; at++ {
		switch {
		case body[at] == '\\':
			at++
		case body[at] == quote && at >= typed.End:
			after := strings.TrimLeft(body[at+1:end], " \t")
			if after == "" || strings.IndexByte(",:}]", after[0]) >= 0 {
				return at + 1
			}
			return typed.End
		}
	}
	return typed.End
}

// find returns the object that contains the string at offset start, which must be at the end of the tree.
func (t *typing) find(n *lenientjson.Node, start int) (*lenientjson.Node, bool) {
	for {
		switch {
		case len(n.Elems) > 0:
			n = n.Elems[len(n.Elems)-1]
		case len(n.Members) > 0:
			m := n.Members[len(n.Members)-1]
			if m.Key.Span.Start == start {
				t.isName = true
				return n, true
			}
			t.names = append(t.names, m.Key.Text)
			if m.Value.Span.Start == start {
				return n, true
			}
			n = m.Value
		default:
			return nil, false
		}
	}
}

// note records the members of an object, except for the one that is being typed. Recorded members stay as they are:
// they come from the text before the cursor, which has no incomplete parts.
func (t *typing) note(object *lenientjson.Node, start int) {
	if t.present == nil {
		t.present = map[string]string{}
	}
	if object == nil {
		return
	}
	for _, m := range object.Members {
		if _, known := t.present[m.Key.Text]; !known && m.Key.Span.Start != start {
			t.present[m.Key.Text] = m.Value.Text
		}
	}
}

// objectAt returns the object that begins at an offset, or nil.
func objectAt(n *lenientjson.Node, start int) *lenientjson.Node {
	if n.Kind == lenientjson.Object && n.Span.Start == start {
		return n
	}
	for _, e := range n.Elems {
		if e.Span.Start <= start && start < e.Span.End {
			return objectAt(e, start)
		}
	}
	for _, m := range n.Members {
		if m.Value.Span.Start <= start && start < m.Value.Span.End {
			return objectAt(m.Value, start)
		}
	}
	return nil
}

func (t *typing) missingComma(diags []diag.Diagnostic, between text.Span) {
	for _, d := range diags {
		if d.Code == diag.JSONMissingComma && between.Contains(d.Span) {
			t.lacksComma = d.Span.Start
		}
	}
}

// follows returns the first byte after the token that is not white space, or 0.
func (t typing) follows(body string) byte {
	if rest := strings.TrimLeft(body[t.token.End:], " \t\r\n"); rest != "" {
		return rest[0]
	}
	return 0
}
