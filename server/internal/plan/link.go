package plan

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/fspath"
	"github.com/aptix-dev/aptix/server/internal/paths"
)

// refuseLinks refuses each symbolic link that a block creates, changes or moves so that it leads out of the root (rule
// R15): later writes through the link would change files outside of the root. The target need not exist.
func (b *builder) refuseLinks(d *draft) {
	for _, t := range d.traces {
		e := b.files[t.path]
		if d.byKey[t.path] != t || e == nil || t.failed != nil || e.now.Mode.Type() != fs.ModeSymlink || e.now.same(t.before) {
			continue
		}
		if why := b.linkProblem(t.path, e.now.bytes()); why != nil {
			b.refuse(d, t, why)
		}
	}
}

// linkProblem returns the reason why a link with this target must not be at a path. If there is none, it notes the
// target, because other programs could change a protected file through the link.
func (b *builder) linkProblem(name, target string) *diag.Diagnostic {
	slashed := strings.ReplaceAll(target, `\`, "/")
	joined := path.Join(path.Dir(name), slashed)
	outside := strings.HasPrefix(slashed, "/") || paths.Drive.MatchString(slashed) || joined == ".." || strings.HasPrefix(joined, "../")
	real := joined
	if !outside && b.Meter.Pay(eachFolder*strings.Count(joined, "/")) {
		found, err := fspath.Canonical(b.tree, joined)
		outside, real = errors.Is(err, fspath.ErrEscapes), cmp.Or(found, joined)
	}
	switch {
	case target == "" || strings.ContainsRune(target, 0):
		return diag.Unplaced(diag.LinkOutside, name+" is a symbolic link without a usable target")
	case outside:
		return diag.Unplaced(diag.LinkOutside, fmt.Sprintf("%s is a symbolic link to %s, which is outside of the root", name, target))
	case fspath.IsGit(joined):
		return paths.InGit(fmt.Sprintf("the target of the link %s, %s,", name, target))
	case climbsLater(slashed):
		return diag.Unplaced(diag.LinkOutside, fmt.Sprintf("%s is a symbolic link to %s, which goes up with .. after a name; if that name is or becomes a link, the target is outside of the root", name, target))
	}
	b.copied[name] = real
	return nil
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
