package disk

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/aptix-dev/aptix/server/internal/parallel"
)

// gitNames holds the files that the configurations of several repositories name. A
// repository may name files outside of its working tree.
type gitNames struct {
	configs []gitConfig
	unknown string // reason why some configuration could not be read; "" if all could
}

// readNames asks git for the configurations of repositories. An error is ctx's.
func readNames(ctx context.Context, repositories map[string]repository) (gitNames, error) {
	short, cancel := context.WithTimeout(ctx, gitTime)
	defer cancel()
	tops := slices.Sorted(maps.Keys(repositories))
	configs := make([][]gitConfig, len(tops))
	reasons := make([]string, len(tops))
	group := parallel.New(4)
	for i, top := range tops {
		group.Go(func() error {
			r := repositories[top]
			var err error
			if configs[i], err = r.named(short); err != nil {
				a := answer{repository: r}
				reasons[i] = "git could not say whether it runs or reads the file: " + a.shown(err)
			}
			return nil
		})
	}
	_ = group.Wait()
	names := gitNames{configs: slices.Concat(configs...)}
	if short.Err() != nil {
		names.unknown = "git could not say whether it runs or reads the file: " + errSlowGit.Error()
	}
	for _, reason := range reasons {
		names.unknown = cmp.Or(names.unknown, reason)
	}
	return names, ctx.Err()
}

// reason returns why a file is protected, or "".
func (n gitNames) reason(file string) string {
	resolved := real(file)
	for i := range n.configs {
		if reason := n.configs[i].reason(file, resolved); reason != "" {
			return reason
		}
	}
	return n.unknown
}
