// Package previews has the two sides of the files in the diff editors that show changes, as virtual documents.
package previews

import (
	"fmt"
	"os"
	"strings"
	"sync"

	"go.lsp.dev/uri"

	aptix "github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/lspserver/replies"
	"github.com/aptix-dev/aptix/server/internal/plan"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// kept is the number of previews whose texts are kept.
const kept = 8

// Previews has the texts of the latest previews.
type Previews struct {
	mu    sync.Mutex
	last  int
	texts map[int]map[string]string // keys: the number of the preview, then the URI
}

// New returns an empty set of previews.
func New() *Previews { return &Previews{texts: map[int]map[string]string{}} }

// Rows stores the two sides of each file as virtual documents, and returns the rows of a diff editor. `resource`
// converts the path of a file to its URI.
func (p *Previews) Rows(files []plan.File, resource func(path string) string) []aptix.PreviewFile {
	texts, rows := map[string]string{}, []aptix.PreviewFile{}
	id := p.keep(texts)
	for _, f := range files {
		left, right := replies.ShownText(f.Before), replies.ShownText(f.After)
		// If only the executable bit differs, the texts show the permissions.
		if left == right && f.Operation == plan.Modify {
			left, right = fmt.Sprintf("(mode %v)\n%s", f.Before.Mode.Perm(), left), fmt.Sprintf("(mode %v)\n%s", f.After.Mode.Perm(), right)
		}
		rows = append(rows, aptix.PreviewFile{
			Resource: resource(f.Target()),
			Left:     put(texts, id, "before", f.Path, f.Before, left),
			Right:    put(texts, id, "after", f.Target(), f.After, right),
		})
	}
	return rows
}

// put stores one side of a file as a virtual document and returns the URI, or "" if the file does not exist on that
// side. VS Code shows two sides with different paths as a rename, so both sides must have the same path unless the file
// is renamed.
func put(texts map[string]string, id int, side, path string, c text.Content, shown string) string {
	if !c.Exists {
		return ""
	}
	name, err := uri.From(uri.Components{Scheme: aptix.PreviewScheme, Path: "/" + path, Query: fmt.Sprintf("%d-%s", id, side)})
	if err != nil {
		// This never happens, because any path is valid in a URI after a slash.
		panic(err)
	}
	u := string(name)
	texts[u] = shown
	return u
}

// keep stores the texts of a new preview, and drops the texts of the oldest preview. It returns the number of the new
// preview.
func (p *Previews) keep(texts map[string]string) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.last++
	p.texts[p.last] = texts
	delete(p.texts, p.last-kept)
	return p.last
}

// Text returns the text of a virtual document. It returns false if its preview is no longer kept.
func (p *Previews) Text(u uri.URI) (string, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, texts := range p.texts {
		if shown, ok := texts[string(u)]; ok {
			return shown, true
		}
	}
	return "", false
}

// WritePatch writes the changes as a patch into a new temporary file, and returns its path. It is for editors that have
// no diff editor for virtual documents.
func WritePatch(files []plan.File) (string, error) {
	var b strings.Builder
	for _, f := range files {
		b.WriteString(f.Unified())
	}
	file, err := os.CreateTemp("", "aptix-*.diff")
	if err != nil {
		return "", err
	}
	defer file.Close()
	_, err = file.WriteString(b.String())
	return file.Name(), err
}
