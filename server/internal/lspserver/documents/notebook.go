package documents

import (
	"strings"

	"go.lsp.dev/uri"

	"github.com/aptix-dev/aptix/server/internal/lspconv"
)

// cellScheme is the scheme of VS Code's URIs for the cells of a notebook. These URIs have the path of the notebook, and
// differ only in their fragments.
const cellScheme = "vscode-notebook-cell:"

// NotebookOf returns the file of the notebook that contains a cell. It returns false if the document is not a cell.
func NotebookOf(u uri.URI) (string, bool) {
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

// FileOf returns the file of a document. The file of a notebook's cell is the notebook.
func FileOf(u uri.URI) (string, bool) {
	if file, ok := NotebookOf(u); ok {
		return file, true
	}
	return lspconv.Path(u)
}
