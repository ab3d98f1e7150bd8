package soak

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/aptix-dev/aptix/server/internal/fileset"
)

// A change made through any front end is recorded, uploaded and verified.
func TestFrontEndsLeaveNothingOut(t *testing.T) {
	w := newWorld(t)
	for _, dir := range []string{w.open, w.closed} {
		seed(t, dir)
	}
	set, err := fileset.Open(t.Context(), fileset.Where("", filepath.Join(w.state, "aptix")))
	if err != nil {
		t.Fatal(err)
	}
	defer set.Close()
	window := w.window(t, "window-a")
	defer window.exit()
	for _, c := range []struct {
		writer         writer
		folder, source string // its name in docPaths, and in the history
	}{
		{window, "workspace", "lsp"},
		{w.agent(t, "agent", w.open), "workspace", "agent"},
		{w.commandLine("shell-1", w.closed), "closed", "cli"},
		{w.agent(t, "agent-disk", w.closed, "--allow-apply"), "closed", "mcp"},
	} {
		path := c.writer.name() + ".txt"
		key := c.folder + "/" + path
		if _, err := set.Put(t.Context(), "a test", []fileset.Upload{{DocPath: key, Content: page(c.writer.name(), 0)}}); err != nil {
			t.Fatal(err)
		}
		want := page(c.writer.name(), 1)
		id, err := c.writer.apply(t.Context(), bundle(map[string]any{"path": path, "content": want}))
		if err != nil || id == "" {
			t.Errorf("%s: applied as %q, %v", c.source, id, err)
			continue
		}
		w.isRecorded(t, id, path, want, c.source)
		if held, err := set.Get(t.Context(), key); err != nil || held.Content != want || held.UpdatedBy != c.source {
			t.Errorf("%s: the file set has %.20q by %s: %v", c.source, held.Content, held.UpdatedBy, err)
		}
	}
	window.client.Editor.SaveAll()
	for _, c := range []struct{ dir, name string }{{w.open, "window-a"}, {w.open, "agent"}, {w.closed, "shell-1"}, {w.closed, "agent-disk"}} {
		if data, err := os.ReadFile(filepath.Join(c.dir, c.name+".txt")); err != nil || string(data) != page(c.name, 1) {
			t.Errorf("%s: the file has %.20q: %v", c.name, data, err)
		}
	}
}

func (w *world) isRecorded(t *testing.T, id, path, want, source string) {
	t.Helper()
	h := w.history(t)
	defer h.Close()
	a, err := h.Get(t.Context(), id)
	if err != nil || a.Source != source || len(a.Files) != 1 || a.Files[0].Path != path || a.Files[0].After.Data != want {
		t.Errorf("%s: the history has %+v: %v", source, a, err)
	}
}
