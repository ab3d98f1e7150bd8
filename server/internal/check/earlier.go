package check

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"syscall"
	"time"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/fspath"
	"github.com/aptix-dev/aptix/server/internal/git"
	"github.com/aptix-dev/aptix/server/internal/history"
	"github.com/aptix-dev/aptix/server/internal/plan"
	"github.com/aptix-dev/aptix/server/internal/sqlitefile"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// Earlier returns a function for [Where.Earlier], for the folder at root. It finds contents in the history, if there is
// a history, and in git. The folder need not be the top of a repository.
func Earlier(h *history.Store, root string) plan.EarlierFunc {
	return func(ctx context.Context, path string) ([]plan.Earlier, error) {
		var all []plan.Earlier
		if h != nil {
			versions, err := h.Versions(ctx, root, path)
			if err != nil {
				return nil, err
			}
			for _, v := range versions {
				all = append(all, plan.Earlier{Data: v.Data, Name: fmt.Sprintf("the earlier change %.8s, %s", v.Apply, Age(time.Since(v.Time)))})
			}
		}
		for _, v := range git.Versions(ctx, root, path) {
			name := "the git index"
			if v.Commit != "" {
				name = fmt.Sprintf("%s, %s", v.Commit, Age(time.Since(v.Time)))
			}
			all = append(all, plan.Earlier{Data: v.Data, Name: name})
		}
		return all, ctx.Err()
	}
}

// Age formats a duration in the largest unit: `2 days ago`.
func Age(d time.Duration) string {
	for _, u := range []struct {
		name string
		size time.Duration
	}{{"year", 365 * 24 * time.Hour}, {"month", 30 * 24 * time.Hour}, {"week", 7 * 24 * time.Hour}, {"day", 24 * time.Hour}, {"hour", time.Hour}, {"minute", time.Minute}} {
		if n := int(d / u.size); n > 0 {
			return format.Count(n, u.name) + " ago"
		}
	}
	return "just now"
}

// nameEarlier finds the earlier content that a block was written for, and names it in the diagnostics about missing
// passages. The diagnostics also say whether the change can be merged.
func (r *Result) nameEarlier(ctx context.Context, where Where) error {
	where.Earlier = once(where.Earlier)
	if any, err := r.hasEarlier(ctx, where); err != nil || !any {
		// Without earlier contents, a second plan would give the same result.
		return err
	}
	merged, err := Repair(ctx, r.Documents, where)
	if err != nil || len(merged.Blocks) != len(r.Blocks) {
		return err
	}
	for i := range r.Blocks {
		b := &r.Blocks[i]
		for _, d := range merged.Blocks[i].Diagnostics {
			switch d.Code {
			case diag.BaseRecovered:
				b.nameBase(d)
			case diag.BaseConflict:
				b.addConflict(d)
			}
		}
	}
	return nil
}

// mostEarlier limits the earlier contents that a check keeps for all files together, in bytes.
const mostEarlier = 64 << 20

// once caches the earlier contents of each file. After mostEarlier bytes, the returned function finds no contents for
// further files.
func once(earlier plan.EarlierFunc) plan.EarlierFunc {
	known, left := map[string][]plan.Earlier{}, mostEarlier
	return func(ctx context.Context, path string) ([]plan.Earlier, error) {
		if all, ok := known[path]; ok || left <= 0 {
			return all, nil
		}
		all, err := earlier(ctx, path)
		if err == nil {
			known[path] = all
			for _, e := range all {
				left -= len(e.Data)
			}
		}
		return all, err
	}
}

func (r *Result) hasEarlier(ctx context.Context, where Where) (bool, error) {
	for _, b := range r.Blocks {
		for _, f := range b.Files {
			if f.State != plan.Failed {
				continue
			}
			if all, err := where.Earlier(ctx, f.Path); err != nil || len(all) > 0 {
				return len(all) > 0, err
			}
		}
	}
	return false, nil
}

