package lsptest

import (
	"fmt"
	"os"
	"path/filepath"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// A Behavior describes how the editor carries out workspace/applyEdit. The zero Behavior is
// that of VS Code.
type Behavior struct {
	// Refuse makes the editor answer applied:false and do nothing.
	Refuse bool
	// StopBefore makes the editor give up before the document change with this number, counted from
	// 1. The editor keeps the earlier changes and answers applied:false. If StopBefore is 0, it
	// does not give up.
	StopBefore int
	// Skip is the number, from 1, of a document change that the editor leaves out although it
	// answers applied:true, as if a person had unticked the change in the Refactor Preview.
	Skip int
	// Before is called when the edit arrives. It acts like a person who typed just before.
	Before func(*Editor)
	// Meanwhile is called after the edit and before its answer. It acts like a person who types at
	// that moment.
	Meanwhile func(*Editor)
	// Answer is sent as the answer, whatever the editor did, unless it is nil.
	Answer any
	// Twice makes the editor send the answer twice.
	Twice bool
	// Tell says when the editor notifies the server of the changed documents.
	Tell Tell
	// Once limits the behavior to the next edit. If another edit follows and undoes that edit, it
	// is carried out correctly. Answer, Twice and Tell still apply to every edit.
	Once bool
}

// A Tell says when the editor sends didOpen, didChange and didClose after an edit.
type Tell int

// The values of Tell.
const (
	TellAfter   Tell = iota // after the answer, as VS Code may do
	TellBefore              // before the answer
	TellRelease             // when Release is called
)

// Behave sets how the editor carries out all further edits.
func (e *Editor) Behave(b Behavior) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.behavior = b
}

// Release sends the notifications that TellRelease has held back.
func (e *Editor) Release() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.hold = false
	e.flush()
}

// Applied returns every edit that the server asked for, including those that the editor
// refused.
func (e *Editor) Applied() []*protocol.ApplyWorkspaceEditParams {
	e.mu.Lock()
	defer e.mu.Unlock()
	return append([]*protocol.ApplyWorkspaceEditParams(nil), e.applied...)
}

// apply makes a workspace edit. If a change fails, the changes before it stay.
func (e *Editor) apply(p *protocol.ApplyWorkspaceEditParams) *protocol.ApplyWorkspaceEditResult {
	e.mu.Lock()
	behavior := e.behavior
	if behavior.Once {
		e.behavior = Behavior{}
	}
	e.mu.Unlock()
	if behavior.Before != nil {
		behavior.Before(e)
	}
	e.mu.Lock()
	e.applied = append(e.applied, p)
	e.hold = behavior.Tell != TellBefore
	err := e.run(p, behavior)
	e.flush()
	e.mu.Unlock()
	if behavior.Meanwhile != nil {
		behavior.Meanwhile(e)
	}
	if err != nil && !e.c.over.Load() {
		// VS Code gives no reason, so the reason is only logged, for the reader of a failed
		// test.
		e.t.Logf("the editor did not apply the edit: %v", err)
	}
	return &protocol.ApplyWorkspaceEditResult{Applied: err == nil}
}

// said returns the answer that the editor sends. The parameter `truth` is the correct answer.
func (e *Editor) said(truth *protocol.ApplyWorkspaceEditResult) any {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.behavior.Answer != nil {
		return e.behavior.Answer
	}
	return truth
}

func (e *Editor) twice() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.behavior.Twice
}

// answered is called when the answer to workspace/applyEdit has been sent.
func (e *Editor) answered() {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.behavior.Tell != TellRelease {
		e.hold = false
		e.flush()
	}
}

func (e *Editor) run(p *protocol.ApplyWorkspaceEditParams, behavior Behavior) error {
	if behavior.Refuse {
		return fmt.Errorf("the test has this editor refuse")
	}
	changes := documentChanges(&p.Edit)
	if err := e.checkVersions(changes); err != nil {
		return err
	}
	for i, change := range changes {
		switch i + 1 {
		case behavior.StopBefore:
			return fmt.Errorf("the test has this editor stop before change %d", i+1)
		case behavior.Skip:
			continue
		}
		if err := e.do(change); err != nil {
			return err
		}
	}
	if p.Metadata != nil && p.Metadata.IsRefactoring != nil && *p.Metadata.IsRefactoring {
		return e.saveTouched(changes)
	}
	return nil
}

