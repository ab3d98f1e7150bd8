package lspserver

import (
	"context"
	"io/fs"
	"slices"

	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/lspserver/workspace"
	"github.com/aptix-dev/aptix/server/internal/plan"
)

// earlier returns [check.Where.Earlier] for a folder of the editor. If the editor has unsaved text of a file, the
// text on disk counts as an earlier text, because a reply may have been made for it.
func (s *Server) earlier(v workspace.View) plan.EarlierFunc {
	before := check.Earlier(s.config.History, v.Root.Dir())
	return func(ctx context.Context, path string) ([]plan.Earlier, error) {
		all, err := before(ctx, path)
		if err != nil || v.Open[path] == nil {
			return all, err
		}
		if saved, err := fs.ReadFile(v.Root.Tree(nil), path); err == nil {
			all = slices.Insert(all, 0, plan.Earlier{Data: string(saved), Name: "the saved file"})
		}
		return all, nil
	}
}
