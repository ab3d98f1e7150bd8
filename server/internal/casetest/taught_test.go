package casetest

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/disk"
)

const chatDir = "../../../extension/chat"

var taughtFence = regexp.MustCompile("(?m)^```[a-z]+$")

// What the extension teaches to models is true: each example is a block that can
// be applied, and there is nothing to say about it.
func TestTaughtExamples(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "project")
	taughtTree(t, dir)
	root, err := disk.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	for _, file := range taughtFiles(t) {
		t.Run(filepath.Base(filepath.Dir(file)), func(t *testing.T) { checkTaught(t, root, file) })
	}
}

func checkTaught(t *testing.T, root *disk.Root, file string) {
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	doc := check.Document{Name: "reply.md", Text: string(data)}
	result, err := check.Check(t.Context(), []check.Document{doc}, check.OnDisk(root, "project", nil, false))
	if err != nil {
		t.Fatal(err)
	}
	report := result.Report(t.Context())
	if fences := len(taughtFence.FindAllString(doc.Text, -1)); fences == 0 || len(report.Blocks) != fences {
		t.Errorf("%d fences, of which %d are blocks", fences, len(report.Blocks))
	}
	for _, block := range report.Blocks {
		if block.State != "ready" || len(block.Diagnostics) > 0 {
			t.Errorf("want a block that is ready, got\n%s", Describe(report))
		}
	}
}

func taughtTree(t *testing.T, dir string) {
	archive, err := txtar.ParseFile("testdata/taught.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range archive.Files {
		path := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f.Data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

func taughtFiles(t *testing.T) (files []string) {
	err := filepath.WalkDir(chatDir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".md") {
			files = append(files, path)
		}
		return err
	})
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files in %s: %v", len(files), chatDir, err)
	}
	return files
}
