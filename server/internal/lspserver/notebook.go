package lspserver

import (
	"strings"

	"go.lsp.dev/uri"

	"github.com/aptix-dev/aptix/server/internal/lspconv"
)

// cellScheme is that of the documents that VS Code makes of the cells of a notebook. Their
// path is the notebook's, and their fragment tells them apart.
const cellScheme = "vscode-notebook-cell:"

// notebookOf is the file of the notebook that a document is a cell of; false for no cell.
func notebookOf(u uri.URI) (string, bool) {
	rest, ok := strings.CutPrefix(string(u), cellScheme)
	if !ok {
		return "", false
	}
	rest, _, _ = strings.Cut(rest, "#")
	if !strings.HasPrefix(rest, "//") {
		rest = "//" + rest
	}
	return lspconv.Path(uri.URI("file:" + rest))
}

// fileOf is the file of a document, which of a cell is its notebook.
func fileOf(u uri.URI) (string, bool) {
	if file, ok := notebookOf(u); ok {
		return file, true
	}
	return lspconv.Path(u)
}

// notebooks are the files of the folder that an editor shows as notebooks, by canonical path.
func (f *folder) notebooks(snapshot Snapshot) map[string]bool {
	shown := map[string]bool{}
	for u := range snapshot.All() {
		file, ok := notebookOf(u)
		if !ok {
			continue
		}
		if rel, inside := f.relative(file); inside {
			if key, err := f.root.Canonical(rel); err == nil {
				shown[key] = true
			}
		}
	}
	return shown
}
