package disk

import (
	"os"
	"path/filepath"
	"strings"
)

// A symbolic link is content like any other: its content is the target, as written in the
// link. A transaction never follows a link, whether it reads, writes, backs up, compares or
// undoes.

// readLink returns the target of a link, with '/' as the separator on every system.
func readLink(dir *os.Root, name string) (string, error) {
	target, err := dir.Readlink(name)
	return filepath.ToSlash(target), err
}

// makeLink creates a link at a path that must not exist. On Windows it needs a right that
// few people have.
func (r *Root) makeLink(dir *os.Root, target, name string) error {
	return r.symlink(dir, filepath.FromSlash(target), name) // Windows cannot follow a target with '/'
}

// canBeTarget returns false for targets that no system accepts.
func canBeTarget(target string) bool {
	return target != "" && !strings.Contains(target, "\x00")
}
