package replies

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"math"
	"path"
	"slices"
	"strings"

	"go.lsp.dev/uri"

	aptix "github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/doubt"
	"github.com/aptix-dev/aptix/server/internal/escape"
	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/lspconv"
	"github.com/aptix-dev/aptix/server/internal/lspserver/workspace"
	"github.com/aptix-dev/aptix/server/internal/mdblock"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// Limits of the search for the files that a code block may belong to.
const (
	maxCompared     = 2000      // the files that are compared with the code
	maxComparedFile = 256 << 10 // in bytes; longer files are not compared
	maxAddressed    = 50        // the files that are offered for a code block
)

func (c *Reply) codeBlocks() []mdblock.Block {
	return slices.DeleteFunc(slices.Clone(c.Fences(0)), func(b mdblock.Block) bool { return !b.Closed || strings.TrimSpace(b.Body) == "" })
}

// HasCode reports whether the document has a code block that may belong to a file.
func (c *Reply) HasCode() bool { return c.View.Folder != nil && len(c.codeBlocks()) > 0 }

// Unaddressed lists the files to which each code block may belong.
func (c *Reply) Unaddressed(ctx context.Context) []aptix.Unaddressed {
	files := comparable(ctx, c.View, pathIn(c.View, c.URI))
	return text.Each(c.codeBlocks(), func(f mdblock.Block) aptix.Unaddressed {
		line := c.Lines.Position(f.Open.Start).Line
		return aptix.Unaddressed{Line: line, Title: fmt.Sprintf("Which file is the code in line %d for?", line+1), Files: offeredFiles(f.Body, files)}
	})
}

// Addressed returns a copy of the document, in which a new line above each chosen block names the block's file. The
// line is in the same container as the block, such as a list item.
func (c *Reply) Addressed(chosen []aptix.Chosen) (string, error) {
	doc, lines := c.Documents[0].Text, c.Lines
	var edits []text.Edit
	for _, f := range c.codeBlocks() {
		i := slices.IndexFunc(chosen, func(c aptix.Chosen) bool { return c.Line == lines.Position(f.Open.Start).Line })
		if i < 0 {
			continue
		}
		start := strings.LastIndexAny(doc[:f.Open.Start], "\r\n") + 1
		prefix := strings.Map(func(r rune) rune {
			if strings.ContainsRune(" \t>", r) {
				return r
			}
			// A list marker: below the first line of a list item, spaces replace it.
			return ' '
		}, doc[start:f.Open.Start])
		label := "Updated file: `" + chosen[i].Path + "`"
		edits = append(edits, text.Edit{Span: text.Span{Start: f.Open.Start, End: f.Open.Start}, New: label + "\n\n" + prefix})
		if above := strings.TrimRight(doc[:start], "\r\n"); start > len(above)+1 && above != "" && strings.Count(doc[len(above):start], "\n") < 2 {
			edits[len(edits)-1].New = "\n" + prefix + edits[len(edits)-1].New
		}
	}
	return text.Apply(doc, edits)
}

type candidate struct {
	path   string
	active bool            // whether the file is open in the active editor
	lines  map[string]bool // the lines of the file that contain a word
}

// pathIn returns the path of a document in a folder, or "" if the document is not a file of the folder.
func pathIn(v workspace.View, document uri.URI) string {
	file, ok := lspconv.Path(document)
	if !ok {
		return ""
	}
	rel, _ := v.Relative(file)
	return rel
}

// comparable returns the text files of the folder that may be compared with code, up to the limits above. The file
// `active` comes first, then the other open files, then the rest. comparable leaves out hidden files, hidden folders
// and node_modules.
func comparable(ctx context.Context, v workspace.View, active string) []candidate {
	var names []string
	if active != "" {
		names = append(names, active)
	}
	names = append(names, v.Paths()...)
	for folders := []string{"."}; len(folders) > 0 && len(names) < maxCompared && ctx.Err() == nil; folders = folders[1:] {
		entries, err := fs.ReadDir(v.Tree, folders[0])
		if err != nil {
			continue
		}
		for _, e := range entries {
			switch name := path.Join(folders[0], e.Name()); {
			case strings.HasPrefix(e.Name(), ".") || e.Name() == "node_modules":
			case e.IsDir():
				folders = append(folders, name)
			case e.Type().IsRegular():
				names = append(names, name)
			}
		}
	}
	var found []candidate
	seen := map[string]bool{}
	for _, name := range names[:min(len(names), maxCompared)] {
		info, err := fs.Stat(v.Tree, name)
		if seen[name] || err != nil || !info.Mode().IsRegular() || info.Size() > maxComparedFile || ctx.Err() != nil {
			continue
		}
		seen[name] = true
		if content := v.Text(name); content != "" || info.Size() == 0 {
			found = append(found, candidate{name, name == active, telling(content)})
		}
	}
	return found
}

// telling returns the lines of a text that contain a word. Other lines, such as a lone brace, are in almost every file.
func telling(content string) map[string]bool {
	lines := text.Set(doubt.Telling(content))
	return lines
}

// offeredFiles returns the files that a person can choose for a code block, at most maxAddressed. The file in the
// active editor comes first. The other files are sorted by the number of lines that they share with the code, most
// first.
func offeredFiles(code string, files []candidate) []aptix.Addressee {
	lines := telling(code)
	shared := map[string]int{}
	for _, f := range files {
		for line := range lines {
			if f.lines[line] {
				shared[f.path]++
			}
		}
	}
	rank := func(f candidate) int {
		if f.active {
			return math.MinInt
		}
		return -shared[f.path]
	}
	files = slices.SortedStableFunc(slices.Values(files), func(a, b candidate) int { return cmp.Compare(rank(a), rank(b)) })
	offered := []aptix.Addressee{}
	for _, f := range files[:min(len(files), maxAddressed)] {
		what := escape.Line(f.path)
		if f.active {
			what += ", in the active editor"
		}
		if n := shared[f.path]; n > 0 {
			what += fmt.Sprintf(": has %d of %s", n, format.Count(len(lines), "line"))
		}
		offered = append(offered, aptix.Addressee{Path: f.path, Text: what})
	}
	return offered
}
