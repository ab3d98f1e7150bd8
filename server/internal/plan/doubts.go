package plan

import (
	"cmp"
	"io/fs"
	"iter"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/doubt"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/meter"
	"github.com/aptix-dev/aptix/server/internal/place"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// eachBefore is the cost of a file whose whole text is needed to find doubts, in units of the meter per byte.
const eachBefore = 8

const bom = "\ufeff"

// A suspect is a change of a file that is not checked for doubts yet. It consists of all steps that edit the file one
// after the other, because a later step may complete the work of an earlier step.
type suspect struct {
	change        doubt.Change
	steps         doubt.Steps
	it            *item // the item with the first step
	before, after version
}

type stepped struct {
	text *place.Text
	runs []doubt.Run
}

func (b *builder) doubtsOfText(d *draft, it *item, now, after version) []diag.Diagnostic {
	if !mayDoubt(it, now, after) || it.Raw && strings.ContainsRune(it.Content, 0) {
		return nil
	}
	facts := doubt.Facts{New: !now.Exists, MayBePart: it.MayBePart, Marked: it.Marked, Raw: it.Raw, Claims: b.sets[d.index].Claims}
	content := it.Content
	if rest, marked := strings.CutPrefix(content, bom); marked && (strings.HasPrefix(now.bytes(), bom) || !strings.HasPrefix(after.bytes(), bom)) {
		content = rest // The file keeps its own byte order mark.
	}
	c := doubt.Whole(it.Path, b.decoded(now)(), content, facts)
	c.ContentAt, c.Others, c.Meter = it.ContentAt, func() []string { return b.linesElsewhere(it) }, b.Meter
	c.At = doubt.Part{Block: d.index, Span: spanOf(intent.Literal{}, it.Change)}
	c.Siblings, c.Users = b.others(it), b.users(it)
	var found []diag.Diagnostic
	for _, x := range doubt.Of(c) {
		d := ofFile(x.Diagnostic(), it)
		if x.Meant != "" && it.key == it.Path {
			d.Fixes = append(d.Fixes, b.pathFix(".", x.Meant, it.Change, false)...)
		}
		found = append(found, d)
	}
	return found
}

// suspect adds the steps of an item to the change of its file, for [builder.judge] to check later.
func (b *builder) suspect(d *draft, it *item, now, after version, steps []stepped) {
	if !mayDoubt(it, now, after) || it.Kind == intent.Delete || it.Raw && slices.ContainsFunc(steps, isBinary) {
		return
	}
	s := it.e.suspect
	if s == nil || !s.after.same(now) {
		b.judge(it.e)
		s = &suspect{it: it, before: now}
		s.change = doubt.Change{Path: it.Path, Before: b.decoded(now), Meter: b.Meter,
			Facts:  doubt.Facts{New: now.len() == 0, MayBePart: it.MayBePart, Marked: true, Raw: it.Raw, Shown: it.Content == "", Claims: b.sets[d.index].Claims},
			At:     doubt.Part{Block: d.index, Span: spanOf(intent.Literal{}, it.Change)},
			Others: func() []string { return b.linesElsewhere(it) }, Siblings: b.others(it), Users: b.users(it)}
		it.e.suspect = s
	}
	s.after, s.change.Marked = after, s.change.Marked && it.Marked
	for _, made := range steps {
		s.steps.Add(made.text, d.index, made.runs)
	}
}

func (b *builder) judge(e *entry) {
	s := e.suspect
	if s == nil {
		return
	}
	e.suspect = nil
	if s.change.Runs = s.steps.Runs(); len(s.change.Runs) == 0 || s.before.same(s.after) {
		return
	}
	s.change.After = b.decoded(s.after)
	for _, x := range doubt.Of(&s.change) {
		if x.Code == diag.CutShort && isGuess(s.it) {
			x.Verdict = diag.Error // Aptix guessed the place of this text, and the doubt shows that the guess is wrong.
		}
		b.doubts[x.At.Block] = append(b.doubts[x.At.Block], ofFile(x.Diagnostic(), s.it))
	}
}

// mayDoubt reports whether an item changes a file, and nothing proves that the result is intended.
func mayDoubt(it *item, now, after version) bool {
	return !after.same(now) && !it.Proven && after.Mode.Type() == 0
}

// decoded returns a function that returns the text of a version, or "" if decoding it would take too much work. The
// text is decoded only if that function is called.
func (b *builder) decoded(v version) func() string {
	return sync.OnceValue(func() string {
		if !b.Meter.Pay(eachBefore * v.len()) {
			return ""
		}
		// Decoding cannot fail: the version after the change was made from the same decoded text.
		s, _, _ := text.Decode(v.bytes())
		return s
	})
}

// linesElsewhere returns the trimmed lines of all whole texts in the reply, except for the text of the item's own file.
func (b *builder) linesElsewhere(it *item) (lines []string) {
	name := path.Base(it.key)
	for _, set := range b.sets {
		for _, c := range set.Changes {
			own := strings.Contains(c.Path, name) && path.Join(set.Root, c.Path) == it.key
			if !own && b.Meter.Pay(eachWritten*max(len(c.Content), 1)) {
				for line := range strings.Lines(c.Content) {
					if line = strings.TrimSpace(line); line != "" {
						lines = append(lines, line)
					}
				}
			}
		}
	}
	return lines
}

// Limits for reading other files to compare them with a changed file.
const (
	siblingFile     = 64 << 10 // the size of one file
	siblingFiles    = 64       // the number of files in a folder
	siblingsOfReply = 4 << 20  // the size of all files that are read for a reply
	siblingLeast    = 4 << 10  // a smaller file counts as one of this size
)

// others yields the names and texts of the files with which an item's file is compared:
//
//   - files in its folder that no change of the reply names; for a new file, those of similar size
//   - files in any folder that get the old text of the item's file, or also its new text
//   - files of similar size and with the same extension in other folders, if the file is new or keeps less than half of
//     its lines
//   - for a new file: the text that the reply moved away from its path
//
// A file in another folder is named by its path.
func (b *builder) others(it *item) iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		least, most := (len(it.Content)+1)/2, 2*len(it.Content)
		for _, f := range b.siblings(path.Dir(it.key)) {
			if (it.e.now.Exists || f.size >= least && f.size <= most) && !b.showOther(it, f, path.Base(f.key), yield) {
				return
			}
		}
		if it.e.now.Exists {
			if doubt.KeepsHalf(doubt.Telling(b.textOf(it.key)), it.Content, b.Meter) || !b.showExchanged(it, yield) || it.Content == "" {
				return
			}
		} else if it.e.base.Exists {
			for _, key := range b.order {
				if !b.Meter.Pay(meter.Line) || b.files[key].from == it.key && !yield(key, b.textOf(it.key)) {
					return
				}
			}
		}
		files := b.withExtension(path.Ext(it.key))
		first, _ := slices.BinarySearchFunc(files, least, func(f sized, least int) int { return f.size - least })
		for _, f := range files[first:] {
			if f.size > most || path.Dir(f.key) != path.Dir(it.key) && !b.showOther(it, f, f.key, yield) {
				return
			}
		}
	}
}

