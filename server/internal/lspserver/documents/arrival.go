package documents

import (
	"go.lsp.dev/uri"

	aptix "github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/lspconv"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// An Arrival records which documents have had the text of an edit, even for only a moment. When a document is saved, a
// formatter may change that text before the server looks.
type Arrival struct {
	docs *Set
	want map[string]text.Content // the planned contents; the key is the absolute path
	came map[string]bool         // guarded by docs.mu, like docs.arrivals
}

// Expect starts to record which files get the text that is planned for them. The keys of `want` are absolute paths. The
// caller must call End.
func (d *Set) Expect(want map[string]text.Content) *Arrival {
	a := &Arrival{docs: d, want: want, came: map[string]bool{}}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.arrivals[a] = true
	return a
}

// End ends the recording.
func (a *Arrival) End() {
	a.docs.mu.Lock()
	defer a.docs.mu.Unlock()
	delete(a.docs.arrivals, a)
}

// note records that a file has its planned text if the new version `doc` of its document has that text. The caller must
// hold docs.mu.
func (a *Arrival) note(doc *Document) {
	file, ok := lspconv.Path(doc.URI)
	if want, planned := a.want[file]; ok && planned && SameText(doc.Text, want) {
		a.came[file] = true
	}
}

// At reports whether an open document of the file has had the planned text at any time. `file` is an absolute path.
func (a *Arrival) At(file string) bool {
	a.docs.mu.Lock()
	defer a.docs.mu.Unlock()
	return a.came[file]
}

// Equal reports whether the server and the editor have the same documents, among those in `uris`. If the versions of a
// document are equal but the texts differ, the document becomes broken.
func (d *Set) Equal(uris []uri.URI, held map[uri.URI]aptix.OpenDocument) bool {
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
