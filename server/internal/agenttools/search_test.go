package agenttools_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/aptix-dev/aptix/server/internal/text"
	"github.com/aptix-dev/aptix/server/tools/needs"
)

type found struct {
	Chunks []struct {
		DocPath, Source, Content string
		IsFullFile               bool
		StartLine, EndLine       int
	}
	Truncated bool
}

// places returns the found lines, as "docPath first-last".
func (f found) places() (all []string) {
	for _, c := range f.Chunks {
		all = append(all, fmt.Sprintf("%s %d-%d", c.DocPath, c.StartLine, c.EndLine))
	}
	return all
}

// numbered returns n lines; special replaces some of them.
func numbered(n int, special map[int]string) string {
	var b strings.Builder
	for i := 1; i <= n; i++ {
		line, ok := special[i]
		if !ok {
			line = fmt.Sprintf("line %d", i)
		}
		b.WriteString(line + "\n")
	}
	return b.String()
}

func TestSearch(t *testing.T) {
	e := newEditor(t, map[string]string{"open.txt": "the needle that is typed\n", "new.txt": "a needle, never saved\n"}, map[string]string{
		"open.txt":     "a needle on disk\n",
		"src/Long.go":  numbered(200, map[int]string{50: "Needle one", 54: "a needle, near", 150: "needle and thread"}),
		"src/short.go": "package needle\n",
		"binary":       "needle\x00",
		"large.txt":    "needle\n" + strings.Repeat("x\n", 1<<20),
		".git/needle":  "needle",
		"minified.js":  numbered(50, map[int]string{7: "needle" + strings.Repeat("x", 20_000)}),
		"bundle.js":    numbered(9, map[int]string{4: strings.Repeat("x", 20_000), 5: "sourceMap"}),
		"sub/.GIT/x":   "needle",
	}, map[string]string{"other.txt": "needle\n"})
	for name, tt := range map[string]struct {
		arguments map[string]any
		want      []string
	}{
		"literal": {map[string]any{"query": "needle", "mode": "literal"}, []string{
			"demo/open.txt 1-1", "demo/src/long.go 47-57", "demo/src/long.go 147-153", "demo/src/short.go 1-1", "demo/new.txt 1-1", "demo2/other.txt 1-1"}},
		"case":                       {map[string]any{"query": "Needle", "mode": "literal", "caseSensitive": true}, []string{"demo/src/long.go 47-53"}},
		"words with case":            {map[string]any{"query": "one Needle", "caseSensitive": true}, []string{"demo/src/long.go 47-53"}},
		"regexp":                     {map[string]any{"query": `^needle and\b.*$`, "mode": "regexp"}, []string{"demo/src/long.go 147-153"}},
		"all words":                  {map[string]any{"query": "thread needle"}, []string{"demo/src/long.go 47-57", "demo/src/long.go 147-153"}},
		"a word is missing":          {map[string]any{"query": "needle haystack"}, nil},
		"after a long line":          {map[string]any{"query": "sourcemap"}, []string{"demo/bundle.js 5-8"}},
		"prefix":                     {map[string]any{"query": "needle", "under": "demo/src/s"}, []string{"demo/src/short.go 1-1"}},
		"glob":                       {map[string]any{"query": "needle", "under": "**/*.go", "limit": 1}, []string{"demo/src/long.go 47-57"}},
		"glob of a name":             {map[string]any{"query": "needle", "under": "demo/???.txt"}, []string{"demo/new.txt 1-1"}},
		"folder":                     {map[string]any{"query": "needle", "folder": "Demo2"}, []string{"demo2/other.txt 1-1"}},
		"nothing":                    {map[string]any{"query": "haystack"}, nil},
		"a literal has no wildcards": {map[string]any{"query": "n.edle", "mode": "literal"}, nil},
	} {
		got := must[found](e, "workspace_search", tt.arguments)
		if !slices.Equal(got.places(), tt.want) {
			t.Errorf("%s: %q, want %q", name, got.places(), tt.want)
		}
		if got.Truncated != (name == "glob") {
			t.Errorf("%s: truncated %v", name, got.Truncated)
		}
	}
	for _, c := range must[found](e, "workspace_search", map[string]any{"query": "needle"}).Chunks {
		if c.IsFullFile != (c.Source == "rag-full") || c.IsFullFile == (c.DocPath == "demo/src/long.go") {
			t.Errorf("%+v", c)
		}
		if c.DocPath == "demo/open.txt" && c.Content != "the needle that is typed\n" {
			t.Errorf("the open document does not count: %q", c.Content)
		}
	}
}

