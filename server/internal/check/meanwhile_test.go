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
// file is as it was before the apply, or has nothing of the change any more.
func TestEditedAfterApply(t *testing.T) {
	const (
		before = "a = first_call()\nb = second_call()\nthree\n"
		partly = "a = alpha_call()\nb = second_call()\nthree\n"
		after  = "a = alpha_call()\nb = beta_call()\nthree\n"
	)
	for name, c := range map[string]struct {
		json string
		asks map[string]bool // whether the apply asks, by the current text of the file
	}{
		"whole text": {`{"path": "a.txt", "operation": "replace", "content": "a = alpha_call()\nb = beta_call()\nthree\n"}`, map[string]bool{
			before: false, after: false, after + "four\n": true, partly: true,
		}},
		"pieces": {`{"path": "a.txt", "operation": "patch", "patches": [{"find": "first_call", "replace": "alpha_call", "limit": "once"}, {"find": "second_call", "replace": "beta_call", "limit": "once"}]}`, map[string]bool{
			before: false, after: false, before + "four\n": false, before + "b = beta_call()\n": true,
		}},
	} {
		docs := []Document{{Name: "reply.md", Text: "```json\n{\"root\": \".\", \"files\": [" + c.json + "]}\n```\n"}}
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
		for now, asks := range c.asks {
			r := checkIn(t, docs, Where{Tree: fstest.MapFS{"a.txt": {Data: []byte(now)}}, Past: Past{History: h, Root: root}})
			if got := slices.ContainsFunc(r.Blocks[0].Diagnostics, func(d diag.Diagnostic) bool { return d.Code == diag.AppliedBefore && d.Asks() }); got != asks {
				t.Errorf("%s, %q: asks is %v, want %v; %v", name, now, got, asks, r.Blocks[0].Diagnostics)
			}
		}
	}
}
