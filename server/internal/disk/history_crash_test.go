package disk_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/uuid"

	"github.com/aptix-dev/aptix/server/internal/apply"
	"github.com/aptix-dev/aptix/server/internal/disk"
	"github.com/aptix-dev/aptix/server/internal/fileset"
	"github.com/aptix-dev/aptix/server/internal/history"
	"github.com/aptix-dev/aptix/server/internal/plan"
	"github.com/aptix-dev/aptix/server/internal/text"
	"github.com/aptix-dev/aptix/server/tools/needs"
	"github.com/aptix-dev/aptix/server/tools/trials"
)

// The history records an apply before the disk is changed and again afterwards. Whenever a
// crash happens in between, the next start makes the history and the disk agree.

// applyEnv makes the test binary apply, or revert, until it is killed in the middle.
const applyEnv = "APTIX_TEST_APPLY"

type applyOrder struct {
	Dir, State, ID string
	Revert         string // the id of the apply to revert; "" applies
	DieAt          int    // the step, from 1, before which it is killed; 0 for never
	Unfinished     bool   // kill it when all files are written but the record is not finished
}

func init() {
	if text := os.Getenv(applyEnv); text != "" {
		var o applyOrder
		if err := json.Unmarshal([]byte(text), &o); err != nil {
			panic(err)
		}
		if err := o.obey(); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		os.Exit(0)
	}
}

func (o applyOrder) obey() error {
	ctx := context.Background()
	root, err := disk.Open(o.Dir)
	if err != nil {
		return err
	}
	h, err := history.Open(o.State)
	if err != nil {
		return err
	}
	p, err := o.propose(ctx, h, root)
	if err != nil {
		return err
	}
	var steps atomic.Int64
	root.OnOperation(func(string) error {
		if steps.Add(1) == int64(o.DieAt) {
			return disk.DieNow()
		}
		return nil
	})
	if o.Unfinished {
		p.Writer = killedWriter{p.Writer}
	}
	openNone := func(context.Context, bool) (*fileset.Set, error) { return nil, nil }
	outcome, err := apply.New(h, openNone).Apply(ctx, apply.Request{Propose: func(context.Context) (apply.Proposal, error) { return p, nil }})
	if err != nil || outcome.NotRecorded != nil || outcome.Refusal != nil {
		return fmt.Errorf("%v, %v, %v", err, outcome.NotRecorded, outcome.Refusal)
	}
	fmt.Print(steps.Load())
	return nil
}

func (o applyOrder) propose(ctx context.Context, h *history.Store, root *disk.Root) (apply.Proposal, error) {
	w := apply.Disk{Dir: root, Names: []string{"p"}, StateDir: o.State}
	if o.Revert == "" {
		return apply.Proposal{Plan: thePlan(), Writer: w, Record: history.Apply{ID: o.ID, Key: "k", Label: "l", Source: "cli"}}, nil
	}
	record, err := h.Get(ctx, o.Revert)
	if err != nil {
		return apply.Proposal{}, err
	}
	p, err := apply.RevertOf(ctx, record, w, root.Tree(nil), false, "cli")
	p.Record.ID = o.ID
	return p, err
}

// A killedWriter writes the files, and is then killed before the record is finished.
type killedWriter struct{ apply.Writer }

func (w killedWriter) Write(ctx context.Context, id string, p apply.Cleared, ready func() error) (apply.Written, error) {
	if written, err := w.Writer.Write(ctx, id, p, ready); err != nil {
		return written, err
	}
	return apply.Written{}, disk.DieNow()
}

func regular(data string) text.Content { return text.Content{Exists: true, Data: data, Mode: 0o644} }

func thePlan() plan.Plan {
	file := func(path string, before, after text.Content) plan.File {
		return plan.File{Path: path, Operation: plan.OperationOf(before, after), State: plan.Change, Before: before, After: after}
	}
	link := func(target string) text.Content {
		return text.Content{Exists: true, Data: target, Mode: fs.ModeSymlink}
	}
	run := regular("#!\n")
	run.Mode = 0o755
	p := plan.Plan{Prune: []string{"dir"}, Files: []plan.File{
		file("mod.txt", regular("old\r\n"), regular("new\r\n")),
		file("dir/gone.bin", regular("\x00\xff"), text.Content{}),
		file("new/deep/x", text.Content{}, regular("x")),
		file("run", regular("#!\n"), run),
	}}
	if needs.HasLinks() {
		p.Files = append(p.Files, file("link", link("mod.txt"), link("run")))
	}
	return p
}

// A historyScene has a tree and its history, as they are after a start.
type historyScene struct {
	dir, state string
}

