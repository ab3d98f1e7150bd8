package disk

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/aptix-dev/aptix/server/internal/git"
	"github.com/aptix-dev/aptix/server/internal/parallel"
	"github.com/aptix-dev/aptix/server/internal/protect"
)

// Protected returns the paths that may be changed only if a person agrees. All paths are relative to the root. These
// files need agreement:
//
//   - the files in the table of package protect, and those in `more`
//   - files to which a link leads whose name is in the table or in `more`, and files that git's configuration names
//   - files that git ignores, now or by the rules of the last commit
//   - everything in a repository if git fails
//
// If the root is inside a working tree, the names of the folders above the root are checked, too. `through` maps a path
// to the names in a reply that lead to it through links. If any of these names is protected, the path is protected,
// too. The only possible error is the error of `ctx`.
func (r *Root) Protected(ctx context.Context, paths []string, through map[string][]string, more []string) (map[string]protect.Protection, error) {
	above, top, outside := r.belowTop()
	twins := r.twins(paths)
	var protected map[string]protect.Protection
	var led *linked
	var named git.Names
	group, ctx := parallel.WithContext(ctx, 2)
	group.Go(func() (err error) { protected, err = git.Protected(ctx, r.dir, paths); return err })
	group.Go(func() (err error) {
		if led, err = newLinked(ctx, top, more, git.Around(top), len(twins) > 0, mostListed); err == nil {
			named, err = git.ReadNames(ctx, top, led.repositories)
		}
		return err
	})
	if err := group.Wait(); err != nil {
		return nil, err
	}
	for _, p := range paths {
		reason := protect.Reason(path.Join(above, p), more)
		if reason == "" && outside != "" {
			reason = protect.Reason(path.Join(outside, p), nil)
		}
		for _, written := range through[p] {
			if why := protect.Reason(path.Join(above, written), more); why != "" && reason == "" {
				reason = written + " leads to it; " + why
			}
		}
		if reason == "" {
			reason = cmp.Or(led.reason(path.Join(above, p)), led.twin(twins[p]))
		}
		if known := protected[p]; reason == "" && (known.Reason == "" || known.Ignored) {
			reason = named.Reason(filepath.Join(r.dir, filepath.FromSlash(p)))
		}
		if reason != "" {
			protected[p] = protect.Protection{Reason: reason, Ignored: protected[p].Ignored}
		}
	}
	return protected, nil
}

// belowTop returns the top of the working tree that contains the root, and the path `from` of the root below the top,
// or "" for the top itself. If the root is .github/workflows, its file x.yml is as sensitive as
// .github/workflows/x.yml. If the root is not in a repository, `outside` is the whole path of the root, because each
// folder on it may be protected.
func (r *Root) belowTop() (from, top, outside string) {
	repo, err := git.RepositoryOf(r.dir)
	switch {
	case errors.Is(err, git.ErrNone):
		return "", r.dir, filepath.ToSlash(r.dir)
	case err != nil:
		return "", r.dir, ""
	}
	return repo.From(r.dir), repo.Top, ""
}

func (r *Root) twins(paths []string) map[string]fs.FileInfo {
	twins := map[string]fs.FileInfo{}
	for _, p := range paths {
		name := filepath.Join(r.dir, filepath.FromSlash(p))
		if info, err := os.Lstat(name); err == nil && info.Mode().IsRegular() && hasTwins(name, info) {
			twins[p] = info
		}
	}
	return twins
}
