package plan

import (
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/fspath"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// takenName asks about a new file if an existing file, which the reply does not name, already has the name of its
// module, or its number.
func (b *builder) takenName(key string, c intent.Change) []diag.Diagnostic {
	message := "%s would be beside %s: programs that load this module find only one of the two files; use another name, or change the existing file"
	other := b.sameModule(key)
	if other == "" {
		message = "%s would have the number of %s, but every other number in this folder belongs to one file; use a free number, or change the existing file"
		other = b.sameNumber(key)
	}
	if other == "" || b.named(other) {
		return nil
	}
	return list(diag.Unplaced(diag.PathCase, fmt.Sprintf(message, c.Path, other)))
}

// packageFiles maps the extensions of languages to the name of the file that makes a folder a module with the name of
// the folder.
var packageFiles = map[string]string{
	".py": "__init__", ".rs": "mod", ".js": "index", ".mjs": "index", ".cjs": "index", ".jsx": "index", ".ts": "index", ".tsx": "index",
}

// sameModule returns the existing file that would be the same module as the file `key`, such as `a/__init__.py` for
// `a.py`, or "".
func (b *builder) sameModule(key string) string {
	ext := path.Ext(key)
	of, known := packageFiles[ext]
	if !known {
		return ""
	}
	stem := strings.TrimSuffix(key, ext)
	other := path.Join(stem, of) + ext
	if path.Base(stem) == of {
		other = path.Dir(key) + ext
	}
	if !fspath.IsFile(b.tree, other) {
		return ""
	}
	return other
}

// numberedName matches the name of a file up to its number and the sign below it, as in `0013_boats.sql`.
var numberedName = lazyregexp.New(`^([A-Za-z]*)(\d+)[-_.]+[A-Za-z]`)

// sameNumber returns an existing file in the folder of `key` that has the same number in its name. It returns "" if there
// is none, or unless the files of the folder count up with one number each. Files with the same name up to the
// extension, such as `0013_boats.up.sql` and `0013_boats.down.sql`, are one.
func (b *builder) sameNumber(key string) string {
	own := numberedName.FindStringSubmatch(path.Base(key))
	if own == nil {
		return ""
	}
	stems := map[string]string{} // the name up to the extension, by the number
	var numbers []int
	at := ""
	for _, e := range b.entries(path.Dir(key)) {
		m := numberedName.FindStringSubmatch(e.Name())
		if m == nil || m[1] != own[1] || path.Ext(e.Name()) != path.Ext(key) || !b.Meter.Pay(eachName) {
			continue
		}
		stem, _, _ := strings.Cut(e.Name(), ".")
		if known := stems[m[2]]; known != "" && known != stem {
			return ""
		}
		stems[m[2]] = stem
		n, _ := strconv.Atoi(m[2])
		numbers = append(numbers, n)
		if m[2] == own[2] && !strings.HasPrefix(path.Base(key), stem+".") {
			at = path.Join(path.Dir(key), e.Name())
		}
	}
	if len(stems) < text.Habit || slices.Max(numbers)-slices.Min(numbers)+1 != len(stems) {
		return ""
	}
	return at
}
