package casefile

import (
	"encoding/binary"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"unicode/utf16"
)

// A Tree maps paths to files and symbolic links.
type Tree map[string]File

// A File is the bytes of a file, or the target of a link.
type File struct {
	Data string
	Mode fs.FileMode
}

func mode(attributes string) fs.FileMode {
	for _, a := range strings.Fields(attributes) {
		switch a {
		case "link":
			return fs.ModeSymlink
		case "exec":
			return 0o755
		}
	}
	return 0o644
}

// encode turns a section into the bytes of a file, as the words after the name of the section
// demand.
func encode(s string, attributes []string) (string, error) {
	for _, a := range attributes {
		switch a {
		case "crlf":
			s = strings.ReplaceAll(s, "\n", "\r\n")
		case "cr":
			s = strings.ReplaceAll(s, "\n", "\r")
		case "noeol", "link":
			s = strings.TrimSuffix(strings.TrimSuffix(s, "\n"), "\r")
		case "bom":
			s = "\ufeff" + s
		case "utf16le":
			s = encodeUTF16(s, binary.LittleEndian)
		case "utf16be":
			s = encodeUTF16(s, binary.BigEndian)
		case "quoted": // the text is a Go string literal
			unquoted, err := strconv.Unquote(strings.TrimSpace(s))
			if err != nil {
				return "", err
			}
			s = unquoted
		case "exec":
		default:
			return "", fmt.Errorf("unknown attribute %q", a)
		}
	}
	return s, nil
}

// encodeUTF16 returns s in UTF-16, with a byte order mark.
func encodeUTF16(s string, order binary.AppendByteOrder) string {
	var b []byte
	for _, unit := range utf16.Encode([]rune("\ufeff" + s)) {
		b = order.AppendUint16(b, unit)
	}
	return string(b)
}

// Write creates the tree in a folder.
func (tree Tree) Write(dir string) error {
	for path, f := range tree {
		name := filepath.Join(dir, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return err
		}
		if err := f.write(name); err != nil {
			return err
		}
	}
	return nil
}

func (f File) write(name string) error {
	if f.Mode&fs.ModeSymlink != 0 {
		return os.Symlink(f.Data, name)
	}
	return os.WriteFile(name, []byte(f.Data), f.Mode)
}

// ReadTree returns the tree in a folder. Empty folders do not count.
func ReadTree(dir string) (Tree, error) {
	tree := Tree{}
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(dir, name)
		if err != nil {
			return err
		}
		tree[filepath.ToSlash(rel)], err = readFile(name, d)
		return err
	})
	return tree, err
}

func readFile(name string, d fs.DirEntry) (File, error) {
	if d.Type()&fs.ModeSymlink != 0 {
		target, err := os.Readlink(name)
		return File{target, fs.ModeSymlink}, err
	}
	info, err := d.Info()
	if err != nil {
		return File{}, err
	}
	data, err := os.ReadFile(name)
	// Windows has no mode bits, and shows all files as open to everyone.
	if runtime.GOOS == "windows" {
		return File{string(data), 0o644}, err
	}
	return File{string(data), info.Mode().Perm()}, err
}
