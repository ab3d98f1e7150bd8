// Package diag describes bad input: a diagnostic has a stable code, the narrowest
// range, what was found, what was expected and what to do.
//
// Bad input is never an error value; those are for I/O that fails.
package diag

import (
	"context"
	"slices"

	"github.com/aptix-dev/aptix/server/internal/escape"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// Severity orders diagnostics. An Error stops an apply; in strict mode a Warning does
// too. Of other warnings some ask before an apply: [Diagnostic.Asks].
type Severity int

// The severities, worst first.
const (
	Error Severity = iota + 1
	Warning
	Info
	Hint
)

// String is the name used in the report: error, warning, info or hint.
func (s Severity) String() string {
	return [...]string{"", "error", "warning", "info", "hint"}[s]
}

// A Diagnostic is about one range of the document that has the block.
type Diagnostic struct {
	Span     text.Span // bytes of a block's body in formats, of the document from check up
	Severity Severity
	Code     Code
	Message  string // one sentence: found, expected, what to do
	Related  []Related
	Fixes    []Fix

	// Suggest searches for further fixes, none of them certain: diagnostics are
	// published first, and suggestions computed on request. Nil for none. It may be
	// called at any time, from any goroutine.
	Suggest func(context.Context) []Fix

	// Passage is the text that the block looks for and the file lacks, with the line
	// endings of the block; "" where the problem is another one.
	Passage string
	// Path is the file that the problem was found in, from the tree's root; "" where none
	// was read.
	Path string

	// Lines are the lines of Path, from 1, at which the text that the block looks for is or
	// may be, where that is not certain.
	Lines []int
	// Base names the earlier text of the file that has all that the block looks for, such as
	// "3f2c1a9, 2 days ago"; "" for none.
	Base string

	// AskOnly: an editor asks, and does not underline it. All that the person does in the
	// folder has this problem.
	AskOnly bool

	// MadeFor names the text that the block was made for, where the file holds another
	// one. Nil for none.
	MadeFor *MadeFor
}

// MadeFor names a text of a file that is gone. A history may know more of it.
type MadeFor struct {
	Name    string // of the hash in the block, for a message
	SHA256  string // in lower-case hexadecimal digits
	Path    string // of the file, from the tree's root; the plan knows it
	DocPath string // "" for a file that is named by its path
}

// AllFixes returns the fixes of d and those that it suggests.
func (d Diagnostic) AllFixes(ctx context.Context) []Fix {
	if d.Suggest == nil {
		return d.Fixes
	}
	return append(d.Fixes[:len(d.Fixes):len(d.Fixes)], plain(d.Suggest(ctx))...)
}

// Plain is d with messages and titles of one line that can be shown anywhere but in
// Markdown, whatever the reply and the files put into them.
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

// A Fix repairs the block, never a target file. Its edits count in the same text as
// the diagnostic's Span.
type Fix struct {
	Title     string
	Edits     []text.Edit
	Path      string // the file that Edits name instead, because it has the passage; else ""
	Preferred bool   // certain: --fix and source.fixAll.aptix make it without asking
}

// HasErrors reports whether one of ds stops an apply.
func HasErrors(ds []Diagnostic) bool { return Worst(ds) == Error }

// Worst returns the most severe severity in ds; 0 for none.
func Worst(ds []Diagnostic) Severity {
	worst := Severity(0)
	for _, d := range ds {
		if worst == 0 || d.Severity < worst {
			worst = d.Severity
		}
	}
	return worst
}
