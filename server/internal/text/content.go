package text

import "io/fs"

// Content is a file at one moment: the bytes of a regular file, the target of a symbolic
// link ([fs.ModeSymlink]), or a folder ([fs.ModeDir]) without its entries. The zero value
// is a missing file.
type Content struct {
	Exists bool
	Data   string      // bytes as on disk, or the text of an open buffer
	Mode   fs.FileMode // 0 if unknown
}

// Executable reports whether git treats a file of mode m as executable, because its owner may
// execute it.
func Executable(m fs.FileMode) bool { return m&0o100 != 0 }

// Text returns the decoded content. It returns [ErrBinary] for a link or a folder, and
// otherwise any error of [Decode].
func (c Content) Text() (string, error) {
	if c.Mode.Type() != 0 {
		return "", ErrBinary
	}
	s, _, err := Decode(c.Data)
	return s, err
}
