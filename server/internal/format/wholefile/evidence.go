package wholefile

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/doubt"
	"github.com/aptix-dev/aptix/server/internal/elision"
	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/meter"
	"github.com/aptix-dev/aptix/server/internal/paths"
	"github.com/aptix-dev/aptix/server/internal/place"
	"github.com/aptix-dev/aptix/server/internal/reply"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// largest is the largest size, in bytes, of a file that is read as evidence.
const largest = 1 << 20

type evidence struct {
	file, folder bool // the file exists; its folder exists
	above        bool // the document is certainly a reply, or the top folder of the path exists
	// the fence has at least half of the file's lines, or leaves out lines and agrees with the file
	alike bool
	parts bool // the fence leaves out lines
	same  bool // the fence leaves out lines, and would change nothing
}

// settle decides which entries are edits, and reports whether there are any. A single entry proves nothing, because
// documentation shows files in the same way. If a document has one certain edit, in any format, every other entry is
// an edit, an error or a doubt, so that none is ignored.
func settle(found []entry, d format.Document) bool {
	seen, edits := lookAll(found, d), make([]bool, len(found))
	any, reply, parts := false, replyUpTo(d, found, false), replyUpTo(d, found, true)
	if d.Tree != nil && paths.IsNewProject(d.Tree) {
		for i := range found {
			seen[i].folder = seen[i].folder || found[i].isAlone()
		}
	}
	for i, e := range found {
		if e.problem == unlabelled {
			any = any || len(d.Claimed) > 0
			continue
		}
		edits[i] = e.isEdit(seen[i]) ||
			(e.asksFor() || seen[i].alike) && reply >= 0 ||
			(e.problem == spoken || e.shows(seen[i])) && e.at.Start <= reply ||
			e.isPart && e.at.Start <= parts ||
			e.inInfo && seen[i].file && len(d.Claimed) > 0 && e.at.Start <= reply
		outside := e.line != zero && e.written && !local(e.path.path)
		any = any || edits[i] || (e.shows(seen[i]) || e.isAlone() || outside || e.inInfo && seen[i].file) && len(d.Claimed) > 0
	}
	for i, e := range found {
		switch {
		case e.problem != fine:
		case e.namesCode(seen[i]):
			found[i].problem = unlikely
		case !e.known(seen[i]) && !seen[i].folder:
			found[i].problem = unplaced
		case !e.known(seen[i]):
			found[i].problem = unsure
		case !edits[i] || e.mayBegin && seen[i].file:
			found[i].problem = sample
		}
	}
	return any
}

// isEdit reports whether an entry is certainly an edit: it has a label, or keeps half of its file's lines. If the
// path is inside the fence, the kept lines prove nothing, because documentation shows files with their paths, too.
func (e entry) isEdit(seen evidence) bool { return e.label || seen.alike && e.line != zero }

// asksFor reports whether the words of an entry request a new file, or the info string is a command that saves it. This is weak evidence, because instructions for
// people may have the same words.
func (e entry) asksFor() bool { return (e.verb == created || e.saves) && local(e.path.path) }

// shows reports whether an entry of a reply is an edit. Its file must exist; for a new file, the folder of the file
// must exist. If the line above the text has only the path, that folder may be missing, too, if the document is
// certainly a reply or the top folder of the path exists.
func (e entry) shows(seen evidence) bool {
	if e.line == zero {
		return seen.folder && !seen.file && path.Dir(clean(e.path.path)) != "."
	}
	return seen.file || (seen.folder || seen.above && e.isAlone()) && e.verb != updated
}

func (e entry) isAlone() bool {
	return e.line != zero && e.verb == shown && e.written && local(e.path.path) && reply.IsFileName(e.path.path)
}

// namesCode reports whether what was read as the path of an entry is probably a name in the code, such as
// `Store.remove`.
func (e entry) namesCode(seen evidence) bool {
	return e.verb == shown && e.written && !seen.file && !seen.alike && reply.NamesCode(e.path.path, e.text())
}

// known reports whether the workspace has the path of an entry, or the path is meant for a new file. A path outside
// the workspace counts as known, because the plan reports it.
func (e entry) known(seen evidence) bool {
	if e.verb != shown || e.saves || seen.file || seen.alike || e.isPart || !local(e.path.path) {
		return true
	}
	return seen.folder && (e.line != zero || path.Dir(clean(e.path.path)) != ".")
}

