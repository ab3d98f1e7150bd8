package casetest

import (
	"context"
	"io/fs"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/aptix-dev/aptix/server/internal/apply"
	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/disk"
	"github.com/aptix-dev/aptix/server/internal/fileset"
	"github.com/aptix-dev/aptix/server/internal/fspath"
	"github.com/aptix-dev/aptix/server/internal/paths"
	"github.com/aptix-dev/aptix/server/internal/plan"
	"github.com/aptix-dev/aptix/server/tools/needs"
)

// throughEngine plans a case without a history: it applies the plan, plans again, and applies
// the inverse. It supports no flags.
func throughEngine(t *testing.T, c *Case) {
	dir, _ := setUp(t, c)
	root, err := disk.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	first := checkOnce(t, c, root)
	if _, given := systems[c.Names]; given {
		checkReport(t, c, first.Report(t.Context()))
	}
	if !first.Applicable() {
		if got := first.Report(t.Context()); c.plain() && !cmp.Equal(errorCodes(Describe(got)), c.Codes) {
			t.Errorf("want the errors %v, got\n%s", c.Codes, Describe(got))
		}
		same(t, "after a check", c.Before, dir)
		return
	}
	if c.Exit != 0 && c.plain() && !protects(c) && len(first.Doubts()) == 0 {
		t.Errorf("can be applied, but the command line refuses it:\n%s", Describe(first.Report(t.Context())))
	}
	write(t, root, first.Plan)
	if c.plain() && c.Exit == 0 {
		same(t, "after apply", c.After, dir)
	}
	if again := checkOnce(t, c, root); !c.NeedsHistory != (again.Applicable() && len(again.Plan.Files) == 0) {
		t.Errorf("needs the history to see that it is done: %v, but planned again it is\n%s", c.NeedsHistory, Describe(again.Report(t.Context())))
	}
	write(t, root, first.Plan.Invert())
	same(t, "after apply and its inverse", c.Before, dir)
}

func checkOnce(t *testing.T, c *Case, root *disk.Root) *check.Result {
	t.Helper()
	var tree plan.Tree = root.Tree(nil)
	if names, given := systems[c.Names]; given {
		tree = named{root.Tree(nil), names}
	}
	where := check.Where{Tree: tree, Base: filepath.ToSlash(root.Dir()), Guard: check.Guard{ProtectedIs: diag.Warning}}
	where.DocPath = paths.Folder{Names: []string{folderName}, Tree: where.Tree}.Lookup
	result, err := check.Check(t.Context(), []check.Document{{Name: c.Reply, Text: c.Text}}, where)
	if err != nil {
		t.Fatal(err)
	}
	return result
}

// A named is a tree whose names follow the rules of another system.
type named struct {
	*disk.Tree
	names fspath.Names
}

func (n named) Names() fspath.Names { return n.names }

// Cached replaces the method of the disk's tree, which would follow the rules of this system.
func (n named) Cached() (tree fs.FS, end func()) { return n, func() {} }

var systems = map[string]fspath.Names{
	"windows": {IgnoresCase: true, Windows: true},
	"macos":   {IgnoresCase: true, IgnoresForm: true},
}

func write(t *testing.T, root *disk.Root, p plan.Plan) {
	t.Helper()
	for _, f := range p.Files {
		if f.After.Mode&fs.ModeSymlink != 0 {
			needs.Links(t)
		}
	}
	request := apply.Request{AllowProtected: true, Propose: func(context.Context) (apply.Proposal, error) {
		return apply.Proposal{Plan: p, Writer: apply.Disk{Dir: root, Names: []string{"p"}, StateDir: t.TempDir()}}, nil
	}}
	noSet := func(context.Context, bool) (*fileset.Set, error) { return nil, nil }
	if o, err := apply.New(nil, noSet).Apply(context.Background(), request); err != nil || o.Refusal != nil {
		t.Fatal(err, o.Refusal)
	}
}

// plain reports whether the command line reads the reply as the engine does. It allows the
// flag --yes, which only answers questions.
func (c *Case) plain() bool {
	return !slices.ContainsFunc(c.Flags, func(f string) bool { return f != "--yes" })
}

// protects reports whether a case fails only because a path is protected, which the engine by
// itself does not know.
func protects(c *Case) bool { return slices.Equal(c.Codes, []string{string(diag.PathProtected)}) }