// users yields the paths and texts of the files with the same extension as an item's file, except for files that a
// change of the reply names. For a new file, only the files of its folder can matter.
func (b *builder) users(it *item) iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		ext := path.Ext(it.key)
		files := b.siblings(path.Dir(it.key))
		if it.e.now.Exists {
			files = b.withExtension(ext)
		}
		for _, f := range files {
			if path.Ext(f.key) == ext && !b.showOther(it, f, f.key, yield) {
				return
			}
		}
	}
}

type sized struct {
	key  string
	size int
}

// siblings returns the regular files among the first siblingFiles entries of a folder.
func (b *builder) siblings(dir string) []sized {
	files, known := b.near[dir]
	if known {
		return files
	}
	entries := b.entries(dir)
	for _, e := range entries[:min(len(entries), siblingFiles)] {
		key := path.Join(dir, e.Name())
		if info, err := fs.Stat(b.tree, key); err == nil && info.Mode().IsRegular() {
			files = append(files, sized{key, int(info.Size())})
		}
	}
	b.near[dir] = files
	return files
}

// withExtension returns the files of the tree with an extension, beginning with the smallest. It leaves out files that
// are too large to be compared with a changed file.
func (b *builder) withExtension(ext string) []sized {
	files, known := b.extensions[ext]
	if known {
		return files
	}
	named, _ := b.byName()
	for name, places := range named {
		for _, key := range places {
			if path.Ext(name) != ext || !b.Meter.Pay(eachName) {
				continue
			}
			if info, err := fs.Stat(b.tree, key); err == nil && info.Mode().IsRegular() && info.Size() <= siblingFile {
				files = append(files, sized{key, int(info.Size())})
			}
		}
	}
	slices.SortFunc(files, func(x, y sized) int { return cmp.Or(x.size-y.size, strings.Compare(x.key, y.key)) })
	b.extensions[ext] = files
	return files
}

