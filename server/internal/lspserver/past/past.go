// Package past compares the history with the workspace folders: the entries of the history as an editor shows them, the
// changes that a revert would make, and the changed files that the person has not seen.
package past

import (
	"context"
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.uber.org/zap"

	aptix "github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/apply"
	"github.com/aptix-dev/aptix/server/internal/disk"
	"github.com/aptix-dev/aptix/server/internal/escape"
	"github.com/aptix-dev/aptix/server/internal/history"
	"github.com/aptix-dev/aptix/server/internal/lspconv"
	"github.com/aptix-dev/aptix/server/internal/lspserver/documents"
	"github.com/aptix-dev/aptix/server/internal/lspserver/workspace"
	"github.com/aptix-dev/aptix/server/internal/plan"
	"github.com/aptix-dev/aptix/server/internal/settings"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// Past is the history for the editor of one connection: only applies to its folders, compared with its open documents.
type Past struct {
	store     *history.Store // nil if the history could not be opened
	stateDir  string
	recovered []disk.Recovered
	folders   *workspace.Folders
	docs      *documents.Set
	log       *zap.Logger
	shown     shown
}

// New returns the history of the folders and documents of an editor. For stateDir and `recovered`, see
// lspserver.Config. `store` is nil if the history could not be opened; there is then nothing to show or revert.
func New(store *history.Store, stateDir string, recovered []disk.Recovered, folders *workspace.Folders, docs *documents.Set, log *zap.Logger) *Past {
	return &Past{store, stateDir, recovered, folders, docs, log, shown{moved: make(chan struct{}, 1), paths: map[string]bool{}}}
}

// List handles aptix/history: it first makes the history agree with the files, and returns the latest entries, or the
// entries that match the request.
func (past *Past) List(ctx context.Context, p *aptix.HistoryParams) (aptix.History, error) {
	h := aptix.History{Entries: []aptix.HistoryEntry{}}
	if past.store == nil {
		return h, nil
	}
	past.Settle(ctx)
	limit := p.Limit
	if p.Words != "" || p.Changed != "" || p.After != "" {
		limit = 0
	}
	applies, err := past.latest(ctx, p.URI, limit)
	if err != nil {
		return h, err
	}
	again := reapplies(applies)
	applies = filtered(p, applies)
	if p.Limit > 0 {
		applies = applies[:min(p.Limit, len(applies))]
	}
	if h.Entries, err = past.entries(ctx, applies); err != nil {
		return h, err
	}
	for i, e := range h.Entries {
		h.Entries[i].Again = again[e.ID]
	}
	if p.After != "" {
		h.Clash, h.Why, err = past.firstClash(ctx, applies)
	}
	return h, err
}

// firstClash finds the first apply in the list that could not be reverted, even after all applies before it in the list
// are reverted. It also returns the reason. All applies in the list have the same root.
func (past *Past) firstClash(ctx context.Context, applies []history.Apply) (id, why string, err error) {
	if len(applies) == 0 {
		return "", "", nil
	}
	tree := past.tree(applies[0].Root)
	if tree == nil {
		// Each revert will report that its folder is not open.
		return "", "", nil
	}
	whole := make([]history.Apply, len(applies))
	for i, a := range applies {
		if whole[i], err = past.Recorded(ctx, a.ID); err != nil {
			return "", "", err
		}
	}
	at, conflicts, err := apply.FirstClash(ctx, whole, tree)
	if err != nil || at < 0 {
		return "", "", err
	}
	return applies[at].ID, escape.Message(Conflicts(conflicts)), nil
}

// Entry handles aptix/historyEntry: it returns one entry, or none if the id is unknown.
func (past *Past) Entry(ctx context.Context, p *aptix.HistoryEntryParams) (aptix.History, error) {
	h := aptix.History{Entries: []aptix.HistoryEntry{}}
	if past.store == nil {
		return h, nil
	}
	record, err := past.ToRevert(ctx, p.ID)
	if unknown := (*jsonrpc2.Error)(nil); errors.As(err, &unknown) {
		return h, nil
	}
	if err != nil {
		return h, err
	}
	h.Entries, _, err = apply.Entries(ctx, []history.Apply{record}, past.tree)
	return h, err
}

// reapplies returns the ids of the entries that reverted a revert, so that a reply was in force again. Reverting one of
// these entries undoes the reply. `applies` has the latest apply first.
func reapplies(applies []history.Apply) map[string]bool {
	reverts, again := map[string]bool{}, map[string]bool{}
	for _, a := range slices.Backward(applies) {
		if a.Undoes != "" {
			again[a.ID] = reverts[a.Undoes]
			reverts[a.ID] = !again[a.ID]
		}
	}
	return again
}

// latest returns at least the `limit` latest applies, and all earlier applies that these reverted. A limit of 0 means
// all applies. Several queries may be needed, because each query also counts applies to other folders.
func (past *Past) latest(ctx context.Context, u string, limit int) ([]history.Apply, error) {
	for n := limit; ; n *= 2 {
		applies, more, err := past.appliesTo(ctx, u, n)
		if err != nil || !more || len(applies) >= limit && holdUndone(applies, limit) {
			return applies, err
		}
	}
}

// holdUndone reports whether the list contains every apply that its first `n` applies reverted, directly or through
// other reverts.
func holdUndone(applies []history.Apply, n int) bool {
	byID := map[string]history.Apply{}
	for _, a := range applies {
		byID[a.ID] = a
	}
	for _, a := range applies[:n] {
		for a.Undoes != "" {
			undone, ok := byID[a.Undoes]
			if !ok {
				return false
			}
			a = undone
		}
	}
	return true
}

// appliesTo returns the applies to the workspace folder of the document `u`, latest first. If `u` is "", it returns the
// applies to every open folder. It looks only at the latest `limit` applies to any folder, or at all applies if the
// limit is 0. `more` is true if there may be earlier applies. An apply to a folder inside a workspace folder is
// included, because an ap patch may be applied in it.
func (past *Past) appliesTo(ctx context.Context, u string, limit int) (applies []history.Apply, more bool, err error) {
	folders := past.folders.Opened()
	if u != "" {
		folders = folders[:0]
		if f := past.folders.Innermost(lspconv.Canonical(u)); f != nil {
			folders = append(folders, f)
		}
	}
	all, err := past.store.List(ctx, "", limit)
	more = limit > 0 && len(all) == limit
	return slices.DeleteFunc(all, func(a history.Apply) bool {
		return !slices.ContainsFunc(folders, func(f *workspace.Folder) bool { _, in := f.Relative(a.Root); return in })
	}), more, err
}

// WouldRevert returns the changes that reverting an apply would make:
//
//   - If `merge` is true, they keep the later edits of a file. A file in which that is impossible is left out.
//   - If `merge` is false, a file with later edits is left out, unless the edits clash with the revert. A file with a clash
//     is also in `clashes`, with its content just after the apply.
//
// The message names the files because of which a revert would be refused, or explains that there is nothing to revert.
func (past *Past) WouldRevert(ctx context.Context, record history.Apply, merge bool) (files, clashes []plan.File, message string, err error) {
	f := past.folders.At(record.Root)
	if f == nil {
		return nil, nil, record.Root + " is not open in this window", nil
	}
	back, err := apply.PlanRevert(ctx, record, f.View(past.docs.Snapshot()).Tree)
	if err != nil {
		return nil, nil, "", err
	}
	files = back.Plan.Files
	for _, c := range back.Conflicts {
		switch {
		case merge && c.Mergeable:
			files = append(files, c.Merged)
		case !merge && len(c.Clashes) > 0:
			files = append(files, c.Back)
			clashes = append(clashes, plan.File{Path: c.Path, Operation: plan.Modify, Before: c.Applied, After: c.Back.After})
		}
	}
	if _, mergeable := back.Merged(); len(back.Conflicts) > 0 && !(merge && mergeable) {
		message = Conflicts(back.Conflicts)
	} else if len(files) == 0 {
		message = "Nothing to revert: the files already have their earlier contents"
	}
	return files, clashes, message, nil
}

// ToRevert returns the apply to revert, with the contents of its files. If `id` is "", this is the latest apply that is
// still in force.
func (past *Past) ToRevert(ctx context.Context, id string) (history.Apply, error) {
	if id != "" || past.store == nil {
		return past.Recorded(ctx, id)
	}
	for n := 16; ; n *= 2 {
		applies, more, err := past.appliesTo(ctx, "", n)
		if err != nil {
			return history.Apply{}, err
		}
		for _, a := range applies {
			if !a.Reverted && a.Undoes == "" {
				return past.Recorded(ctx, a.ID)
			}
		}
		if !more {
			return history.Apply{}, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "there is no apply that could be reverted")
		}
	}
}

