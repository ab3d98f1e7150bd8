package reply

import (
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/meter"
	"github.com/aptix-dev/aptix/server/internal/paths"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// largest is the size of the largest file that is read, in bytes.
const largest = 1 << 20

// eachRead is the cost of reading a file and of searching it for some lines, in steps of the meter for each byte.
const eachRead = 3

const (
	eachLook  = 10_000 // the cost of looking up a path, in steps of [meter.Meter]
	eachFound = 400    // the cost of comparing a line with code, in steps of the meter
	searched  = 2      // the number of bytes of a file that are searched for one step of the meter
)

// A Made is a file before and after the blocks of a reply.
type Made struct {
	Before, After string // the text; "" if the file does not exist or is not text
	Gone          bool   // the file does not exist after the reply
}

// Files are the files of a tree, with the changes that the blocks of a reply make.
type Files struct {
	Tree  fs.FS           // nil if no folder is open
	Made  map[string]Made // the files that the blocks change, by path relative to the root, with slashes
	Meter *meter.Meter    // limits the work of reading files and the reply; nil for no limit

	named  map[string][]string // the paths in Made, by file name
	sorted []string            // the paths in Made
	// the paths of the changed files that have a line, by the line in the form of [squeeze]; at most mostShared+1 paths
	// for each line
	withLine map[string][]string
	listed   []string               // all paths of the tree; empty if there are too many
	stems    map[string][]string    // see [Files.byStem]; nil until first needed
	rest     []string               // the files that the reply does not change, without documents
	compared int                    // the number of pairs of lines compared so far
	seen     map[string]fs.FileMode // the type of each path; 0 for a regular file, noFile if the path does not exist
	lines    map[string][]string    // the results of [Files.texts], by path
	gone     map[string][]string    // the results of [Files.removed], by path
}

// mostRemoved limits the lines of an edit that are searched for in a file that a sentence names.
const mostRemoved = 50

const noFile = fs.ModeIrregular

// clean returns a path in the form that [fs.ValidPath] requires. It returns false if the path leads out of the tree.
func clean(p string) (string, bool) {
	p = path.Clean(strings.ReplaceAll(strings.TrimPrefix(p, "/"), `\`, "/"))
	return p, fs.ValidPath(p) && p != "." && !strings.HasPrefix(p, "~")
}

// mode returns the type of a path in the tree, or noFile.
func (f *Files) mode(name string) fs.FileMode {
	if m, ok := f.seen[name]; ok {
		return m
	}
	m := noFile
	if f.Tree != nil && f.Meter.Pay(eachLook) {
		if info, err := fs.Stat(f.Tree, name); err == nil {
			m = info.Mode().Type()
		}
	}
	if f.seen == nil {
		f.seen = map[string]fs.FileMode{}
	}
	f.seen[name] = m
	return m
}

func (f *Files) isFile(name string) bool {
	_, made := f.Made[name]
	return made || f.mode(name).IsRegular() && f.mode(name) != noFile
}

func (f *Files) isNew(name string) bool {
	made, ok := f.Made[name]
	return ok && made.Before == ""
}

func (f *Files) changes(name string) bool {
	made, ok := f.Made[name]
	return ok && (made.Gone || made.Before != made.After)
}

// isDone reports whether an earlier apply made the changes of the blocks to a file. If so, the file's lines prove
// nothing about the rest of the reply.
func (f *Files) isDone(name string) bool {
	_, made := f.Made[name]
	return made && !f.changes(name)
}

// isMoved reports whether a path may be the new one of a file that the blocks, or an earlier apply of them, renamed.
func (f *Files) isMoved(name string) bool {
	_, made := f.Made[name]
	return made && (!f.mode(name).IsRegular() || !f.changes(name))
}

// linesWith returns the lines of a file that contain the given code, before and after the reply, in alphabetical
// order. Each result begins with the preceding line, so that a moved line gives another result.
func (f *Files) linesWith(name, code string) (before, after []string) {
	t := f.texts(name)
	if len(t) == 0 {
		return nil, nil
	}
	find := func(t string) (lines []string) {
		f.eachLine(t, code, func(at text.Span) {
			lines = append(lines, t[1+strings.LastIndexByte(t[:max(0, at.Start-1)], '\n'):at.End])
		})
		slices.Sort(lines)
		return lines
	}
	return find(t[0]), find(t[len(t)-1])
}

// eachLine calls `do` for each line of a text that contains the given code. The text is in the form of [squeeze].
func (f *Files) eachLine(t, code string, do func(at text.Span)) {
	f.Meter.Pay(len(t) / searched)
	for at := 0; code != "" && f.Meter.Pay(eachFound); {
		i := strings.Index(t[at:], code)
		if i < 0 {
			return
		}
		line := text.Span{Start: 1 + strings.LastIndexByte(t[:at+i], '\n'), End: len(t)}
		if n := strings.IndexByte(t[at+i:], '\n'); n >= 0 {
			line.End = at + i + n + 1
		}
		if HasCode(line.In(t), code) {
			do(line)
		}
		at = line.End
	}
}

// hasCode reports whether a file contains the given code before or after the reply. It ignores `()` at the end of
// `code`.
func (f *Files) hasCode(name, code string) bool {
	before, after := f.linesWith(name, strings.TrimSuffix(code, "()"))
	return len(before)+len(after) > 0
}

// gets reports whether a file contains the given code only after the reply.
func (f *Files) gets(name, code string) bool {
	before, after := f.linesWith(name, code)
	return len(before) == 0 && len(after) > 0
}

// removed returns the lines with a word that a file has only before the reply, at most mostRemoved. It returns none if
// there are more.
func (f *Files) removed(name string) (lines []string) {
	if lines, ok := f.gone[name]; ok {
		return lines
	}
	t := f.texts(name)
	if len(t) < 2 || !f.Meter.Pay(len(t[0])+len(t[1])) {
		return nil
	}
	if f.gone == nil {
		f.gone = map[string][]string{}
	}
	f.gone[name] = nil
	after := map[string]bool{}
	for line := range strings.Lines(t[1]) {
		after[strings.TrimSpace(line)] = true
	}
	for line := range strings.Lines(t[0]) {
		if line = strings.TrimSpace(line); text.HasWord(line) && !after[line] {
			lines = append(lines, line)
		}
		if len(lines) > mostRemoved {
			return nil
		}
	}
	f.gone[name] = lines
	return lines
}

// HasCode reports whether a line contains the given code, not counting matches that begin or end inside a name or a
// number.
func HasCode(line, code string) bool {
	isName := func(s string) bool { return s != "" && (s[0] == '_' || s[0] >= utf8.RuneSelf || text.HasWord(s[:1])) }
	for at := 0; ; at++ {
		i := strings.Index(line[at:], code)
		if i < 0 || code == "" {
			return false
		}
		at += i
		end := at + len(code)
		if !(isName(code) && at > 0 && isName(line[at-1:])) && !(isName(code[len(code)-1:]) && isName(line[end:])) {
			return true
		}
	}
}

// empties reports whether the reply deletes or renames a file in a folder.
func (f *Files) empties(folder string) bool {
	return slices.ContainsFunc(f.changed(), func(name string) bool { return f.Made[name].Gone && strings.HasPrefix(name, folder+"/") })
}

func (f *Files) isFolder(name string) bool { return name == "." || f.mode(name).IsDir() }

// isPlace reports whether a path is a file of the tree, or could be a new file. For a new file, its folder or its top
// folder must exist.
func (f *Files) isPlace(name string) bool {
	if f.isFile(name) || f.isFolder(path.Dir(name)) {
		return true
	}
	top, _, below := strings.Cut(name, "/")
	return below && f.isFolder(top)
}

// resolve returns the path, relative to the root, of the file that `written` means. It is the first of these that
// exists:
//
//   - the file with this path
//   - the file with this path without superfluous leading folders
//   - the only changed file whose path ends with `written`, or is the end of `written` if that is an absolute path
//
// Otherwise, resolve returns the path of a possible new file. ok is false if `written` leads out of the tree.
func (f *Files) resolve(written string) (name string, ok bool) {
	name, ok = clean(written)
	if ok && f.isFile(name) {
		return name, ok
	}
	if file, _ := paths.Shorter(f.Tree, written); file != "" {
		return file, true
	}
	if !ok {
		return name, false
	}
	found := text.Only(f.byName()[path.Base(name)], func(made string) bool {
		return EndsWith(made, name) || strings.HasPrefix(written, "/") && EndsWith(name, made)
	})
	if len(found) == 1 {
		return found[0], true
	}
	return name, true
}

// existing returns the file of the tree that a path in the reply means, or "".
func (f *Files) existing(written string) string {
	name, ok := f.resolve(written)
	if !ok || !f.isFile(name) {
		return ""
	}
	return name
}

func (f *Files) byName() map[string][]string {
	if f.named == nil {
		f.named = map[string][]string{}
		for made := range f.Made {
			f.named[path.Base(made)] = append(f.named[path.Base(made)], made)
		}
	}
	return f.named
}

// only returns the file that the blocks change, or "" if they change none or several.
func (f *Files) only() string {
	if len(f.Made) != 1 {
		return ""
	}
	for name := range f.Made {
		return name
	}
	return ""
}

// texts returns the texts of a file before and after the reply, in the form of [squeeze]. For an unchanged file, it
// returns one text, and for a missing file, none.
func (f *Files) texts(name string) []string {
	if t, ok := f.lines[name]; ok {
		return t
	}
	var t []string
	if made, ok := f.Made[name]; ok {
		t = []string{squeeze(made.Before), squeeze(made.After)}
	} else if f.isFile(name) {
		content, _ := FileText(format.Document{Tree: f.Tree}, name)
		t = []string{squeeze(content)}
	}
	if f.lines == nil {
		f.lines = map[string][]string{}
	}
	f.lines[name] = t
	return t
}

// FileText returns the text of the file that a path in the reply means ([fileOf]). It returns false if the file is
// missing, large or not text, or if the meter of the document is spent.
func FileText(d format.Document, written string) (string, bool) {
	if d.Tree == nil {
		return "", false
	}
	name := fileOf(d, written)
	info, err := fs.Stat(d.Tree, name)
	if err != nil || !info.Mode().IsRegular() || info.Size() > largest || !d.Meter.Pay(eachRead*int(info.Size())) {
		return "", false
	}
	data, err := fs.ReadFile(d.Tree, name)
	if err != nil {
		return "", false
	}
	content, _, err := text.Decode(string(data))
	return content, err == nil
}

// fileOf returns the path, in the document's tree, of the file that `written` means. `written` may have superfluous
// leading folders. If only one file fits, `written` may also lack leading folders, or be spelled in another way
// ([paths.IsSameName]). fileOf returns "" if the tree has no such file.
func fileOf(d format.Document, written string) string {
	name, ok := clean(written)
	if _, err := fs.Stat(d.Tree, name); ok && err == nil {
		return name
	}
	if file, _ := paths.Shorter(d.Tree, written); file != "" || !ok || d.Names == nil {
		return file
	}
	named, all := d.Names()
	same := named[paths.FoldedName(path.Base(name))]
	of := text.Only(same, func(p string) bool { return EndsWith(p, name) })
	if len(of) == 0 {
		of = text.Only(same, func(p string) bool { return paths.IsSameName(p, name) })
	}
	if !all || len(of) != 1 {
		return ""
	}
	return of[0]
}

// has reports whether a file contains a text, before or after the reply. It ignores indentation and blank lines. If
// the text has elisions, has searches for each part between them.
func (f *Files) has(name, body string) bool {
	runs := runsOf(body)
	return slices.ContainsFunc(f.texts(name), func(t string) bool { return f.holdsAll(t, runs) })
}

// changed returns the paths in Made, sorted.
func (f *Files) changed() []string {
	if f.sorted == nil {
		f.sorted = slices.Sorted(maps.Keys(f.Made))
	}
	return f.sorted
}

func (f *Files) byLine() map[string][]string {
	if f.withLine == nil {
		f.withLine = map[string][]string{}
		for _, name := range f.changed() {
			for _, t := range f.texts(name) {
				if !f.Meter.Pay(len(t)) {
					return f.withLine
				}
				for line := range strings.Lines(t) {
					line = strings.TrimSuffix(line, "\n")
					if names := f.withLine[line]; len(names) <= mostShared && (len(names) == 0 || names[len(names)-1] != name) {
						f.withLine[line] = append(names, name)
					}
				}
			}
		}
	}
	return f.withLine
}

// becomes reports whether a file contains a text before the reply (was) and after the reply (is).
func (f *Files) becomes(name, body string) (was, is bool) {
	runs := runsOf(body)
	t := f.texts(name)
	if len(t) == 0 {
		return false, false
	}
	return f.holdsAll(t[0], runs), f.holdsAll(t[len(t)-1], runs)
}

func (f *Files) holdsAll(squeezed string, runs []string) bool {
	for _, run := range runs {
		if !f.Meter.Pay(len(squeezed)/searched) || !strings.Contains(squeezed, run) {
			return false
		}
	}
	return len(runs) > 0
}

// squeeze returns a text without indentation and blank lines, with a line feed before and after each line.
func squeeze(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	b.WriteByte('\n')
	for _, line := range text.SplitLines(s) {
		if line = strings.TrimSpace(line); line != "" {
			b.WriteString(line)
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// runsOf returns the runs of lines between the elisions of a text, each in the form of [squeeze].
func runsOf(body string) []string {
	var runs []string
	var run []string
	end := func() {
		if len(run) > 0 {
			runs = append(runs, "\n"+strings.Join(run, "\n")+"\n")
		}
		run = nil
	}
	for _, line := range text.SplitLines(body) {
		switch line = strings.TrimSpace(line); {
		case strings.Contains(line, "...") || strings.Contains(line, "…"):
			end()
		case text.HasWord(line):
			run = append(run, line)
		case line != "" && len(run) > 0:
			run = append(run, line)
		}
	}
	end()
	return runs
}

// MayHold reports whether a file could be created at a path: the path is free, and its folder exists.
func MayHold(tree fs.FS, name string) bool {
	f := Files{Tree: tree}
	name, ok := clean(name)
	return ok && f.mode(name) == noFile && f.isFolder(path.Dir(name))
}
