package mcp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"

	"go.uber.org/zap"

	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/agenttools"
	"github.com/aptix-dev/aptix/server/internal/apply"
	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/disk"
	"github.com/aptix-dev/aptix/server/internal/docpath"
	"github.com/aptix-dev/aptix/server/internal/fileset"
	"github.com/aptix-dev/aptix/server/internal/history"
	"github.com/aptix-dev/aptix/server/internal/plan"
)

// source is what the history calls this front end.
const source = "mcp"

// A disk is a [agenttools.Host] without an editor: folders as they are on disk, for one
// call.
type diskHost struct {
	*server
	agent string // how it calls itself; may be empty
	roots []root
}

type root struct {
	*disk.Root
	name string // what docPaths call it: as it was given, whatever it is a link to
}

// open opens folders, each once. Those that are not there are left out, where one is.
func (s *server) open(dirs []string, agent string) (*diskHost, *agenttools.Refusal) {
	d := &diskHost{server: s, agent: agent}
	var errs []error
	for _, dir := range dirs {
		r, err := disk.Open(dir)
		switch {
		case err != nil:
			errs = append(errs, err)
		case slices.ContainsFunc(d.roots, func(other root) bool { return other.Dir() == r.Dir() }):
			_ = r.Close()
		default:
			d.roots = append(d.roots, root{r, check.FolderName(dir)})
		}
	}
	if err := errors.Join(errs...); err != nil {
		s.Log.Warn("a folder is left out", zap.Error(err))
		if len(d.roots) == 0 {
			return nil, refuseRoots(dirs, err)
		}
	}
	return d, nil
}

func (d *diskHost) close() {
	for _, r := range d.roots {
		_ = r.Close()
	}
}

func (r root) folder() docpath.Folder {
	names := []string{r.name}
	if base := filepath.Base(r.Dir()); base != r.name {
		names = append(names, base)
	}
	return docpath.Folder{Names: names, Tree: r.Tree(nil)}
}

func (d *diskHost) Folders(context.Context) ([]agenttools.Folder, error) {
	var all []agenttools.Folder
	for _, r := range d.roots {
		all = append(all, agenttools.Folder{Folder: r.folder(), Dir: r.Dir()})
	}
	return all, nil
}

// index is the root of a folder.
func (d *diskHost) index(dir string) int {
	return slices.IndexFunc(d.roots, func(r root) bool { return r.Dir() == dir })
}

func (d *diskHost) Where(f agenttools.Folder) check.Where {
	i := d.index(f.Dir)
	where := check.OnDisk(d.roots[i].Root, d.roots[i].name, d.Config.History, d.AllowProtected)
	var all docpath.Folders
	for _, r := range d.roots {
		all = append(all, r.folder())
	}
	where.DocPath = all.In(i)
	return where
}

func (d *diskHost) History() *history.Store { return d.Config.History }

func (d *diskHost) FileSet() *fileset.Set { return d.Config.FileSet }

// Preview shows nothing: nobody is there to see it.
func (d *diskHost) Preview(context.Context, agenttools.Request) (bool, error) { return false, nil }

// mayWrite refuses to write where nobody is asked and nobody allowed it.
func (d *diskHost) mayWrite(dir string) error {
	if d.AllowApply {
		return nil
	}
	return agenttools.Refuse("no-editor", "nothing was written: no running editor has %s open, where the person would be asked. Either ask the person to open the folder in an editor with Aptix, "+
		"or to start this server as `aptix mcp --allow-apply`", dir)
}

