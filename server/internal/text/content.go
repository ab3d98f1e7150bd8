package text

import "io/fs"

// Content is a file at one moment: the bytes of a regular file, the target of a symbolic
// link ([fs.ModeSymlink]), or a folder ([fs.ModeDir]) without what is in it. The zero
// value is the absence of a file.
type Content struct {
	Exists bool
	Data   string      // bytes as on disk, or the text of an open buffer
	Mode   fs.FileMode // 0 where it is not known
}

// Executable reports whether a file is executable for git: its owner may execute it.
func Executable(m fs.FileMode) bool { return m&0o100 != 0 }

// Text is the content decoded. The error is [ErrBinary] for a link or a folder, else
// that of [Decode].
func (c Content) Text() (string, error) {
	if c.Mode.Type() != 0 {
		return "", ErrBinary
	}
	s, _, err := Decode(c.Data)
	return s, err
}
