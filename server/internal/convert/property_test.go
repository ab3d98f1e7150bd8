package convert

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"pgregory.net/rapid"

	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/elision"
	"github.com/aptix-dev/aptix/server/internal/paths"
	"github.com/aptix-dev/aptix/server/internal/place"
	"github.com/aptix-dev/aptix/server/internal/plan"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// known returns the formats that the engine can read, so that the test can apply their documents.
func known() []Format {
	return slices.DeleteFunc(slices.Clone(Formats), func(f Format) bool { return !slices.Contains(check.FormatNames(), string(f)) })
}

const folder = "Project"

func where(tree fs.FS) check.Where {
	return check.Where{Tree: tree, Base: "/base/" + folder, DocPath: paths.Folder{Names: []string{folder}, Tree: tree}.Lookup}
}

// apply returns the tree after the engine has applied a document.
func apply(t require, tree fstest.MapFS, doc string, format Format) fstest.MapFS {
	r, err := check.Check(context.Background(), []check.Document{{Name: "-", Text: doc, Format: string(format)}}, where(tree))
	if err != nil {
		t.Fatalf("%v", err)
	}
	if !r.Applicable() {
		t.Fatalf("the %s is refused: %v\n%s", format, r.Blocks, doc)
	}
	return after(tree, r.Plan.Files)
}

// require is the part that testing.TB and rapid.T have in common.
type require interface{ Fatalf(string, ...any) }

func after(tree fstest.MapFS, files []plan.File) fstest.MapFS {
	out := maps.Clone(tree)
	for _, f := range plan.Paths(files) {
		delete(out, f.Path)
		if f.After.Exists {
			out[f.Path] = &fstest.MapFile{Data: []byte(f.After.Data), Mode: f.After.Mode}
		}
	}
	return out
}

func listing(tree fstest.MapFS) string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(tree)) {
		fmt.Fprintf(&b, "%s %v %q\n", name, tree[name].Mode, tree[name].Data)
	}
	return b.String()
}

// A style determines how difficult the files of a property test are.
type style struct {
	lines   []string // the lines that files may consist of
	endings []string
	bare    bool // the last line may lack its ending
	marks   []string
}

var (
	// plain files can be written in every format: they have no blank lines, no white space at line
	// ends, and one kind of line ending.
	plain = style{lines: []string{"a", "b", "c", "  a", "x = 1", "}", "a b", "# c", "```", "^", "$", "--- a", "@@ -1 +1 @@", "ü", "[ID] FILE", "deadbeef FILE", "end\u2028line"}, endings: []string{"\n"}, marks: []string{""}}
	// repetitive files have many equal lines.
	repetitive = style{lines: []string{"a", "b", "}"}, endings: []string{"\n"}, marks: []string{""}}
	// rough files have everything that is difficult to write.
	rough = style{lines: []string{"a", "a ", "", "  ", "\t", "  a", "b", "}", "```", "a\u00a0", "\u00a0", "\v"}, endings: []string{"\n", "\r\n", "\r"}, bare: true, marks: []string{"", "\ufeff"}}
)

// file draws the lines of a file.
func (s style) file(t *rapid.T, label string) []string {
	return rapid.SliceOfN(rapid.SampledFrom(s.lines), 0, 14).Draw(t, label)
}

// edited draws another version of lines.
func (s style) edited(t *rapid.T, lines []string) []string {
	out := slices.Clone(lines)
	for range rapid.IntRange(1, 4).Draw(t, "edits") {
		from := rapid.IntRange(0, len(out)).Draw(t, "from")
		to := rapid.IntRange(from, min(len(out), from+3)).Draw(t, "to")
		new := rapid.SliceOfN(rapid.SampledFrom(s.lines), 0, 3).Draw(t, "new")
		out = slices.Replace(out, from, to, new...)
	}
	return out
}

// join joins lines to the text of a file.
func (s style) join(t *rapid.T, lines []string, mark string) string {
	var b strings.Builder
	b.WriteString(mark)
	mixed := rapid.IntRange(0, 3).Draw(t, "mixed") == 0
	eol := rapid.SampledFrom(s.endings).Draw(t, "ending")
	for i, line := range lines {
		if mixed {
			eol = rapid.SampledFrom(s.endings).Draw(t, "ending")
		}
		b.WriteString(line)
		if i < len(lines)-1 || !s.bare || rapid.Bool().Draw(t, "last") {
			b.WriteString(eol)
		}
	}
	return b.String()
}

// A drawing is a tree and a change of it.
type drawing struct {
	tree  fstest.MapFS
	files []plan.File
}

