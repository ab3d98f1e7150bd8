package disk

import (
	"errors"
	"io"
	"io/fs"
	"path"
	"strings"
	"time"

	"github.com/aptix-dev/aptix/server/internal/fspath"
)

// ErrBuffersDiffer means that a file is open under two names with different texts, so that its text is unclear.
var ErrBuffersDiffer = errors.New("the file is open under two names with different texts; save or close one of them")

// A Tree is the files under a root as a person sees them: an open buffer has precedence over the file on disk. It
// implements [fs.ReadFileFS], [fs.ReadDirFS], [fs.StatFS] and [fs.ReadLinkFS]. The set of buffers is fixed when the
// tree is made. Each call reads the disk again.
//
// ReadDir lists only the files on disk. A buffer without a file is found only by its name.
type Tree struct {
	root    *Root
	buffers map[string]buffer // key: the canonical path
	names   map[string]string // names[name] is the canonical path of the buffer `name`
}

type buffer struct {
	text   string
	differ bool // whether another buffer of the same file has a different text
}

// Tree returns the files under `r`, with open buffers in place of files on disk. `open` maps the paths of buffers, from
// the root, to their texts. A buffer replaces its file under all names of the file, even if it was opened through a
// link. If a path cannot be a file below the root, its buffer is left out, and looking up the path returns the reason.
func (r *Root) Tree(open map[string]string) *Tree {
	t := &Tree{root: r, buffers: make(map[string]buffer, len(open)), names: make(map[string]string, len(open))}
	for name, text := range open {
		file, err := r.Canonical(name)
		if err != nil {
			continue
		}
		t.names[name] = file
		other, twice := t.buffers[file]
		t.buffers[file] = buffer{text: text, differ: other.differ || (twice && other.text != text)}
	}
	return t
}

// Buffers returns the canonical path for each name that was given to [Root.Tree].
func (t *Tree) Buffers() map[string]string { return t.names }

// Buffer returns the text of the buffer that is open for a file. `name` may be any name of the file.
func (t *Tree) Buffer(name string) (text string, open bool, err error) {
	if len(t.buffers) == 0 {
		return "", false, nil
	}
	file, err := t.root.Canonical(name)
	if err != nil {
		// The later operation on disk returns its own error.
		return "", false, nil
	}
	b, open := t.buffers[file]
	if b.differ {
		return "", true, &fs.PathError{Op: "open", Path: name, Err: ErrBuffersDiffer}
	}
	return b.text, open, nil
}

// Open opens a buffer, or a file or directory on disk. For a FIFO, a socket or a device, it returns an error without
// waiting.
func (t *Tree) Open(name string) (fs.File, error) {
	text, open, err := t.lookUp("open", name)
	if err != nil {
		return nil, err
	}
	if !open {
		return t.root.openFile(name)
	}
	return &bufferFile{Reader: strings.NewReader(text), info: t.bufferInfo(name, text)}, nil
}

// ReadFile returns the text of a buffer, or the bytes on disk.
func (t *Tree) ReadFile(name string) ([]byte, error) {
	text, err := t.ReadString(name)
	if err != nil {
		return nil, err
	}
	return []byte(text), nil
}

// ReadString is ReadFile without copying the bytes.
func (t *Tree) ReadString(name string) (string, error) {
	text, open, err := t.lookUp("read", name)
	if err != nil || open {
		return text, err
	}
	return t.root.readFile(name)
}

// ReadDir lists a directory on disk.
func (t *Tree) ReadDir(name string) ([]fs.DirEntry, error) { return t.root.readDir(name) }

// Stat describes a file, and follows links. For a buffer it returns the size of the text in bytes, and the mode of the
// file on disk, or 0644 if there is no file.
func (t *Tree) Stat(name string) (fs.FileInfo, error) {
	text, open, err := t.lookUp("stat", name)
	if err != nil {
		return nil, err
	}
	if !open {
		return stat(t.root.disk, name)
	}
	return t.bufferInfo(name, text), nil
}

// Lstat does not follow a link. It describes the link itself, even if a buffer is open under the name of the link.
func (t *Tree) Lstat(name string) (fs.FileInfo, error) {
	if !validPath(name) {
		return nil, &fs.PathError{Op: "lstat", Path: name, Err: fs.ErrInvalid}
	}
	info, err := lstat(t.root.disk, name)
	return t.withBuffer(name, info, err)
}

// withBuffer turns the result of Lstat for the disk into the result for the tree.
func (t *Tree) withBuffer(name string, info fs.FileInfo, err error) (fs.FileInfo, error) {
	if err == nil && !info.Mode().IsRegular() || err != nil && !fspath.Missing(err) || len(t.buffers) == 0 {
		return info, err
	}
	if text, open, err := t.Buffer(name); open && err == nil {
		return t.bufferInfo(name, text), nil
	}
	return info, err
}

// ReadLink returns the target of a symbolic link as written, but with '/' on every system.
func (t *Tree) ReadLink(name string) (string, error) {
	if !validPath(name) {
		return "", &fs.PathError{Op: "readlink", Path: name, Err: fs.ErrInvalid}
	}
	return readLink(t.root.disk, name)
}

// Names returns the rules by which the file system of the root compares names.
func (t *Tree) Names() fspath.Names { return t.root.names() }

func (t *Tree) lookUp(op, name string) (string, bool, error) {
	if !validPath(name) {
		return "", false, &fs.PathError{Op: op, Path: name, Err: fs.ErrInvalid}
	}
	return t.Buffer(name)
}

func (t *Tree) bufferInfo(name, text string) fs.FileInfo {
	info := bufferInfo{name: path.Base(name), size: int64(len(text)), mode: newFileMode}
	if onDisk, err := t.root.disk.Stat(name); err == nil && onDisk.Mode().IsRegular() {
		info.mode, info.modTime = onDisk.Mode(), onDisk.ModTime()
	}
	return info
}

type bufferInfo struct {
	name    string
	size    int64
	mode    fs.FileMode
	modTime time.Time // zero if the file is not on disk
}

func (i bufferInfo) Name() string       { return i.name }
func (i bufferInfo) Size() int64        { return i.size }
func (i bufferInfo) Mode() fs.FileMode  { return i.mode }
func (i bufferInfo) ModTime() time.Time { return i.modTime }
func (i bufferInfo) IsDir() bool        { return false }
func (i bufferInfo) Sys() any           { return nil }

type bufferFile struct {
	*strings.Reader
	info fs.FileInfo
}

func (f *bufferFile) Stat() (fs.FileInfo, error) { return f.info, nil }
func (f *bufferFile) Close() error               { return nil }

var _ io.ReadSeeker = (*bufferFile)(nil)
