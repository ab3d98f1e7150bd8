package check

import (
	"context"
	"os"
	"path/filepath"
	"slices"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/disk"
	"github.com/aptix-dev/aptix/server/internal/history"
	"github.com/aptix-dev/aptix/server/internal/paths"
	"github.com/aptix-dev/aptix/server/internal/protect"
)

// OnDisk returns the settings for a check without an editor. Nobody can be asked about protected files;
// `allowProtected` means that the person agreed in advance.
func OnDisk(root *disk.Root, name string, h *history.Store, allowProtected bool) Where {
	tree := root.Tree(nil)
	return Where{
		Tree: tree, Base: filepath.ToSlash(root.Dir()),
		DocPath: paths.Folder{Names: []string{name}, Tree: tree}.Lookup,
		Guard:   Guard{Protected: Protected(root, nil), ProtectedIs: diag.Error, AllowProtected: allowProtected},
		Past:    Past{History: h, Root: root.Dir(), Await: true},
		Earlier: Earlier(h, root.Dir()),
	}
}

// EnvProtected is the environment variable with additional names to protect, separated like the folders of PATH. The
// command line needs it because it does not know an editor's settings.
const EnvProtected = "APTIX_PROTECTED"

// A ProtectedFunc returns those `paths` that Aptix may write only if a person agrees, with the reasons: see
// [disk.Root.Protected].
type ProtectedFunc func(ctx context.Context, paths []string, through map[string][]string) (map[string]protect.Protection, error)

// Protected returns [Guard.Protected] for a folder. It protects the usual files, the given names, which come from a
// setting, and the names in [EnvProtected].
func Protected(root *disk.Root, names []string) ProtectedFunc {
	names = append(slices.Clone(names), filepath.SplitList(os.Getenv(EnvProtected))...)
	return func(ctx context.Context, paths []string, through map[string][]string) (map[string]protect.Protection, error) {
		return root.Protected(ctx, paths, through, names)
	}
}

func FolderName(dir string) string {
	full, err := filepath.Abs(dir)
	if err != nil {
		full = dir
	}
	return filepath.Base(full)
}
