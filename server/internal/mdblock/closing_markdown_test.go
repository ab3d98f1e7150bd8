package mdblock

import (
	"slices"
	"strings"
	"testing"
)

// If the path of a Markdown file is above a fence, the fence ends only after all fences in the file are closed.
func TestMarkdownFile(t *testing.T) {
	for doc, want := range map[string][]string{
		"README.md\n```\n# A\n```sh\nx\n```\nB\n```\nC\n":                      {"# A\n```sh\nx\n```\nB\n"},
		"### New file: `a.md` (new)\n\n```md\n```sh\nx\n```\n```\n":            {"```sh\nx\n```\n"},
		"```md title=\"a.md\"\n```sh\nx\n```\n```\n":                           {"```sh\nx\n```\n"},
		"a.md\n```\n# A\n```\nx\n```\nB\n```\n":                                {"# A\n```\nx\n```\nB\n"},
		"a.md\n```\n# A\n\n```\nx\n```\n\n```\n\nRun:\n":                       {"# A\n\n```\nx\n```\n\n"},
		"a.md\n```\n# A\n\n```\nx\n```\n\nB\n":                                 nil,
		"a.md\n```\n# A\n```\nRun:\n```sh\nx\n```\n":                           {"# A\n", "x\n"},
		"a.md\n```\n```sh\nx\n```\n```\nb.md\n```\n```sh\ny\n```\n```\n":       {"```sh\nx\n```\n", "```sh\ny\n```\n"},
		"a.md\n```\nA\n```\n`b.py`\n```\nB\n```\nand\n```\nC\n```\n":           {"A\n", "B\n", "C\n"},
		"a.md\n```\nA\n```\nand\n```json\n{\"files\": [{\"path\": 1}]}\n```\n": {"A\n", "{\"files\": [{\"path\": 1}]}\n"},
		"a.md\n```\nA\n```\nand\n```\n--- a/x\n+++ b/x\n```\nand\n```\nC\n```": {"A\n", "--- a/x\n+++ b/x\n", "C\n"},
		"a.md\n```\nA\n```sh\nx\n```\n":                                        nil,
		"a.md\n```\nA\n```sh\nx\n":                                             nil,
		"See a.md\n```\nA\n```\nx\n```\nB\n```\n":                              {"A\n", "B\n"},
		"a.md\n```sh\nA\n```\nx\n```\nB\n```\n":                                {"A\n", "B\n"},
		"> a.md\n> ```\n> ```sh\n> x\n> ```\n> ```\n":                          {"```sh\nx\n```\n"},
	} {
		var got []string
		for _, b := range Find(doc) {
			if b.Closed {
				got = append(got, b.Body)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q has %q, want %q", doc, got, want)
		}
	}
}

// For a document with fences that never pair, the time is linear in the length of the document.
func TestMarkdownFileIsBounded(t *testing.T) {
	doc := "a.md\n```\n" + strings.Repeat("```\nx\n", 50_000)
	if n := len(Find(doc)); n == 0 {
		t.Error("no block is found")
	}
}
