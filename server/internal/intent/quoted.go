package intent

import (
	"context"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A Quotation converts positions in a text to positions in its host. The host is a block that writes the text in a
// different form, such as a JSON string, or a document that contains the text as a block. Each Quotation is plain
// data, like a [Set].
type Quotation interface {
	HostSpan(text.Span) text.Span
	HostEdit(text.Edit) text.Edit
}

// Changes converts the positions of changes in a quoted text to positions in the host of the text.
func Changes(q Quotation, changes []Change) []Change {
	out := make([]Change, len(changes))
	for i, c := range changes {
		c.At, c.Instead = q.HostSpan(c.At), fixesOf(q, c.Instead)
		for _, l := range []*Literal{&c.PathAt, &c.ToAt, &c.KindAt, &c.ContentAt} {
			*l = quotedLiteral(q, *l)
		}
		c.Steps = text.Each(c.Steps, func(s Step) Step { return Quoted{In: q, Step: s} })
		out[i] = c
	}
	return out
}

func quotedLiteral(q Quotation, l Literal) Literal {
	if l.Span == (text.Span{}) {
		return l
	}
	return Literal{Span: q.HostSpan(l.Span), Name: q.HostSpan(l.Shown()), As: quotedNotation{q, l}}
}

type quotedNotation struct {
	In      Quotation
	Literal Literal
}

func (n quotedNotation) Write(value string) string { return n.In.HostEdit(n.Literal.Set(value)).New }

// Quoted is a step of the block that was read from a quoted text. It implements [Step].
type Quoted struct {
	In   Quotation
	Step Step // the step of the quoted text
}

func (q Quoted) Span() text.Span { return q.In.HostSpan(q.Step.Span()) }

func (q Quoted) Parts() []text.Span {
	return text.Each(q.Step.Parts(), q.In.HostSpan)
}

func (q Quoted) Resolve(on Target) Outcome {
	skipped := Skipped{}
	for _, part := range q.Step.Parts() {
		skipped[part] = on.Skipped[q.In.HostSpan(part)]
	}
	on.Skipped = skipped
	out := q.Step.Resolve(on)
	out.Problems = Diagnostics(q.In, out.Problems)
	out.Written.At = quotedLiteral(q.In, out.Written.At)
	places := make([]Place, len(out.Places))
	for i, p := range out.Places {
		p.At = q.In.HostSpan(p.At)
		places[i] = p
	}
	out.Places = places
	return out
}

// Diagnostics converts diagnostics of the quoted text to diagnostics of the block. A diagnostic
// without a span is about the whole file and stays without one.
func Diagnostics(q Quotation, ds []diag.Diagnostic) []diag.Diagnostic {
	out := make([]diag.Diagnostic, len(ds))
	for i, d := range ds {
		out[i] = Diagnostic(q, d)
		if d.Span == (text.Span{}) {
			out[i].Span = d.Span
		}
	}
	return out
}

// Diagnostic converts one diagnostic. Unlike [Diagnostics], it also converts an empty span.
func Diagnostic(q Quotation, d diag.Diagnostic) diag.Diagnostic {
	d.Span = q.HostSpan(d.Span)
	d.Related = text.Each(d.Related, func(r diag.Related) diag.Related { return diag.Related{Span: q.HostSpan(r.Span), Message: r.Message} })
	d.Fixes = fixesOf(q, d.Fixes)
	if suggest := d.Suggest; suggest != nil {
		d.Suggest = func(ctx context.Context) []diag.Fix { return fixesOf(q, suggest(ctx)) }
	}
	return d
}

func fixesOf(q Quotation, fixes []diag.Fix) []diag.Fix {
	out := make([]diag.Fix, len(fixes))
	for i, f := range fixes {
		f.Edits = text.Each(f.Edits, q.HostEdit)
		out[i] = f
	}
	return out
}