// lookAll returns the evidence for each entry. A folder in which another entry creates a file exists, too.
func lookAll(found []entry, d format.Document) []evidence {
	seen, made, files := make([]evidence, len(found)), map[string]bool{}, map[string][]string{}
	for i, e := range found {
		seen[i] = look(e, d, files)
		if e.verb == created && local(e.path.path) {
			for dir := path.Dir(clean(e.path.path)); dir != "."; dir = path.Dir(dir) {
				made[dir] = true
			}
		}
	}
	for i, e := range found {
		seen[i].folder = seen[i].folder || made[path.Dir(clean(e.path.path))]
	}
	return seen
}

func look(e entry, d format.Document, files map[string][]string) evidence {
	name := clean(e.path.path)
	switch {
	case d.Tree == nil:
		return evidence{}
	case !local(e.path.path):
		_, alike := e.isElsewhere(d)
		return evidence{alike: alike}
	}
	seen := evidence{folder: path.Dir(name) == ".", above: d.Reply}
	if info, err := fs.Stat(d.Tree, path.Dir(name)); err == nil {
		seen.folder = info.IsDir()
	}
	if top, _, nested := strings.Cut(path.Dir(name), "/"); nested {
		info, err := fs.Stat(d.Tree, top)
		seen.above = seen.above || err == nil && info.IsDir()
	}
	if info, err := fs.Stat(d.Tree, name); err == nil && info.Mode().IsRegular() {
		seen.file = true
		if _, read := files[name]; !read && e.written && info.Size() <= largest {
			files[name] = telling(d.Tree, name)
		}
		seen.alike = e.written && doubt.KeepsHalf(files[name], e.text(), d.Meter)
		if e.written && (e.line == zero || !seen.alike) {
			seen.parts, seen.same = e.leavesOut(d)
			seen.alike = seen.alike || seen.parts
		}
	} else {
		seen.parts, seen.alike = e.isElsewhere(d)
	}
	return seen
}

// leavesOut compares the fence with its file. `parts` is true if the fence leaves out lines and can be read as parts
// of the file. `same` is true if the file already has all these parts, too.
func (e entry) leavesOut(d format.Document) (parts, same bool) {
	if !slices.ContainsFunc(text.SplitLines(e.text()), isElision) {
		return false, false
	}
	e = e.withoutLabel(d)
	content, ok := reply.FileText(d, e.path.path)
	if !ok || !d.Meter.Pay(meter.Line*strings.Count(content, "\n")) {
		return false, false
	}
	r := elision.Read(place.NewLines(content, place.AfterEOL, d.Meter), e.text())
	same = r.HasNoChange()
	return same || r.State == elision.Certain || r.State == elision.Asks, same
}

func isElision(line string) bool { return elision.SortOf(line) >= elision.Worded }

// isElsewhere compares the text with the only file that the path matches after leading folders are dropped or added.
// If the text belongs to that file, the plan names the file. The results have the same meaning as in [evidence].
func (e entry) isElsewhere(d format.Document) (parts, alike bool) {
	content, ok := reply.FileText(d, e.path.path)
	if !ok || !e.written {
		return false, false
	}
	parts, _ = e.leavesOut(d)
	return parts, parts || doubt.KeepsHalf(doubt.Telling(content), e.text(), d.Meter)
}

// telling returns the lines of a file that are long enough to be recognized. It also reads a file that is not valid
// text, because an earlier apply of the reply may have created it.
func telling(tree fs.FS, name string) []string {
	data, err := fs.ReadFile(tree, name)
	if err != nil {
		return nil
	}
	content, _, err := text.Decode(string(data))
	if err != nil {
		content = string(data)
	}
	return doubt.Telling(content)
}

// replyUpTo returns the offset at which the reply in a document ends: the start of the first fence that is not an
// edit, or the end of the document. Fences with commands do not end the reply. If `old` is true, fences whose label
// says that they are an old text do not end it either. The result is negative if the document begins like
// documentation and no other format claims a part of it. Later text does not matter, so that a reply keeps its
// meaning while it is being written.
func replyUpTo(d format.Document, found []entry, old bool) int {
	if at, ok := reply.Titled(d); ok && at < found[0].at.Start && len(d.Claimed) == 0 {
		return -1
	}
	files := fencesOf(found)
	for _, f := range d.Fences {
		if reply.MayBeText(&f.Block, "") && !files[f] && !d.IsTaken(f.Span) && !(old && reply.IsOld(d.Text, &f.Block)) {
			return f.Span.Start
		}
	}
	return len(d.Text)
}

func fencesOf(found []entry) map[*format.Region]bool {
	return text.Set(text.Each(found, func(e entry) *format.Region { return e.fence }))
}

// local reports whether a path may be inside the workspace.
func local(p string) bool { return fs.ValidPath(clean(p)) && !strings.HasPrefix(p, "~") }

func clean(p string) string { return path.Clean(strings.ReplaceAll(p, `\`, "/")) }
