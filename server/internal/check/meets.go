package check

import (
	"io/fs"
	"path"

	"github.com/aptix-dev/aptix/server/internal/intent"
)

// Meets returns the number of files that the blocks of a document name, and how many of these
// are in the tree. Callers use it to find out for which of several folders a reply was
// written. It plans nothing.
func Meets(doc Document, where Where) (named, there int, err error) {
	r := &Result{Documents: []Document{doc}}
	if err := r.find(where); err != nil {
		return 0, 0, err
	}
	seen := map[string]bool{}
	for _, set := range r.parse(false) {
		for _, c := range set.Changes {
			name := path.Join(set.Root, c.Path)
			if seen[name] {
				continue
			}
			seen[name] = true
			named++
			is, err := where.has(c, name)
			if err != nil {
				return 0, 0, err
			}
			if is {
				there++
			}
		}
	}
	return named, there, nil
}

// has reports whether the tree has the file of a change.
func (w Where) has(c intent.Change, name string) (bool, error) {
	if c.DocPath {
		files, err := w.DocPath(w.Meter, c.Path)
		return len(files) > 0, err
	}
	_, err := fs.Stat(w.Tree, name)
	return err == nil, nil
}
