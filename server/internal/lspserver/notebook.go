package lspserver

import (
	"strings"

	"go.lsp.dev/uri"

	"github.com/aptix-dev/aptix/server/internal/lspconv"
)

// cellScheme is the scheme of the URIs that VS Code gives to the cells of a notebook. The URIs of all cells of a
// notebook have its path, and differ only in their fragments.
const cellScheme = "vscode-notebook-cell:"

// notebookOf returns the file of the notebook that contains a cell. It returns false if the
// document is not a cell.
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

// fileOf returns the file of a document. The file of a notebook's cell is the notebook.
func fileOf(u uri.URI) (string, bool) {
	if file, ok := notebookOf(u); ok {
		return file, true
	}
	return lspconv.Path(u)
}

// notebooks returns the files of the folder that the editor shows as notebooks. The keys are canonical paths.
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
