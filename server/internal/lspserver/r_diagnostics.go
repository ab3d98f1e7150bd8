package lspserver

import (
	"context"
	"strings"

	"go.lsp.dev/protocol"

	aptix "github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// problems returns the diagnostics of a document that an editor underlines.
func (c *checked) problems() []protocol.Diagnostic {
	var all []diag.Diagnostic
	for _, b := range c.Blocks {
		for _, d := range b.Diagnostics {
			all = append(all, explainClash(c.doc, d))
		}
	}
	all = append(append(all, c.unread()...), c.declined()...)
	all = text.Only(all, func(d diag.Diagnostic) bool { return !d.AskOnly })
	return text.Each(all, c.diagnostic)
}

func (c *checked) unread() (ds []diag.Diagnostic) {
	return text.Each(c.Unread, func(u check.Unread) diag.Diagnostic { return u.Diagnostic })
}

func (c *checked) declined() []diag.Diagnostic {
	if !c.Declined {
		return nil
	}
	return []diag.Diagnostic{diag.New(diag.Declined, c.DeclinedAt, "the model says that it cannot make a safe edit; ask it for a full file bundle")}
}

// dimmed returns hints for the parts of blocks that are left out. Editors show the text of these hints dimmed.
func (c *checked) dimmed() []protocol.Diagnostic {
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

func status(ctx context.Context, c *checked) aptix.Status {
	st := aptix.Status{URI: string(c.uri), Reply: !c.documentation, Blocks: len(c.Blocks), Text: c.standing(ctx)}
	for _, b := range c.Blocks {
		st.Conflicts = st.Conflicts || likeConflict(b.Body)
		switch b.State {
		case check.Ready:
			st.Ready++
		case check.Incomplete:
			st.Incomplete++
		case check.Failed:
			if !c.documentation {
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
