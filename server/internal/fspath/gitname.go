package fspath

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/aptix-dev/aptix/server/internal/escape"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// shortGit has the short names that Windows may give to .git: git~2 if git~1 exists already, and so on.
var shortGit = map[string]bool{"git~1": true, "git~2": true, "git~3": true, "git~4": true}

// IsGit reports whether a path leads into a folder .git, in any spelling that some file system treats as .git. Git also
// refuses these paths.
func IsGit(path string) bool {
	for name := range strings.SplitSeq(path, "/") {
		if name = Folded(name); name == ".git" || shortGit[name] {
			return true
		}
	}
	return false
}

// Folded returns a component of a path in lower case, without the parts that some file system ignores:
//
//   - Windows drops spaces and dots at the end, and treats the text after a colon as the name of a stream.
//   - HFS+ ignores invisible characters.
//   - APFS treats a long s as an s.
func Folded(name string) string {
	name, _, _ = strings.Cut(name, ":")
	return strings.TrimRight(FoldedLetters(name), " .")
}

// FoldedLetters returns a name in lower case, without invisible characters, and with one encoding for each letter.
// Names that people cannot distinguish, such as names with an accented letter in NFC and in NFD, have the same result.
func FoldedLetters(name string) string {
	if text.IsASCII(name) {
		return strings.ToLower(name)
	}
	name = strings.Map(func(r rune) rune {
		if escape.Invisible(r) {
			return -1
		}
		return unicode.ToLower(unicode.ToUpper(r))
	}, norm.NFKD.String(name))
	return strings.ToLower(strings.ReplaceAll(name, "ß", "ss"))
}
