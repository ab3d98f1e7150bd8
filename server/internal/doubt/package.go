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

// sameGuard finds a new header with the include guard of another header in its folder. A program that includes both would
// see only one of them.
var sameGuard = Rule{
	ID: "same-guard", program: true,
	doubts: func(c *Change) *Doubt {
		if !c.New || c.Users == nil {
			return nil
		}
		guard := guardIn(c.after())
		for name, other := range c.Users {
			if guard != "" && guardIn(linesOf(other)) == guard {
				return warn(c.textAt(), diag.RepeatedLines, "%s would have the include guard `%s` of %s, so a program could not include both; use another name", c.Path, guard, name)
			}
		}
		return nil
	},
}

// guardIn returns the name in the include guard of a header, or "".
func guardIn(lines []string) string {
	for i, line := range lines {
		name, ok := strings.CutPrefix(line, "#ifndef ")
		if name = strings.TrimSpace(name); ok && i+1 < len(lines) && slices.Equal(strings.Fields(lines[i+1]), []string{"#define", name}) {
			return name
		}
	}
	return ""
}