// A file whose name is not UTF-8 has no docPath, so it cannot be read.
func TestSearchLeavesOutNameless(t *testing.T) {
	needs.NamesOfBytes(t)
	e := newEditor(t, nil, map[string]string{"b.txt": "needle"})
	if err := os.WriteFile(filepath.Join(e.roots[0].Dir(), "bad\xff.txt"), []byte("needle"), 0o644); err != nil {
		t.Fatal(err)
	}
	if got := must[found](e, "workspace_search", map[string]any{"query": "needle"}); !slices.Equal(got.places(), []string{"demo/b.txt 1-1"}) {
		t.Errorf("%q", got.places())
	}
}

func TestSearchLeavesOutIgnored(t *testing.T) {
	e := newEditor(t, nil, map[string]string{".gitignore": "out/\n*.log\n", "out/deep/a.txt": "needle", "a.log": "needle", "b.txt": "needle"})
	needs.Program(t, "git")
	needs.Links(t)
	cmd := exec.Command("git", "init", "-q")
	cmd.Dir = e.roots[0].Dir()
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git init: %v %s", err, out)
	}
	if err := os.Symlink(filepath.Join(e.roots[0].Dir(), "b.txt"), filepath.Join(e.roots[0].Dir(), "link.txt")); err != nil {
		t.Fatal(err)
	}
	if got := must[found](e, "workspace_search", map[string]any{"query": "needle"}).places(); !slices.Equal(got, []string{"demo/b.txt 1-1"}) {
		t.Errorf("%q", got)
	}
}

// A chunk has exactly the lines that it names, the chunks of a file do not overlap, and every matching line is in a
// chunk.
func TestChunksAreLines(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		lines := rapid.SliceOfN(rapid.SampledFrom([]string{"needle", "x", "y needle", "", "zzz"}), 1, 300).Draw(rt, "lines")
		eol := rapid.SampledFrom([]string{"\n", "\r\n", "\r"}).Draw(rt, "eol")
		content := strings.Join(lines, eol)
		e := newEditor(t, nil, map[string]string{"a.txt": content})
		all := text.SplitLines(content)
		got := must[found](e, "workspace_search", map[string]any{"query": "needle", "mode": rapid.SampledFrom([]string{"words", "literal", "regexp"}).Draw(rt, "mode"), "limit": 100})
		covered := make([]int, len(all)+1)
		for _, c := range got.Chunks {
			if c.Content != strings.Join(all[c.StartLine-1:c.EndLine], "") {
				rt.Fatalf("lines %d to %d are not %q", c.StartLine, c.EndLine, c.Content)
			}
			for i := c.StartLine; i <= c.EndLine; i++ {
				covered[i]++
			}
		}
		for i, line := range all {
			if covered[i+1] > 1 || strings.Contains(line, "needle") && covered[i+1] == 0 {
				rt.Fatalf("line %d is in %d chunks of %q", i+1, covered[i+1], got.places())
			}
		}
	})
}

func TestSearchIsBounded(t *testing.T) {
	tree := map[string]string{}
	for i := range 300 {
		tree[fmt.Sprintf("f%d.txt", i)] = numbered(400, map[int]string{100: "needle", 200: "needle", 300: "needle"})
	}
	e := newEditor(t, nil, tree)
	got := must[found](e, "workspace_search", map[string]any{"query": "needle", "limit": 1000})
	if len(got.Chunks) != 100 || !got.Truncated {
		t.Errorf("%d chunks, truncated %v", len(got.Chunks), got.Truncated)
	}
}

// A patch that is based on the hash of a snippet is refused, and the message says so (rule L20).
func TestSnippetIsNoBase(t *testing.T) {
	e := newEditor(t, nil, map[string]string{"a.txt": numbered(100, map[int]string{50: "needle"})}).withHistory()
	snippet := must[found](e, "workspace_search", map[string]any{"query": "needle"}).Chunks[0]
	for _, base := range []string{snippet.Content, strings.TrimSuffix(snippet.Content, "\n")} {
		codes, said := refused(e, "workspace_write_patch", batch("demo/a.txt", base, change{"operation": "delete", "startLine": 50, "endLine": 50, "expectedOriginalLines": []string{"needle"}}))
		if !slices.Equal(codes, []string{"snippet-sha"}) || !strings.Contains(said, "lines 47 to 53") {
			t.Errorf("%v %s", codes, said)
		}
	}
}
