package lspconv

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/aptix-dev/aptix/server/internal/text"
)

// A WorkspaceEdit collects changes of files and open documents. The result of [WorkspaceEdit.Params] has all file
// operations (creates, renames, deletes) before all text edits, because only then can editors undo everything in one
// step.
//
// The editor refuses the edit if a file to create exists, or if a file to delete is missing.
type WorkspaceEdit struct {
	Label string // the name of the change in the undo list

	expected                  []protocol.DocumentChange // empty edits that only make the editor check versions
	creates, renames, deletes []protocol.DocumentChange
	texts                     []*protocol.TextDocumentEdit // one for each document
}

// annotation is the only change annotation. Editors group changes by it and show Label.
const annotation protocol.ChangeAnnotationIdentifier = "aptix"

// Create adds a file with a text.
//
// The text replaces the first line of the new file, including its ending. In most editors an empty file has no line
// ending, and the range is clipped to the end. But Neovim shows an empty file as one empty line, which would remain below
// text inserted before it.
func (w *WorkspaceEdit) Create(u uri.URI, text string) {
	w.creates = append(w.creates, &protocol.CreateFile{Kind: "create", URI: u})
	if text == "" {
		return
	}
	all := protocol.Range{End: protocol.Position{Line: 1}}
	change := DocumentEdit(u, nil, nil, nil)
	change.Edits = append(change.Edits, &protocol.TextEdit{Range: all, NewText: text})
	w.texts = append(w.texts, change)
}

// Rename moves a file. Later edits of the file must use the new URI.
func (w *WorkspaceEdit) Rename(from, to uri.URI) {
	w.renames = append(w.renames, &protocol.RenameFile{Kind: "rename", OldURI: from, NewURI: to})
}

// Delete removes a file.
func (w *WorkspaceEdit) Delete(u uri.URI) {
	w.deletes = append(w.deletes, &protocol.DeleteFile{Kind: "delete", URI: u})
}

// Expect makes the editor refuse the change if an open document that it renames or deletes no longer has the version
// `version`. File operations have no version, so Expect puts an empty edit with the version before them.
func (w *WorkspaceEdit) Expect(u uri.URI, version int32) {
	w.expected = append(w.expected, DocumentEdit(u, &version, nil, nil))
}

// Edit adds edits of the file `u`. `lines` is the line index of the file's current text. `version` is the version of
// the open document, or nil if the file is not open: if the person has typed since that version, the editor refuses the
// change. Each document may be edited only once.
func (w *WorkspaceEdit) Edit(u uri.URI, version *int32, lines *text.Lines, edits []text.Edit) {
	if len(edits) == 0 {
		return
	}
	w.texts = append(w.texts, DocumentEdit(u, version, lines, edits))
}

// DocumentEdit returns edits of one document. It has the same parameters as [WorkspaceEdit.Edit].
func DocumentEdit(u uri.URI, version *int32, lines *text.Lines, edits []text.Edit) *protocol.TextDocumentEdit {
	change := &protocol.TextDocumentEdit{TextDocument: protocol.OptionalVersionedTextDocumentIdentifier{
		TextDocumentIdentifier: protocol.TextDocumentIdentifier{URI: u}, Version: version,
	}, Edits: []protocol.TextDocumentEditElement{}}
	for _, e := range TextEdits(lines, edits) {
		change.Edits = append(change.Edits, &e)
	}
	return change
}

// ErrUnsupported means that an edit needs a capability that the client lacks. Errors that wrap ErrUnsupported are
// messages for people.
var ErrUnsupported = errors.New("this editor cannot apply the change through the language server")

// Params returns the request for a client. `can` has the capabilities of the client, or is nil if the client sent none.
// If the client does not support document changes, and the change has no file operations, the request has plain text
// edits without versions. Every error wraps [ErrUnsupported].
func (w *WorkspaceEdit) Params(can *protocol.WorkspaceEditClientCapabilities) (*protocol.ApplyWorkspaceEditParams, error) {
	can = cmp.Or(can, &protocol.WorkspaceEditClientCapabilities{})
	if err := w.supported(can); err != nil {
		return nil, err
	}
	params := &protocol.ApplyWorkspaceEditParams{Label: &w.Label}
	switch {
	case !documentChanges(can):
		params.Edit.Changes = w.plain()
	case can.ChangeAnnotationSupport != nil:
		params.Edit.DocumentChanges = w.annotated()
		params.Edit.ChangeAnnotations = map[protocol.ChangeAnnotationIdentifier]protocol.ChangeAnnotation{annotation: {Label: w.Label}}
	default:
		params.Edit.DocumentChanges = w.changes()
	}
	return params, nil
}

func (w *WorkspaceEdit) supported(can *protocol.WorkspaceEditClientCapabilities) error {
	for _, needed := range []struct {
		operations []protocol.DocumentChange
		kind       protocol.ResourceOperationKind
	}{
		{w.creates, protocol.ResourceOperationKindCreate},
		{w.renames, protocol.ResourceOperationKindRename},
		{w.deletes, protocol.ResourceOperationKindDelete},
	} {
		if len(needed.operations) == 0 {
			continue
		}
		if !slices.Contains(can.ResourceOperations, needed.kind) {
			return fmt.Errorf("%w: it does not support the file operation %q; use `aptix apply` on the command line", ErrUnsupported, needed.kind)
		}
	}
	return nil
}

// documentChanges reports whether the client supports document changes. A client with file operations does, because
// only document changes can contain them. Neovim 0.7 announces only the file operations.
func documentChanges(can *protocol.WorkspaceEditClientCapabilities) bool {
	return isSet(can.DocumentChanges) || len(can.ResourceOperations) > 0
}

func isSet(b *bool) bool { return b != nil && *b }

func (w *WorkspaceEdit) changes() []protocol.DocumentChange {
	all := slices.Concat(w.expected, w.creates, w.renames, w.deletes)
	for _, change := range w.texts {
		all = append(all, change)
	}
	return all
}

func (w *WorkspaceEdit) annotated() []protocol.DocumentChange {
	all := w.changes()
	for i, change := range all {
		switch c := change.(type) {
		case *protocol.CreateFile:
			marked := *c
			marked.AnnotationID = annotation
			all[i] = &marked
		case *protocol.RenameFile:
			marked := *c
			marked.AnnotationID = annotation
			all[i] = &marked
		case *protocol.DeleteFile:
			marked := *c
			marked.AnnotationID = annotation
			all[i] = &marked
		case *protocol.TextDocumentEdit:
			marked := *c
			marked.Edits = []protocol.TextDocumentEditElement{}
			for _, e := range c.Edits {
				marked.Edits = append(marked.Edits, &protocol.AnnotatedTextEdit{TextEdit: *e.(*protocol.TextEdit), AnnotationID: annotation})
			}
			all[i] = &marked
		}
	}
	return all
}

func (w *WorkspaceEdit) plain() map[uri.URI][]protocol.TextEdit {
	changes := map[uri.URI][]protocol.TextEdit{}
	for _, change := range w.texts {
		for _, e := range change.Edits {
			changes[change.TextDocument.URI] = append(changes[change.TextDocument.URI], *e.(*protocol.TextEdit))
		}
	}
	return changes
}