func documentChanges(edit *protocol.WorkspaceEdit) []protocol.DocumentChange {
	if edit.DocumentChanges != nil {
		return edit.DocumentChanges
	}
	var changes []protocol.DocumentChange
	for u, edits := range edit.Changes {
		change := &protocol.TextDocumentEdit{}
		change.TextDocument.URI = u
		for _, one := range edits {
			change.Edits = append(change.Edits, &one)
		}
		changes = append(changes, change)
	}
	return changes
}

// checkVersions returns an error if an open document has another version than a change
// expects.
func (e *Editor) checkVersions(changes []protocol.DocumentChange) error {
	for _, change := range changes {
		edit, ok := change.(*protocol.TextDocumentEdit)
		if !ok || edit.TextDocument.Version == nil {
			continue
		}
		if b := e.buffers[edit.TextDocument.URI]; b != nil && b.version != *edit.TextDocument.Version {
			return fmt.Errorf("%s has version %d, and the edit is for %d", edit.TextDocument.URI, b.version, *edit.TextDocument.Version)
		}
	}
	return nil
}

func (e *Editor) do(change protocol.DocumentChange) error {
	switch c := change.(type) {
	case *protocol.CreateFile:
		return create(c)
	case *protocol.RenameFile:
		return e.rename(c)
	case *protocol.DeleteFile:
		return e.remove(c)
	case *protocol.TextDocumentEdit:
		return e.editFile(c)
	}
	return fmt.Errorf("a document change of type %T", change)
}

func create(c *protocol.CreateFile) error {
	path := c.URI.FsPath()
	if _, err := os.Lstat(path); err == nil && (c.Options == nil || c.Options.Overwrite == nil) {
		return fmt.Errorf("create of %s, which exists", path)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, nil, 0o644)
}

func (e *Editor) rename(c *protocol.RenameFile) error {
	from, to := c.OldURI.FsPath(), c.NewURI.FsPath()
	if _, err := os.Lstat(to); err == nil {
		return fmt.Errorf("rename to %s, which exists", to)
	}
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	if err := os.Rename(from, to); err != nil {
		return err
	}
	if b := e.buffers[c.OldURI]; b != nil {
		e.close(c.OldURI)
		e.show(c.NewURI, b.languageID, b)
	}
	return nil
}

func (e *Editor) remove(c *protocol.DeleteFile) error {
	if err := os.Remove(c.URI.FsPath()); err != nil {
		return err
	}
	if e.buffers[c.URI] != nil {
		e.close(c.URI)
	}
	return nil
}

// editFile edits a document. If the file is not open, it is opened, and stays open and dirty.
func (e *Editor) editFile(c *protocol.TextDocumentEdit) error {
	u := c.TextDocument.URI
	b := e.buffers[u]
	if b == nil {
		content, err := os.ReadFile(u.FsPath())
		if err != nil {
			return err
		}
		b = newBuffer(string(content))
		e.show(u, "plaintext", b)
	}
	var edits []protocol.TextEdit
	for _, element := range c.Edits {
		switch edit := element.(type) {
		case *protocol.TextEdit:
			edits = append(edits, *edit)
		case *protocol.AnnotatedTextEdit:
			edits = append(edits, edit.TextEdit)
		default:
			return fmt.Errorf("a text edit of type %T", element)
		}
	}
	return e.edit(u, b, edits)
}

// saveTouched saves documents after an edit that is marked as a refactoring. Like VS Code, it
// also saves documents that had unsaved text.
func (e *Editor) saveTouched(changes []protocol.DocumentChange) error {
	for _, u := range touched(changes) {
		if e.buffers[u] == nil {
			continue
		}
		if err := e.save(u); err != nil {
			return err
		}
	}
	return nil
}

func touched(changes []protocol.DocumentChange) []uri.URI {
	var all []uri.URI
	for _, change := range changes {
		if edit, ok := change.(*protocol.TextDocumentEdit); ok {
			all = append(all, edit.TextDocument.URI)
		}
	}
	return all
}
