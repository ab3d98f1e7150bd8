package git

import (
	"cmp"
	"context"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/aptix-dev/aptix/server/internal/fspath"
	"github.com/aptix-dev/aptix/server/internal/parallel"
)

// Names has the files that the configurations of several repositories name. These files may be outside of the working
// trees.
type Names struct {
	configs []configuration
	unknown string            // why a configuration could not be read; "" if all could be read
	folders map[string]string // folders[dir] is the folder `dir` with links resolved, if a new file in it was looked up
}

// ReadNames runs git to read the configurations of repositories, or only the person's configuration if there is no
// repository in or around the folder `top`. The result includes the folders of PATH, so that they are protected, too.
// The only possible error is the error of `ctx`.
func ReadNames(ctx context.Context, top string, repositories map[string]Repository) (Names, error) {
	short, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	if len(repositories) == 0 {
		repositories = map[string]Repository{top: {Top: top}}
	}
	tops := slices.Sorted(maps.Keys(repositories))
	configs := make([][]configuration, len(tops))
	reasons := make([]string, len(tops))
	shared := sharedEntries(short)
	group := parallel.New(4)
	for i, top := range tops {
		group.Go(func() error {
			r := repositories[top]
			var err error
			if configs[i], err = r.named(short, shared); err != nil && r.Dir != "" {
				a := answer{Repository: r}
				reasons[i] = "git could not say whether it runs or reads the file: " + a.shown(err)
			}
			return nil
		})
	}
	_ = group.Wait()
	path := configuration{named: map[string]string{}}
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		if dir = LeadsTo(top, dir); !fspath.Contains(dir, top) {
			path.name(dir, "programs in its folder run by their names (PATH)")
		}
	}
	names := Names{configs: append(slices.Concat(configs...), path), folders: map[string]string{}}
	if short.Err() != nil {
		names.unknown = "git could not say whether it runs or reads the file: " + errSlow.Error()
	}
	for _, reason := range reasons {
		names.unknown = cmp.Or(names.unknown, reason)
	}
	return names, ctx.Err()
}

// Reason returns the reason why a file is protected, or "". If a configuration could not be read, every file is
// protected.
func (n Names) Reason(file string) string {
	resolved := n.real(file)
	for i := range n.configs {
		if reason := n.configs[i].reason(file, resolved); reason != "" {
			return reason
		}
	}
	return n.unknown
}

// real is [fspath.Real], but resolves the folder of new files only once.
func (n Names) real(file string) string {
	if _, err := os.Lstat(file); err == nil {
		return fspath.Real(file)
	}
	dir, name := filepath.Split(file)
	if n.folders[dir] == "" {
		n.folders[dir] = fspath.Real(dir)
	}
	return filepath.Join(n.folders[dir], name)
}
