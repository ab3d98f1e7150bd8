// Package soak runs two windows, command lines and agents that all write to one workspace and
// one history at the same time.
package soak

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/history"
	"github.com/aptix-dev/aptix/server/tools/needs"
)

// rounds is the number of applies of each writer. If APTIX_SOAK gives a time, such as 60s,
// each writer applies as often as it can in that time.
const rounds = 12

// patience limits each step of a writer. If a step takes longer, it is a deadlock.
const patience = time.Minute

// A world holds the state that all writers share.
type world struct {
	binary, state string
	// Editors have the first folder open, and nobody has the second open.
	open, closed string

	mu  sync.Mutex
	ids map[string][]string // IDs of acknowledged applies, by writer, in order
}

// A writer applies replies. It returns the ID of the apply, or "" if the apply was refused
// because the files had changed.
type writer interface {
	name() string
	apply(ctx context.Context, reply string) (id string, err error)
}

func TestManyAtOnce(t *testing.T) {
	w := newWorld(t)
	for _, dir := range []string{w.open, w.closed} {
		seed(t, dir)
	}
	before := []map[string]string{files(t, w.open), files(t, w.closed)}
	a, b := w.window(t, "window-a"), w.window(t, "window-b")
	inEditors := []writer{a, b, w.commandLine("shell", w.open), w.agent(t, "agent", w.open)}
	onDisk := []writer{w.commandLine("shell-1", w.closed), w.commandLine("shell-2", w.closed), w.agent(t, "agent-disk", w.closed, "--allow-apply")}

	stop := watchWhole(t, filepath.Join(w.closed, "log.txt"))
	var running sync.WaitGroup
	for _, wr := range inEditors {
		running.Go(func() { w.own(t, wr) })
	}
	for _, wr := range onDisk {
		running.Go(func() { w.own(t, wr); w.shared(t, wr) })
	}
	running.Wait()
	stop()
	if t.Failed() {
		return
	}
	a.exit()
	b.exit()
	w.checkShared(t, onDisk)
	w.checkHistory(t)
	w.revertAll(t)
	for i, dir := range []string{w.open, w.closed} {
		if after := files(t, dir); !maps.Equal(after, before[i]) {
			t.Errorf("%s after all was reverted: %q; before: %q", dir, after, before[i])
		}
	}
}

func newWorld(t *testing.T) *world {
	dir := t.TempDir()
	w := &world{binary: filepath.Join(dir, "aptix"), state: filepath.Join(dir, "state"),
		open: filepath.Join(dir, "open"), closed: filepath.Join(dir, "closed"), ids: map[string][]string{}}
	t.Setenv("XDG_STATE_HOME", w.state)
	needs.Program(t, "go")
	build := exec.Command("go", "build", "-ldflags=-s -w", "-o", w.binary, "../../cmd/aptix")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return w
}

var names = []string{"window-a", "window-b", "shell", "agent", "shell-1", "shell-2", "agent-disk"}

// seed makes a folder with a file for each writer, and a log with a line for each.
func seed(t *testing.T, dir string) {
	t.Helper()
	var log strings.Builder
	for _, name := range names {
		write(t, filepath.Join(dir, name+".txt"), page(name, 0))
		fmt.Fprintf(&log, "%s: 0.\n", name)
	}
	write(t, filepath.Join(dir, "log.txt"), log.String()+"end\n")
}

func write(t *testing.T, name, content string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
}

// page returns the content of a file of many lines with the same number. If the numbers in a
// file differ, a write was not atomic.
func page(name string, n int) string { return strings.Repeat(fmt.Sprintf("%s %d.\n", name, n), 200) }

// more reports whether a writer should continue.
func more(t *testing.T) func() bool {
	given := os.Getenv("APTIX_SOAK")
	if given == "" {
		n := 0
		return func() bool { n++; return n <= rounds }
	}
	d, err := time.ParseDuration(given)
	if err != nil {
		t.Errorf("APTIX_SOAK: %v", err)
	}
	end := time.Now().Add(d)
	return func() bool { return time.Now().Before(end) }
}

// own makes a writer change a file of its own, and create and delete another. Nobody else
// touches these files, so every apply must succeed.
func (w *world) own(t *testing.T, wr writer) {
	name := wr.name()
	goOn := more(t)
	for n := 0; goOn(); n++ {
		side := map[string]any{"path": name + "/side.txt", "operation": "create", "content": page(name, n)}
		if n%2 == 1 {
			side = map[string]any{"path": name + "/side.txt", "operation": "delete"}
		}
		id := w.step(t, wr, bundle(map[string]any{"path": name + ".txt", "operation": "replace", "content": page(name, n+1)}, side))
		if id == "" {
			t.Errorf("%s: apply %d of a file of its own was refused", name, n)
		}
		if t.Failed() {
			return
		}
	}
}

