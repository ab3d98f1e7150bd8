package lspserver

import (
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"
	"time"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/uri"
	"go.uber.org/zap"

	aptix "github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/apply"
	"github.com/aptix-dev/aptix/server/internal/disk"
	"github.com/aptix-dev/aptix/server/internal/escape"
	"github.com/aptix-dev/aptix/server/internal/history"
	"github.com/aptix-dev/aptix/server/internal/lspserver/workspace"
	"github.com/aptix-dev/aptix/server/internal/plan"
	"github.com/aptix-dev/aptix/server/internal/settings"
	"github.com/aptix-dev/aptix/server/internal/text"
)

func (s *Server) history(ctx context.Context, p *aptix.HistoryParams) (aptix.History, error) {
	h := aptix.History{Entries: []aptix.HistoryEntry{}}
	if s.config.History == nil {
		return h, nil
	}
	s.settleHistory(ctx)
	limit := p.Limit
	if p.Words != "" || p.Changed != "" || p.After != "" {
		limit = 0
	}
	applies, err := s.latest(ctx, p.URI, limit)
	if err != nil {
		return h, err
	}
	again := reapplies(applies)
	applies = filtered(p, applies)
	if p.Limit > 0 {
		applies = applies[:min(p.Limit, len(applies))]
	}
	if h.Entries, err = s.entries(ctx, applies); err != nil {
		return h, err
	}
	for i, e := range h.Entries {
		h.Entries[i].Again = again[e.ID]
	}
	if p.After != "" {
		h.Clash, h.Why, err = s.firstClash(ctx, applies)
	}
	return h, err
}

// firstClash finds the first apply in the list that could not be reverted, even after all applies before it in the
// list are reverted. It also returns the reason. All applies in the list have the same root.
func (s *Server) firstClash(ctx context.Context, applies []history.Apply) (id, why string, err error) {
	if len(applies) == 0 {
		return "", "", nil
	}
	tree := s.seen(applies[0].Root)
	if tree == nil {
		// Each revert will report that its folder is not open.
		return "", "", nil
	}
	whole := make([]history.Apply, len(applies))
	for i, a := range applies {
		if whole[i], err = s.recorded(ctx, a.ID); err != nil {
			return "", "", err
		}
	}
	at, conflicts, err := apply.FirstClash(ctx, whole, tree)
	if err != nil || at < 0 {
		return "", "", err
	}
	return applies[at].ID, escape.Message(conflictsText(conflicts)), nil
}

func (s *Server) historyEntry(ctx context.Context, p *aptix.HistoryEntryParams) (aptix.History, error) {
	h := aptix.History{Entries: []aptix.HistoryEntry{}}
	if s.config.History == nil {
		return h, nil
	}
	record, err := s.toRevert(ctx, p.ID)
	if unknown := (*jsonrpc2.Error)(nil); errors.As(err, &unknown) {
		return h, nil
	}
	if err != nil {
		return h, err
	}
	h.Entries, _, err = apply.Entries(ctx, []history.Apply{record}, s.seen)
	return h, err
}

// reapplies returns the ids of the entries that reverted a revert, so that a reply was in force again. Reverting such
// an entry takes back the reply. The list `applies` is sorted, with the latest first.
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

// latest returns at least the `limit` latest applies, and all earlier applies that these take back. A limit of 0 means
// all applies. Several queries may be needed, because each query also counts applies to other folders.
func (s *Server) latest(ctx context.Context, u string, limit int) ([]history.Apply, error) {
	for n := limit; ; n *= 2 {
		applies, more, err := s.appliesTo(ctx, u, n)
		if err != nil || !more || len(applies) >= limit && holdUndone(applies, limit) {
			return applies, err
		}
	}
}

// holdUndone reports whether the list contains every apply that its first n applies take back, directly or through
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

// appliesTo returns the applies to the workspace folder of document u, latest first. If u is "", it returns the applies
// to every open folder. It looks only at the latest `limit` applies to any folder, or at all applies if the limit is 0.
// `more` reports whether there may be earlier applies. An apply to a folder inside a workspace folder is included,
// because an ap patch may be applied there.
func (s *Server) appliesTo(ctx context.Context, u string, limit int) (applies []history.Apply, more bool, err error) {
	folders := s.folders.Opened()
	if u != "" {
		folders = folders[:0]
		if f := s.folders.Innermost(uri.URI(u)); f != nil {
			folders = append(folders, f)
		}
	}
	all, err := s.config.History.List(ctx, "", limit)
	more = limit > 0 && len(all) == limit
	return slices.DeleteFunc(all, func(a history.Apply) bool {
		return !slices.ContainsFunc(folders, func(f *workspace.Folder) bool { _, in := f.Relative(a.Root); return in })
	}), more, err
}

