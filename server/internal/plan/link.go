package plan

import (
	"io/fs"
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

// linkProblem returns an error if a link to `target` must not be at the path `name`. Otherwise it records the target in
// the plan, because other programs could change a protected file through the link.
func (b *builder) linkProblem(name, target string) *diag.Diagnostic {
	real, why := paths.LinkTarget(name, target, func(at string) (string, error) {
		if !b.Meter.Pay(eachFolder * strings.Count(at, "/")) {
			return at, nil
		}
		return fspath.Canonical(b.tree, at)
	})
	if why == nil {
		b.copied[name] = real
	}
	return why
}
