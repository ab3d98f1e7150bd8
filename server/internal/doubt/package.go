package doubt

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
)

// otherPackage finds a new file that is in another package than all other files of its folder.
var otherPackage = Rule{
	ID: "other-package", program: true,
	doubts: func(c *Change) *Doubt {
		own, their := "", ""
		if c.New && c.Users != nil && (c.ext() == ".go" || slices.Contains(packagers, c.ext())) {
			own = packageIn(c.after())
		}
		if own == "" {
			return nil
		}
		for _, other := range c.Users {
			is := packageIn(linesOf(other))
			if is != "" && their != "" && is != their {
				return nil // The folder may have files of several packages.
			}
			their = cmp.Or(is, their)
		}
		folder := path.Base(path.Dir(c.Path))
		if their == "" || own == their || c.ext() != ".go" && strings.EqualFold(lastName.FindString(own), folder) {
			return nil
		}
		return warn(c.textAt(), diag.InvalidSyntax, "%s would be in the package %s, but all other files of its folder are in %s; correct the path or the package", c.Path, own, their)
	},
}

// packageClause matches the line with which a program names its package.
var packageClause = lazyregexp.New(`^(?:package|namespace)\s+([\w\\]+(?:\.\w+)*)\s*;?\s*(?://.*)?$`)

// packageIn returns the name of a program's package. It returns "" if there is none, or if the program is built only
// under a condition. The tests of a package may be in a package of their own.
func packageIn(lines []string) string {
	for _, line := range lines {
		if strings.HasPrefix(line, "//go:build") {
			return ""
		}
		if m := packageClause.FindStringSubmatch(line); m != nil {
			return strings.TrimSuffix(m[1], "_test")
		}
	}
	return ""
}