// nameBase names the earlier content of a file in the diagnostics about its missing passages.
func (b *Block) nameBase(merged diag.Diagnostic) {
	said := fmt.Sprintf("; the earlier text of %s has it: `--fix` makes the change in that text, and merges the result with the current text", merged.Base)
	for i := range b.Diagnostics {
		if d := &b.Diagnostics[i]; d.Passage != "" && d.Path == merged.Path {
			d.Base = merged.Base
			d.Message += said
			said = "" // only the first message includes this sentence
		}
	}
}

// addConflict adds `d`, which says that a change cannot be merged, below the diagnostic about the first missing
// passage.
func (b *Block) addConflict(d diag.Diagnostic) {
	i := slices.IndexFunc(b.Diagnostics, func(o diag.Diagnostic) bool { return o.Passage != "" && o.Path == d.Path })
	if i >= 0 {
		d.Span = b.Diagnostics[i].Span
		b.Diagnostics = slices.Insert(b.Diagnostics, i+1, d)
	}
}

// A Past gives access to the history of a folder. Without a history, it is the zero value.
type Past struct {
	History *history.Store // the history to search, and to record the apply in
	Root    string         // the path of the folder, as the history writes it
	// Await makes a check wait for other processes that are just applying the same blocks. These processes write the
	// files before they record the apply.
	Await bool
}

// appliedMeanwhile reports whether another process has applied the blocks with this key since the check last looked at
// the history.
func (p Past) appliedMeanwhile(ctx context.Context, tree fs.FS, key string) (bool, error) {
	if !p.Await || p.History == nil || key == "" {
		return false, nil
	}
	if err := p.History.Await(ctx, p.Root, key); err != nil && !sqlitefile.Damaged(err) {
		return false, err
	}
	standing, err := p.Standing(ctx, tree, key)
	return known(standing), err
}

// Standing looks for an earlier apply of exactly the blocks with this key, and returns the files that it changed, with
// their current state. A damaged history counts as empty.
func (p Past) Standing(ctx context.Context, tree fs.FS, key string) (map[string]history.Standing, error) {
	if p.History == nil {
		return nil, nil
	}
	return p.standing(ctx, tree, key, p.History.Standing)
}

type standingFunc func(ctx context.Context, root, key string, current func(path string) (text.Content, error)) (map[string]history.Standing, error)

func (p Past) standing(ctx context.Context, tree fs.FS, key string, of standingFunc) (map[string]history.Standing, error) {
	standing, err := of(ctx, p.Root, key, func(path string) (text.Content, error) {
		now, err := Current(tree, path)
		if fspath.Unusable(err) { // another program wrote the path
			return text.Content{}, nil
		}
		return now, err
	})
	if sqlitefile.Damaged(err) {
		return nil, nil
	}
	return standing, err
}

// Current returns the content of a path as a history records it: the bytes of a file, the target of a link, or the mode
// of a folder. Anything else counts as missing. A file larger than [plan.MaxFile] is not read. Its type is
// [fs.ModeIrregular], which no record has.
func Current(tree fs.FS, path string) (text.Content, error) {
	info, err := fs.Lstat(tree, path)
	if fspath.Missing(err) || errors.Is(err, syscall.ELOOP) {
		return text.Content{}, nil
	}
	if err != nil {
		return text.Content{}, err
	}
	switch mode := info.Mode(); {
	case mode.IsRegular() && info.Size() > plan.MaxFile:
		return text.Content{Exists: true, Mode: fs.ModeIrregular}, nil
	case mode.IsRegular():
		data, err := fs.ReadFile(tree, path)
		return text.Content{Exists: true, Data: string(data), Mode: mode.Perm()}, err
	case mode.Type() == fs.ModeSymlink:
		target, err := fs.ReadLink(tree, path)
		return text.Content{Exists: true, Data: target, Mode: fs.ModeSymlink}, err
	case mode.IsDir():
		return text.Content{Exists: true, Mode: mode & (fs.ModeDir | fs.ModePerm)}, nil
	}
	return text.Content{}, nil
}
