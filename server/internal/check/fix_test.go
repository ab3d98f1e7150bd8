package check

import (
	"context"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/aptix-dev/aptix/server/internal/text"
)

// countedTree counts how often one of its files is opened.
type countedTree struct {
	fs.FS
	opened int
}

func (c *countedTree) Open(name string) (fs.File, error) {
	if name == "a.txt" {
		c.opened++
	}
	return c.FS.Open(name)
}

func (c *countedTree) Lstat(name string) (fs.FileInfo, error) { return fs.Lstat(c.FS, name) }

func (c *countedTree) ReadLink(name string) (string, error) { return fs.ReadLink(c.FS, name) }

// A repair of a long reply with very many faults ends after a few rounds, because each round reads all of it again.
func TestLongReplyIsRepairedInFewRounds(t *testing.T) {
	rounds := func(files int) int {
		var b strings.Builder
		b.WriteString("```json\n{\"root\": \".\", \"files\": [{\"path\": \"a.txt\", \"operation\": \"replace\", \"content\": 'x'}")
		for i := range files {
			fmt.Fprintf(&b, ", {'path': 'b%d', 'operation': 'create', 'content': 'x'}", i)
		}
		b.WriteString("]}\n```\n")
		tree := &countedTree{FS: fstest.MapFS{"a.txt": {Data: []byte("a\n"), Mode: 0o644}}}
		if _, err := Repair(context.Background(), []Document{{Name: "reply.md", Text: b.String()}}, Where{Tree: tree}); err != nil {
			t.Fatal(err)
		}
		return tree.opened
	}
	once := rounds(1) / 2 // the file is opened as often in the round that finds nothing more to repair
	if few := rounds(30_000) / once; few > 8 {
		t.Errorf("a long reply takes %d rounds", few)
	}
	if all := rounds(1_000) / once; all < 8 {
		t.Errorf("a short reply takes only %d rounds", all)
	}
}

// The edits of all fixes are merged in linear time, in order and without conflicts.
func TestManyEditsOfAFix(t *testing.T) {
	const n = 400_000
	at := func(i int) text.Edit { return text.Insertion(i, "\\") }
	var even, odd []text.Edit
	for i := n; i > 0; i -= 2 {
		even, odd = append(even, at(i)), append(odd, at(i-1))
	}
	merged, ok := insertAll(nil, even, n)
	if !ok {
		t.Fatal("the first fix does not fit")
	}
	if merged, ok = insertAll(merged, odd, n); !ok || len(merged) != n || !slices.IsSortedFunc(merged, text.ByPlace) {
		t.Errorf("%d edits of %d, %v", len(merged), n, ok)
	}
	for name, conflict := range map[string][]text.Edit{
		"at the same place": {at(7)}, "over another": {text.Edit{Span: text.Span{Start: 3, End: 5}}},
		"outside": {at(n + 1)}, "with itself": {at(n + 1), at(n + 1)}, "before the start": {at(-1)},
	} {
		if again, ok := insertAll(merged, conflict, n); ok || len(again) != n {
			t.Errorf("an edit %s: %d edits, %v", name, len(again), ok)
		}
	}
}
