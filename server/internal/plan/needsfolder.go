package plan

import (
	"fmt"
	"io/fs"
	"path"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// needsFolder checks a new file that nothing in the reply declares new. It refuses the file
// unless its folder exists and no file elsewhere could be meant (rule F11).
func (b *builder) needsFolder(key string, c intent.Change) []diag.Diagnostic {
	if !c.NeedsFolder {
		return nil
	}
	dir, message := path.Dir(key), ""
	switch {
	case !b.isFolder(dir):
		message = fmt.Sprintf("neither %s nor its folder exists, and nothing says that the file is new", c.Path)
	case dir == "." && b.isElsewhere(key):
		message = fmt.Sprintf("%s does not exist, but a file of that name exists in another folder, and nothing says that the file is new", c.Path)
	default:
		return nil
	}
	d := at(c, diag.New(diag.FileMissing, text.Span{}, message+"; check the path"))
	if c.KindAt != (intent.Literal{}) {
		d.Fixes = append(d.Fixes, diag.Fix{Title: "Say that the file is new", Edits: []text.Edit{c.KindAt.Set("create")}})
	}
	return []diag.Diagnostic{d}
}

// isElsewhere reports whether any folder has a file of that name.
func (b *builder) isElsewhere(name string) bool {
	found, _ := b.sameEnding(b.ctx, name)
	return len(found) > 0
}

// isFolder reports whether a path is that of a folder after the changes so far.
func (b *builder) isFolder(key string) bool {
	for _, inner := range b.below[key] {
		if b.files[inner].now.Exists {
			return true
		}
	}
	info, err := fs.Stat(b.tree, key)
	return err == nil && info.IsDir()
}
