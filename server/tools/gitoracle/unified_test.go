package gitoracle_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/aptix-dev/aptix/server/internal/apply"
	"github.com/aptix-dev/aptix/server/internal/plan"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A printed is a patch that `aptix diff` writes, with the tree that git must make from it.
type printed struct {
	name          string
	before, after tree
	patch         string
}

// unified returns a whole plan as one patch.
func unified(files []plan.File) string {
	var b strings.Builder
	for _, f := range files {
		b.WriteString(f.Unified())
	}
	return b.String()
}

// gitAgrees lets git apply each patch to its tree, and compares the results.
func gitAgrees(t *testing.T, dir string, patches []printed) {
	t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	b.WriteString("mkdir said\n")
	for i, p := range patches {
		where := filepath.Join(dir, fmt.Sprint(i))
		if err := p.before.write(where); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(where+".patch", []byte(p.patch), 0o644); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "(cd %d && git apply --allow-empty --whitespace=nowarn ../%d.patch) >said/%d 2>&1 || true\n", i, i, i)
	}
	if err := shell(dir, b.String(), nil); err != nil {
		t.Fatal(err)
	}
	for i, p := range patches {
		said, err := os.ReadFile(filepath.Join(dir, "said", fmt.Sprint(i)))
		if err != nil {
			t.Fatal(err)
		}
		after, err := readTree(filepath.Join(dir, fmt.Sprint(i)))
		if err != nil {
			t.Fatal(err)
		}
		if d := differ("planned", p.after, "git", after.withoutEmptyDirs()); d != "" {
			t.Errorf("%s: what is printed is not what git applies:\n%s\n%s\npatch:\n%s", p.name, said, d, shortened(p.patch))
		}
	}
}

// TestPrintedPatches prints plans between random trees.
func TestPrintedPatches(t *testing.T) {
	var patches []printed
	for round := range uint64(rounds(t, 100)) {
		r := newSource(round, 1)
		before := r.repository()
		after := r.commit(before)
		patches = append(patches, printed{fmt.Sprintf("round %d", round), before, after, unified(r.plan(before, after))})
	}
	gitAgrees(t, t.TempDir(), patches)
}

// plan returns a plan from one tree to another. Some of the deleted and created files become renames.
func (r source) plan(before, after tree) []plan.File {
	all := before.clone()
	maps.Copy(all, after)
	var files []plan.File
	gone := -1 // the index of a deletion that may become a rename
	for _, p := range all.paths() {
		a, b := content(before, p), content(after, p)
		switch {
		case a == b:
			continue
		case gone >= 0 && !a.Exists && r.one(2):
			f := &files[gone]
			f.Operation, f.To, f.After = plan.Rename, p, b
			gone = -1
			continue
		case !b.Exists:
			gone = len(files)
		}
		files = append(files, plan.File{Path: p, Before: a, After: b})
	}
	return files
}

func content(t tree, p string) text.Content {
	n, there := t[p]
	if !there {
		return text.Content{}
	}
	return text.Content{Exists: true, Data: n.data, Mode: n.kind.mode()}
}

// TestPrintedReplies prints the changes of replies in the other formats.
func TestPrintedReplies(t *testing.T) {
	var patches []printed
	dir := t.TempDir()
	for round := range uint64(rounds(t, 100)) {
		r := newSource(round, 2)
		before := r.repository()
		reply := r.bundle(before)
		if r.one(2) {
			reply = r.structured(before)
		}
		where := filepath.Join(dir, fmt.Sprint(round))
		if err := before.write(where); err != nil {
			t.Fatal(err)
		}
		result, root, err := checkIn(where, "x.json", reply, nil)
		if err != nil {
			t.Fatal(err)
		}
		if !result.Applicable() {
			_ = root.Close()
			continue
		}
		patch := unified(result.Plan.Files)
		if err := applyAll(nil, apply.Proposal{Plan: result.Plan, Writer: apply.Disk{Dir: root, Names: []string{"p"}, StateDir: filepath.Join(dir, "state")}}); err != nil {
			t.Fatal(err)
		}
		_ = root.Close()
		after, err := readTree(where)
		if err != nil {
			t.Fatal(err)
		}
		patches = append(patches, printed{fmt.Sprintf("round %d", round), before, after.withoutEmptyDirs(), patch})
	}
	if len(patches) < rounds(t, 100)/3 {
		t.Errorf("only %d replies could be applied", len(patches))
	}
	gitAgrees(t, t.TempDir(), patches)
}

// bundle returns a file bundle of random operations.
func (r source) bundle(t tree) string {
	var files []any
	for _, p := range t.paths() {
		if t[p].kind == link || !r.one(2) {
			continue
		}
		if r.one(3) {
			files = append(files, map[string]any{"path": p, "operation": "delete"})
			continue
		}
		files = append(files, map[string]any{"path": p, "operation": "replace", "content": strings.ToValidUTF8(r.text(), "?")})
	}
	files = append(files, map[string]any{"path": r.place(t), "operation": "create", "content": strings.ToValidUTF8(r.text(), "?")})
	return asJSON(map[string]any{"root": ".", "files": files})
}

// structured returns a structured patch whose finds are lines of the files.
func (r source) structured(t tree) string {
	var patches []any
	for _, p := range t.paths() {
		if n := t[p]; n.kind == link || n.data == "" || strings.Contains(n.data, "\x00") {
			continue
		}
		lines := strings.Split(strings.ToValidUTF8(t[p].data, "?"), "\n")
		find := pick(r, lines)
		if strings.TrimSpace(find) == "" {
			continue
		}
		patches = append(patches, map[string]any{"path": p, "find": strings.TrimSuffix(find, "\r"), "replace": r.line(), "limit": pick(r, []string{"once", "all"})})
	}
	return asJSON(map[string]any{"root": ".", "patches": patches})
}

func asJSON(v any) string {
	b, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		panic(err)
	}
	return string(b)
}
