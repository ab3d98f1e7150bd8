package lsptest

import (
	"fmt"
	"os"
	"path/filepath"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
)

// Behaviour is how the editor treats workspace/applyEdit. The zero Behaviour is
// VS Code's.
type Behaviour struct {
	// Refuse answers applied:false and does nothing.
	Refuse bool
	// StopBefore, counted from 1, gives up before that document change, leaves
	// what was done and answers applied:false. 0 is never.
	StopBefore int
	// Skip leaves a document change out, counted from 1, and answers applied:true
	// all the same: a person unticked it in the Refactor Preview.
	Skip int
	// Before runs when the edit arrives: a person who typed just before.
	Before func(*Editor)
	// Meanwhile runs when the edit is done and before it is answered: a person who
	// types just then.
	Meanwhile func(*Editor)
	// Answer, if not nil, is answered whatever was done.
	Answer any
	// Twice sends the answer a second time.
	Twice bool
	// Tell is when the server hears of the documents that the edit touched.
	Tell Tell
	// Once: only the next edit is treated so, and not the one that takes it back, which
	// may come at once. Answer, Twice and Tell are of every edit.
	Once bool
}

// Tell is a time for didOpen, didChange and didClose after an edit.
type Tell int

// The times.
const (
	TellAfter   Tell = iota // after the answer, which VS Code may do
	TellBefore              // before the answer
	TellRelease             // when Release is called
)

// Behave sets how the edits from now on are treated.
func (e *Editor) Behave(b Behaviour) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.behaviour = b
}

// Release tells the server what TellRelease held back.
func (e *Editor) Release() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.hold = false
	e.flush()
}

// Applied is every edit that the server asked for, refused ones too.
func (e *Editor) Applied() []*protocol.ApplyWorkspaceEditParams {
	e.mu.Lock()
	defer e.mu.Unlock()
	return append([]*protocol.ApplyWorkspaceEditParams(nil), e.applied...)
}

// apply does a workspace edit. What was done before a failure stays done.
func (e *Editor) apply(p *protocol.ApplyWorkspaceEditParams) *protocol.ApplyWorkspaceEditResult {
	e.mu.Lock()
	behaviour := e.behaviour
	if behaviour.Once {
		e.behaviour = Behaviour{}
	}
	e.mu.Unlock()
	if behaviour.Before != nil {
		behaviour.Before(e)
	}
	e.mu.Lock()
	e.applied = append(e.applied, p)
	e.hold = behaviour.Tell != TellBefore
	err := e.run(p, behaviour)
	e.flush()
	e.mu.Unlock()
	if behaviour.Meanwhile != nil {
		behaviour.Meanwhile(e)
	}
	if err != nil && !e.c.over.Load() {
		// VS Code gives no reason; this one is for the reader of a failed test.
		e.t.Logf("the editor did not apply the edit: %v", err)
	}
	return &protocol.ApplyWorkspaceEditResult{Applied: err == nil}
}

// said is what is answered where that was done.
func (e *Editor) said(truth *protocol.ApplyWorkspaceEditResult) any {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.behaviour.Answer != nil {
		return e.behaviour.Answer
	}
	return truth
}

func (e *Editor) twice() bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.behaviour.Twice
}

// answered runs when the answer to workspace/applyEdit has been sent.
func (e *Editor) answered() {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.behaviour.Tell != TellRelease {
		e.hold = false
		e.flush()
	}
}

func (e *Editor) run(p *protocol.ApplyWorkspaceEditParams, behaviour Behaviour) error {
	if behaviour.Refuse {
		return fmt.Errorf("the test has this editor refuse")
	}
	changes := documentChanges(&p.Edit)
	if err := e.checkVersions(changes); err != nil {
		return err
	}
	for i, change := range changes {
		switch i + 1 {
		case behaviour.StopBefore:
			return fmt.Errorf("the test has this editor stop before change %d", i+1)
		case behaviour.Skip:
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

// checkVersions refuses the whole where an open document has another version.
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

// editFile edits a document; a file that is not open is opened, and left open
// and dirty.
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

// saveTouched is what VS Code does after an edit that says it is a refactoring:
// what the person had not saved is saved too.
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
