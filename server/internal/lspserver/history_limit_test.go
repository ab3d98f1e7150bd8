package lspserver_test

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"go.uber.org/zap"

	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/history"
	"github.com/aptix-dev/aptix/server/internal/lspserver"
	"github.com/aptix-dev/aptix/server/internal/text"
	"github.com/aptix-dev/aptix/server/tools/lsptest"
	"github.com/aptix-dev/aptix/server/tools/needs"
)

// With a limit, the history has the latest entries, with the same states as in the full list. Entries of other folders
// are not counted. The state of an entry that applied a reply again may depend on a much older entry.
func TestHistoryLimit(t *testing.T) {
	needs.Unlinking(t)
	store, err := history.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = store.Close() })
	c := lsptest.Start(t, t.TempDir(), func(rwc io.ReadWriteCloser) int {
		return lspserver.Serve(context.Background(), rwc, lspserver.Config{Version: "test", Log: zap.NewNop(), History: store, StateDir: t.TempDir()})
	})
	c.Editor.WriteDisk("sub/a.txt", "")
	here := c.Editor.Dir
	elsewhere := t.TempDir()
	roots := []string{here, filepath.Join(here, "sub"), elsewhere}
	undoes := map[int]int{7: 1, 12: 7, 13: 12, 30: 13} // which entry reverts which, by number; all have the same root
	for i := range 40 {
		root := roots[2]
		if _, again := undoes[i]; again || i == 1 {
			root = roots[0]
		} else if i%5 == 0 {
			root = roots[i/5%2]
		}
		a := history.Apply{ID: fmt.Sprintf("id-%02d", i), Time: time.Now(), Root: root, Key: "k", Source: "lsp",
			Files: []history.File{{Path: "a.txt", After: text.Content{Exists: true, Data: fmt.Sprint(i), Mode: 0o644}}}}
		if undone, ok := undoes[i]; ok {
			a.Undoes = fmt.Sprintf("id-%02d", undone)
		}
		p, err := store.Begin(t.Context(), a)
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Finish(t.Context(), nil, nil); err != nil {
			t.Fatal(err)
		}
	}
	c.Initialize()
	all := entries(t, c)
	again := ""
	for _, e := range all {
		if e.Again {
			again += e.ID + " "
		}
	}
	if len(all) != 12 || again != "id-30 id-12 " {
		t.Fatalf("%d entries, and again are %q: %+v", len(all), again, all)
	}
	for limit := 1; limit <= len(all)+1; limit++ {
		var h protocol.History
		c.MustCall(protocol.MethodHistory, &protocol.HistoryParams{Limit: limit}, &h)
		if want := all[:min(limit, len(all))]; !reflect.DeepEqual(h.Entries, want) {
			t.Errorf("limit %d: got %+v, want %+v", limit, h.Entries, want)
		}
	}
}