// historyFiles answers aptix/historyFiles: it stores the texts of the files before and after an apply as virtual
// documents.
func (s *Server) historyFiles(ctx context.Context, p *aptix.HistoryFilesParams) (aptix.PreviewResult, error) {
	if !p.Revert {
		shown, err := s.applied(ctx, p.ID)
		return s.inDocuments(shown), err
	}
	record, err := s.recorded(ctx, p.ID)
	if err != nil {
		return aptix.PreviewResult{}, err
	}
	files, clashes, message, err := s.wouldRevert(ctx, record, p.Merge)
	if err != nil {
		return aptix.PreviewResult{}, err
	}
	shown := aptix.PreviewResult{Title: "Aptix: revert " + escape.Line(record.Label), Message: escape.Message(message)}
	back := showing{shown, files, resourceIn(record.Root)}
	r := s.inDocuments(back)
	for _, base := range s.virtual(clashes, back.resource) {
		for i := range r.Files {
			if r.Files[i].Resource == base.Resource {
				r.Files[i].Base = base.Left
			}
		}
	}
	return r, nil
}

// wouldRevert returns the changes that reverting an apply would make. If `merge` is true, these are the changes of all
// files. Otherwise `files` has only the files that nobody has edited since the apply, and the files whose later edits
// clash with the revert. The latter are also in `clashes`, as they were just after the apply. The message names all
// other files.
func (s *Server) wouldRevert(ctx context.Context, record history.Apply, merge bool) (files, clashes []plan.File, message string, err error) {
	f := s.folders.At(record.Root)
	if f == nil {
		return nil, nil, record.Root + " is not open in this window", nil
	}
	back, err := apply.PlanRevert(ctx, record, f.View(s.docs.Snapshot()).Tree)
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
		message = conflictsText(back.Conflicts)
	} else if len(files) == 0 {
		message = "Nothing to change: the files are as before"
	}
	return files, clashes, message, nil
}

// recorded returns an apply with the contents of its files. If the id is unknown, the error is InvalidParams.
func (s *Server) recorded(ctx context.Context, id string) (history.Apply, error) {
	if s.config.History == nil {
		return history.Apply{}, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "there is no history")
	}
	record, err := s.config.History.Get(ctx, id)
	if errors.Is(err, history.ErrNotFound) || errors.Is(err, history.ErrAmbiguous) {
		return history.Apply{}, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "%v", err)
	}
	return record, err
}

// settleHistory makes the history agree with the files, in case another process was interrupted. It also looks at the
// text of open documents, because an editor may outlive its server.
func (s *Server) settleHistory(ctx context.Context) {
	if s.config.History == nil {
		return
	}
	asked := text.Each(s.folders.Opened(), func(f *workspace.Folder) string { return f.Dir })
	recovered, err := disk.Recover(s.config.StateDir, asked...)
	for _, r := range recovered {
		if left := r.Leftover(); left != "" {
			s.conn.Log().Warn(left)
		}
	}
	settled := apply.Settle(ctx, s.config.History, s.config.StateDir, slices.Concat(s.config.Recovered, recovered), s.seen)
	if err := errors.Join(err, settled); err != nil {
		s.conn.Log().Error("an earlier interrupted change is not restored yet", zap.Error(err))
	}
}

func (s *Server) seen(root string) fs.FS {
	f := s.folders.At(root)
	if f == nil {
		return nil
	}
	return f.View(s.docs.Snapshot()).Tree
}

// historyEvery is the interval at which the server checks whether another process changed
// the history.
const historyEvery = time.Second

// watchHistory begins to tell the editor about new entries of other windows, command lines and agents. These entries also
// change which replies count as applied. No entry is missed, because the server reads its first message after this call.
func (s *Server) watchHistory(ctx context.Context) {
	if s.config.History == nil {
		return
	}
	warn := func(err error) {
		if ctx.Err() == nil {
			s.conn.Log().Warn("the history is not watched", zap.Error(err))
		}
	}
	until, err := s.config.History.Watch(ctx)
	if err != nil {
		warn(err)
		return
	}
	s.spawn(func() {
		warn(until(historyEvery, func() {
			s.tellHistory(ctx)
			s.touch()
		}))
	})
}

func (s *Server) tellHistory(ctx context.Context) {
	// A reply that was applied or reverted now needs other lenses.
	s.touch()
	if !s.greeted.Load() {
		return
	}
	if err := s.editor.HistoryChanged(ctx); err != nil {
		s.conn.Log().Warn("the editor could not be notified of a change of the history", zap.Error(err))
	}
}

// keepLimits stores the limits that the person set for the history. All processes with this history obey them.
func (s *Server) keepLimits(set settings.Settings) {
	if s.config.History == nil {
		return
	}
	err := errors.Join(s.config.History.SetLimits(context.Background(), apply.Limits(set)),
		s.config.History.SetKeepIgnored(context.Background(), set.HistoryIgnored))
	if err != nil {
		s.conn.Log().Warn("the limits of the history could not be enforced", zap.Error(err))
	}
}

// conflictsText returns a message with the files that have changed since an apply, at most 10 of them.
func conflictsText(conflicts []apply.Conflict) string {
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
