package paths

import (
	"cmp"
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/fspath"
)

// LinkTarget returns the path to which a symbolic link at `name` with this target leads, or the reason why the link
// must not be made (rule R15). It checks only the target: whether `name` itself may be written is decided elsewhere.
// `canonical` is [fspath.Canonical] for the tree.
func LinkTarget(name, target string, canonical func(string) (string, error)) (real string, why *diag.Diagnostic) {
	slashed := strings.ReplaceAll(target, `\`, "/")
	joined := path.Join(path.Dir(name), slashed)
	outside := strings.HasPrefix(slashed, "/") || Drive.MatchString(slashed) || joined == ".." || strings.HasPrefix(joined, "../")
	if !outside {
		found, err := canonical(joined)
		outside, real = errors.Is(err, fspath.ErrEscapes), cmp.Or(found, joined)
	}
	switch {
	case target == "" || strings.ContainsRune(target, 0):
		return "", diag.Unplaced(diag.LinkOutside, name+" is a symbolic link without a usable target; give it the path of a file below the root")
	case outside:
		return "", diag.Unplaced(diag.LinkOutside, fmt.Sprintf("%s is a symbolic link to %s, which is outside of the root; only links within the root are allowed", name, target))
	case fspath.IsGit(joined):
		return "", InGit(fmt.Sprintf("the target of the link %s, %s,", name, target))
	case climbsLater(slashed):
		return "", diag.Unplaced(diag.LinkOutside, fmt.Sprintf("%s is a symbolic link to %s, in which .. follows a folder; if that folder is or becomes a link, the target may be outside of the root; write the target without .. after a folder", name, target))
	}
	return real, nil
}

// climbsLater reports whether a path has ".." after a name.
func climbsLater(p string) bool {
	named := false
	for name := range strings.SplitSeq(p, "/") {
		if named && name == ".." {
			return true
		}
		named = named || name != ".." && name != "." && name != ""
	}
	return false
}
