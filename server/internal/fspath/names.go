package fspath

import (
	"fmt"
	"io/fs"
	"os"
	"strings"
	"unicode"
	"unicode/utf16"

	"golang.org/x/text/unicode/norm"

	"github.com/aptix-dev/aptix/server/internal/escape"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// Names describes which names mean the same file in a file system. With the zero value, different names are different
// files, as on Linux.
type Names struct {
	IgnoresCase bool // a.txt and A.TXT are one file, as usual on Windows and macOS
	IgnoresForm bool // é and e with a combining accent are one name, as on macOS
	Windows     bool // some names mean devices or streams, or lose their last characters
}

// Distinct reports whether different names always mean different files.
func (n Names) Distinct() bool { return !n.IgnoresCase && !n.IgnoresForm }

// Key returns the same string for two paths that mean the same file.
func (n Names) Key(path string) string {
	if n.IgnoresForm && !text.IsASCII(path) {
		path = norm.NFC.String(path)
	}
	if n.IgnoresCase {
		path = strings.ToLower(strings.ToUpper(path))
	}
	return path
}

// Refuses returns the reason why no file can have the given path, or why Windows would open a device or another file at
// this path. It returns "" if there is no reason.
func (n Names) Refuses(path string) string {
	if !n.Windows {
		return ""
	}
	for name := range strings.SplitSeq(path, "/") {
		if why := refusedByWindows(name); why != "" {
			return why
		}
	}
	return ""
}

func refusedByWindows(name string) string {
	device, _, _ := strings.Cut(name, ".")
	device = strings.ToUpper(strings.TrimRight(device, " "))
	at := strings.IndexFunc(name, func(r rune) bool { return r < 0x20 || strings.ContainsRune(`<>"|?*\`, r) })
	switch {
	case name == "" || name == "." || name == "..":
		return ""
	case devices[device]:
		return device + " is a device on Windows"
	case strings.Contains(name, ":"):
		return "on Windows, a colon in a name begins the name of an alternate data stream"
	case at >= 0:
		return fmt.Sprintf("on Windows, names cannot contain %q", name[at])
	case strings.HasSuffix(name, "."), strings.HasSuffix(name, " "):
		return "Windows drops a dot or a space at the end of a name"
	case len(utf16.Encode([]rune(name))) > 255:
		return "on Windows, names can have at most 255 characters"
	}
	return ""
}

var devices = func() map[string]bool {
	all := map[string]bool{"CON": true, "PRN": true, "AUX": true, "NUL": true, "CONIN$": true, "CONOUT$": true}
	for _, n := range "0123456789¹²³" {
		all["COM"+string(n)], all["LPT"+string(n)] = true, true
	}
	return all
}()

// probed limits the number of entries that [IgnoresCase] looks at.
const probed = 32

// IgnoresCase reports whether the folder at the root of `fsys` ignores the case of names. It looks up the name of an
// entry with one letter in the other case. `known` is false if none of the first entries has a letter, or if the folder
// cannot be read.
func IgnoresCase(fsys fs.FS) (ignores, known bool) {
	f, err := fsys.Open(".")
	if err != nil {
		return false, false
	}
	defer f.Close()
	dir, ok := f.(fs.ReadDirFile)
	if !ok {
		return false, false
	}
	entries, _ := dir.ReadDir(probed)
	for _, e := range entries {
		other := swapCase(e.Name())
		if other == e.Name() {
			continue
		}
		// On Windows, os.SameFile might not work with the info of a directory listing.
		info, err := fs.Lstat(fsys, e.Name())
		if err != nil {
			continue
		}
		same, err := fs.Lstat(fsys, other)
		return err == nil && os.SameFile(info, same), true
	}
	return false, false
}

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
