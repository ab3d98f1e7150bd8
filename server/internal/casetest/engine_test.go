package casetest

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/aptix-dev/aptix/server/internal/apply"
	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/disk"
	"github.com/aptix-dev/aptix/server/internal/docpath"
)

// throughEngine plans without any history, and takes the plan back.
func throughEngine(t *testing.T, c *Case) {
	dir, _ := setUp(t, c)
	root, err := disk.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	where := check.Where{Tree: root.Tree(nil), Base: filepath.ToSlash(root.Dir()), ProtectedIs: diag.Warning}
	where.DocPath = docpath.Folder{Names: []string{folderName}, Tree: where.Tree}.Lookup
	result, err := check.Check(context.Background(), []check.Document{{Name: c.Reply, Text: c.Text}}, where)
	if err != nil {
		t.Fatal(err)
	}
	if !result.Applicable() {
		return
	}
	state := t.TempDir()
	if _, err := apply.Write(context.Background(), root, state, "there", result.Plan); err != nil {
		t.Fatal(err)
	}
	if _, err := apply.Write(context.Background(), root, state, "back", result.Plan.Invert()); err != nil {
		t.Fatal(err)
	}
	same(t, "after apply and its inverse", c.Before, dir)
}