func newHistoryScene(t *testing.T) *historyScene {
	h := &historyScene{dir: t.TempDir(), state: t.TempDir()}
	for name, data := range map[string]string{"mod.txt": "old\r\n", "dir/gone.bin": "\x00\xff", "run": "#!\n"} {
		full := filepath.Join(h.dir, filepath.FromSlash(name))
		must(t, os.MkdirAll(filepath.Dir(full), 0o755))
		must(t, os.WriteFile(full, []byte(data), 0o644))
	}
	if needs.HasLinks() {
		must(t, os.Symlink("mod.txt", filepath.Join(h.dir, "link")))
	}
	return h
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// run lets another process carry out an order.
func (h *historyScene) run(t *testing.T, o applyOrder) (out string, finished bool) {
	t.Helper()
	o.Dir, o.State = h.dir, h.state
	raw, err := json.Marshal(o)
	must(t, err)
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), applyEnv+"="+string(raw))
	return disk.RunAndKill(t, cmd)
}

// start does the work that every command does first, and returns the tree and the applies
// afterwards.
func (h *historyScene) start(t *testing.T) (tree map[string]string, applies []history.Apply) {
	t.Helper()
	ctx := context.Background()
	recovered, err := disk.Recover(h.state, h.dir)
	must(t, err)
	s, err := history.Open(h.state)
	must(t, err)
	defer s.Close()
	must(t, apply.Settle(ctx, s, h.state, recovered, nil))
	applies, err = s.List(ctx, "", 0)
	must(t, err)
	if left, err := s.Abandoned(ctx); err != nil || len(left) > 0 {
		t.Errorf("still pending: %v, %v", left, err)
	}
	return pictureOf(t, h.dir), applies
}

func pictureOf(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	must(t, filepath.WalkDir(dir, func(full string, d fs.DirEntry, err error) error {
		must(t, err)
		info, err := d.Info()
		must(t, err)
		text := info.Mode().String()
		switch info.Mode().Type() {
		case 0:
			data, err := os.ReadFile(full)
			must(t, err)
			text += " " + string(data)
		case fs.ModeSymlink:
			target, err := os.Readlink(full)
			must(t, err)
			text = "link to " + target
		}
		rel, err := filepath.Rel(dir, full)
		all[filepath.ToSlash(rel)] = text
		return err
	}))
	return all
}

func freshID() string { return uuid.Must(uuid.NewV7()).String() }

func TestHistoryAgreesAfterKill(t *testing.T) {
	t.Parallel()
	whole := newHistoryScene(t)
	before := pictureOf(t, whole.dir)
	printed, finished := whole.run(t, applyOrder{ID: freshID()})
	var steps int
	if _, err := fmt.Sscan(printed, &steps); err != nil || !finished || steps < 10 {
		t.Fatalf("steps %q: %v", printed, err)
	}
	after, _ := whole.start(t)
	applied, dropped := 0, 0
	for n := 1; n <= steps+1; n += trials.OneIn(1) {
		h, id := newHistoryScene(t), freshID()
		if out, finished := h.run(t, applyOrder{ID: id, DieAt: n % (steps + 1), Unfinished: n > steps}); finished {
			t.Fatalf("step %d: not killed: %s", n, out)
		}
		tree, applies := h.start(t)
		if cmp.Equal(tree, before) && len(applies) == 0 {
			dropped++
			continue
		}
		if diff := cmp.Diff(after, tree); diff != "" || len(applies) != 1 || applies[0].ID != id || applies[0].Reverted {
			t.Errorf("killed at step %d: history %+v, tree (-applied +got):\n%s", n, applies, diff)
			continue
		}
		if !slices.Equal(applies[0].Made, []string{"new", "new/deep"}) || !slices.Equal(applies[0].Pruned, []string{"dir"}) {
			t.Errorf("killed at step %d: folders %v, %v", n, applies[0].Made, applies[0].Pruned)
		}
		applied++
		h.killedReverting(t, id, n, before, after)
	}
	if applied < 3 || dropped < 3 {
		t.Errorf("%d were applied, %d were not", applied, dropped)
	}
}

// killedReverting kills the process during or after a revert.
func (h *historyScene) killedReverting(t *testing.T, id string, n int, before, after map[string]string) {
	t.Helper()
	revert := freshID()
	if out, finished := h.run(t, applyOrder{ID: revert, Revert: id, DieAt: n / 2, Unfinished: n/2 == 0}); finished {
		t.Fatalf("step %d: not killed: %s", n/2, out)
	}
	tree, applies := h.start(t)
	switch {
	case cmp.Equal(tree, after) && len(applies) == 1 && !applies[0].Reverted:
		if out, finished := h.run(t, applyOrder{ID: revert, Revert: id}); !finished {
			t.Fatal(out)
		}
		tree, applies = h.start(t)
	case cmp.Equal(tree, after):
		t.Errorf("a revert that was killed at step %d, and not made: %+v", n/2, applies)
	}
	if diff := cmp.Diff(before, tree); diff != "" || len(applies) != 2 || applies[0].ID != revert || applies[0].Undoes != id || !applies[1].Reverted {
		t.Errorf("reverted: history %+v, tree (-before +got):\n%s", applies, diff)
	}
}
