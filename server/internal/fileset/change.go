package fileset

import (
	"context"

	"github.com/aptix-dev/aptix/server/internal/text"
)

// A Change is what an apply did to a file. Its contents are the bytes as they are
// on disk, or will be once an open buffer is saved.
type Change struct {
	DocPath       string
	Before, After text.Content
	// Saved is the file on disk before the apply, where Before was an open buffer
	// with changes of its own: what a person typed was made from it.
	Saved text.Content
}

// Upload brings the set up to what an apply did (rule R32), all of it or
// nothing: a file that the set does not hold is made, and one that is Before or Saved
// there is replaced or deleted. One that is After is done. Any other is a
// [*ConflictError], and is never overwritten.
func (s *Set) Upload(ctx context.Context, source string, changes []Change) error {
	uploads := make([]upload, len(changes))
	for i, c := range changes {
		uploads[i] = c.upload()
	}
	_, err := s.put(ctx, source, uploads)
	return err
}

func (c Change) upload() upload {
	u := upload{docPath: c.DocPath, mayReplace: c.startedFrom}
	if c.Before.Exists {
		u.base.SHA256 = sum(c.Before.Data)
	}
	if c.After.Exists {
		u.content, u.sha256 = c.After.Data, sum(c.After.Data)
	}
	return u
}

func (c Change) startedFrom(e Entry) bool {
	return !e.Holds() || holds(c.Before, e) || holds(c.Saved, e)
}

// holds reports whether c is just what the set has.
func holds(c text.Content, e Entry) bool { return c.Exists && sum(c.Data) == e.SHA256 }
