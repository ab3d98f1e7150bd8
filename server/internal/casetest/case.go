// Package casetest reads the cases in testdata/cases: each is one text file that
// every front end is run on. CONTRIBUTING.md has their format.
package casetest

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/escape"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A Case is one reply, the tree before and after it, and what is said of it.
type Case struct {
	File  string   // path of the case itself; "" for one that a test made
	Reply string   // file name of the reply
	Text  string   // the reply
	Flags []string // of the command line
	Open  []string // files that the editor has open
	Exit  int      // exit code of apply
	// NoEditor says that an editor does something else, as line endings are its own.
	NoEditor bool
	// NeedsHistory says that the files alone cannot show that the reply is done.
	NeedsHistory bool

	Before, After Tree
	Want          string              // the report, as [Describe] writes it
	Codes         []string            // of the errors; read from Want for a case in a file
	State         protocol.BlockState // of the only block, for a case that is in no file
	archive       *txtar.Archive
}

// A Tree is files and symbolic links by path.
type Tree map[string]File

// A File is a file's bytes, or the target of a link.
type File struct {
	Data string
	Mode fs.FileMode
}

// Load reads all cases below dir.
func Load(t testing.TB, dir string) []*Case {
	t.Helper()
	var cases []*Case
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".txtar") {
			return err
		}
		c, err := read(path)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		cases = append(cases, c)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return cases
}

func read(path string) (*Case, error) {
	archive, err := txtar.ParseFile(path)
	if err != nil {
		return nil, err
	}
	c := &Case{File: path, Before: Tree{}, archive: archive}
	if err := c.header(string(archive.Comment)); err != nil {
		return nil, err
	}
	for _, f := range archive.Files {
		if err := c.section(f); err != nil {
			return nil, fmt.Errorf("%s: %w", f.Name, err)
		}
	}
	if c.After == nil {
		c.After = c.Before
	}
	c.Codes = errorCodes(c.Want)
	if c.Reply == "" {
		return nil, fmt.Errorf("there is no reply")
	}
	return c, nil
}

// header reads `flags:`, `open:`, `editor:`, `again:` and `exit:` lines of the comment; the rest is
// prose.
func (c *Case) header(comment string) (err error) {
	for line := range strings.Lines(comment) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), ":")
		switch key {
		case "flags":
			c.Flags = strings.Fields(value)
		case "open":
			c.Open = strings.Fields(value)
		case "editor":
			c.NoEditor = strings.TrimSpace(value) == "no"
		case "again":
			c.NeedsHistory = strings.TrimSpace(value) == "history"
		case "exit":
			c.Exit, err = strconv.Atoi(strings.TrimSpace(value))
		}
	}
	return err
}

// errorCodes lists the codes of the errors in a `want` section, sorted.
func errorCodes(want string) []string {
	var codes []string
	for line := range strings.Lines(want) {
		if words := strings.Fields(line); len(words) > 1 && words[0] == "error" {
			codes = append(codes, words[1])
		}
	}
	slices.Sort(codes)
	return slices.Compact(codes)
}

func (c *Case) section(f txtar.File) error {
	name, attributes, err := cutName(f.Name)
	if err != nil {
		return err
	}
	data, err := encode(string(f.Data), strings.Fields(attributes))
	if err != nil {
		return err
	}
	file := File{data, mode(attributes)}
	kind, path, _ := strings.Cut(name, "/")
	switch kind {
	case "before":
		c.Before[path] = file
	case "after":
		if c.After == nil {
			c.After = Tree{}
		}
		if path != "" {
			c.After[path] = file // `after/` alone is an empty tree
		}
	case "want":
		c.Want = data
	default:
		if c.Reply != "" {
			return fmt.Errorf("there is a reply already: %s", c.Reply)
		}
		c.Reply, c.Text = name, data
	}
	return nil
}

// cutName splits the name of a file from the words after it. A name with spaces is a
// Go string literal.
func cutName(section string) (name, attributes string, err error) {
	if !strings.HasPrefix(section, `"`) {
		name, attributes, _ = strings.Cut(section, " ")
		return name, attributes, nil
	}
	quoted, err := strconv.QuotedPrefix(section)
	if err != nil {
		return "", "", err
	}
	name, err = strconv.Unquote(quoted)
	return name, section[len(quoted):], err
}

