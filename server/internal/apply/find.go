package apply

import (
	"context"
	"errors"
	"fmt"

	"github.com/aptix-dev/aptix/server/internal/history"
)

// Find returns the apply with an id, which may be shortened, including its contents. If id is
// "", it returns the last apply in dir that is in force. If dir is not "", the apply must
// belong to that root. The errors are those of [history.Store.Get] and [Last].
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

// Last returns the id of the most recently recorded apply of a reply to root that is in
// force. The error is [history.ErrNotFound] if there is none.
func Last(ctx context.Context, h *history.Store, root string) (string, error) {
	id, err := h.LastInForce(ctx, root)
	if errors.Is(err, history.ErrNotFound) {
		return "", fmt.Errorf("nothing to revert in %s: %w", root, history.ErrNotFound)
	}
	return id, err
}

// shortID is the length of an id in texts for people. Ids begin with their time, so two ids
// of the same moment differ only further on.
const shortID = 13

// ShortID returns an id in the form shown to people.
func ShortID(id string) string { return id[:min(len(id), shortID)] }
