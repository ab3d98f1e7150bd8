package mcp

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.uber.org/zap"

	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/agenttools"
	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/history"
	"github.com/aptix-dev/aptix/server/internal/link"
	"github.com/aptix-dev/aptix/server/internal/paths"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// call carries out one call of a tool that may use the folders `dirs`. If a running editor has the folders open, call
// passes the call to that editor. Otherwise, the tool works on the disk.
func (s *server) call(ctx context.Context, dirs []string, c link.Call) protocol.ToolResult {
	d, refusal := s.open(dirs, c.Agent)
	if refusal != nil {
		return agenttools.Answer(nil, nil, refusal)
	}
	defer d.close()
	editor, err := d.editor(ctx, c)
	switch {
	case errors.Is(err, link.ErrNone):
		return agenttools.Call(ctx, d, c.Name, c.Arguments, func(err error) {
			s.Log.Error("a tool failed", zap.String("agent", c.Agent), zap.Error(err))
		})
	case err != nil:
		return agenttools.Answer(nil, nil, s.unreached(err))
	}
	defer editor.Close()
	answer, err := editor.Call(ctx, c.ToolParams, c.Agent)
	if ctx.Err() != nil {
		return agenttools.Answer(nil, nil, agenttools.Refuse("cancelled", "the call was cancelled"))
	}
	if err != nil {
		s.Log.Error("an editor was lost", zap.Error(err))
		return agenttools.Answer(nil, nil, agenttools.Refuse("editor-lost", "the editor was closed during the call, so the effect of the call is unknown; check the files before you continue"))
	}
	return answer
}

func (s *server) unreached(err error) *agenttools.Refusal {
	if refusal, ok := errors.AsType[*agenttools.Refusal](err); ok {
		return refusal
	}
	s.Log.Error("an editor cannot be used", zap.Error(err))
	return agenttools.Refuse("editor-unusable", "the editor that has the folder open cannot be used: %v", err)
}

// editor returns the running editor that has all the folders open, or [link.ErrNone] if no editor has any of them open.
// If the folders are open in different editors, it returns the editor with the folder that the call is about, and
// removes the other roots from `d`.
func (d *diskHost) editor(ctx context.Context, c link.Call) (*link.Client, error) {
	dirs := text.Each(d.roots, func(r root) string { return r.Dir() })
	editor, err := link.Dial(ctx, d.StateDir, d.Version, dirs...)
	if err == nil || !errors.Is(err, link.ErrNone) || len(dirs) == 1 || !d.anyOpen(ctx, dirs) {
		return editor, err
	}
	i, err := d.about(ctx, c)
	if err != nil {
		return nil, err
	}
	for j, r := range d.roots {
		if j != i {
			_ = r.Close()
		}
	}
	d.roots = d.roots[i : i+1]
	return link.Dial(ctx, d.StateDir, d.Version, d.roots[0].Dir())
}

// anyOpen reports whether an editor has any of the folders open, even an editor that cannot be used.
func (d *diskHost) anyOpen(ctx context.Context, dirs []string) bool {
	return slices.ContainsFunc(dirs, func(dir string) bool {
		editor, err := link.Dial(ctx, d.StateDir, d.Version, dir)
		if err == nil {
			editor.Close()
		}
		return !errors.Is(err, link.ErrNone)
	})
}

// about returns the index of the only root that a call can be about. An argument of the call determines the root: a
// folder, a docPath, or an id of the history.
func (d *diskHost) about(ctx context.Context, c link.Call) (int, error) {
	var given given
	_ = json.Unmarshal(c.Arguments, &given) // the tool itself reports invalid arguments
	applied := d.rootOf(ctx, c.Name, given.ID, given.ChangeID, given.FilePatchID, given.BatchID)
	var names []string
	var found []int
	for i, r := range d.roots {
		names = append(names, fmt.Sprintf("%s (%s)", r.name, r.Dir()))
		if given.names(r) || r.Dir() == applied {
			found = append(found, i)
		}
	}
	if len(found) == 1 {
		return found[0], nil
	}
	if keys := given.docPaths(); len(found) == 0 && len(keys) > 0 {
		return 0, agenttools.Refuse(string(diag.DocPathUnknown), "the docPath %q must begin with the name of one of these folders: %s", keys[0], strings.Join(names, ", "))
	}
	return 0, agenttools.Refuse("folder-needed", "the folders are not all open in one editor, so a call must be about one of them: %s; name it in \"folder\", or make one call for each", strings.Join(names, ", "))
}

type given struct {
	Folder, DocPath, ID, BatchID, FilePatchID, ChangeID string
	Files                                               []struct{ DocPath string }
}

func (g given) docPaths() []string {
	all := append([]string{g.DocPath}, text.Each(g.Files, func(f struct{ DocPath string }) string { return f.DocPath })...)
	return text.Only(all, func(key string) bool { return key != "" })
}

// names reports whether the arguments name a root, either as the folder or by a docPath inside the root.
func (g given) names(r root) bool {
	inRoot := func(key string) bool {
		return slices.ContainsFunc(r.folder().Names, func(name string) bool { return strings.HasPrefix(strings.ToLower(key), paths.DocPath(name, "")) })
	}
	return g.Folder != "" && (agenttools.Folder{Folder: r.folder(), Dir: r.Dir()}).Called(g.Folder) || slices.ContainsFunc(g.docPaths(), inRoot)
}

// rootOf returns the root of the apply that has the first nonempty id, or "" if there is no id or no apply.
func (d *diskHost) rootOf(ctx context.Context, tool string, ids ...string) string {
	id := cmp.Or(ids...)
	if id == "" || d.Config.History == nil {
		return ""
	}
	var apply history.Apply // stays zero if the id is unknown; the tool reports that
	switch tool {
	case "aptix_revert":
		apply, _ = d.Config.History.Get(ctx, id)
	case "get_patch_change":
		apply, _, _ = d.Config.History.Batch(ctx, strings.ToLower(id))
	}
	return apply.Root
}
