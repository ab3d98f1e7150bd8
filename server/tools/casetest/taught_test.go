package casetest

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/disk"
)

const chatDir = "../../../extension/chat"

var taughtFence = regexp.MustCompile("(?m)^```[a-z]+$")

// The extension teaches models correct examples: each one is a block that can be applied
// without any diagnostics.
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
	report := checkLesson(t, root, string(data))
	if fences := len(taughtFence.FindAllString(string(data), -1)); fences == 0 || len(report.Blocks) != fences {
		t.Errorf("%d fences, of which %d are blocks", fences, len(report.Blocks))
	}
}

// checkLesson requires every block of a text to be ready.
func checkLesson(t *testing.T, root *disk.Root, lesson string) protocol.Report {
	t.Helper()
	doc := check.Document{Name: "reply.md", Text: lesson, Reply: true} // the lesson may begin with front matter
	result, err := check.Check(t.Context(), []check.Document{doc}, check.OnDisk(root, "project", nil, false))
	if err != nil {
		t.Fatal(err)
	}
	report := result.Report(t.Context())
	for _, block := range report.Blocks {
		if block.State != "ready" || len(block.Diagnostics) > 0 {
			t.Errorf("want a block that is ready, got\n%s", Describe(report))
		}
	}
	return report
}

var (
	promptFence = regexp.MustCompile("(?ms)^### ([^\n]*)\n+````text\n(.*?)^````$")
	figureRow   = regexp.MustCompile(`(?m)^\| [^|]+ \| ([^|]+) \| ([\d.]+ %) \| ([\d.]+ %) \|$`)
)

// The examples in the prompts of docs/prompts.md are edits that can be applied unchanged.
func TestPrompts(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "project")
	taughtTree(t, dir)
	root, err := disk.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	prompts := promptFence.FindAllStringSubmatch(contents(t, filepath.Join(repoDir, "docs", "prompts.md")), -1)
	for _, m := range prompts {
		t.Run(m[1], func(t *testing.T) {
			if report := checkLesson(t, root, m[2]); len(report.Blocks) == 0 {
				t.Error("no block")
			}
		})
	}
	if len(prompts) < 8 {
		t.Errorf("only %d prompts", len(prompts))
	}
}

// The figures in docs/prompts.md agree with docs/matching.md.
func TestPromptFigures(t *testing.T) {
	measured := contents(t, filepath.Join(repoDir, "docs", "matching.md"))
	rows := figureRow.FindAllStringSubmatch(contents(t, filepath.Join(repoDir, "docs", "prompts.md")), -1)
	for _, m := range rows {
		for i, program := range []string{"aptix apply --fix", "aptix apply --fix --yes"} {
			row := regexp.MustCompile(`(?m)^\| ` + regexp.QuoteMeta(m[1]) + " \\| `" + program + "` \\| \\d+ \\| " + m[2+i] + ` \| \d+ \| 0 \| 0 \|`)
			if !row.MatchString(measured) {
				t.Errorf("%s: docs/matching.md does not have %s by %s, with none half or wrong", m[1], m[2+i], program)
			}
		}
	}
	if len(rows) < 5 {
		t.Errorf("only %d figures", len(rows))
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
