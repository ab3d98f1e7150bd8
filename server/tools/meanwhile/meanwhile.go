// Package meanwhile simulates other programs and people that use the same files during a
// test.
package meanwhile

import (
	"context"
	"errors"
	"sync"
	"testing"

	"github.com/aptix-dev/aptix/server/internal/disk"
	"github.com/aptix-dev/aptix/server/internal/fileset"
	"github.com/aptix-dev/aptix/server/tools/postgrestest"
)

// Hold starts another change in the folder `dir` and stops it halfway. The change holds the lock of the folder until
// `free` is called. In the file `name`, it replaces the content `before` with the content `after`.
func Hold(t testing.TB, dir, stateDir, name, before, after string) (free func()) {
	t.Helper()
	root, err := disk.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	held, freed, done := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	go func() {
		_, err := root.Commit(context.Background(), stateDir, disk.Transaction{ID: "other",
			Ops:   []disk.Op{{Path: name, Before: &disk.File{Data: before, Mode: 0o644}, After: &disk.File{Data: after, Mode: 0o644}}},
			Ready: func() error { close(held); <-freed; return nil }})
		done <- err
	}()
	<-held
	return sync.OnceFunc(func() {
		close(freed)
		if err := errors.Join(<-done, root.Close()); err != nil {
			t.Error(err)
		}
	})
}

// Other is the name of the user who uploads files in a test.
const Other = "a colleague"

// A Shared is a file set that other users use, too.
type Shared struct {
	*fileset.Set
	URL string
	t   testing.TB
}

// Share opens an empty shared file set. It skips the test if PostgreSQL is missing, as
// [postgrestest.URL] does.
func Share(t testing.TB) Shared {
	t.Helper()
	url := postgrestest.URL(t)
	set, err := fileset.Open(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = set.Close() })
	return Shared{set, url, t}
}

// Upload uploads the next revision of a file as [Other].
func (s Shared) Upload(key, content string) {
	s.t.Helper()
	known, err := s.Known(s.t.Context(), []string{key})
	if err != nil {
		s.t.Fatal(err)
	}
	upload := fileset.Upload{DocPath: key, Base: fileset.Base{Revision: known[key].Revision}, Content: content}
	if _, err := s.Put(s.t.Context(), Other, []fileset.Upload{upload}); err != nil {
		s.t.Fatal(err)
	}
}

// Has checks the content and the uploader of a file. If `content` is "", the file must not exist.
func (s Shared) Has(key, content, by string) {
	s.t.Helper()
	held, err := s.Get(s.t.Context(), key)
	if content == "" && errors.Is(err, fileset.ErrNotFound) {
		return
	}
	if err != nil || held.Content != content || held.UpdatedBy != by {
		s.t.Errorf("the set has %q by %s of %s, want %q by %s: %v", held.Content, held.UpdatedBy, key, content, by, err)
	}
}
