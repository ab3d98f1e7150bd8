package disk

import (
	"context"
	"strings"
)

// protectedFolders are those, at any depth, in which an edit can make a program run
// code, so that it needs explicit permission. Names are in lower case.
var protectedFolders = map[string]string{
	".vscode": "tasks and settings of VS Code can run programs",
	".aptix":  "settings of this program",
}

// Protected reports whether path is in one of the protected folders, in any spelling
// that a file system may take for the folder's name.
func Protected(path string) bool {
	for name := range strings.SplitSeq(path, "/") {
		// Windows drops spaces and dots at the end of a name, and reads a stream's name after a colon.
		name, _, _ = strings.Cut(name, ":")
		if _, ok := protectedFolders[strings.ToLower(strings.TrimRight(name, " ."))]; ok {
			return true
		}
	}
	return false
}

// ProtectedAmong returns those of paths, relative to the folder dir, that need explicit
// permission: those that are [Protected], and those that git ignores.
func ProtectedAmong(ctx context.Context, dir string, paths []string) (map[string]bool, error) {
	protected, err := Ignored(ctx, dir, paths)
	if err != nil {
		return nil, err
	}
	if protected == nil {
		protected = map[string]bool{}
	}
	for _, p := range paths {
		if Protected(p) {
			protected[p] = true
		}
	}
	return protected, nil
}