func mode(attributes string) fs.FileMode {
	for _, a := range strings.Fields(attributes) {
		switch a {
		case "link":
			return fs.ModeSymlink
		case "exec":
			return 0o755
		}
	}
	return 0o644
}

// encode turns a section into the bytes of a file, by the words after its name.
func encode(s string, attributes []string) (string, error) {
	for _, a := range attributes {
		switch a {
		case "crlf":
			s = text.WithEOL(s, text.CRLF)
		case "cr":
			s = text.WithEOL(s, text.CR)
		case "noeol", "link":
			s = strings.TrimSuffix(text.WithEOL(s, text.LF), "\n")
			if len(attributes) > 1 && attributes[0] == "crlf" {
				s = text.WithEOL(s, text.CRLF)
			}
		case "bom":
			s = text.UTF8BOM.Encode(s)
		case "utf16le":
			s = text.UTF16LE.Encode(s)
		case "utf16be":
			s = text.UTF16BE.Encode(s)
		case "quoted": // a Go string literal
			unquoted, err := strconv.Unquote(strings.TrimSpace(s))
			if err != nil {
				return "", err
			}
			s = unquoted
		case "exec":
		default:
			return "", fmt.Errorf("unknown attribute %q", a)
		}
	}
	return s, nil
}

// Update writes got as the case's `want` section.
func (c *Case) Update(got string) error {
	for i, f := range c.archive.Files {
		if f.Name == "want" {
			c.archive.Files[i].Data = []byte(got)
			return os.WriteFile(c.File, txtar.Format(c.archive), 0o644)
		}
	}
	c.archive.Files = append(c.archive.Files, txtar.File{Name: "want", Data: []byte(got)})
	return os.WriteFile(c.File, txtar.Format(c.archive), 0o644)
}

// Write makes the tree in dir.
func (tree Tree) Write(t testing.TB, dir string) {
	t.Helper()
	for path, f := range tree {
		name := filepath.Join(dir, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		err := error(nil)
		if f.Mode&fs.ModeSymlink != 0 {
			err = os.Symlink(f.Data, name)
		} else {
			err = os.WriteFile(name, []byte(f.Data), f.Mode)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// Read is the tree in dir. Empty folders do not count.
func Read(t testing.TB, dir string) Tree {
	t.Helper()
	tree := Tree{}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(dir, name)
		if err != nil {
			return err
		}
		tree[filepath.ToSlash(rel)], err = readFile(name, d)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

func readFile(name string, d fs.DirEntry) (File, error) {
	if d.Type()&fs.ModeSymlink != 0 {
		target, err := os.Readlink(name)
		return File{target, fs.ModeSymlink}, err
	}
	info, err := d.Info()
	if err != nil {
		return File{}, err
	}
	data, err := os.ReadFile(name)
	return File{string(data), info.Mode().Perm()}, err
}

// Describe writes a report as the `want` section of a case has it.
func Describe(r protocol.Report) string {
	var b strings.Builder
	for _, block := range r.Blocks {
		fmt.Fprintf(&b, "block %d %s %s line %d\n", block.Index, block.Format, block.State, block.Line)
		for _, f := range block.Files {
			path := f.Path
			if f.To != "" {
				path += " -> " + f.To
			}
			fmt.Fprintf(&b, "  %s %s %s +%d -%d\n", f.Operation, escape.Line(path), f.State, f.Added, f.Removed)
		}
		for _, d := range block.Diagnostics {
			describe(&b, d)
		}
	}
	if len(r.Blocks) == 0 {
		b.WriteString("no block\n")
	}
	if r.Declined {
		b.WriteString("declined\n")
	}
	return b.String()
}

func describe(b *strings.Builder, d protocol.Diagnostic) {
	from, to := d.Range.Start, d.Range.End
	fmt.Fprintf(b, "  %s %s %d:%d-%d:%d %s\n", d.Severity, d.Code, from.Line+1, from.Character+1, to.Line+1, to.Character+1, d.Message)
	for _, f := range d.Fixes {
		certain := ""
		if f.Preferred {
			certain = " (certain)"
		}
		fmt.Fprintf(b, "    fix%s: %s\n", certain, f.Title)
	}
}
