package lspserver

import (
	"go.lsp.dev/protocol"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/lspconv"
)

// diagnostic converts a diagnostic to the LSP type. In documentation, every problem is only a hint.
func (c *checked) diagnostic(d diag.Diagnostic) protocol.Diagnostic {
	if c.documentation {
		d.Severity = diag.Hint
	}
	return lspconv.Diagnostic(c.uri, c.lines, d)
}
