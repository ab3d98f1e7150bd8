package paths

import (
	"io/fs"
	"path"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/artifact"
	"github.com/aptix-dev/aptix/server/internal/fspath"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// IsSameName reports whether two names differ only in details that people do not see, or easily mistype: case, spaces
// at an end, invisible characters, look-alikes such as a no-break hyphen, and how letters are encoded, also as in a web
// address.
func IsSameName(a, b string) bool {
	plain := text.IsASCII(a+b) && !strings.Contains(a+b, "%")
	return strings.EqualFold(strings.TrimSpace(a), strings.TrimSpace(b)) || !plain && FoldedName(a) == FoldedName(b)
}

// FoldedName returns the same form for all names that are the same ([IsSameName]).
func FoldedName(name string) string {
	if decoded, ok := artifact.URLEscape.Undo(name); ok {
		name = decoded
	}
	return fspath.FoldedLetters(strings.TrimSpace(artifact.PlainText(name)))
}

// Folded returns the files of [ByName] by their [FoldedName].
func Folded(named map[string][]string) map[string][]string {
	folded := make(map[string][]string, len(named))
	for name, files := range named {
		key := FoldedName(name)
		folded[key] = append(folded[key], files...)
	}
	return folded
}

// Spelled returns the path in a tree whose names are all like the names in `p`. It returns "" if there is none, or if a
// name of `p` is not in its folder and several other names are like it. `entries` returns the contents of a folder, and
// `alike` compares two names, for example [IsSameName].
func Spelled(p string, entries func(folder string) []fs.DirEntry, alike func(a, b string) bool) string {
	at := "."
	for name := range strings.SplitSeq(p, "/") {
		same, several := "", false
		for _, e := range entries(at) {
			if e.Name() == name {
				same, several = name, false
				break
			}
			if alike(e.Name(), name) {
				several = several || same != ""
				same = e.Name()
			}
		}
		if same == "" || several {
			return ""
		}
		at = path.Join(at, same)
	}
	return at
}
