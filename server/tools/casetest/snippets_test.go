package casetest

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/disk"
)

var tabStop = regexp.MustCompile(`\$\{(\d):([^}]*)\}|\$(\d)`)

// expanded returns the text that VS Code inserts for a snippet. It keeps the text of the
// placeholders.
func expanded(body []string) string {
	texts := map[string]string{}
	text := tabStop.ReplaceAllStringFunc(strings.Join(body, "\n"), func(stop string) string {
		m := tabStop.FindStringSubmatch(stop)
		if m[1] != "" {
			texts[m[1]] = m[2]
		}
		return texts[m[1]+m[3]]
	})
	return strings.ReplaceAll(text, `\\`, `\`)
}

// Each format has a snippet whose prefix names it and whose body is an applicable block of
// the format.
func TestSnippets(t *testing.T) {
	const app = "import os\nport = 80\n"
	dir := filepath.Join(t.TempDir(), "project")
	if err := os.MkdirAll(filepath.Join(dir, "src"), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "src", "app.py"), []byte(app), 0o666); err != nil {
		t.Fatal(err)
	}
	root, err := disk.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	formats := map[string]bool{}
	for _, language := range []string{"markdown", "ap"} {
		var snippets map[string]struct {
			Prefix, Description string
			Body                []string
		}
		if err := json.Unmarshal([]byte(contents(t, filepath.Join(repoDir, "extension/snippets", language+".json"))), &snippets); err != nil {
			t.Fatal(err)
		}
		for name, s := range snippets {
			t.Run(language+"/"+s.Prefix, func(t *testing.T) {
				doc := check.Document{Name: "reply.md", Text: strings.ReplaceAll(expanded(s.Body), "SHA-256", fmt.Sprintf("%x", sha256.Sum256([]byte(app))))}
				if language == "ap" {
					doc.Name, doc.Format = "reply.ap", "ap"
				}
				result, err := check.Check(t.Context(), []check.Document{doc}, check.OnDisk(root, "project", nil, false))
				if err != nil {
					t.Fatal(err)
				}
				report := result.Report(t.Context())
				if len(report.Blocks) != 1 || report.Blocks[0].State != "ready" || len(report.Blocks[0].Diagnostics) > 0 || s.Prefix != "aptix-"+report.Blocks[0].Format {
					t.Errorf("%s is\n%s\nand gives\n%s", name, doc.Text, Describe(report))
				}
				formats[strings.TrimPrefix(s.Prefix, "aptix-")] = true
			})
		}
	}
	for _, f := range check.Formats {
		if !formats[f.Name] {
			t.Errorf("%s has no snippet", f.Name)
		}
	}
}
