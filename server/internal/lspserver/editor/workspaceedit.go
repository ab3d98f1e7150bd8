package editor

import (
	"context"
	"fmt"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
	"go.uber.org/zap"

	"github.com/aptix-dev/aptix/server/internal/lspconv"
	"github.com/aptix-dev/aptix/server/internal/lspserver/workspace"
	"github.com/aptix-dev/aptix/server/internal/plan"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// edit sends one workspace edit to the editor. It returns an error only if nothing was sent. Any later failure, or the
// end of `ctx`, becomes a result, because the editor may have made a part of the edit.
func (e *Editor) edit(ctx context.Context, v workspace.View, label string, files []plan.File) (*protocol.ApplyWorkspaceEditResult, error) {
	edit := &lspconv.WorkspaceEdit{Label: label}
	for _, f := range files {
		if err := addFile(edit, v, f); err != nil {
			return nil, fmt.Errorf("%s: %w", f.Path, err)
		}
	}
	params, err := edit.Params(e.EditCapabilities())
	if err != nil {
		return nil, err
	}
	answer, err := e.ApplyEdit(ctx, params)
	if err != nil {
		e.conn.Log().Error("the editor failed to apply an edit", zap.Error(err))
		return &protocol.ApplyWorkspaceEditResult{FailureReason: new(err.Error())}, nil
	}
	return answer, nil
}

func reason(answer *protocol.ApplyWorkspaceEditResult) string {
	if answer.FailureReason != nil && *answer.FailureReason != "" {
		return *answer.FailureReason
	}
	return "it gave no reason"
}

func created(files []plan.File) []string {
	made := text.Only(files, func(f plan.File) bool { return f.Operation == plan.Create || f.Operation == plan.Rename })
	return text.Each(made, plan.File.Target)
}

// addFile adds the change of a file to an edit. For an open file, the edit names the version for which the plan was
// made, so that the editor refuses the edit if the person has typed since.
func addFile(w *lspconv.WorkspaceEdit, v workspace.View, f plan.File) error {
	u, ok := v.URIOf(f.Path)
	target, valid := v.URIOf(f.Target())
	if !ok || !valid {
		return fmt.Errorf("the path cannot be written as a URI")
	}
	var version *int32
	if doc := v.Open[f.Path]; doc != nil {
		u, version = doc.URI, &doc.Version
	}
	switch f.Operation {
	case plan.Create:
		w.Create(u, f.After.Data)
		return nil
	case plan.Remove:
		expect(w, u, version)
		w.Delete(u)
		return nil
	case plan.Rename:
		expect(w, u, version)
		w.Rename(u, target)
		u, version = target, nil
	}
	if f.Before.Data == f.After.Data {
		// The content stays the same, so it need not be text.
		return nil
	}
	before, _, err := text.Decode(f.Before.Data)
	if err != nil {
		return err
	}
	edits, err := f.Edits()
	if err != nil {
		return err
	}
	w.Edit(u, version, text.NewLines(before), edits)
	return nil
}

func expect(w *lspconv.WorkspaceEdit, u uri.URI, version *int32) {
	if version != nil {
		w.Expect(u, *version)
	}
}
