package plan

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/place"
	"github.com/aptix-dev/aptix/server/internal/text"
)

func TestRoom(t *testing.T) {
	r := room{held: 100, most: 200}
	s := place.NewText(strings.Repeat("a", 50))
	edit := func(n int) []text.Edit {
		return []text.Edit{{Span: text.Span{Start: 0, End: 10}, New: strings.Repeat("b", n)}}
	}
	if d := r.grow(s, edit(60)); d != nil {
		t.Errorf("an edit that fits: %v", d)
	}
	if d := r.grow(s, edit(60)); d != nil {
		t.Errorf("another one that fits: %v", d)
	}
	if d := r.grow(s, edit(5)); d != nil {
		t.Errorf("an edit that takes away: %v", d)
	}
	if d := r.grow(s, edit(12)); d == nil || d.Code != diag.ReplyTooLarge {
		t.Errorf("an edit that does not fit: %v", d)
	}
	huge := make([]text.Edit, 3)
	for i := range huge {
		huge[i] = text.Edit{Span: text.Span{Start: i, End: i + 1}, New: strings.Repeat("c", MaxFile/2)}
	}
	r = room{most: mostHeld}
	if d := r.grow(s, huge); d == nil || d.Code != diag.ReplyTooLarge {
		t.Errorf("a file that is too large: %v", d)
	}
}

// A reply is cut off at the first block that exceeds the limit, and at every later block,
// however small.
func TestReplyIsCutOff(t *testing.T) {
	for name, c := range map[string]struct {
		sizes []int // the sizes of the files that the blocks create
		want  []int // the indexes of the blocks that are refused
	}{
		"all of the room":           {[]int{60, 40}, nil},
		"one byte more":             {[]int{60, 41}, []int{1}},
		"a small block after":       {[]int{60, 41, 1}, []int{1, 2}},
		"an empty file after":       {[]int{60, 41, 0}, []int{1, 2}},
		"the first one":             {[]int{101}, []int{0}},
		"each one that comes after": {[]int{50, 51, 1, 1}, []int{1, 2, 3}},
	} {
		pl := planner{ctx: t.Context(), tree: fstest.MapFS{}, most: 100}
		for i, size := range c.sizes {
			set := write1(string(rune('a' + i)))
			set.Changes[0].Content = strings.Repeat("x", size)
			pl.sets = append(pl.sets, set)
		}
		p, err := pl.build(nil)
		if err != nil {
			t.Fatal(err)
		}
		var got []int
		for i, b := range p.Blocks {
			for _, d := range b.Diagnostics {
				if d.Code != diag.ReplyTooLarge || d.Severity != diag.Error {
					t.Errorf("%s, block %d: %v: %s", name, i, d.Code, d.Message)
				}
				got = append(got, i)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: blocks %v are cut off, want %v", name, got, c.want)
		}
	}
}

// Files that are only read count, too: both files already have their content, but there is no
// room for the second.
func TestReadingTakesRoom(t *testing.T) {
	tree := fstest.MapFS{}
	pl := planner{ctx: t.Context(), tree: tree, most: 100}
	for path, content := range map[string]string{"a": strings.Repeat("x", 60), "b": strings.Repeat("y", 41)} {
		tree[path] = &fstest.MapFile{Data: []byte(content)}
		set := write1(path)
		set.Changes[0].Content = content
		pl.sets = append(pl.sets, set)
	}
	p, err := pl.build(nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := codes(p); got != "error:reply-too-large" {
		t.Errorf("got %s", got)
	}
	if len(p.Files) != 0 {
		t.Errorf("%d files would be written", len(p.Files))
	}
}
