package disk

import (
	"os"
	"path/filepath"
)

// A symbolic link is content like any other: its content is the target, as written in the
// link. A transaction never follows a link, whether it reads, writes, backs up, compares or
// undoes.

// readLink returns the target of a link, with '/' as the separator on every system.
func readLink(dir *os.Root, name string) (string, error) {
	target, err := dir.Readlink(name)
	return filepath.ToSlash(target), err
}
