package apply

import (
	"context"
	"errors"
	"fmt"

	"github.com/aptix-dev/aptix/server/internal/history"
)

// Find returns an apply with its contents. `id` may be shortened. If it is "", Find returns the last apply in `dir`
// that is in force. If `dir` is not "", the apply must belong to that root. It returns the errors of
// [history.Store.Get] and [Last].
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

// Last returns the id of the latest apply in `root` that is in force, or the error [history.ErrNotFound].
func Last(ctx context.Context, h *history.Store, root string) (string, error) {
	id, err := h.LastInForce(ctx, root)
	if errors.Is(err, history.ErrNotFound) {
		return "", fmt.Errorf("nothing to revert in %s: %w", root, history.ErrNotFound)
	}
	return id, err
}

// shortID is the number of characters of an id that people see. The characters are the time at which the id was made,
// to the millisecond.
const shortID = 13

// ShortID returns an id as it is shown to people.
func ShortID(id string) string { return id[:min(len(id), shortID)] }