// shared makes a writer count in its own line of a file that others write, too. If another
// writer was faster, this one tries again.
func (w *world) shared(t *testing.T, wr writer) {
	name := wr.name()
	goOn := more(t)
	for n := 0; goOn() && !t.Failed(); n++ {
		find := map[string]any{"find": fmt.Sprintf("%s: %d.", name, n), "replace": fmt.Sprintf("%s: %d.", name, n+1)}
		reply := encode(map[string]any{"patches": []any{map[string]any{"path": "log.txt", "replacements": []any{find}}}})
		for w.step(t, wr, reply) == "" && !t.Failed() {
		}
	}
}

// step makes one apply and remembers its ID.
func (w *world) step(t *testing.T, wr writer, reply string) string {
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	id, err := wr.apply(ctx, reply)
	if err != nil {
		t.Errorf("%s: %v", wr.name(), err)
		return ""
	}
	if id != "" {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.ids[wr.name()] = append(w.ids[wr.name()], id)
	}
	return id
}

func bundle(files ...any) string { return encode(map[string]any{"root": ".", "files": files}) }

func encode(v any) string {
	raw, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		panic(err)
	}
	return "```json\n" + string(raw) + "\n```\n"
}

// watchWhole reads a file again and again until it is stopped. The file must be whole each
// time.
func watchWhole(t *testing.T, name string) (stop func()) {
	done, over := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(over)
		for {
			select {
			case <-done:
				return
			default:
			}
			if data, err := os.ReadFile(name); err != nil || bytes.Count(data, []byte("\n")) != len(names)+1 || !bytes.HasSuffix(data, []byte("\nend\n")) {
				t.Errorf("a torn file: %q, %v", data, err)
				return
			}
		}
	}()
	return func() { close(done); <-over }
}

// checkShared checks that the log has the count of every writer.
func (w *world) checkShared(t *testing.T, writers []writer) {
	t.Helper()
	log, err := os.ReadFile(filepath.Join(w.closed, "log.txt"))
	if err != nil {
		t.Fatal(err)
	}
	h := w.history(t)
	defer h.Close()
	for _, wr := range writers {
		n := 0
		for _, id := range w.ids[wr.name()] {
			if touched(t, h, id, "log.txt") {
				n++
			}
		}
		if line := fmt.Sprintf("%s: %d.\n", wr.name(), n); n == 0 || !strings.Contains(string(log), line) {
			t.Errorf("%s counted to %d; the log says\n%s", wr.name(), n, log)
		}
	}
}

func touched(t *testing.T, h *history.Store, id, path string) bool {
	t.Helper()
	a, err := h.Get(t.Context(), id)
	if err != nil {
		t.Fatalf("%s: %v", id, err)
	}
	return slices.ContainsFunc(a.Files, func(f history.File) bool { return f.Path == path })
}

func (w *world) history(t *testing.T) *history.Store {
	t.Helper()
	h, err := history.Open(filepath.Join(w.state, "aptix"))
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// checkHistory checks that the history has exactly the acknowledged applies.
func (w *world) checkHistory(t *testing.T) {
	t.Helper()
	h := w.history(t)
	defer h.Close()
	want := 0
	for name, ids := range w.ids {
		want += len(ids)
		t.Logf("%s: %d applies", name, len(ids))
	}
	got := 0
	for _, dir := range []string{w.open, w.closed} {
		list, err := h.List(t.Context(), dir, 0)
		if err != nil {
			t.Fatal(err)
		}
		got += len(list)
	}
	if got != want {
		t.Errorf("the history has %d applies, and %d were acknowledged", got, want)
	}
}

// revertAll reverts all applies, the latest first.
func (w *world) revertAll(t *testing.T) {
	t.Helper()
	h := w.history(t)
	defer h.Close()
	for _, dir := range []string{w.open, w.closed} {
		list, err := h.List(t.Context(), dir, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, a := range list {
			if out, err := exec.Command(w.binary, "revert", "--root", dir, a.ID).CombinedOutput(); err != nil {
				t.Fatalf("revert %s: %v\n%s", a.ID, err, out)
			}
		}
	}
}

// files reads all files of a folder.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(name)
		rel, _ := filepath.Rel(dir, name)
		found[rel] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// result reads the members that the answers to editors and to tools share.
func result(raw []byte) (id string, err error) {
	var r protocol.ApplyResult
	if err := json.Unmarshal(raw, &r); err != nil {
		return "", fmt.Errorf("%w: %s", err, raw)
	}
	if r.Applied != (r.ID != "") || r.RolledBack {
		return "", fmt.Errorf("an answer that is neither yes nor no: %s", raw)
	}
	return r.ID, nil
}
