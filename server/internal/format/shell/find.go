package shell

import (
	"io/fs"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/aptix-dev/aptix/server/internal/artifact"
	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/mdblock"
	"github.com/aptix-dev/aptix/server/internal/reply"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// find claims the scripts of a document that edit files. Documentation and advice about commands show scripts, too.
// Therefore a script must name a file of the workspace, or a new file in one of its folders, and the document must
// not begin with a title. In a document with another edit, a command may write a file at any path.
func find(d format.Document) []*format.Region {
	var found []*format.Region
	for _, f := range d.Fences {
		if f.Kind() != mdblock.Shell && (f.Kind() != mdblock.Untagged || !strings.Contains(f.Body, "<<")) || d.IsTaken(f.Span) {
			continue
		}
		r := &format.Region{Block: f.Block, Room: f.Room}
		another := len(d.Claimed)+len(found) > 0
		if _, titled := reply.Titled(d); titled && !another {
			continue
		}
		parsed := read(r)
		if with, _ := plain(r, parsed); with != nil {
			parsed = read(with)
		}
		changes := parsed.Set.Changes
		folders := made(d.Tree, changes)
		isEdit := func(c intent.Change) bool { return isEdit(d, c, folders, another) }
		if !isWholeFile(d, f, changes) && slices.ContainsFunc(changes, isEdit) {
			found = append(found, r)
		}
	}
	return found
}

// isWholeFile reports whether the script is the text of a file: a path next to the fence labels it, or the sentence
// above announces it as a new script, and the script does not change this file.
func isWholeFile(d format.Document, f *format.Region, changes []intent.Change) bool {
	file := reply.FileOf(d.Text, 0, &f.Block)
	labelled := file.Where == reply.OnLine || file.Where == reply.InInfo ||
		file.Where == reply.InSentence && file.Says == reply.Create && reply.MayBeText(&f.Block, file.Path)
	return labelled && !slices.ContainsFunc(changes, func(c intent.Change) bool { return reply.EndsWith(c.Path, file.Path) })
}

// made returns the folders that a script creates in folders of the workspace.
func made(tree fs.FS, changes []intent.Change) (folders []string) {
	for _, c := range changes {
		if name := path.Clean(c.Path); c.Kind == intent.MakeDir && tree != nil && fs.ValidPath(name) && isFolder(tree, path.Dir(name)) {
			folders = append(folders, name)
		}
	}
	return folders
}

func isFolder(tree fs.FS, name string) bool {
	info, err := fs.Stat(tree, name)
	return err == nil && info.IsDir()
}

// isEdit reports whether a change shows that its script is an edit. Creating or removing folders does not show it,
// because builds do so, too. `made` are the folders that the script creates. `another` is true if the document has
// another edit.
func isEdit(d format.Document, c intent.Change, made []string, another bool) bool {
	tree := d.Tree
	writes := c.Kind == intent.Write || c.Raw || c.MayCreate || len(c.Steps) > 0
	name := path.Clean(c.Path)
	switch {
	case c.Kind == intent.MakeDir || c.Kind == intent.DeleteAll:
		return false
	case tree == nil:
		return writes
	case !fs.ValidPath(name):
		return false
	case another && writes:
		return true
	}
	info, err := fs.Stat(tree, name)
	for _, to := range []string{path.Clean(c.To), path.Clean(c.Into().To)} {
		if (c.Kind == intent.Rename || c.Kind == intent.Copy) && (err != nil || info.IsDir()) && fs.ValidPath(to) {
			info, err = fs.Stat(tree, to) // an earlier apply may have moved the file
		}
	}
	if err == nil {
		return info.Mode().IsRegular()
	}
	if len(c.Steps) > 0 {
		// The path means a file, but is not written as in the tree.
		if _, ok := reply.FileText(d, name); ok {
			return true
		}
	}
	dir := path.Dir(name)
	return (writes || c.Kind == intent.Delete) && (isFolder(tree, dir) || slices.Contains(made, dir))
}

// plainQuotes returns the edits that write plain quotes instead of typographic ones, and plain dashes where an
// option begins. It returns none for a script with a here-document, whose text may have such characters on purpose.
func plainQuotes(body string) (edits []text.Edit) {
	if text.IsASCII(body) || strings.Contains(body, "<<") {
		return nil
	}
	above := ' '
	for i, c := range body {
		plain := artifact.Plain(c)
		if plain == "'" || plain == `"` || plain == "-" && unicode.IsSpace(above) {
			edits = append(edits, text.Edit{Span: text.Span{Start: i, End: i + len(string(c))}, New: plain})
		}
		above = c
	}
	return edits
}

// plain returns the region with plain quotes, if more commands can be read that way, or nil.
func plain(r *format.Region, p format.Parsed) (of *format.Region, edits []text.Edit) {
	edits = plainQuotes(r.Body)
	if len(edits) == 0 {
		return nil, nil
	}
	body, err := text.Apply(r.Body, edits)
	if err != nil {
		return nil, nil
	}
	with := *r
	with.Body = body
	if q := read(&with); q.Readable <= p.Readable || diag.HasErrors(q.Diagnostics) {
		return nil, nil
	}
	return &with, edits
}
