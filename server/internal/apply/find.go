package apply

import (
	"context"
	"errors"
	"fmt"

	"github.com/aptix-dev/aptix/server/internal/history"
)

// Find is the apply of an id, which may be shortened, with its contents; for "" the last
// one in dir that is in force. dir is the root that it has to be in, "" for any. The
// errors are those of [history.Store.Get], and [Last].
func Find(ctx context.Context, h *history.Store, id, dir string) (history.Apply, error) {
	if id == "" {
		last, err := Last(ctx, h, dir)
		if err != nil {
			return history.Apply{}, err
		}
		id = last
	}
	apply, err := h.Get(ctx, id)
	if err == nil && dir != "" && apply.Root != dir {
		err = fmt.Errorf("%s was applied in %s, not in %s", id, apply.Root, dir)
	}
	return apply, err
}

// Last is the id of the apply of a reply to root that was recorded last and is in
// force. The error is [history.ErrNotFound] where there is none.
func Last(ctx context.Context, h *history.Store, root string) (string, error) {
	id, err := h.LastInForce(ctx, root)
	if errors.Is(err, history.ErrNotFound) {
		return "", fmt.Errorf("nothing to revert in %s: %w", root, history.ErrNotFound)
	}
	return id, err
}

// shortID is how much of an id people see. Ids begin with their time, so that those
// of one moment differ only after it.
const shortID = 13

// ShortID is an id as people see it.
func ShortID(id string) string { return id[:min(len(id), shortID)] }
