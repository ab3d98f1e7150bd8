package disk

import (
	"context"
	"strings"
)

// Protected reports whether path lies in a folder that configures the editor or
// this program, at any depth: `.vscode` or `.aptix`, in any case. An edit there
// can run code, so it is never made without being asked for.
func Protected(path string) bool {
	for name := range strings.SplitSeq(path, "/") {
		// Windows drops blanks and dots at the end of a name, and takes what follows a colon for a stream.
		name, _, _ = strings.Cut(name, ":")
		switch strings.ToLower(strings.TrimRight(name, " .")) {
		case ".vscode", ".aptix":
			return true
		}
	}
	return false
}

// ProtectedAmong is which of paths, seen from the folder dir, are not written
// without being asked for: those that are [Protected], and those that git
// ignores.
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
