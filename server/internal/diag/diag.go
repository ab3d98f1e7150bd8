// Package diag is how bad input is told: a diagnostic with a stable code, the
// narrowest range, what was found, what was expected and what to do.
//
// Bad input is never an error value; those are for input and output that fail.
package diag

import (
	"context"

	"github.com/aptix-dev/aptix/server/internal/text"
)

// Severity orders diagnostics. Only an Error stops an apply; a Warning does in
// strict mode, and asks first in an editor.
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

// A Diagnostic speaks of one place in the document that holds the block.
type Diagnostic struct {
	Span     text.Span // bytes of the text that was given to whoever made it: a block's body in formats, the host document from the engine up
	Severity Severity
	Code     Code
	Message  string // one sentence: found, expected, what to do
	Related  []Related
	Fixes    []Fix

	// Suggest finds further fixes, none of them certain, where that takes a search:
	// diagnostics are told first, and suggestions when somebody asks. Nil for none.
	// It may be called at any time, from any goroutine.
	Suggest func(context.Context) []Fix

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

// AllFixes are the fixes of d and those that it can suggest.
func (d Diagnostic) AllFixes(ctx context.Context) []Fix {
	if d.Suggest == nil {
		return d.Fixes
	}
	return append(d.Fixes[:len(d.Fixes):len(d.Fixes)], d.Suggest(ctx)...)
}

// Related is a second place that explains a diagnostic, in the same text.
type Related struct {
	Span    text.Span
	Message string
}

// A Fix repairs the block itself, never a target file. Edits are those of the
// text that the diagnostic's Span counts in.
type Fix struct {
	Title     string
	Edits     []text.Edit
	Preferred bool // certain: --fix and source.fixAll.aptix do it unasked
}

// HasErrors reports whether one of ds stops an apply.
func HasErrors(ds []Diagnostic) bool { return Worst(ds) == Error }

// Worst is the most severe of ds; 0 for none.
func Worst(ds []Diagnostic) Severity {
	worst := Severity(0)
	for _, d := range ds {
		if worst == 0 || d.Severity < worst {
			worst = d.Severity
		}
	}
	return worst
}
