package fspath

import (
	"io/fs"
	"path"
	"strings"
)

// IsBelow reports whether the path `name` is the folder `dir` or a path in it. Paths have slashes. Every path is in
// ".".
func IsBelow(dir, name string) bool {
	return name == dir || dir == "." || strings.HasPrefix(name, dir+"/")
}

// Below returns the absolute path `name` relative to the absolute folder `dir`. It compares names like the file system.
// It returns false if `name` is neither `dir` nor in it.
func (n Names) Below(dir, name string) (string, bool) {
	dir, name = n.plain(dir), n.plain(name)
	names, from := strings.Split(name, "/"), strings.Count(dir, "/")+1
	if dir == "/" {
		from = 1
	}
	if len(names) < from || n.Key(strings.Join(names[:from], "/")) != n.Key(strings.TrimSuffix(dir, "/")) {
		return "", false
	}
	return strings.Join(names[from:], "/"), true
}

// IsFile reports whether `name` is the path of a regular file, or of a link that leads to one.
func IsFile(tree fs.FS, name string) bool {
	info, err := fs.Stat(tree, name)
	return err == nil && info.Mode().IsRegular()
}

// IsAbs reports whether a path with slashes is absolute.
func (n Names) IsAbs(name string) bool {
	return strings.HasPrefix(name, "/") || n.Windows && len(name) > 1 && name[1] == ':'
}

// plain returns a path in clean form, without the prefix `//?/` or `//./`, which makes Windows use the path literally.
func (n Names) plain(name string) string {
	if n.Windows {
		name = strings.TrimPrefix(strings.TrimPrefix(name, "//?/"), "//./")
	}
	return path.Clean(name)
}

// Parents returns the folders above a relative path, beginning with the nearest.
func Parents(name string) (dirs []string) {
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		dirs = append(dirs, dir)
	}
	return dirs
}
