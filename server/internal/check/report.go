package check

import (
	"context"
	"time"

	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/plan"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// suggestTime is how long suggestions are searched for altogether. Those of a
// thousand problems in large files would take minutes.
const suggestTime = 5 * time.Second

// Report is the result as other programs read it, with every fix that can be
// found in suggestTime.
func (r *Result) Report(ctx context.Context) protocol.Report {
	ctx, cancel := context.WithTimeout(ctx, suggestTime)
	defer cancel()
	fixes := func(d diag.Diagnostic) []diag.Fix { return d.AllFixes(ctx) }
	index := r.lines()
	report := protocol.Report{Blocks: []protocol.Block{}, Declined: r.Declined}
	for _, b := range r.Blocks {
		lines := index[b.Document]
		entry := protocol.Block{
			Index:       b.Index,
			Format:      b.Format.Name,
			Line:        lines.Position(b.Open.Start).Line + 1,
			State:       protocol.BlockState(b.State),
			Files:       ReportFiles(b.Files),
			Diagnostics: reportDiagnostics(fixes, r.Documents[b.Document].Name, lines, b.Diagnostics),
		}
		if b.identified() {
			entry.Batch = b.Batch
		}
		report.Blocks = append(report.Blocks, entry)
	}
	return report
}

// Diagnostics are those of the report, without suggestions. They cost no diff of
// the files.
func (r *Result) Diagnostics() []protocol.Diagnostic {
	var all []protocol.Diagnostic
	index := r.lines()
	for _, b := range r.Blocks {
		all = append(all, reportDiagnostics(func(d diag.Diagnostic) []diag.Fix { return d.Fixes }, r.Documents[b.Document].Name, index[b.Document], b.Diagnostics)...)
	}
	return all
}

// lines is an index over each document.
func (r *Result) lines() []*text.Lines {
	index := make([]*text.Lines, len(r.Documents))
	for i, doc := range r.Documents {
		index[i] = text.NewLines(doc.Text)
	}
	return index
}

// ReportFiles is files as other programs read them, never nil.
func ReportFiles(files []plan.File) []protocol.File {
	out := make([]protocol.File, 0, len(files))
	for _, f := range files {
		added, removed := f.Stat()
		out = append(out, protocol.File{
			Path: f.Path, To: f.To, Operation: protocol.Operation(f.Operation), State: protocol.FileState(f.State),
			Added: added, Removed: removed,
		})
	}
	return out
}

func reportDiagnostics(fixesOf func(diag.Diagnostic) []diag.Fix, name string, lines *text.Lines, ds []diag.Diagnostic) []protocol.Diagnostic {
	out := make([]protocol.Diagnostic, 0, len(ds))
	for _, d := range ds {
		fixes := make([]protocol.Fix, 0, len(d.Fixes))
		for _, f := range fixesOf(d) {
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