// Recorded returns an apply with the contents of its files. The error is InvalidParams if the id is unknown.
func (past *Past) Recorded(ctx context.Context, id string) (history.Apply, error) {
	if past.store == nil {
		return history.Apply{}, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "there is no history")
	}
	record, err := past.store.Get(ctx, id)
	if errors.Is(err, history.ErrNotFound) || errors.Is(err, history.ErrAmbiguous) {
		return history.Apply{}, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "%v", err)
	}
	return record, err
}

// Settle makes the history agree with the files, in case another process was interrupted. It also looks at the text of
// open documents, because an editor may outlive its server.
func (past *Past) Settle(ctx context.Context) {
	if past.store == nil {
		return
	}
	asked := text.Each(past.folders.Opened(), func(f *workspace.Folder) string { return f.Dir })
	recovered, err := disk.Recover(past.stateDir, asked...)
	for _, r := range recovered {
		if left := r.Leftover(); left != "" {
			past.log.Warn(left)
		}
	}
	settled := apply.Settle(ctx, past.store, past.stateDir, slices.Concat(past.recovered, recovered), past.tree)
	if err := errors.Join(err, settled); err != nil {
		past.log.Error("an earlier interrupted change is not restored yet", zap.Error(err))
	}
}

// tree returns the files of a root as the editor shows them, or nil if its folder is not open.
func (past *Past) tree(root string) fs.FS {
	f := past.folders.At(root)
	if f == nil {
		return nil
	}
	return f.View(past.docs.Snapshot()).Tree
}

