package gitoracle_test

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// A tree holds files and links by path. No path is below another one.
type tree map[string]node

// A node holds the bytes of a file, or the target of a link.
type node struct {
	data string
	kind kind
}

// A kind is the part of a file's mode that git records.
type kind byte

const (
	regular kind = iota
	executable
	link
	emptyDir // occurs only in a tree that was read from the disk
)

func (k kind) gitMode() string {
	return [...]string{"100644", "100755", "120000", "040000"}[k]
}

func (k kind) mode() fs.FileMode {
	return [...]fs.FileMode{0o644, 0o755, fs.ModeSymlink | 0o777, fs.ModeDir | 0o755}[k]
}

func kindOf(m fs.FileMode) kind {
	switch {
	case m&fs.ModeSymlink != 0:
		return link
	case m.IsDir():
		return emptyDir
	case m&0o100 != 0:
		return executable
	}
	return regular
}

func (t tree) clone() tree { return maps.Clone(t) }

func (t tree) hasLink() bool {
	return slices.ContainsFunc(t.paths(), func(p string) bool { return t[p].kind == link })
}

func (t tree) paths() []string { return slices.Sorted(maps.Keys(t)) }

// free reports whether a file can be created at p: the tree has no file above or below p.
func (t tree) free(p string) bool {
	if _, taken := t[p]; taken {
		return false
	}
	for dir := path.Dir(p); dir != "."; dir = path.Dir(dir) {
		if _, taken := t[dir]; taken {
			return false
		}
	}
	for other := range t {
		if strings.HasPrefix(other, p+"/") {
			return false
		}
	}
	return true
}

// write writes the tree to a new folder.
func (t tree) write(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	made := map[string]bool{".": true}
	for p, n := range t {
		if parent := path.Dir(p); !made[parent] {
			if err := os.MkdirAll(filepath.Join(dir, parent), 0o755); err != nil {
				return err
			}
			made[parent] = true
		}
		if err := n.write(filepath.Join(dir, p)); err != nil {
			return err
		}
	}
	return nil
}

func (n node) write(name string) error {
	if n.kind == link {
		return os.Symlink(n.data, name)
	}
	return os.WriteFile(name, []byte(n.data), n.kind.mode().Perm())
}

// readTree reads everything in dir, including empty folders.
func readTree(dir string) (tree, error) {
	t := tree{}
	return t, filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || name == dir {
			return err
		}
		rel, err := filepath.Rel(dir, name)
		if err != nil {
			return err
		}
		n, there, err := readNode(name, d)
		if there {
			t[rel] = n
		}
		return err
	})
}

func readNode(name string, d fs.DirEntry) (n node, there bool, err error) {
	info, err := d.Info()
	if err != nil {
		return node{}, false, err
	}
	n.kind = kindOf(info.Mode())
	switch n.kind {
	case emptyDir:
		entries, err := os.ReadDir(name)
		return n, err == nil && len(entries) == 0, err
	case link:
		n.data, err = os.Readlink(name)
	default:
		var data []byte
		data, err = os.ReadFile(name)
		n.data = string(data)
	}
	return n, true, err
}

// differ lists the differences of two trees, or returns "".
func differ(nameA string, a tree, nameB string, b tree) string {
	all := maps.Clone(a)
	maps.Copy(all, b)
	var out strings.Builder
	for _, p := range all.paths() {
		x, inA := a[p]
		y, inB := b[p]
		if inA != inB || x != y {
			fmt.Fprintf(&out, "%q\n  %s: %s\n  %s: %s\n", p, nameA, x.describe(inA), nameB, y.describe(inB))
		}
	}
	return out.String()
}

func (n node) describe(there bool) string {
	if !there {
		return "nothing"
	}
	data := n.data
	if len(data) > 1500 {
		data = data[:1500] + "..."
	}
	return fmt.Sprintf("%s %q", n.kind.gitMode(), data)
}
