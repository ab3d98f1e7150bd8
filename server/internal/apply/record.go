package apply

import (
	"cmp"
	"context"
	"io/fs"
	"path"
	"slices"
	"time"

	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/disk"
	"github.com/aptix-dev/aptix/server/internal/history"
	"github.com/aptix-dev/aptix/server/internal/parallel"
	"github.com/aptix-dev/aptix/server/internal/plan"
	"github.com/aptix-dev/aptix/server/internal/settings"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A record is the entry of a change in the history. It is begun before the first file changes. Without a history, its
// methods do nothing.
type record struct {
	history *history.Store
	apply   history.Apply
	begun   *parallel.Group
	pending *history.Pending // nil until the record is in the history
}

// beginRecord begins to write the record of a change, and gives the change an id if it has none. It does not wait for
// the record, because writing it takes long, and the writer can prepare the new contents at the same time.
func beginRecord(ctx context.Context, h *history.Store, p *Proposal) *record {
	r := &record{history: h, apply: p.Record, begun: parallel.New(1)}
	r.apply.ID = cmp.Or(r.apply.ID, history.NewID())
	r.apply.Root, r.apply.Time = p.Writer.Root().Dir(), time.Now()
	r.begun.Go(func() (err error) {
		if h == nil {
			return nil
		}
		r.apply.Files = p.recordedFiles()
		if !check.KeepsIgnored(ctx, h) {
			p.withhold(&r.apply)
		}
		r.apply.Made, r.apply.Pruned = expectedFolders(p.Writer.Root().Tree(nil), p.Plan)
		r.pending, err = h.Begin(ctx, r.apply)
		return err
	})
	return r
}

func (r *record) wait() { _ = r.begun.Wait() }

// finish records the change, with the created and removed folders. It also removes old entries from the history.
func (r *record) finish(ctx context.Context, folders disk.Folders) error {
	if r.pending == nil {
		return r.begun.Wait()
	}
	if err := r.pending.Finish(ctx, folders.Made, folders.Removed); err != nil {
		return err
	}
	return r.history.Prune(ctx, time.Now(), Limits(settings.Default()))
}

func (p *Proposal) recordedFiles() (files []history.File) {
	for i, f := range plan.Paths(p.Plan.Files) {
		added, removed := f.Stat()
		_, agreed := p.Protected[f.Path]
		files = append(files, history.File{Path: f.Path, Before: f.Before, After: f.After, Sums: &p.Plan.Sums[i], Added: added, Removed: removed, Agreed: agreed})
	}
	return files
}

// withhold marks files that git ignores, so that the history does not keep their contents.
func (p *Proposal) withhold(a *history.Apply) {
	ignored := map[string]bool{}
	for _, f := range p.Plan.Files {
		if p.ignored(f) {
			ignored[f.Path], ignored[f.Target()] = true, true
		}
	}
	for i, f := range a.Files {
		if ignored[f.Path] {
			a.Files[i].NotKept = true
		}
	}
	for i := range a.Batches {
		a.Batches[i].Files = slices.Clone(a.Batches[i].Files)
		for j, f := range a.Batches[i].Files {
			if ignored[f.Path] {
				a.Batches[i].Files[j].Changes = withoutLines(f.Changes)
			}
		}
	}
}

func withoutLines(changes []protocol.PatchChange) []protocol.PatchChange {
	changes = slices.Clone(changes)
	for i := range changes {
		changes[i].ExpectedOriginalLines, changes[i].NewLines = nil, nil
	}
	return changes
}

// lost returns the files that no revert can restore. [record.finish] must have been called before.
func (r *record) lost() []string {
	lost := text.Only(r.apply.Files, func(f history.File) bool { return f.NotKept && f.Before.Exists })
	return text.Each(lost, func(f history.File) string { return f.Path })
}

// Limits returns the limits of the history from the settings.
func Limits(s settings.Settings) history.Limits {
	return history.Limits{Age: time.Duration(max(s.HistoryMaxAge, 0)) * 24 * time.Hour, Size: int64(max(s.HistoryMaxSize, 0)) << 20}
}

// expectedFolders returns the folders that a plan will probably create and remove, parents first. The record needs them
// after a crash.
func expectedFolders(tree fs.FS, p plan.Plan) (made, pruned []string) {
	comes, goes := map[string]bool{}, map[string]bool{}
	for _, f := range plan.Paths(p.Files) {
		for dir := path.Dir(f.Path); f.After.Exists && dir != "." && !comes[dir]; dir = path.Dir(dir) {
			comes[dir] = true
		}
		comes[f.Path] = comes[f.Path] || f.After.Mode.IsDir()
		goes[f.Path] = f.Before.Mode.IsDir() && !f.After.Mode.IsDir()
	}
	for _, dir := range p.Prune {
		goes[dir] = true
	}
	for dir, yes := range comes {
		if yes && !isFolder(tree, dir) {
			made = append(made, dir)
		}
	}
	for dir, yes := range goes {
		if yes && isFolder(tree, dir) {
			pruned = append(pruned, dir)
		}
	}
	slices.Sort(made)
	slices.Sort(pruned)
	return made, pruned
}
