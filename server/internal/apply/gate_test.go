package apply

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/disk"
	"github.com/aptix-dev/aptix/server/internal/history"
	"github.com/aptix-dev/aptix/server/internal/plan"
	"github.com/aptix-dev/aptix/server/internal/text"
	"github.com/aptix-dev/aptix/server/tools/needs"
)

func (s *site) change(files ...plan.File) Proposal {
	return Proposal{Plan: plan.Plan{Files: files}, Writer: s.writer()}
}

func (s *site) reverting(t *testing.T, id string) Request {
	t.Helper()
	record, err := s.history.Get(t.Context(), id)
	ok(t, err)
	return Request{Propose: func(ctx context.Context) (Proposal, error) {
		return RevertOf(ctx, record, s.writer(), s.root.Tree(nil), false, "test")
	}}
}

// forbids fails the test unless the gate refuses a request, and nothing changes.
func (s *site) forbids(t *testing.T, r Request, why string) {
	t.Helper()
	before := s.picture(t)
	o, err := s.applier().Apply(t.Context(), r)
	ok(t, err)
	if o.Refusal == nil || o.Refusal.Reason != Forbidden || !strings.Contains(o.Refusal.Message, why) {
		t.Errorf("want a refusal that says %q, got %+v", why, o.Refusal)
	}
	sameTree(t, "refused", s.picture(t), before)
}

// Several changes together can turn a folder into a repository, although none of them is enough alone. A revert, or the
// revert of a revert, must not make the last of these changes.
func TestRevertsMakeNoRepository(t *testing.T) {
	const why = "which git treats as a git directory"
	t.Run("revert", func(t *testing.T) {
		s := newSite(t)
		s.make(t, s.change(changed("tool/HEAD", text.Content{}, has("ref: refs/heads/x\n")), changed("tool/config", text.Content{}, has("[core]\n\tfsmonitor = ./x\n"))))
		deletes := s.make(t, s.change(changed("tool/HEAD", has("ref: refs/heads/x\n"), text.Content{})))
		s.make(t, s.change(changed("tool/objects/.k", text.Content{}, has("")), changed("tool/refs/.k", text.Content{}, has(""))))
		s.forbids(t, s.reverting(t, deletes), why)
	})
	t.Run("redo", func(t *testing.T) {
		s := newSite(t)
		creates := s.make(t, s.change(changed("tool/HEAD", text.Content{}, has("ref: refs/heads/x\n"))))
		o, err := s.applier().Apply(t.Context(), s.reverting(t, creates))
		ok(t, err)
		s.make(t, s.change(changed("tool/objects/.k", text.Content{}, has("")), changed("tool/refs/.k", text.Content{}, has(""))))
		s.forbids(t, s.reverting(t, o.Result.ID), why)
	})
	t.Run("a folder that comes back", func(t *testing.T) {
		s := newSite(t)
		made := text.Content{Exists: true, Mode: os.ModeDir | 0o755}
		s.put(t, "tool/objects", made)
		removes := s.make(t, s.change(changed("tool/objects", made, text.Content{})))
		s.make(t, s.change(changed("tool/HEAD", text.Content{}, has("")), changed("tool/refs/.k", text.Content{}, has(""))))
		s.forbids(t, s.reverting(t, removes), why)
	})
}

// A history that came with a repository can have records that no apply would have made.
func TestPlantedHistory(t *testing.T) {
	for path, why := range map[string]string{
		".git/hooks/post-checkout": ".git folder", "A/.GIT/x": ".git folder", "worktree/x": "which .git names", "../out": "edited since", "out/x": "edited since", "within/y": ".git folder",
	} {
		s := newSite(t)
		outside := t.TempDir()
		s.put(t, ".git", has("gitdir: worktree\n"))
		s.put(t, "a/.git/hooks/x", has(""))
		needs.Links(t)
		ok(t, os.Symlink(outside, filepath.Join(s.dir, "out")))
		ok(t, os.Symlink("a/.git/hooks", filepath.Join(s.dir, "within")))
		row := history.Apply{ID: history.NewID(), Root: s.root.Dir(), Source: "cli", Files: []history.File{{Path: path, Before: has("#!/bin/sh\n")}}}
		pending, err := s.history.Begin(t.Context(), row)
		ok(t, err)
		ok(t, pending.Finish(t.Context(), nil, nil))
		before := s.picture(t)
		o, err := s.applier().Apply(t.Context(), s.reverting(t, row.ID))
		if err == nil && (o.Refusal == nil || !strings.Contains(o.Refusal.Message, why)) {
			t.Errorf("%s: %+v", path, o.Refusal)
		}
		sameTree(t, path, s.picture(t), before)
		if found, _ := os.ReadDir(outside); len(found) > 0 {
			t.Errorf("%s: written outside: %v", path, found)
		}
	}
}

