package fspath

import (
	"fmt"
	"io/fs"
	"os"
	"strings"
	"unicode/utf16"

	"golang.org/x/text/unicode/norm"
)

// Names is how a file system takes the names of files. The zero value takes each name
// for itself, as Linux does.
type Names struct {
	IgnoresCase bool // a.txt and A.TXT are one file, as mostly on Windows and macOS
	IgnoresForm bool // é and e with an accent of its own are one name, as on macOS
	Windows     bool // some names are devices or streams, or lose their end
}

// Distinct reports whether each name is only itself.
func (n Names) Distinct() bool { return !n.IgnoresCase && !n.IgnoresForm }

// Key is equal for two paths of which one file can have both.
func (n Names) Key(path string) string {
	if n.IgnoresForm && !isASCII(path) {
		path = norm.NFC.String(path)
	}
	if n.IgnoresCase {
		path = strings.ToLower(strings.ToUpper(path))
	}
	return path
}

// Refuses says why no file can have a path; "" where one can. Windows opens a device, or
// another file, under some names that it does take.
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
		return "what follows a colon names a stream of the file on Windows"
	case at >= 0:
		return fmt.Sprintf("names have no %q on Windows", name[at])
	case strings.HasSuffix(name, "."), strings.HasSuffix(name, " "):
		return "Windows drops a dot or a space at the end of a name"
	case len(utf16.Encode([]rune(name))) > 255:
		return "names have at most 255 characters on Windows"
	}
	return ""
}

// devices are the names that Windows reserves, with any extension.
var devices = func() map[string]bool {
	all := map[string]bool{"CON": true, "PRN": true, "AUX": true, "NUL": true, "CONIN$": true, "CONOUT$": true}
	for _, n := range "0123456789¹²³" {
		all["COM"+string(n)], all["LPT"+string(n)] = true, true
	}
	return all
}()

// probed is how many entries of a folder [IgnoresCase] looks at.
const probed = 32

// IgnoresCase asks the file system by the entries of the folder at its root whether case
// counts there; known is false if none of them has a letter.
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
		info, err := fs.Lstat(fsys, e.Name()) // on Windows, that of a listing may be no os.SameFile
		if err != nil {
			continue
		}
		same, err := fs.Lstat(fsys, other)
		return err == nil && os.SameFile(info, same), true
	}
	return false, false
}
