package lspserver

import (
	"go.lsp.dev/uri"

	aptix "github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/lspconv"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// An arrival records which documents have had the text of an edit, even for only a moment. When a document is saved, a
// formatter may change that text before the server looks.
type arrival struct {
	docs *Documents
	want map[string]text.Content // the planned contents; the key is the absolute path
	came map[string]bool         // guarded by docs.mu, like docs.arrivals
}

// expect starts to record which files get the text that is planned for them. The keys of `want` are absolute paths. The
// caller must call end.
func (d *Documents) expect(want map[string]text.Content) *arrival {
	a := &arrival{docs: d, want: want, came: map[string]bool{}}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.arrivals[a] = true
	return a
}

// end ends the recording.
func (a *arrival) end() {
	a.docs.mu.Lock()
	defer a.docs.mu.Unlock()
	delete(a.docs.arrivals, a)
}

// note compares a new version of a document with the planned text. The caller must hold docs.mu.
func (a *arrival) note(doc *Document) {
	file, ok := lspconv.Path(doc.URI)
	if want, planned := a.want[file]; ok && planned && sameText(doc.Text, want) {
		a.came[file] = true
	}
}

// at reports whether a document of the file has had the planned text. The path is absolute.
func (a *arrival) at(file string) bool {
	a.docs.mu.Lock()
	defer a.docs.mu.Unlock()
	return a.came[file]
}

// equal reports whether the server and the editor hold the same documents, among those in uris. If the versions of a
// document are equal but the texts differ, the document becomes broken.
func (d *Documents) equal(uris []uri.URI, held map[uri.URI]aptix.OpenDocument) bool {
	now := d.Snapshot()
	for _, u := range uris {
		doc, there := now.Get(u), held[u]
		switch {
		case doc == nil && there.URI == "":
		case doc == nil || there.URI == "" || doc.Version != there.Version:
			return false
		case doc.Broken == "" && text.SumHex(text.WithEOL(doc.Text, text.LF)) != there.SHA256:
			broken := *doc
			broken.Broken = "the text in the editor differs from the text that the server knows"
			d.put(&broken)
		}
	}
	return true
}