// A history that came with a repository makes no link that a reply may not make. If the history is the person's own, a
// revert restores such a link.
func TestPlantedHistoryMakesNoLinks(t *testing.T) {
	needs.Links(t)
	for target, why := range map[string]string{"../outside": "outside of the root", "/etc": "outside of the root", "a/../b": ".. follows a folder", ".git/hooks": ".git folder", "": "target", "a": ""} {
		for _, own := range []bool{true, false} {
			s := newSite(t)
			w := s.writer()
			if !own {
				w.StateDir = filepath.Join(s.dir, "state")
				ok(t, os.Mkdir(w.StateDir, 0o700))
			}
			link := text.Content{Exists: true, Mode: os.ModeSymlink, Data: target}
			o, err := s.applier().Apply(t.Context(), propose(Proposal{Plan: plan.Plan{Files: []plan.File{changed("link", text.Content{}, link)}}, Writer: w}))
			switch made := err == nil && o.Result.Applied; {
			case made != (why == "" || own && target != ""):
				t.Errorf("to %q, own history %v: made %v, %v, %+v", target, own, made, err, o.Refusal)
			case !made && err == nil && !strings.Contains(o.Refusal.Message, why):
				t.Errorf("to %q: %+v", target, o.Refusal)
			}
		}
	}
}

// A revert restores a protected file only if a person agrees. The question gives the reason.
func TestRevertOfProtectedFiles(t *testing.T) {
	const name, why = ".vscode/tasks.json", "is protected: VS Code runs the tasks and programs that it names"
	s := newSite(t)
	s.put(t, name, has("old"))
	request := propose(s.change(changed(name, has("old"), has("new"))))
	s.forbids(t, request, why)
	request.AllowProtected = true
	o, err := s.applier().Apply(t.Context(), request)
	ok(t, err)

	back := s.reverting(t, o.Result.ID)
	s.forbids(t, back, why)
	back.Ask = func(_ context.Context, p *Proposal) (bool, error) {
		if !strings.Contains(p.Question, why) || len(p.Reasons) != 1 {
			t.Errorf("asked %q for %q", p.Question, p.Reasons)
		}
		return true, nil
	}
	o, err = s.applier().Apply(t.Context(), back)
	ok(t, err)
	if !o.Result.Applied {
		t.Errorf("%+v", o.Refusal)
	}
}

// A strictWriter protects one more file, as a person's setting would. Every change then
// treats the file as protected.
type strictWriter struct{ Disk }

func (w strictWriter) Guards() (string, check.ProtectedFunc) {
	return w.StateDir, check.Protected(w.Dir, []string{"deploy.sh"})
}

func TestSettingProtectsFromReverts(t *testing.T) {
	s := newSite(t)
	p := s.change(changed("deploy.sh", text.Content{}, has("x")))
	p.Writer = strictWriter{s.writer()}
	s.forbids(t, propose(p), "the setting `aptix.protected` names it")
}

// The disk transaction checks the rules again, in case a transaction did not pass the gate.
func TestDiskHasTheSameGate(t *testing.T) {
	s := newSite(t)
	s.put(t, "tool/HEAD", has(""))
	s.put(t, "tool/refs/x", has(""))
	for _, tx := range []disk.Transaction{
		{Ops: []disk.Op{{Path: ".git/config", After: &disk.File{}}}},
		{Ops: []disk.Op{{Path: "tool/objects/x", After: &disk.File{}}}},
		{Make: []string{"tool/objects"}},
		{Ops: []disk.Op{{Path: ".vscode/tasks.json", After: &disk.File{}}}},
	} {
		tx.ID = "t"
		before := s.picture(t)
		if _, err := s.root.Commit(t.Context(), s.state, tx); err == nil {
			t.Errorf("made: %+v", tx)
		}
		sameTree(t, "refused", s.picture(t), before)
	}
}

func sameTree(t *testing.T, what string, got, want map[string]string) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s: %s", what, diff)
	}
}
