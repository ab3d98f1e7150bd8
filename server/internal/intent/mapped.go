package intent

import (
	"context"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A Mapping is from a text to the block that quotes it, as a JSON string does.
type Mapping struct {
	Span func(text.Span) text.Span
	Edit func(text.Edit) text.Edit
}

// Changes are changes that were read from the quoted text as changes of the block.
func (m Mapping) Changes(changes []Change) []Change {
	out := make([]Change, len(changes))
	for i, c := range changes {
		c.At = m.Span(c.At)
		for _, l := range []*Literal{&c.PathAt, &c.ToAt, &c.KindAt, &c.ContentAt} {
			*l = m.literal(*l)
		}
		c.Steps = m.steps(c.Steps)
		out[i] = c
	}
	return out
}

func (m Mapping) literal(l Literal) Literal {
	if l.Span == (text.Span{}) {
		return l
	}
	return Literal{Span: m.Span(l.Span), Name: m.Span(l.Shown()), Encode: func(value string) string { return m.Edit(l.Set(value)).New }}
}

func (m Mapping) steps(steps []Step) []Step {
	out := make([]Step, len(steps))
	for i, s := range steps {
		out[i] = Step{At: m.Span(s.At), Editor: m.editor(s.Editor)}
		for _, part := range s.Parts {
			out[i].Parts = append(out[i].Parts, m.Span(part))
		}
	}
	return out
}

func (m Mapping) editor(e Editor) Editor {
	return func(t Target) Outcome {
		skipped := t.Skipped
		t.Skipped = func(part text.Span) bool { return skipped(m.Span(part)) }
		out := e(t)
		out.Problems = m.Diagnostics(out.Problems)
		places := make([]Place, len(out.Places))
		for i, p := range out.Places {
			p.At = m.Span(p.At)
			places[i] = p
		}
		out.Places = places
		return out
	}
}

// Diagnostics are those of the quoted text as diagnostics of the block. One without
// a span is about the file as a whole, and stays so.
func (m Mapping) Diagnostics(ds []diag.Diagnostic) []diag.Diagnostic {
	out := make([]diag.Diagnostic, len(ds))
	for i, d := range ds {
		out[i] = m.Diagnostic(d)
		if d.Span == (text.Span{}) {
			out[i].Span = d.Span
		}
	}
	return out
}

// Diagnostic is d with its span, and all that it offers, in the block.
func (m Mapping) Diagnostic(d diag.Diagnostic) diag.Diagnostic {
	d.Span = m.Span(d.Span)
	related := make([]diag.Related, len(d.Related))
	for i, r := range d.Related {
		related[i] = diag.Related{Span: m.Span(r.Span), Message: r.Message}
	}
	d.Related, d.Fixes = related, m.fixes(d.Fixes)
	if suggest := d.Suggest; suggest != nil {
		d.Suggest = func(ctx context.Context) []diag.Fix { return m.fixes(suggest(ctx)) }
	}
	return d
}

func (m Mapping) fixes(fixes []diag.Fix) []diag.Fix {
	out := make([]diag.Fix, len(fixes))
	for i, f := range fixes {
		edits := make([]text.Edit, len(f.Edits))
		for j, e := range f.Edits {
			edits[j] = m.Edit(e)
		}
		f.Edits = edits
		out[i] = f
	}
	return out
}
