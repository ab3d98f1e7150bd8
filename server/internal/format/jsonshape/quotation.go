package jsonshape

import (
	"github.com/aptix-dev/aptix/server/internal/lenientjson"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A Quotation is a text in a JSON string. It may begin with bytes that the string lacks.
type Quotation struct {
	Value *lenientjson.Node
	Added int // the number of these bytes
}

// HostSpan implements [intent.Quotation].
func (q Quotation) HostSpan(s text.Span) text.Span {
	return q.Value.SourceSpan(text.Span{Start: max(s.Start-q.Added, 0), End: max(s.End-q.Added, 0)})
}

// HostEdit implements [intent.Quotation].
func (q Quotation) HostEdit(e text.Edit) text.Edit {
	quoted := lenientjson.Quote(e.New)
	return text.Edit{Span: q.HostSpan(e.Span), New: quoted[1 : len(quoted)-1]}
}
