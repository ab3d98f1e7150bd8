package check

import (
	"context"
	"path/filepath"
	"slices"
	"testing"
	"testing/fstest"
	"time"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/history"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// Another process applies the same reply. It has written the file, but the history does not
// have the apply yet.
func TestAppliedMeanwhile(t *testing.T) {
	docs := []Document{{Name: "reply.md", Text: "```json\n" + `{"patches": [{"path": "a.txt", "find": "one", "replace": "1"}]}` + "\n```\n"}}
	before := fstest.MapFS{"a.txt": {Data: []byte("one\n")}}
	after := fstest.MapFS{"a.txt": {Data: []byte("1\n")}}
	key := checkIn(t, docs, Where{Tree: before}).Key
	for name, c := range map[string]struct {
		end  func(*history.Pending) error
		want State
	}{
		"done":      {func(p *history.Pending) error { return p.Finish(context.Background(), nil, nil) }, Done},
		"dropped":   {func(p *history.Pending) error { return p.Drop(context.Background()) }, Failed},
		"abandoned": {func(p *history.Pending) error { p.Leave(); return nil }, Failed},
	} {
		t.Run(name, func(t *testing.T) {
			h, err := history.Open(t.TempDir())
			if err != nil {
				t.Fatal(err)
			}
			defer h.Close()
			root := filepath.Join(t.TempDir(), "root")
			p, err := h.Begin(context.Background(), history.Apply{ID: history.NewID(), Time: time.Now(), Root: root, Key: key, Files: []history.File{
				{Path: "a.txt", Before: text.Content{Exists: true, Data: "one\n"}, After: text.Content{Exists: true, Data: "1\n"}},
			}})
			if err != nil {
				t.Fatal(err)
			}
			if r := checkIn(t, docs, Where{Tree: after, Past: Past{History: h, Root: root}}); r.Blocks[0].State != Failed {
				t.Fatalf("without waiting it is %s", r.Blocks[0].State)
			}
			checked := make(chan *Result)
			go func() {
				checked <- checkIn(t, docs, Where{Tree: after, Past: Past{History: h, Root: root, Await: true}})
			}()
			select {
			case r := <-checked:
				t.Fatalf("%s before the apply has ended", r.Blocks[0].State)
			case <-time.After(100 * time.Millisecond):
			}
			if err := c.end(p); err != nil {
				t.Fatal(err)
			}
			if r := <-checked; r.Blocks[0].State != c.want {
				t.Errorf("it is %s, want %s", r.Blocks[0].State, c.want)
			}
		})
	}
}

func checkIn(t *testing.T, docs []Document, where Where) *Result {
	r, err := Check(context.Background(), docs, where)
	if err != nil {
		t.Error(err)
	}
	return r
}

// Somebody edits a file after an apply, or takes a part of the change back. Applying the reply again asks, unless the
// file is as it was before the apply.
func TestEditedAfterApply(t *testing.T) {
	docs := []Document{{Name: "reply.md", Text: "```json\n" + `{"root": ".", "files": [{"path": "a.txt", "operation": "replace", "content": "1\n2\nthree\n"}]}` + "\n```\n"}}
	const before, after = "one\ntwo\nthree\n", "1\n2\nthree\n"
	key := checkIn(t, docs, Where{Tree: fstest.MapFS{"a.txt": {Data: []byte(before)}}}).Key
	h, err := history.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	root := filepath.Join(t.TempDir(), "root")
	p, err := h.Begin(t.Context(), history.Apply{ID: history.NewID(), Time: time.Now(), Root: root, Key: key, Files: []history.File{
		{Path: "a.txt", Before: text.Content{Exists: true, Data: before}, After: text.Content{Exists: true, Data: after}},
	}})
	if err == nil {
		err = p.Finish(t.Context(), nil, nil)
	}
	if err != nil {
		t.Fatal(err)
	}
	for now, asks := range map[string]bool{before: false, after: false, "1\n2\nthree, edited\n": true, "1\ntwo\nthree\n": true} {
		r := checkIn(t, docs, Where{Tree: fstest.MapFS{"a.txt": {Data: []byte(now)}}, Past: Past{History: h, Root: root}})
		if got := slices.ContainsFunc(r.Blocks[0].Diagnostics, func(d diag.Diagnostic) bool { return d.Code == diag.AppliedBefore && d.Asks() }); got != asks {
			t.Errorf("%q: asks is %v, want %v; %v", now, got, asks, r.Blocks[0].Diagnostics)
		}
	}
}
