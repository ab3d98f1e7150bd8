package lspconv

import (
	"errors"
	"fmt"
	"slices"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/aptix-dev/aptix/server/internal/text"
)

// A WorkspaceEdit collects what happens to files and open documents. In
// what it builds, all operations on files come first (creates, renames,
// deletes), then all text edits: only in that order can an editor undo the whole
// in one step.
//
// Nothing is ever overwritten or ignored: a create of a file that is there, or a
// delete of one that is not, makes the editor refuse.
type WorkspaceEdit struct {
	Label string // what undo calls it

	expected                  []protocol.DocumentChange // edits of nothing, for their versions
	creates, renames, deletes []protocol.DocumentChange
	texts                     []*protocol.TextDocumentEdit // one a document
}

// annotation is the one change annotation: an editor groups by it and shows
// Label.
const annotation protocol.ChangeAnnotationIdentifier = "aptix"

// Create adds a file with a text.
//
// The text replaces the new file's first line with its ending, which most
// editors have no such thing as: an empty file has no ending, and a position
// after the end is the end. To Neovim an empty file is one empty line, which
// would stay after what is inserted before it.
func (w *WorkspaceEdit) Create(u uri.URI, text string) {
	w.creates = append(w.creates, &protocol.CreateFile{Kind: "create", URI: u})
	if text == "" {
		return
	}
	all := protocol.Range{End: protocol.Position{Line: 1}}
	w.texts = append(w.texts, &protocol.TextDocumentEdit{
		TextDocument: protocol.OptionalVersionedTextDocumentIdentifier{TextDocumentIdentifier: protocol.TextDocumentIdentifier{URI: u}},
		Edits:        []protocol.TextDocumentEditElement{&protocol.TextEdit{Range: all, NewText: text}},
	})
}

// Rename moves a file. Edits of it must name the new URI.
func (w *WorkspaceEdit) Rename(from, to uri.URI) {
	w.renames = append(w.renames, &protocol.RenameFile{Kind: "rename", OldURI: from, NewURI: to})
}

// Delete removes a file.
func (w *WorkspaceEdit) Delete(u uri.URI) {
	w.deletes = append(w.deletes, &protocol.DeleteFile{Kind: "delete", URI: u})
}

// Expect makes the editor refuse where an open document that is renamed or deleted
// is no longer in the version that the plan saw. File operations have no version of
// their own: it is that of an edit of nothing, in front of them.
func (w *WorkspaceEdit) Expect(u uri.URI, version int32) {
	w.expected = append(w.expected, &protocol.TextDocumentEdit{
		TextDocument: protocol.OptionalVersionedTextDocumentIdentifier{
			TextDocumentIdentifier: protocol.TextDocumentIdentifier{URI: u}, Version: &version},
		Edits: []protocol.TextDocumentEditElement{},
	})
}

// Edit changes the text that lines indexes into u's new one. version is that of
// the open document, so that the editor refuses when the person typed meanwhile;
// nil for a file that is not open. A document may be edited once.
func (w *WorkspaceEdit) Edit(u uri.URI, version *int32, lines *text.Lines, edits []text.Edit) {
	if len(edits) == 0 {
		return
	}
	change := &protocol.TextDocumentEdit{TextDocument: protocol.OptionalVersionedTextDocumentIdentifier{
		TextDocumentIdentifier: protocol.TextDocumentIdentifier{URI: u}, Version: version,
	}}
	for _, e := range TextEdits(lines, edits) {
		change.Edits = append(change.Edits, &e)
	}
	w.texts = append(w.texts, change)
}

// ErrUnsupported is an edit that needs what the client cannot do. Errors that
// wrap it are messages for people.
var ErrUnsupported = errors.New("this editor cannot apply the change through the language server")

// Params is the request for a client with the given capabilities; nil means that
// it told none. A client without document changes gets plain text edits where
// these say it all, and without versions. The error wraps [ErrUnsupported].
func (w *WorkspaceEdit) Params(can *protocol.WorkspaceEditClientCapabilities) (*protocol.ApplyWorkspaceEditParams, error) {
	if can == nil {
		can = &protocol.WorkspaceEditClientCapabilities{}
	}
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

// documentChanges reports whether the client knows them. One that knows file
// operations does, as there is no other way to write these: Neovim 0.7 does not
// say so a second time.
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

// annotated is changes, each of them annotated.
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
