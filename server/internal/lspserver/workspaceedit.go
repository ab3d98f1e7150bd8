package lspserver

import (
	"fmt"

	"go.lsp.dev/uri"

	"github.com/aptix-dev/aptix/server/internal/lspconv"
	"github.com/aptix-dev/aptix/server/internal/plan"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// workspaceEdit writes files of a plan as one edit for the editor. Files that
// are open are edited in the version that the plan was made for, so that the
// editor refuses where somebody typed since.
func workspaceEdit(v view, label string, files []plan.File) (*lspconv.WorkspaceEdit, error) {
	w := &lspconv.WorkspaceEdit{Label: label}
	for _, f := range files {
		if err := addFile(w, v, f); err != nil {
			return nil, fmt.Errorf("%s: %w", f.Path, err)
		}
	}
	return w, nil
}

func addFile(w *lspconv.WorkspaceEdit, v view, f plan.File) error {
	u, ok := v.uriOf(f.Path)
	target, valid := v.uriOf(f.Target())
	if !ok || !valid {
		return fmt.Errorf("no URI stands for this path")
	}
	var version *int32
	if doc := v.open[f.Path]; doc != nil {
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
		return nil // it need not be text
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
