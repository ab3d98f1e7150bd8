package lspserver_test

import (
	"context"
	"io"
	"strings"
	"testing"

	"go.uber.org/zap"

	"github.com/aptix-dev/aptix/server/internal/history"
	"github.com/aptix-dev/aptix/server/internal/lspserver"
	"github.com/aptix-dev/aptix/server/tools/lsptest"
	"github.com/aptix-dev/aptix/server/tools/meanwhile"
)

// If the history fails in any way while an editor is open, replies are still shown and applied, and the answer says
// that an apply is not recorded. After the next start, the history works again.
func TestHistoryFaults(t *testing.T) {
	for _, fault := range meanwhile.HistoryFaults {
		t.Run(fault.Name, func(t *testing.T) {
			t.Parallel()
			dir, state := t.TempDir(), t.TempDir()
			c := openWith(t, dir, state)
			c.Editor.WriteDisk("a.txt", "one\n")
			openReply(c, bundle(patch("a.txt", "one", "two")))
			if r := apply(t, c, nil); !r.Applied || len(r.Warnings) > 0 {
				t.Fatalf("before: %+v", r)
			}
			fault.Happen(t, meanwhile.HistoryFile(state))
			c.Editor.OpenText("untitled:next.md", "markdown", bundle(patch("a.txt", "two", "three")))
			r := applyIn(t, c, "untitled:next.md", nil)
			if !r.Applied || !r.Verified || strings.Contains(r.Message, "the history did not record it") == fault.Records {
				t.Errorf("got %+v", r)
			}
			shows(t, c, map[string]string{"a.txt": "three\n"})
			c.Editor.SaveAll()
			if fault.Locks {
				return // the fault lasts until the test ends
			}
			next := openWith(t, dir, state)
			next.Editor.OpenText("untitled:third.md", "markdown", bundle(patch("a.txt", "three", "four")))
			if r := applyIn(t, next, "untitled:third.md", nil); !r.Applied {
				t.Errorf("after the next start: %+v", r)
			}
		})
	}
}

// openWith starts a server with the history of a state folder.
func openWith(t *testing.T, dir, state string) *lsptest.Client {
	t.Helper()
	store, err := history.Open(state)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	c := lsptest.Start(t, dir, func(rwc io.ReadWriteCloser) int {
		return lspserver.Serve(context.Background(), rwc, lspserver.Config{Version: "test", Log: zap.NewNop(), History: store, StateDir: state})
	})
	c.Initialize()
	return c
}