// draw draws a tree and edits of some of its files. If whole is true, it also draws operations on
// whole files.
func (s style) draw(t *rapid.T, whole bool) drawing {
	d := drawing{tree: fstest.MapFS{}}
	for _, name := range []string{"a.txt", "dir/b.txt", "dir/sub/C.md"}[:rapid.IntRange(1, 3).Draw(t, "files")] {
		mark := rapid.SampledFrom(s.marks).Draw(t, "mark")
		lines := s.file(t, name)
		before := text.Content{Exists: true, Data: s.join(t, lines, mark), Mode: 0o644}
		f := plan.File{Path: name, Operation: plan.Modify, State: plan.Change, Before: before, After: before}
		f.After.Data = s.join(t, s.edited(t, lines), mark)
		switch operation := rapid.IntRange(0, 9).Draw(t, "operation"); {
		case whole && operation == 0:
			f.Operation, f.Before = plan.Create, text.Content{}
		case whole && operation == 1:
			f.Operation, f.After = plan.Remove, text.Content{}
		case whole && operation == 2:
			f.Operation, f.To = plan.Rename, "moved/"+name
		}
		if f.Before.Exists {
			d.tree[name] = &fstest.MapFile{Data: []byte(f.Before.Data), Mode: 0o644}
		}
		if f.Operation == plan.Rename || f.Before != f.After {
			d.files = append(d.files, f)
		}
	}
	return d
}

// asBundle returns a drawing with the result that a bundle gives: unchanged lines keep their
// endings, and new lines get the ending of the file.
func (d drawing) asBundle(t require) drawing {
	doc := struct {
		Root  string        `json:"root"`
		Files []bundleEntry `json:"files"`
	}{Root: "."}
	for _, f := range plan.Paths(d.files) {
		e := bundleEntry{Path: f.Path, Operation: "delete"}
		if f.After.Exists {
			content := strings.TrimPrefix(text.WithEOL(f.After.Data, text.LF), "\ufeff")
			e.Operation, e.Content = "create", &content
			if f.Before.Exists {
				e.Operation = "replace"
			}
		}
		doc.Files = append(doc.Files, e)
	}
	if len(doc.Files) == 0 {
		return d
	}
	r, err := check.Check(context.Background(), []check.Document{{Name: "-", Text: pretty(doc), Format: "bundle"}}, where(d.tree))
	if err == nil && slices.ContainsFunc(r.Blocks[0].Diagnostics, func(d diag.Diagnostic) bool { return d.Code == diag.FilePart }) {
		return d // a drawn text may look like a part of its file
	}
	if err != nil || !r.Applicable() {
		t.Fatalf("%v %v", err, r.Blocks)
	}
	d.files = r.Plan.Files
	return d
}

// A document in any format gives exactly the intended tree, or is refused.
func TestExactOrRefused(t *testing.T) {
	written, asked := map[Format]int{}, 0
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.SampledFrom([]style{plain, repetitive, rough}).Draw(t, "style")
		d := s.draw(t, true)
		if rapid.Bool().Draw(t, "bundle") {
			d = d.asBundle(t)
		}
		want := listing(after(d.tree, d.files))
		asked++
		for _, to := range known() {
			doc, err := Document(context.Background(), to, d.files, where(d.tree), folder)
			var cannot *CannotError
			if errors.As(err, &cannot) {
				continue
			}
			if err != nil {
				t.Fatalf("%s: %v", to, err)
			}
			written[to]++
			if doc == "" {
				continue
			}
			if got := listing(apply(t, d.tree, doc, to)); got != want {
				t.Fatalf("%s:\n%s\ngives\n%s\nnot\n%s", to, doc, got, want)
			}
		}
	})
	for _, to := range known() {
		if written[to] < asked/10 {
			t.Errorf("of %d changes only %d were written as %s", asked, written[to], to)
		}
	}
}

// readInParts reports whether the engine reads the document of a change as one that leaves out lines of a file, although
// it has whole texts (rules W14 and M1 to M4).
func readInParts(t *rapid.T, to Format, d drawing) bool {
	doc, err := writers(to, folder)[0](d.files, meterOf(d.files))
	if err != nil {
		return false
	}
	r, err := check.Check(context.Background(), []check.Document{{Name: "-", Text: doc, Format: string(to)}}, where(d.tree))
	if err != nil {
		t.Fatal(err)
	}
	says := func(d diag.Diagnostic) bool {
		return d.Code == diag.FilePart || d.Code == diag.ElisionUnsure || d.Code == diag.ElisionNoPlace
	}
	return slices.ContainsFunc(r.Blocks, func(b check.Block) bool { return slices.ContainsFunc(b.Diagnostics, says) }) ||
		to == WholeFile && slices.ContainsFunc(d.files, func(f plan.File) bool {
			return elision.Read(place.NewLines(f.Before.Data, place.AfterEOL, nil), f.After.Data).State != elision.None
		})
}

// A change of plain files is written in every format that supports the operation. The one
// exception is a text that looks like a part of its file, which is not written as the whole file.
func TestPlainIsWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.SampledFrom([]style{plain, repetitive}).Draw(t, "style")
		whole := rapid.Bool().Draw(t, "whole files")
		d := s.draw(t, whole)
		for _, to := range Formats {
			if whole && (to == Structured || to == Lines || to == SearchReplace) || to == Structured && empty(d.files) {
				continue
			}
			_, err := Document(context.Background(), to, d.files, where(d.tree), folder)
			if err != nil && !readInParts(t, to, d) {
				t.Fatalf("%s: %v\n%q", to, err, fmt.Sprint(d.files))
			}
		}
	})
}

// empty reports whether any of the files has no line that an edit could name.
func empty(files []plan.File) bool {
	return slices.ContainsFunc(files, func(f plan.File) bool { return f.Before.Data == "" })
}
