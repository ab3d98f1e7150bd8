package editor

import (
	"context"
	"slices"

	"go.lsp.dev/uri"

	"github.com/aptix-dev/aptix/server/internal/lspserver/documents"
	"github.com/aptix-dev/aptix/server/internal/lspserver/workspace"
	"github.com/aptix-dev/aptix/server/internal/plan"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A finding is the state in which a file was found after an edit.
type finding int

const (
	asPlanned finding = iota
	// The edit has not changed the file, according to the open document, or to the disk for a file to create, delete or
	// rename.
	asBefore
	// The edit has not changed the file on disk. The editor may have the new text in a document that is not saved.
	unseen
	// The file was created but is empty, or it was renamed but has the old text. The new text has not arrived, or is
	// not saved.
	begun
	differs   // the file has neither its old nor its planned content: the person or another program changed it
	formatted // the file had its planned content at first, but was then saved with a different content, for example by a formatter
)

// findings has a finding for each file of a plan, in the order of the plan.
type findings struct {
	files []plan.File
	found []finding
}

// verify determines the state of files after the editor responded to an edit with the result `applied`. If `ctx` ends
// in the meantime, because the connection ended, the state is unknown.
func (e *Editor) verify(ctx context.Context, f *workspace.Folder, files []plan.File, applied bool, a *documents.Arrival) (seen findings) {
	e.Await(ctx, uris(f.View(e.docs.Snapshot()), files), applied, func(snapshot documents.Snapshot) (int, bool) {
		v := f.View(snapshot)
		seen = look(v, files)
		seen.format(v, a)
		n := len(seen.filesWith(asPlanned, formatted))
		return n, n == len(files)
	})
	for _, file := range seen.filesWith(asPlanned) {
		if file.Operation == plan.Remove || file.Operation == plan.Rename {
			e.docs.MovedAway(f.Path(file.Path)) // the editor may keep the document open for a while
		}
	}
	return seen
}

// uris returns the URIs of files, with the old and the new URI for a rename. For an open file it returns the URI that
// the editor uses.
func uris(v workspace.View, files []plan.File) []uri.URI {
	var all []uri.URI
	for _, file := range files {
		for _, path := range slices.Compact([]string{file.Path, file.Target()}) {
			u, ok := v.URIOf(path)
			if doc := v.Open[path]; doc != nil {
				u = doc.URI
			}
			if ok {
				all = append(all, u)
			}
		}
	}
	return all
}

// format changes the finding from `differs` to `formatted` for each file whose document first had its planned text, but
// was saved with a different text after that.
func (s findings) format(v workspace.View, a *documents.Arrival) {
	for i, f := range s.files {
		if doc := v.Open[f.Target()]; s.found[i] == differs && a.At(v.Path(f.Target())) && doc != nil && doc.Saved() {
			s.found[i] = formatted
		}
	}
}

func look(v workspace.View, files []plan.File) findings {
	return findings{files: files, found: text.Each(files, func(f plan.File) finding { return foundAs(v, f) })}
}

// foundAs returns the finding for a file. It ignores modes, because these are set later, when everything else is as
// planned.
func foundAs(v workspace.View, f plan.File) finding {
	if f.Operation == plan.Rename {
		return renamedAs(v, f)
	}
	if doc := v.Open[f.Path]; doc != nil && doc.Broken != "" {
		return differs
	} else if doc != nil && f.After.Exists && f.After.Mode.Type() == 0 {
		return inBuffer(doc.Text, f.Before, f.After)
	}
	now := v.OnDisk(f.Path)
	switch {
	case same(now, f.After), f.Operation == plan.Remove && standsAsFile(f.Before) && now.Mode.IsDir():
		// A removal also counts as made if a folder is now at the path.
		return asPlanned
	case f.Operation == plan.Remove && v.Open[f.Path] != nil && documents.SameText(v.Open[f.Path].Text, f.Before):
		// The open document still has the text from before the edit, even if the file on disk has an older text.
		return asBefore
	case same(now, f.Before):
		if f.After.Exists && f.Before.Exists {
			return unseen
		}
		return asBefore
	case f.Operation == plan.Create && now.Mode.Type() == 0 && now.Data == "":
		return begun
	}
	return differs
}

func renamedAs(v workspace.View, f plan.File) finding {
	source, target := v.OnDisk(f.Path), v.OnDisk(f.To)
	var moved finding
	switch doc := v.Open[f.To]; {
	case source.Exists && !target.Exists && (same(source, f.Before) || v.Open[f.Path] != nil):
		return asBefore
	case source.Exists:
		return differs
	case doc != nil:
		moved = inBuffer(doc.Text, f.Before, f.After)
	case same(target, f.After):
		return asPlanned
	case same(target, f.Before):
		return begun
	default:
		return differs
	}
	if moved == asBefore {
		return begun
	}
	return moved
}

// same reports whether two contents are equal except for permissions.
func same(a, b text.Content) bool {
	return a.Exists == b.Exists && a.Data == b.Data && a.Mode.Type() == b.Mode.Type()
}

// inBuffer returns the finding for a file whose text in the editor is `now`. It ignores byte order marks and line
// endings, because editors choose them; some give all lines the same ending.
func inBuffer(now string, before, after text.Content) finding {
	switch {
	case documents.SameText(now, after):
		return asPlanned
	case before.Exists && documents.SameText(now, before):
		return asBefore
	case !before.Exists && now == "":
		return begun
	}
	return differs
}

func (s findings) all(what ...finding) bool { return len(s.filesWith(what...)) == len(s.files) }

func (s findings) any(what ...finding) bool { return len(s.filesWith(what...)) > 0 }

// partial reports whether an edit left some files unchanged although the editor reported it as applied. If the editor
// opens all documents that it touches, a file that is not open counts as unchanged.
func (s findings) partial(opensTouched bool) bool {
	return s.any(asBefore) || opensTouched && s.any(unseen, begun)
}

func (s findings) filesWith(what ...finding) []plan.File {
	var out []plan.File
	for i, f := range s.files {
		if slices.Contains(what, s.found[i]) {
			out = append(out, f)
		}
	}
	return out
}

// paths returns the paths, after the plan, of the files whose finding is in `what`.
func (s findings) paths(what ...finding) []string {
	paths := []string{}
	paths = append(paths, text.Each(s.filesWith(what...), func(f plan.File) string { return f.Target() })...)
	return paths
}

// inverse returns the changes that undo the effects of the edit on the files. If a file was renamed and its new text
// has not arrived, only the rename is undone.
func (s findings) inverse() []plan.File {
	back := text.Each(s.filesWith(asPlanned), plan.File.Invert)
	for _, f := range s.filesWith(begun) {
		if f.Operation == plan.Rename {
			f.After = f.Before
		}
		back = append(back, f.Invert())
	}
	return back
}

// arrival starts to record which of these files of a folder get their planned text. The caller must call End.
func (e *Editor) arrival(f *workspace.Folder, files []plan.File) *documents.Arrival {
	want := map[string]text.Content{}
	for _, file := range files {
		if file.After.Exists {
			want[f.Path(file.Target())] = file.After
		}
	}
	return e.docs.Expect(want)
}
