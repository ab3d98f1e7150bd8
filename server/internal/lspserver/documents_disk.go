package lspserver

import (
	"os"

	"github.com/aptix-dev/aptix/server/internal/lspconv"
	"github.com/aptix-dev/aptix/server/internal/plan"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A diskState is how the file of an open document stands to its text.
type diskState int

const (
	unknown diskState = iota // no file that can be read as text
	asShown                  // line endings and BOM aside, which are the editor's affair
	another                  // it holds another text
)

// onDisk looks at the file of a document.
func (doc *Document) onDisk() diskState {
	name, ok := lspconv.Path(doc.URI)
	if !ok {
		return unknown
	}
	if info, err := os.Stat(name); err != nil || !info.Mode().IsRegular() {
		return unknown
	}
	raw, err := os.ReadFile(name)
	if err != nil {
		return unknown
	}
	if _, _, err := text.Decode(string(raw)); err != nil {
		return unknown
	}
	if sameText(doc.Text, plan.Content{Exists: true, Data: string(raw)}) {
		return asShown
	}
	return another
}

// overtaken reports whether somebody else changed the file since the editor read or
// wrote it. An edit of such a document, once saved, would undo that change, and nobody
// would be told.
func (doc *Document) overtaken() bool { return doc.Saved && doc.onDisk() == another }
