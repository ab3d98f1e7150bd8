package fspath

import (
	"io/fs"
	"os"
	"path"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// spelling returns the name that a folder lists for the entry `name`. macOS and Windows fold case or normalize Unicode,
// so they may find "README.md" as "readme.md". Windows also finds an entry by its short name, such as PROGRA~1.
func spelling(fsys fs.FS, dir, name string) string {
	mayBeShort := strings.Contains(name, "~")
	if !mayBeShort && !folds(fsys, dir, name) {
		return name
	}
	entries, err := fs.ReadDir(fsys, dir)
	if err != nil {
		return name // some directories can be entered but not listed
	}
	listed := ""
	for _, e := range entries {
		if e.Name() == name {
			return name
		}
		if listed == "" && strings.EqualFold(norm.NFC.String(e.Name()), norm.NFC.String(name)) {
			listed = e.Name()
		}
	}
	if listed == "" && mayBeShort {
		listed = longName(fsys, dir, name, entries)
	}
	if listed == "" {
		return name
	}
	return listed
}

// longName returns the entry whose Windows short name is `name`, for example PROGRA~1, or "". No folder lists short
// names.
func longName(fsys fs.FS, dir, name string, entries []fs.DirEntry) string {
	info, err := fs.Lstat(fsys, path.Join(dir, name))
	if err != nil {
		return ""
	}
	for _, e := range entries {
		if other, err := fs.Lstat(fsys, path.Join(dir, e.Name())); err == nil && os.SameFile(info, other) {
			return e.Name()
		}
	}
	return ""
}

// folds reports whether the file system also finds `name` in a different spelling. It looks up at most three spellings,
// because listing the directory for every path would be slow. The result is not cached, because the next folder may be
// on another file system.
func folds(fsys fs.FS, dir, name string) bool {
	for _, other := range []string{swapCase(name), norm.NFC.String(name), norm.NFD.String(name)} {
		if other == name {
			continue
		}
		if _, err := fs.Lstat(fsys, path.Join(dir, other)); err == nil {
			return true
		}
	}
	return false
}

func swapCase(name string) string {
	for i, r := range name {
		other := unicode.ToUpper(r)
		if other == r {
			other = unicode.ToLower(r)
		}
		if other != r {
			return name[:i] + string(other) + name[i+len(string(r)):]
		}
	}
	return name
}
