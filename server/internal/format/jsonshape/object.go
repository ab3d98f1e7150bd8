package jsonshape

import (
	"fmt"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/lenientjson"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// An Object is a JSON object whose members are sorted by their meanings.
type Object struct {
	Node    *lenientjson.Node
	doc     *Document
	members map[string]*lenientjson.Member
}

// Object returns the members of n that are in `names` or `exact`. It reports each of the remaining members: as an error
// if the member could change the meaning, otherwise with a warning. If a member seems to mean one of `names`, Object
// reports its name and uses it under that name. The names in `exact` have no such variants, and the caller reports
// mistakes in them.
func (d *Document) Object(n *lenientjson.Node, names []string, exact ...string) Object {
	o := Object{n, d, make(map[string]*lenientjson.Member, len(names))}
	var foreign []*lenientjson.Member
	for i := range n.Members {
		m := &n.Members[i]
		if name := m.Key.Text; slices.Contains(names, name) || slices.Contains(exact, name) {
			o.members[name] = m
		} else {
			foreign = append(foreign, m)
		}
	}
	for _, m := range foreign {
		o.foreign(m, names)
	}
	return o
}

func (o Object) foreign(m *lenientjson.Member, names []string) {
	name := m.Key.Text
	meant, certain := o.doc.words.meaning(m, names)
	_, known := o.doc.words.names[name]
	switch {
	case name == "$schema":
	case meant != "" && o.members[meant] == nil:
		o.members[meant] = m
		o.doc.Report(diag.MisnamedMember, m.Key.Span, fmt.Sprintf("`%s` is not a member of this object; `%s` seems to be meant", text.Short(name), meant),
			diag.Fix{Title: fmt.Sprintf("Rename `%s` to `%s`", text.Short(name), meant), Edits: []text.Edit{Literal(m.Key).Set(meant)}, Preferred: certain})
	case certain:
		o.doc.Report(diag.MisnamedMember, m.Key.Span, fmt.Sprintf("`%s` and `%s` are both present; keep only one of them", text.Short(name), meant), o.Remove(m))
	case isOff(m.Value):
	case known:
		o.doc.Report(diag.MisplacedMember, m.Key.Span, fmt.Sprintf("`%s` has no meaning here; only %s may be used", name, listed(names)), o.Remove(m))
	case isOption(m):
		o.doc.Report(diag.UnsupportedOption, m.Key.Span, fmt.Sprintf("`%s` is not supported, and without it the entry may mean something else; remove this member, or write the edit in a different way", text.Short(name)), o.Remove(m))
	default:
		o.doc.Report(diag.UnknownMember, m.Key.Span,
			fmt.Sprintf("`%s` has no meaning here and is ignored; the known members are %s", text.Short(name), listed(names)), o.Remove(m))
	}
}

// Member returns a member, or nil if it is missing or null, because many programs write null for optional members.
func (o Object) Member(name string) *lenientjson.Member {
	m := o.members[name]
	if m == nil || m.Value.Kind == lenientjson.Null {
		return nil
	}
	return m
}

// String returns the string value of a member that the object must have. Without such a value, it reports an error
// and returns false. `needed` is the part of the message that tells why the member is needed.
func (o Object) String(name string, missing, notString diag.Code, needed string, fixes ...diag.Fix) (n *lenientjson.Node, ok bool) {
	m := o.members[name]
	switch {
	case m == nil:
		o.doc.Report(missing, Bracket(o.Node), fmt.Sprintf("`%s` is missing; %s", name, needed), fixes...)
		return nil, false
	case m.Value.Kind == lenientjson.Null:
		o.doc.Report(missing, m.Value.Span, fmt.Sprintf("`%s` is null, but needs a value; %s", name, needed), fixes...)
		return nil, false
	case m.Value.Kind != lenientjson.String:
		o.doc.Report(notString, Narrow(m.Value), fmt.Sprintf("`%s` is %v; a string is expected: %s", name, m.Value.Kind, needed))
		return nil, false
	}
	return m.Value, true
}

// prepend returns the edit that writes a member before all others, with the white space of the first member.
func (o Object) prepend(name, value string) text.Edit {
	gap, at := o.gap()
	return text.Insertion(at, lenientjson.Quote(name)+": "+lenientjson.Quote(value)+","+gap)
}

// Append returns the edit that writes a member after all others.
func (o Object) Append(name, value string) text.Edit {
	gap, _ := o.gap()
	end := o.Node.Members[len(o.Node.Members)-1].Span.End
	return text.Insertion(end, ","+gap+lenientjson.Quote(name)+": "+lenientjson.Quote(value))
}

// gap returns the white space before the first member, and that member's offset. The object must not be empty.
func (o Object) gap() (gap string, first int) {
	first = o.Node.Members[0].Span.Start
	gap = o.doc.body[o.Node.Span.Start+1 : first]
	if strings.Trim(gap, " \t\r\n") != "" {
		// The gap contains a comment.
		return " ", first
	}
	return gap, first
}

// Remove returns the fix that removes a member and its comma.
func (o Object) Remove(m *lenientjson.Member) diag.Fix {
	all := o.Node.Members
	i, _ := slices.BinarySearchFunc(all, m.Span.Start, func(other lenientjson.Member, start int) int { return other.Span.Start - start })
	span := m.Span
	switch {
	case i+1 < len(all):
		span.End = all[i+1].Span.Start
	case i > 0:
		span.Start = all[i-1].Span.End
	}
	return diag.Fix{Title: fmt.Sprintf("Remove `%s`", text.Short(m.Key.Text)), Edits: []text.Edit{{Span: span}}}
}

func listed(names []string) string { return "`" + strings.Join(names, "`, `") + "`" }