func (d *diskHost) Apply(ctx context.Context, r agenttools.Request) (protocol.ApplyResult, error) {
	result, err := d.check(ctx, r)
	if err != nil {
		return protocol.ApplyResult{}, err
	}
	if !result.Applicable() {
		return protocol.ApplyResult{Message: "nothing was applied: the files changed meanwhile; check the text again"}, nil
	}
	if len(result.Plan.Files) > 0 {
		if err := d.mayChange(ctx, r.Folder, result.Plan.Files); err != nil {
			return protocol.ApplyResult{}, err
		}
	}
	id, untold, err := apply.Apply(ctx, d.Config.History, d.roots[d.index(r.Folder.Dir)].Root, d.StateDir, d.label(r, result), source, result)
	if err != nil {
		return protocol.ApplyResult{Message: "nothing was applied"}, d.refuse(err)
	}
	answer := protocol.ApplyResult{Applied: id != "", Verified: true, ID: id, Files: check.ReportFiles(result.Plan.Files), Batches: result.Batches(), Message: said(result.Plan.Files)}
	if answer.Applied {
		answer.Warnings = d.after(ctx, untold, r.Folder.Folder, result.Plan.Files, result.Named())
	} else if untold != nil {
		d.Log.Error("ids are not remembered", zap.Error(untold))
	}
	return answer, nil
}

func (d *diskHost) check(ctx context.Context, r agenttools.Request) (*check.Result, error) {
	where := d.Where(r.Folder)
	where.Block = r.Block
	return check.CheckFixed(ctx, []check.Document{{Name: "reply", Text: r.Text, Format: r.Format}}, where, r.Fix)
}

// mayChange refuses what is not to be written here, or not on top of what stands.
func (d *diskHost) mayChange(ctx context.Context, f agenttools.Folder, files []plan.File) error {
	if err := d.mayWrite(f.Dir); err != nil {
		return err
	}
	return d.notBehind(ctx, f.Folder, files)
}

// notBehind refuses to change files of which a shared file set has another text.
func (d *diskHost) notBehind(ctx context.Context, f docpath.Folder, files []plan.File) error {
	behind, err := apply.Behind(ctx, d.Config.FileSet, source, f, files)
	if err != nil {
		d.Log.Warn("the file set failed", zap.Error(err))
	}
	if behind != "" {
		return agenttools.Refuse("file-set-differs", "nothing was written: %s", behind)
	}
	return nil
}

// refuse is the refusal that some errors of writing are. The tree is as it was.
func (d *diskHost) refuse(err error) error {
	if changed, ok := errors.AsType[*disk.ChangedError](err); ok {
		return agenttools.Refuse("changed-meanwhile", "nothing was written: %v; read the files again", changed)
	}
	if errors.Is(err, fs.ErrPermission) {
		return agenttools.Refuse("not-permitted", "nothing was written: %v", err)
	}
	return err
}

// after brings the file set up to a change that is made, whatever becomes of the
// caller, and says what did not go as it should.
func (d *diskHost) after(ctx context.Context, untold error, f docpath.Folder, files []plan.File, named map[string]bool) []protocol.ToolMessage {
	var warnings []protocol.ToolMessage
	if untold != nil {
		d.Log.Error("a change is not remembered", zap.Error(untold))
	}
	if untold != nil || d.Config.History == nil {
		warnings = append(warnings, protocol.ToolMessage{Code: "not-remembered", Message: "the change is made, but the history could not be told: it cannot be reverted by its id"})
	}
	if err := apply.Upload(ctx, d.Config.FileSet, source, f, files, named, nil); err != nil {
		warnings = append(warnings, protocol.ToolMessage{Code: "not-uploaded", Message: fmt.Sprintf("the change is made on disk, but not in the file set, where nothing was overwritten: %v", err)})
	}
	return warnings
}

// label is what the history calls a change: what it calls itself, else who made it.
func (d *diskHost) label(r agenttools.Request, result *check.Result) string {
	return cmp.Or(r.Label, result.Label(cmp.Or(d.agent, "an agent")))
}

// said is what became of files, for people.
func said(files []plan.File) string {
	if len(files) == 0 {
		return "nothing to change: the files stand so already"
	}
	added, removed := 0, 0
	for _, f := range files {
		a, r := f.Stat()
		added, removed = added+a, removed+r
	}
	noun := "files"
	if len(files) == 1 {
		noun = "file"
	}
	return fmt.Sprintf("applied: %d %s +%d −%d", len(files), noun, added, removed)
}