// showOther yields the file f if f is small. If a change of the reply names f, f must get the old text of the item's
// file. showOther returns false if the caller must stop.
func (b *builder) showOther(it *item, f sized, name string, yield func(string, string) bool) bool {
	if !b.Meter.Pay(meter.Line) {
		return false
	}
	if f.size > siblingFile || f.key == it.key || b.named(f.key) && !b.swapped(it, f.key) {
		return true
	}
	return b.payForOther(f.size) && yield(name, b.textOf(f.key))
}

// payForOther counts a file that is read only for comparisons. It returns false if the reply has read too much.
func (b *builder) payForOther(size int) bool {
	b.readOthers += max(size, siblingLeast)
	return b.readOthers <= siblingsOfReply && b.Meter.Pay(eachWritten*size)
}

// showExchanged yields the files in other folders that get the old text of an item's file, and the new text of each file
// that gets the same one. It returns false if the caller must stop.
func (b *builder) showExchanged(it *item, yield func(string, string) bool) bool {
	if !b.named(it.key) || len(b.naming) > siblingFiles {
		return true
	}
	for _, key := range slices.Sorted(maps.Keys(b.naming)) {
		if b.naming[key] == "" || key == it.key {
			continue
		}
		info, err := fs.Stat(b.tree, key)
		switch {
		case err != nil || !info.Mode().IsRegular():
		case b.naming[key] == it.Content && !yield(key, it.Content):
			return false
		case path.Dir(key) != path.Dir(it.key) && !b.showOther(it, sized{key, int(info.Size())}, key, yield):
			return false
		}
	}
	return true
}

// swapped reports whether the reply gives the old text of an item's file to the file `key`, and a different text to the
// item's file.
func (b *builder) swapped(it *item, key string) bool {
	lines := doubt.Telling(b.textOf(it.key))
	return doubt.KeepsHalf(lines, b.naming[key], b.Meter) && !doubt.KeepsHalf(lines, it.Content, b.Meter)
}

// isBinary reports whether a step changes lines that are not text. A git patch may do so, because it can change any
// kind of file.
func isBinary(made stepped) bool {
	binary := func(line string) bool { return !utf8.ValidString(line) || strings.ContainsRune(line, 0) }
	return slices.ContainsFunc(made.runs, func(r doubt.Run) bool {
		return slices.ContainsFunc(r.Old, binary) || slices.ContainsFunc(r.New, binary)
	})
}

// runsOf returns the lines of a text that a step changes. Each run of lines comes with the part of the block that
// changes it.
func runsOf(t *place.Text, step intent.Step, out intent.Outcome) []doubt.Run {
	if len(out.Edits) == 0 || out.Proven {
		return nil
	}
	if len(out.Places) == 0 || out.Written.At.Span != (text.Span{}) {
		return doubt.Runs(t, out.Edits, step.Span(), out.Written)
	}
	places := slices.Clone(out.Places)
	slices.SortFunc(places, func(a, b intent.Place) int { return a.Target.Start - b.Target.Start })
	partOf := func(e text.Edit) text.Span {
		i, exact := slices.BinarySearchFunc(places, e.Span.Start, func(p intent.Place, at int) int { return p.Target.Start - at })
		if !exact {
			i--
		}
		if i < 0 || !places[i].Target.Contains(e.Span) {
			return step.Span()
		}
		return places[i].At
	}
	var runs []doubt.Run
	for i, of := 0, out.Edits; i < len(of); {
		first, part := i, partOf(of[i])
		for i++; i < len(of) && partOf(of[i]) == part; i++ {
		}
		runs = append(runs, doubt.Runs(t, of[first:i], part, intent.Written{})...)
	}
	return runs
}
