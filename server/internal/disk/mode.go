package disk

import (
	"errors"
	"io/fs"
)

// SetExecutable sets or clears the executable bits of a regular file, for everyone who may
// read it, as git does. It does not change the bytes and times, so an editor that has the
// file open does not see it as changed. The path is canonical (see [Root.Canonical]).
func (r *Root) SetExecutable(name string, on bool) error {
	info, err := r.disk.Lstat(name)
	if err != nil {
		return err
	}
	if real, err := r.Canonical(name); !info.Mode().IsRegular() || err != nil || real != name {
		return &fs.PathError{Op: "chmod", Path: name, Err: errors.Join(errNotRegular, err)}
	}
	mode := info.Mode().Perm() &^ 0o111
	if on {
		mode |= mode & 0o444 >> 2
	}
	return r.disk.Chmod(name, mode)
}
