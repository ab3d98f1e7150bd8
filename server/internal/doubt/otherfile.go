package doubt

import (
	"cmp"
	"path"
	"strings"
	"unicode"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/place"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// otherFile finds a whole text that belongs to another file, which the reply does not change: see [Change.isTextOf].
var otherFile = Rule{
	ID: "other-file",
	doubts: func(c *Change) *Doubt {
		if !c.Whole || c.Siblings == nil || !c.New && c.isDocument() {
			return nil
		}
		var comes map[string]bool
		for name, content := range c.Siblings {
			if comes == nil {
				comes = c.saying()
			}
			if len(comes) < fewestForeign {
				return nil
			}
			meant := name
			if path.Base(name) == name {
				meant = path.Join(path.Dir(c.Path), name)
			}
			switch n, defined := shared(comes, content); {
			case !c.isTextOf(name, content, n, len(comes), defined):
			case c.New:
				d := warn(c.textAt(), diag.RepeatedLines, "%d of the %d lines of the new file %s are lines of %s; if the change is for that file, write its path", n, len(comes), c.Path, meant)
				d.Meant = meant
				return d
			default:
				return warn(c.textAt(), diag.RepeatedLines, "%d of the %d lines that are new in %s are already in %s, such as %q; check the path, or leave these lines out", n, len(comes), c.Path, name, text.Cut(cmp.Or(defined, firstText(c.new)), 60))
			}
		}
		return nil
	},
}

// saying returns the trimmed new lines that the old file does not have and that are long enough to be recognized.
func (c *Change) saying() map[string]bool {
	comes := map[string]bool{}
	for _, r := range c.Runs {
		for _, line := range r.New {
			if line = strings.TrimSpace(line); text.Shared.Says(line) && !c.has(line) {
				comes[line] = true
			}
		}
	}
	return comes
}

// fewestForeign is the least number of new lines that the other file must have.
const fewestForeign = 6

// shared returns how many of the trimmed `lines` are in `content`. `defined` is the first of them that is unindented
// and defines something, or "".
func shared(lines map[string]bool, content string) (n int, defined string) {
	there := map[string]bool{}
	for line := range strings.Lines(content) {
		line = strings.TrimRight(line, "\r\n")
		if s := strings.TrimSpace(line); lines[s] {
			if there[s] = true; defined == "" && line == s && (opensBlock(line) || defining.MatchString(line)) {
				defined = line
			}
		}
	}
	return len(there), defined
}

// isTextOf reports whether the new text probably belongs to the file `name`. That file has n of the `comes` new lines;
// `defined` comes from [shared].
//   - For an existing file, the other file must have most of the new lines, and one of them must define something. No line
//     needs to define something if the change keeps nothing of its own file, and the other file has nearly all of the new
//     lines, or they have nearly all of its lines.
//   - A new file must have nearly all lines of the other file, because a file made from a template has many other lines.
//     An exact copy, such as a license, is intended.
func (c *Change) isTextOf(name, content string, n, comes int, defined string) bool {
	lines := text.Set(text.Only(Telling(content), text.Shared.Says))
	if !c.New {
		return n >= fewestForeign && (2*n > comes && defined != "" || 10*n >= 9*min(comes, len(lines)) && !c.keepsWords())
	}
	share := 10 * n / max(comes, len(lines))
	at, other := spelling(c.Path), spelling(name)
	near := path.Base(name) == name && at != "" && (at == other && share >= 6 || share >= 8 && isMisspelled(at, other))
	return (share >= 9 || near) && n < max(comes, len(lines))
}

// keepsWords reports whether the change keeps a line that is long enough to recognize the file.
func (c *Change) keepsWords() bool {
	return text.AnyIn(c.kept(), text.Shared.Says)
}

// spelling returns the name of a file without its folder, extension and punctuation, in lower case.
func spelling(at string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, strings.TrimSuffix(path.Base(at), path.Ext(at)))
}

// isMisspelled reports whether one name may be a misspelling of the other. Names with digits, such as versions,
// differ on purpose.
func isMisspelled(at, other string) bool {
	return !strings.ContainsFunc(at+other, unicode.IsDigit) && 4*place.Distance(at, other) <= len(at)
}
