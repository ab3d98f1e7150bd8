package lspserver

import (
	"fmt"
	"strings"

	"go.lsp.dev/protocol"

	"github.com/aptix-dev/aptix/server/internal/lspconv"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// changed applies the content changes of one notification, each to the result of the changes before it
// (LSP 3.18, textDocument/didChange). whole is true if the result does not depend on src.
func changed(src string, changes []protocol.TextDocumentContentChangeEvent) (result string, whole bool, err error) {
	for len(changes) > 0 {
		switch change := changes[0].(type) {
		case *protocol.TextDocumentContentChangeWholeDocument:
			src, whole, changes = strings.Clone(change.Text), true, changes[1:]
		case *protocol.TextDocumentContentChangePartial:
			edits, err := upward(text.NewLines(src), changes)
			if err != nil {
				return "", false, err
			}
			if src, err = text.Apply(src, edits); err != nil {
				return "", false, err
			}
			changes = changes[len(edits):]
		default:
			return "", false, fmt.Errorf("a content change of type %T", change)
		}
	}
	return src, whole, nil
}

// upward converts the first change, and following changes as long as each is above the one
// before it. Their positions then refer to the same text, so they can be made at once.
// Editors send a replace-all in this form; made one by one, each change would take a pass
// over the document.
func upward(lines *text.Lines, changes []protocol.TextDocumentContentChangeEvent) ([]text.Edit, error) {
	var edits []text.Edit
	for i, c := range changes {
		change, ok := c.(*protocol.TextDocumentContentChangePartial)
		if !ok {
			break
		}
		span := lspconv.Span(lines, change.Range)
		if i > 0 && !above(lines, change.Range.End, edits[i-1].Span.Start) {
			break
		}
		if before(change.Range.End, change.Range.Start) {
			return nil, fmt.Errorf("a content change that ends before it begins: %+v", change.Range)
		}
		edits = append(edits, text.Edit{Span: span, New: change.Text})
	}
	return edits, nil
}

// above reports whether position p is so far above offset that it means the same place before and
// after a change there. This is not certain if p lies beyond the end of its line, or directly at the
// change: a line feed inserted after a CR joins two line endings into one.
func above(lines *text.Lines, p protocol.Position, offset int) bool {
	at := lspconv.Offset(lines, p)
	return at < offset && lspconv.Position(lines, at) == p
}

func before(a, b protocol.Position) bool {
	return a.Line < b.Line || a.Line == b.Line && a.Character < b.Character
}
