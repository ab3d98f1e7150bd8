package lspserver

import (
	"path/filepath"

	"github.com/aptix-dev/aptix/server/internal/lspconv"
	"github.com/aptix-dev/aptix/server/internal/plan"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// An arrival records which documents ever had the text of an edit, if only for a moment: on
// saving, a formatter may change it before anybody looks.
type arrival struct {
	docs *Documents
	want map[string]text.Content // by absolute path
	came map[string]bool         // guarded by docs.mu, like docs.arrivals
}

// arrival starts recording the texts of these files of a folder. The caller ends it with end.
func (d *Documents) arrival(f *folder, files []plan.File) *arrival {
	a := &arrival{docs: d, want: map[string]text.Content{}, came: map[string]bool{}}
	for _, file := range files {
		if file.After.Exists {
			a.want[f.path(file.Target())] = file.After
		}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.arrivals[a] = true
	return a
}

func (a *arrival) end() {
	a.docs.mu.Lock()
	defer a.docs.mu.Unlock()
	delete(a.docs.arrivals, a)
}

// note compares a new version of a document with the text of the edit. The caller holds
// docs.mu.
func (a *arrival) note(doc *Document) {
	file, ok := lspconv.Path(doc.URI)
	if want, planned := a.want[file]; ok && planned && sameText(doc.Text, want) {
		a.came[file] = true
	}
}

// formatted reports whether a document had its planned text, and was saved with a different
// text afterwards.
func (a *arrival) formatted(v view, name string) bool {
	a.docs.mu.Lock()
	came := a.came[v.path(name)]
	a.docs.mu.Unlock()
	doc := v.open[name]
	return came && doc != nil && doc.Saved()
}

// path returns the absolute path of a file of the folder, in the editor's spelling.
func (f *folder) path(rel string) string { return filepath.Join(f.dir, filepath.FromSlash(rel)) }
