package check

import (
	"context"

	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/meter"
	"github.com/aptix-dev/aptix/server/internal/plan"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// Report returns the result in the form for other programs. The fixes include suggestions, unless the reply reaches its
// limit of work first.
func (r *Result) Report(ctx context.Context) protocol.Report {
	searched := suggestions{ctx: ctx, meter: r.meter}
	index := r.lines()
	report := protocol.Report{Blocks: []protocol.Block{}, Unread: r.reportUnread(), Declined: r.Declined}
	for _, b := range r.Blocks {
		lines := index[b.Document]
		entry := protocol.Block{
			Index:       b.Index,
			Format:      b.Format.Name,
			Line:        lines.Position(b.Open.Start).Line + 1,
			State:       protocol.BlockState(b.State),
			Files:       reportBlockFiles(b.Files),
			Diagnostics: reportDiagnostics(searched.withFixes, r.Documents[b.Document].Name, lines, b.Diagnostics),
		}
		if b.identified() {
			entry.Batch = b.Batch
		}
		report.Blocks = append(report.Blocks, entry)
	}
	return report
}

const notSearched = "; from here on, Aptix does not search for similar text, because this reply already took too much work"

// suggestions searches for the fixes in a report. If the reply reaches its limit of work, the first diagnostic without
// a search says so.
type suggestions struct {
	ctx   context.Context
	meter *meter.Meter
	cut   bool
}

func (s *suggestions) withFixes(d diag.Diagnostic) diag.Diagnostic {
	if d.Suggest == nil || s.cut {
		return d
	}
	if fixes := d.AllFixes(s.ctx); !s.meter.Spent() {
		d.Fixes = fixes
		return d
	}
	s.cut, d.Message = true, d.Message+notSearched
	return d
}

// Diagnostics returns the diagnostics of the blocks, without suggestions, and of the unread parts. Unlike Report, it
// computes no diffs of files.
func (r *Result) Diagnostics() []protocol.Diagnostic {
	var all []protocol.Diagnostic
	index := r.lines()
	for _, b := range r.Blocks {
		all = append(all, reportDiagnostics(asTheyAre, r.Documents[b.Document].Name, index[b.Document], b.Diagnostics)...)
	}
	for _, u := range r.Unread {
		all = append(all, reportDiagnostics(asTheyAre, r.Documents[u.Document].Name, index[u.Document], []diag.Diagnostic{u.Diagnostic})...)
	}
	return all
}

func asTheyAre(d diag.Diagnostic) diag.Diagnostic { return d }

func (r *Result) lines() []*text.Lines {
	return text.Each(r.Documents, func(doc Document) *text.Lines { return text.NewLines(doc.Text) })
}

// ReportFiles returns files in the form for other programs. The list is never nil.
func ReportFiles(files []plan.File) []protocol.File {
	return append([]protocol.File{}, text.Each(files, func(f plan.File) protocol.File { return reportFile(f.Path, f.To, f.Operation, f.State, f) })...)
}

func reportBlockFiles(files []plan.BlockFile) []protocol.File {
	return append([]protocol.File{}, text.Each(files, func(f plan.BlockFile) protocol.File { return reportFile(f.Path, f.To, f.Operation, f.State, f) })...)
}

func reportFile(path, to string, operation plan.Operation, state plan.State, f plan.Counted) protocol.File {
	added, removed := f.Stat()
	return protocol.File{Path: path, To: to, Operation: protocol.Operation(operation), State: protocol.FileState(state), Added: added, Removed: removed}
}

func reportDiagnostics(shown func(diag.Diagnostic) diag.Diagnostic, name string, lines *text.Lines, ds []diag.Diagnostic) []protocol.Diagnostic {
	out := make([]protocol.Diagnostic, 0, len(ds))
	for _, d := range ds {
		d = shown(d)
		fixes := make([]protocol.Fix, 0, len(d.Fixes))
		for _, f := range d.Fixes {
			fixes = append(fixes, protocol.Fix{Title: f.Title, Preferred: f.Preferred})
		}
		out = append(out, protocol.Diagnostic{
			Severity: d.Severity.String(), Asks: d.Asks(), Code: string(d.Code), Message: d.Message, File: name,
			Range: protocol.Range{Start: position(lines, d.Span.Start), End: position(lines, d.Span.End)},
			Fixes: fixes,
		})
	}
	return out
}

func position(lines *text.Lines, offset int) protocol.Position {
	p := lines.Position(offset)
	return protocol.Position{Line: p.Line, Character: p.Character}
}
