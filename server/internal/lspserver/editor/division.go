package editor

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"go.lsp.dev/protocol"

	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/lspserver/workspace"
	"github.com/aptix-dev/aptix/server/internal/plan"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A division lists which files of a plan the editor changes and which the server changes. The editor changes as many
// files as it can, because a person can undo only these changes in the editor.
type division struct {
	texts []plan.File // changed by the editor, in one workspace edit
	disk  plan.Plan   // changed by the server before the workspace edit, and restored if that edit fails
	modes []plan.File // files whose executable bits the server sets after the workspace edit
	dirs  []plan.File // folders that are removed after the workspace edit
	prune []string    // folders to be removed if they are empty, outermost first; includes `dirs`
}

// divide divides a plan between editor and server. `operations` lists the file operations that the editor supports, and
// `edits` reports whether the editor may edit the file at a path.
func divide(p plan.Plan, operations []protocol.ResourceOperationKind, edits func(path string) bool) division {
	d := division{disk: plan.Plan{Prune: p.Prune}, prune: slices.Clone(p.Prune)}
	inTheWay := tangled(p.Files)
	for _, f := range splitFolders(p.Files) {
		switch {
		case f.Before.Mode.IsDir() && !f.After.Exists:
			d.dirs, d.prune = append(d.dirs, f), append(d.prune, f.Path)
			continue
		case inTheWay(f) || !editable(f) || !doable(f, operations) || !edits(f.Path):
			d.disk.Files = append(d.disk.Files, f)
			continue
		case f.Operation == plan.Rename && !slices.Contains(operations, protocol.ResourceOperationKindRename):
			d.texts = append(d.texts, plan.Paths([]plan.File{f})...)
		case f.Before.Data != f.After.Data || f.Operation != plan.Modify:
			d.texts = append(d.texts, f)
		}
		if f.After.Exists && text.Executable(f.After.Mode) != (f.Before.Exists && text.Executable(f.Before.Mode)) {
			d.modes = append(d.modes, f)
		}
	}
	slices.Sort(d.prune)
	return d
}

// doable reports whether an editor that supports only some file operations can make a change of a file. An editor that
// cannot rename a file may create the new file and delete the old one.
func doable(f plan.File, operations []protocol.ResourceOperationKind) bool {
	can := func(kind protocol.ResourceOperationKind) bool { return slices.Contains(operations, kind) }
	creates, deletes := can(protocol.ResourceOperationKindCreate), can(protocol.ResourceOperationKindDelete)
	switch f.Operation {
	case plan.Create:
		return creates
	case plan.Remove:
		return deletes
	case plan.Rename:
		return can(protocol.ResourceOperationKindRename) || creates && deletes
	}
	return true
}

// splitFolders returns the files of a plan, but with two entries for each renamed folder: a new folder and a removed
// folder. The files in the folder are moved after the new folder is created and before the old folder is removed.
func splitFolders(files []plan.File) []plan.File {
	var out []plan.File
	for _, f := range files {
		if f.Before.Mode.IsDir() {
			out = append(out, plan.Paths([]plan.File{f})...)
		} else {
			out = append(out, f)
		}
	}
	return out
}

func standsAsFile(c text.Content) bool { return c.Exists && !c.Mode.IsDir() }

func isText(c text.Content) bool {
	_, err := c.Text()
	return err == nil || c.Mode.IsDir()
}

// editable reports whether a text editor can make the change of a file, and undo it. An editor cannot change links. It
// can delete or move a binary file, but cannot edit it.
func editable(f plan.File) bool {
	if f.Before.Mode.Type() != 0 || f.After.Mode.Type() != 0 {
		return false
	}
	switch f.Operation {
	case plan.Remove:
		return true
	case plan.Create:
		_, enc, err := text.Decode(f.After.Data)
		return err == nil && (enc == text.UTF8 || enc == text.UTF8BOM)
	}
	if f.Before.Data == f.After.Data {
		return true
	}
	_, was, err := text.Decode(f.Before.Data)
	if err != nil {
		return false
	}
	_, is, err := text.Decode(f.After.Data)
	return err == nil && is == was
}

// tangled returns a function that reports whether the change of a file depends on the change of another: a new file
// needs a folder at the path of a removed file, or a new file replaces a folder of removed files. An editor cannot make
// these changes, because it creates files before it deletes any.
func tangled(files []plan.File) func(plan.File) bool {
	goes, comes := map[string]bool{}, map[string]bool{}
	for _, f := range plan.Paths(files) {
		if was, is := standsAsFile(f.Before), standsAsFile(f.After); was && !is {
			goes[f.Path] = true
		} else if is && !was {
			comes[f.Path] = true
		}
	}
	bad := map[string]bool{}
	note := func(outer, inner map[string]bool) {
		for p := range inner {
			for dir := path.Dir(p); dir != "."; dir = path.Dir(dir) {
				if outer[dir] {
					bad[dir], bad[p] = true, true
				}
			}
		}
	}
	note(goes, comes)
	note(comes, goes)
	return func(f plan.File) bool { return bad[f.Path] || bad[f.To] }
}

// openElsewhere returns a file that the server would write although its text is open in the editor, or "".
func (d division) openElsewhere(v workspace.View) string {
	for _, f := range plan.Paths(d.disk.Files) {
		if v.Open[f.Path] != nil && f.Before.Mode.Type() != fs.ModeSymlink {
			return f.Path
		}
	}
	return ""
}

// lasting returns a text for people about the changes that an undo in the editor would not reverse, or "".
func (d division) lasting() string {
	var texts, binary, links, folders int
	for _, f := range d.disk.Files {
		switch {
		case f.After.Mode.IsDir():
			folders++
		case f.Before.Mode.Type() == fs.ModeSymlink, f.After.Mode.Type() == fs.ModeSymlink:
			links++
		case isText(f.Before) && isText(f.After):
			texts++
		default:
			binary++
		}
	}
	var what []string
	for _, kind := range []struct {
		n    int
		name string
	}{{texts, "file"}, {binary, "binary file"}, {links, "symbolic link"}, {folders, "folder"}, {len(d.modes), "executable bit"}} {
		if kind.n > 0 {
			what = append(what, format.Count(kind.n, kind.name))
		}
	}
	switch {
	case len(what) == 0:
		return ""
	case len(what) == 1 && strings.HasPrefix(what[0], "1 "):
		return what[0] + " was written to disk; undo does not restore it"
	}
	return fmt.Sprintf("%s were written to disk; undo does not restore them", strings.Join(what, " and "))
}
