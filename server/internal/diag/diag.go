// Package diag describes problems of the input. A diagnostic has a stable code, the narrowest range that shows the
// problem, and a message.
//
// A problem of the input is never a Go error. Go errors are only for failing I/O.
package diag

import (
	"context"
	"slices"

	"github.com/aptix-dev/aptix/server/internal/escape"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A Severity ranks a problem. An Error stops an apply. A Warning stops it in strict mode; in other modes, the person is
// asked about some warnings before an apply (see [Diagnostic.Asks]).
type Severity int

// Worst first.
const (
	Error Severity = iota + 1
	Warning
	Info
	Hint
)

// String returns the name in the report: error, warning, info or hint.
func (s Severity) String() string {
	return [...]string{"", "error", "warning", "info", "hint"}[s]
}

// A Diagnostic describes a problem in one range of the document that contains the block.
type Diagnostic struct {
	Span     text.Span // in the format packages, bytes of the block's body; from package check up, bytes of the document
	Severity Severity
	Code     Code
	Message  string // one sentence with the finding, the expectation, and what to do
	Related  []Related
	Fixes    []Fix

	// Suggest searches for further fixes, none of them certain. It runs only on request, after the diagnostics are
	// published. It may be nil. It can be called at any time, from any goroutine.
	Suggest func(context.Context) []Fix

	// Passage is the text that the block looks for but the file lacks, with the line endings of the block. It is "" if
	// that is not the problem.
	Passage string
	// Path is the path of the file with the problem, from the tree's root. It is "" if no file was read.
	Path string

	// Lines has the 1-based numbers of the lines of Path at which the text of the block may be. It is empty unless
	// there are several.
	Lines []int
	// Base names an earlier text of the file that contains everything that the block looks for, such as "3f2c1a9, 2
	// days ago". It is "" if there is none.
	Base string

	// AskOnly makes an editor ask the person about the problem without underlining it, because every change in this
	// folder has this problem.
	AskOnly bool

	// MadeFor names the text for which the block was made, if the file no longer has it; otherwise it is nil.
	MadeFor *MadeFor
}

// New returns a diagnostic with the usual severity of its code.
func New(code Code, at text.Span, message string, fixes ...Fix) Diagnostic {
	return Diagnostic{Span: at, Severity: code.Severity(), Code: code, Message: message, Fixes: fixes}
}

// Sort orders diagnostics by their places, and keeps the order of diagnostics at the same place.
func Sort(all []Diagnostic) {
	slices.SortStableFunc(all, func(a, b Diagnostic) int { return a.Span.Start - b.Span.Start })
}

// Unplaced returns a diagnostic whose place the caller sets.
func Unplaced(code Code, message string) *Diagnostic { return new(New(code, text.Span{}, message)) }

// As returns the diagnostic with another severity. The table of codes must list that severity as an exception.
func (d Diagnostic) As(s Severity) Diagnostic {
	d.Severity = s
	return d
}

// MadeFor names an earlier text of a file, for which the block was made. The history may still have that text.
type MadeFor struct {
	Name    string // the name of the hash in the block, for a message
	SHA256  string // in lower-case hexadecimal digits
	Path    string // from the tree's root, set by the plan
	DocPath string // "" if the file is named by its path
}

// AllFixes returns the fixes of the diagnostic, and then the fixes that Suggest finds.
func (d Diagnostic) AllFixes(ctx context.Context) []Fix {
	if d.Suggest == nil {
		return d.Fixes
	}
	return append(d.Fixes[:len(d.Fixes):len(d.Fixes)], plain(d.Suggest(ctx))...)
}

// Plain returns the diagnostic with each message and title on one line. The result is safe to show anywhere except in
// Markdown, even if the texts quote the reply and the files.
func (d Diagnostic) Plain() Diagnostic {
	d.Message = escape.Line(d.Message)
	d.Related = slices.Clone(d.Related)
	for i := range d.Related {
		d.Related[i].Message = escape.Line(d.Related[i].Message)
	}
	d.Fixes = plain(d.Fixes)
	return d
}

func plain(fixes []Fix) []Fix {
	fixes = slices.Clone(fixes)
	for i := range fixes {
		fixes[i].Title = escape.Line(fixes[i].Title)
	}
	return fixes
}

// Related is a second range of the same text that explains a diagnostic.
type Related struct {
	Span    text.Span
	Message string
}

// A Fix repairs the block, never a target file. Its edits refer to the same text as the diagnostic's Span.
type Fix struct {
	Title string
	Edits []text.Edit
	// The file that the block would target after Edits, because that file has the passage; otherwise "".
	Path      string
	Preferred bool // the fix is certain: --fix and source.fixAll.aptix apply it without asking
}

// Certain returns the first fix that is certain.
func Certain(fixes []Fix) (fix Fix, ok bool) {
	if i := slices.IndexFunc(fixes, func(f Fix) bool { return f.Preferred }); i >= 0 {
		return fixes[i], true
	}
	return Fix{}, false
}

// Repairable reports whether each error has a fix that is certain.
func Repairable(ds []Diagnostic) bool {
	return !slices.ContainsFunc(ds, func(d Diagnostic) bool {
		_, ok := Certain(d.Fixes)
		return d.Severity == Error && !ok
	})
}

// HasErrors reports whether any of the diagnostics is an error.
func HasErrors(ds []Diagnostic) bool { return Worst(ds) == Error }

// Worst returns the worst severity of some diagnostics, or 0 if there are none.
func Worst(ds []Diagnostic) Severity {
	worst := Severity(0)
	for _, d := range ds {
		if worst == 0 || d.Severity < worst {
			worst = d.Severity
		}
	}
	return worst
}
