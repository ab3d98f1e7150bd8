package check

import (
	"context"
	"fmt"
	"time"

	"github.com/aptix-dev/aptix/server/internal/disk"
	"github.com/aptix-dev/aptix/server/internal/history"
	"github.com/aptix-dev/aptix/server/internal/plan"
)

// Earlier is [Where.Earlier] by a history, if there is one, and then by git: for the folder
// at root, which need not be the top of a repository.
func Earlier(h *history.Store, root string) func(ctx context.Context, path string) ([]plan.Earlier, error) {
	return func(ctx context.Context, path string) ([]plan.Earlier, error) {
		var all []plan.Earlier
		if h != nil {
			versions, err := h.Versions(ctx, root, path)
			if err != nil {
				return nil, err
			}
			for _, v := range versions {
				all = append(all, plan.Earlier{Data: v.Data, Name: fmt.Sprintf("the apply %.8s, %s", v.Apply, age(time.Since(v.Time)))})
			}
		}
		for _, v := range disk.Versions(ctx, root, path) {
			name := "the git index"
			if v.Commit != "" {
				name = fmt.Sprintf("%s, %s", v.Commit, age(time.Since(v.Time)))
			}
			all = append(all, plan.Earlier{Data: v.Data, Name: name})
		}
		return all, ctx.Err()
	}
}

// age is how long ago something was, in the largest unit.
func age(d time.Duration) string {
	for _, u := range []struct {
		name string
		size time.Duration
	}{{"year", 365 * 24 * time.Hour}, {"month", 30 * 24 * time.Hour}, {"week", 7 * 24 * time.Hour}, {"day", 24 * time.Hour}, {"hour", time.Hour}, {"minute", time.Minute}} {
		switch n := int(d / u.size); {
		case n == 1:
			return "1 " + u.name + " ago"
		case n > 1:
			return fmt.Sprintf("%d %ss ago", n, u.name)
		}
	}
	return "just now"
}