// historyEvery is the interval at which the server checks whether another process changed the history.
const historyEvery = time.Second

// Watch begins to watch for new entries of other windows, command lines and agents. `run` calls `changed` after each
// new entry until `ctx` ends. No entry that is added after Watch returns is missed.
func (past *Past) Watch(ctx context.Context, changed func()) (run func()) {
	if past.store == nil {
		return func() {}
	}
	warn := func(err error) {
		if ctx.Err() == nil {
			past.log.Warn("the history is not watched", zap.Error(err))
		}
	}
	until, err := past.store.Watch(ctx)
	if err != nil {
		warn(err)
		return func() {}
	}
	return func() { warn(until(historyEvery, changed)) }
}

// KeepLimits stores the limits that the person set for the history, for all processes with this history.
func (past *Past) KeepLimits(set settings.Settings) {
	if past.store == nil {
		return
	}
	err := errors.Join(past.store.SetLimits(context.Background(), apply.Limits(set)),
		past.store.SetKeepIgnored(context.Background(), set.HistoryIgnored))
	if err != nil {
		past.log.Warn("the limits of the history could not be enforced", zap.Error(err))
	}
}

// Conflicts returns a message with the files that have changed since an apply, at most 10 of them.
func Conflicts(conflicts []apply.Conflict) string {
	var b strings.Builder
	b.WriteString("Some files have been edited since this change")
	for i, c := range conflicts {
		if i == 10 {
			b.WriteString("; and others")
			break
		}
		b.WriteString("; " + c.Path + ": " + c.Why)
	}
	return b.String()
}

// Resources returns a function from the path of a file to its URI. The paths are relative to a root of the history.
func Resources(root string) func(path string) string {
	return func(rel string) string {
		u, _ := lspconv.URI(filepath.Join(root, filepath.FromSlash(rel)))
		return string(u)
	}
}
