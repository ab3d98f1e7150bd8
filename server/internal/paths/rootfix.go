package paths

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// absoluteRoot returns the fixes for an absolute root. A fix is certain if every path below the root is inside the
// workspace, or if the root is "/" and the paths exist below the workspace. With any other root, paths that exist do
// not make the fix certain, because the root may be a folder of another project.
func (w Workspace) absoluteRoot(set intent.Set) []diag.Fix {
	if set.RootAt.Span == (text.Span{}) {
		return nil
	}
	root := path.Clean(strings.ReplaceAll(set.Root, `\`, "/"))
	fix := diag.Fix{Title: `Write "."`, Edits: []text.Edit{set.RootAt.Set(".")}, Preferred: true}
	if w.Base != "" && root == path.Clean(w.Base) {
		return []diag.Fix{fix}
	}
	if edits, ok := w.fromRoot(set, root); ok {
		return []diag.Fix{{Title: `Write "." and paths from the workspace root`, Edits: append(fix.Edits, edits...), Preferred: true}}
	}
	there := w.filesExist(set)
	if fix.Preferred = there && root == "/"; there || root == "/" {
		return []diag.Fix{fix}
	}
	return nil
}

// fromRoot returns the edits that make paths below an absolute root relative to the workspace. It returns false if any
// of the paths leads out of the workspace, or if a change also names a new path.
func (w Workspace) fromRoot(set intent.Set, root string) (edits []text.Edit, ok bool) {
	for _, c := range set.Changes {
		below := w.below(path.Join(root, c.Path))
		if below == "" || c.To != "" || c.PathAt.Span == (text.Span{}) {
			return nil, false
		}
		edits = append(edits, c.PathAt.Set(below))
	}
	return edits, len(edits) > 0
}

// filesExist reports whether the paths of a set exist below the workspace root. A new file must be in an existing
// folder, and at least one file must exist.
func (w Workspace) filesExist(set intent.Set) bool {
	stat := func(name string) (fs.FileInfo, error) { return fs.Stat(w.Tree, path.Clean(name)) }
	isFile := func(c intent.Change) bool {
		info, err := stat(c.Path)
		return err == nil && info.Mode().IsRegular()
	}
	absent := slices.DeleteFunc(slices.Clone(set.Changes), isFile)
	misplaced := slices.ContainsFunc(absent, func(c intent.Change) bool {
		info, err := stat(path.Dir(c.Path))
		return err != nil || !info.IsDir() || c.Kind != intent.Write && c.Kind != intent.Create && c.Kind != intent.Replace
	})
	return len(absent) < len(set.Changes) && !misplaced
}
