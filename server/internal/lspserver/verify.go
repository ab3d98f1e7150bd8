package lspserver

import (
	"context"
	"io/fs"
	"slices"
	"time"

	"github.com/aptix-dev/aptix/server/internal/plan"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// patience is how long verification waits for the editor to tell of the
// documents that it edited: that can come after its answer to the edit.
const patience = 2 * time.Second

// afterRefusal is how long news of changes are waited for that an editor made
// although it said that it had not.
const afterRefusal = 500 * time.Millisecond

// A sight is how a file was found after an edit.
type sight int

const (
	stands    sight = iota // as planned
	unchanged              // as before, in an open document or, for a creation or deletion, on disk
	unseen                 // as before on disk, but the editor may hold it changed and unsaved
	begun                  // created, but empty: its text has not come, or is not saved
	differs                // neither: somebody else changed it
)

// sights are those of all files of a plan, in its order.
type sights struct {
	list  []plan.File
	found []sight
}

// verify looks at every file until all stand as planned, or patience ends. With
// nothing applied it only looks for what changed all the same.
func (s *Server) verify(ctx context.Context, f *folder, files []plan.File, applied bool) sights {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	if !applied {
		ctx, cancel = context.WithTimeout(ctx, afterRefusal)
		defer cancel()
	}
	var seen sights
	tick := time.NewTicker(quiet) // a file that is saved gives no sign here
	defer tick.Stop()
	for {
		snapshot, changed := s.docs.watch()
		seen = look(f.view(snapshot), files)
		if seen.all(stands) {
			return seen
		}
		select {
		case <-changed:
		case <-tick.C:
		case <-ctx.Done():
			return seen
		}
	}
}

func look(v view, files []plan.File) sights {
	seen := sights{list: files}
	for _, f := range files {
		seen.found = append(seen.found, sightOf(v, f))
	}
	return seen
}

func sightOf(v view, f plan.File) sight {
	if doc := v.open[f.Path]; doc != nil && f.After.Exists {
		return inBuffer(doc.Text, f)
	}
	data, err := fs.ReadFile(v.root.Tree(nil), f.Path)
	onDisk := plan.Content{Exists: err == nil, Data: string(data)}
	switch {
	case onDisk.Exists == f.After.Exists && onDisk.Data == f.After.Data:
		return stands
	case onDisk.Exists == f.Before.Exists && onDisk.Data == f.Before.Data:
		if f.After.Exists && f.Before.Exists {
			return unseen
		}
		return unchanged
	case f.Operation == plan.Create && onDisk.Data == "":
		return begun
	}
	return differs
}

// inBuffer compares texts. Line endings and BOM are the editor's own affair in a
// buffer: one that opens a file with mixed endings makes them all alike.
func inBuffer(now string, f plan.File) sight {
	switch {
	case sameText(now, f.After):
		return stands
	case f.Before.Exists && sameText(now, f.Before):
		return unchanged
	case !f.Before.Exists && now == "":
		return begun
	}
	return differs
}

func sameText(now string, c plan.Content) bool {
	want, _, err := text.Decode(c.Data)
	if err != nil {
		return false
	}
	return now == want || text.WithEOL(now, text.LF) == text.WithEOL(want, text.LF)
}

func (s sights) all(what sight) bool { return len(s.files(what)) == len(s.list) }

func (s sights) any(what ...sight) bool { return len(s.files(what...)) > 0 }

// partial reports whether an edit that was said to be applied left files as they
// were. What cannot be seen counts where the editor shows all that it touches.
func (s sights) partial(opensTouched bool) bool {
	return s.any(unchanged) || opensTouched && s.any(unseen, begun)
}

// files are those that were found in one of these ways.
func (s sights) files(what ...sight) []plan.File {
	var out []plan.File
	for i, f := range s.list {
		if slices.Contains(what, s.found[i]) {
			out = append(out, f)
		}
	}
	return out
}

func (s sights) paths(what ...sight) []string {
	out := []string{}
	for _, f := range s.files(what...) {
		out = append(out, f.Path)
	}
	return out
}
