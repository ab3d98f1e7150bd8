package toolcall

import (
	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/format/jsonshape"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/schema"
	"github.com/aptix-dev/aptix/server/internal/text"
)

func outline(r *format.Region, set intent.Set) format.Outline {
	o := format.Outline{Name: "Tool calls", Detail: format.Count(len(set.Changes), "call")}
	for _, c := range set.Changes {
		o.Files = append(o.Files, format.Symbol{Name: c.Path, Detail: verb(c), Span: c.At, Select: within(c.PathAt.Span, c.At)})
	}
	return o
}

func verb(c intent.Change) string {
	switch {
	case c.Kind == intent.Create:
		return "create"
	case c.Kind == intent.Write:
		return "write"
	case len(c.Steps) > 1:
		return format.Count(len(c.Steps), "edit")
	}
	return "edit"
}

// within returns the span `part` if it is inside `whole`. Otherwise it returns the empty span at the start of `whole`.
func within(part, whole text.Span) text.Span {
	if !whole.Contains(part) {
		return text.Span{Start: whole.Start, End: whole.Start}
	}
	return part
}

// mention returns the thing that the block names at an offset: the file if the offset is in its path, a parameter if
// the offset is in the name of a parameter, and otherwise the edit.
func mention(r *format.Region, set intent.Set, at int) (format.Mention, bool) {
	for _, value := range values(r.Body) {
		if inTags(r.Body) || at < value.Start || value.End < at {
			continue
		}
		a, ok := jsonshape.AddressAt(jsonshape.ReadCalls(value.In(r.Body)).Root, at-value.Start)
		if doc := schema.InCall(a.Name()).Doc(); ok && a.IsName && doc != "" {
			return format.Mention{Span: a.Node.Span.Shift(value.Start), Doc: "`" + a.Name() + "`: " + doc}, true
		}
	}
	return format.MentionPathOrPart(r, set, at)
}
