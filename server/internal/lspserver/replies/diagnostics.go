package replies

import (
	"context"
	"strings"

	"go.lsp.dev/protocol"

	aptix "github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/lspconv"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// Problems returns the diagnostics of a document that an editor underlines.
func (c *Reply) Problems() []protocol.Diagnostic {
	var all []diag.Diagnostic
	for _, b := range c.Blocks {
		for _, d := range b.Diagnostics {
			all = append(all, explainClash(c.Document, d))
		}
	}
	all = append(append(all, c.unread()...), c.declined()...)
	all = text.Only(all, func(d diag.Diagnostic) bool { return !d.AskOnly })
	return text.Each(all, c.diagnostic)
}

func (c *Reply) unread() (ds []diag.Diagnostic) {
	return text.Each(c.Unread, func(u check.Unread) diag.Diagnostic { return u.Diagnostic })
}

func (c *Reply) declined() []diag.Diagnostic {
	if !c.Declined {
		return nil
	}
	return []diag.Diagnostic{diag.New(diag.Declined, c.DeclinedAt, "the model says that it cannot make a safe edit; ask it for a full file bundle")}
}

// Dimmed returns a hint for each part that is left out of its block. Editors dim the text of the hint.
func (c *Reply) Dimmed() []protocol.Diagnostic {
	var dimmed []protocol.Diagnostic
	for _, b := range c.Blocks {
		for i, p := range b.Parts {
			if itself, withFile := c.leftOut(b, i); !itself || withFile {
				continue
			}
			d := c.diagnostic(diag.New(diag.PartSkipped, p.At, skipped))
			d.Tags = protocol.NewDiagnosticTags(protocol.DiagnosticTagUnnecessary)
			dimmed = append(dimmed, d)
		}
	}
	return dimmed
}

// Status returns the state of the blocks for a status bar.
func (c *Reply) Status(ctx context.Context) aptix.Status {
	st := aptix.Status{URI: string(c.URI), Reply: !c.Documentation, Blocks: len(c.Blocks), Text: c.standing(ctx)}
	for _, b := range c.Blocks {
		st.Conflicts = st.Conflicts || likeConflict(b.Body)
		switch b.State {
		case check.Ready:
			st.Ready++
		case check.Incomplete:
			st.Incomplete++
		case check.Failed:
			if !c.Documentation {
				st.Errors++
			}
		}
	}
	return st
}

// likeConflict reports whether a text has lines that begin like the markers of a merge conflict. SEARCH/REPLACE blocks
// have such lines.
func likeConflict(body string) bool {
	marks := []string{"<<<<<<<", "=======", ">>>>>>>"}
	for line := range strings.Lines(body) {
		if strings.HasPrefix(line, marks[0]) {
			if marks = marks[1:]; len(marks) == 0 {
				return true
			}
		}
	}
	return false
}

// diagnostic converts a diagnostic to the LSP type. In documentation, every problem is only a hint.
func (c *Reply) diagnostic(d diag.Diagnostic) protocol.Diagnostic {
	if c.Documentation {
		d.Severity = diag.Hint
	}
	return lspconv.Diagnostic(c.URI, c.Lines, d)
}
