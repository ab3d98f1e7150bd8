package paths

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// Root checks the root of a set (rule R24) and returns it in clean form. `problem` is nil, a warning, or an error.
// After an error, no path below the root is reliable, and `root` is "".
func (w Workspace) Root(set intent.Set) (root string, problem *diag.Diagnostic) {
	if path.Clean(set.Root) == "." && !climbs(set.Root) {
		return ".", nil
	}
	written := strings.TrimPrefix(set.Root, "./")
	if below := strings.TrimSuffix(written, "/"); below != "" {
		written = below
	}
	problem = w.Check(written, set.RootAt, false)
	if problem != nil && problem.Severity == diag.Error {
		if problem.Code == diag.PathAbsolute && len(problem.Fixes) == 0 {
			problem.Fixes = w.absoluteRoot(set)
		}
		problem.Code, problem.Message = diag.RootInvalid, "root: "+problem.Message
		problem.Span = set.RootAt.Span
		return "", problem
	}
	root = path.Clean(written)
	return root, rootRules(set, root)
}

// rootRules warns about any root except "." and "./src", and about "./src" if a path is in tests/ (rule R25).
func rootRules(set intent.Set, root string) *diag.Diagnostic {
	tests := slices.ContainsFunc(set.Changes, func(c intent.Change) bool { return strings.HasPrefix(path.Clean(c.Path), "tests/") })
	repeats := slices.ContainsFunc(set.Changes, func(c intent.Change) bool { return under(c.Path, root) })
	if repeats || (root == "src" && !tests) {
		return nil // another check reports a path that repeats its root
	}
	d := diag.New(diag.RootNotWorkspace, set.RootAt.Span, fmt.Sprintf(`the root is %q; write "." and paths from the workspace root`, set.Root))
	if tests && root == "src" {
		d.Message = `the root is "./src" but a path begins with tests/; a block with files in src/ and tests/ needs the root "."`
	}
	if fix, ok := rootFix(set, root); ok {
		d.Fixes = []diag.Fix{fix}
	}
	return &d
}

// rootFix returns the fix that writes the root into every path, so that every path still means the same file.
func rootFix(set intent.Set, root string) (diag.Fix, bool) {
	fix := diag.Fix{Title: fmt.Sprintf(`Write "." and put %s/ before every path`, root), Preferred: true,
		Edits: []text.Edit{set.RootAt.Set(".")}}
	if set.RootAt.Span == (text.Span{}) {
		return fix, false
	}
	for _, c := range set.Changes {
		if c.PathAt.Span == (text.Span{}) {
			return fix, false
		}
		fix.Edits = append(fix.Edits, c.PathAt.Set(path.Join(root, c.Path)))
	}
	return fix, true
}

// RepeatsRoot refuses a path that begins with the root, such as "src/b.txt" below the root "src", because it could mean
// two files. It accepts the path if the doubled folder, such as "src/src", exists.
func (w Workspace) RepeatsRoot(set intent.Set, root string, c intent.Change) *diag.Diagnostic {
	if root == "." || !under(c.Path, root) {
		return nil
	}
	if info, err := fs.Stat(w.Tree, path.Join(root, root)); err == nil && info.IsDir() {
		return nil
	}
	d := diag.Unplaced(diag.PathRepeatsRoot, fmt.Sprintf("%s repeats the root %q: together they name the folder %s, which does not exist",
		c.Path, set.Root, path.Join(root, root)))
	if all := !slices.ContainsFunc(set.Changes, func(c intent.Change) bool { return !under(c.Path, root) }); all && set.RootAt.Span != (text.Span{}) {
		d.Fixes = []diag.Fix{{Title: `Write "." as the root`, Edits: []text.Edit{set.RootAt.Set(".")}, Preferred: true}}
		return d
	}
	better := strings.TrimPrefix(path.Clean(c.Path), root+"/")
	return withFix(d, c.PathAt, better)
}

func under(p, root string) bool { return strings.HasPrefix(path.Clean(p), root+"/") }

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
