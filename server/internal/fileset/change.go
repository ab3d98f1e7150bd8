package fileset

import (
	"context"

	"github.com/aptix-dev/aptix/server/internal/text"
)

// A Change describes the effect of an apply on a file. Before and After are the bytes on disk. For a file that is open
// in an editor, they are the bytes that saving the buffer will write.
type Change struct {
	DocPath       string
	Before, After text.Content
	// Saved is the file on disk before the apply, if Before was a buffer with unsaved changes to that file.
	Saved text.Content
}

// Upload updates the set after an apply (rule R32), completely or not at all. For each file, the effect depends on the
// content in the set:
//
//   - After: Upload changes nothing.
//   - Before, Saved, or no file: Upload writes After, or deletes the file.
//   - Any other content: Upload returns a [*ConflictError].
func (s *Set) Upload(ctx context.Context, source string, changes []Change) error {
	_, err := s.put(ctx, source, text.Each(changes, Change.upload))
	return err
}

func (c Change) upload() upload {
	u := upload{docPath: c.DocPath, mayReplace: c.startedFrom}
	if c.Before.Exists {
		u.base.SHA256 = text.SumHex(c.Before.Data)
	}
	if c.After.Exists {
		u.content, u.sha256 = c.After.Data, text.SumHex(c.After.Data)
	}
	return u
}

func (c Change) startedFrom(e Entry) bool {
	return !e.Holds() || holds(c.Before, e) || holds(c.Saved, e)
}

func holds(c text.Content, e Entry) bool { return c.Exists && text.SumHex(c.Data) == e.SHA256 }
