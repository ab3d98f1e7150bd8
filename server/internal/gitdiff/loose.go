package gitdiff

import (
	"sort"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/hunk"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A Loose is a patch outside of fences. No line marks where it ends.
type Loose struct {
	Span text.Span
	Open bool // the text ends before the last hunk has as many lines as its header counts
	// Doubt is the line that makes the end of the patch uncertain, and Why is the reason; "" if the end is certain.
	Doubt text.Span
	Why   string
}

// Reasons why the end of a patch outside of fences is uncertain.
const (
	mayGoOn   = "this line may belong to the hunk above: without a fence, the end of the hunk is not certain"
	uncounted = "the header of the hunk does not count its lines correctly, so without a fence, the end of the hunk is not certain"
)

// A LooseFinder reads patches outside of fences.
type LooseFinder struct {
	*source
	limit int // the line of the next fence, or the number of lines
	Loose
}

func NewLooseFinder(doc string) *LooseFinder { return &LooseFinder{source: newSource(doc)} }

// Find returns the patch to which the line at the offset `at` certainly belongs. The header of the patch may begin
// above that line, but not above the offset `after`. The patch ends before `limit`, the next fence or the end of the
// document.
func (f *LooseFinder) Find(at, after, limit int) (l Loose, ok bool) {
	i := f.lineOf(at)
	if f.limit = f.lineOf(limit); !f.begins(i) {
		return l, false
	}
	first := f.above(i, f.lineOf(after))
	f.Loose = Loose{}
	f.Span = f.lines(first, f.read(i))
	return f.Loose, true
}

func (s *source) lineOf(at int) int {
	return sort.Search(s.count(), func(i int) bool { return s.starts[i+1] > at })
}

// above returns the first of the header lines directly above line i, or i if there are none. Their `diff --git` line
// is missing.
func (f *LooseFinder) above(i, floor int) int {
	for i > floor && f.kind(i-1) == other && f.isHeaderLine(i-1) {
		i--
	}
	return i
}

// begins reports whether a patch certainly begins on line i: a hunk without a file, or a file's header above a hunk
// or above other header lines of git.
func (f *LooseFinder) begins(i int) bool {
	switch f.kind(i) {
	case contextHeader:
		return true
	case gitHeader, combinedHeader:
		return f.isHeaderLine(i+1) || f.isBinary(i+1)
	case plainHeader:
		below := f.pastBlank(i + 2)
		return f.namesFile(i) && (f.kind(below) == hunkHeader || below == i+2 && f.changes(below))
	case halfHeader:
		return f.namesFile(i) && (strings.HasPrefix(f.text(i+1), "@@") || strings.Contains(f.text(i), " @@"))
	case hunkHeader:
		line := f.text(i)
		return (line == "@@" || strings.HasPrefix(line, "@@ ")) && f.changes(i+1)
	}
	return false
}

// namesFile reports whether the text on line i, a `---` or `+++` line, may be the name of a file.
func (f *LooseFinder) namesFile(i int) bool {
	return strings.ContainsAny(f.fileName(i, len("--- ")).raw, "./")
}

// changes reports whether a hunk may begin on line i: a line adds or removes text that is not an item of a list.
func (f *LooseFinder) changes(i int) bool {
	for ; i < f.limit && f.kind(i) == other && f.op(i) != 0; i++ {
		if op := f.op(i); (op == '-' || op == '+') && !f.isItem(i) {
			return true
		}
	}
	return false
}

// isItem reports whether a line may be an item of a list in prose, or a horizontal rule.
func (s *source) isItem(i int) bool {
	line := s.text(i)
	return len(line) > 2 && strings.Trim(line, "-") == "" || len(line) > 2 && (line[0] == '-' || line[0] == '+') && line[1] == ' ' && line[2] != ' ' && line[2] != '\t' &&
		(strings.IndexByte("*-+/#", line[2]) < 0 || strings.HasPrefix(line[2:], "**"))
}

func (f *LooseFinder) read(i int) int {
	for {
		i = f.body(f.header(i))
		next := i
		for next < f.limit && (f.blank(next) || f.kind(next) == otherTool) {
			next++
		}
		if f.Why != "" || next >= f.limit || !f.begins(next) {
			f.Open = f.Open || f.cutAt(next)
			return i
		}
		i = next
	}
}

// cutAt reports whether only the header of another section follows line i, perhaps cut off.
func (f *LooseFinder) cutAt(i int) bool {
	header := i < f.count()
	for ; i < f.count() && header; i++ {
		k := f.kind(i)
		header = f.isHeaderLine(i) || k == gitHeader || k == combinedHeader || k == hunkHeader || f.blank(i)
	}
	return header
}

// header returns the line after the header that begins on line i.
func (f *LooseFinder) header(i int) int {
	if k := f.kind(i); k == gitHeader || k == combinedHeader {
		i++
	}
	for i < f.limit && f.isHeaderLine(i) {
		if i++; strings.HasPrefix(f.text(i-1), "+++ ") {
			break
		}
	}
	if below := f.pastBlank(i); below < f.limit && f.kind(below) == hunkHeader {
		return below
	}
	return i
}

func (f *LooseFinder) body(i int) int {
	switch {
	case f.kind(i) == contextHeader:
		return f.contextEnd(i, f.limit)
	case i < f.limit && f.isBinary(i):
		return f.binary(i)
	case i < f.limit && f.kind(i) == combinedHeader:
		for i < f.limit && !f.blank(i) {
			i++
		}
		return i
	// The hunk has no header.
	case i < f.limit && f.kind(i) == other && f.changes(i):
		return f.uncounted(i, hunk.Hunk{})
	}
	for i < f.limit && f.kind(i) == hunkHeader && f.Why == "" {
		i = f.hunk(i)
		if below := f.pastBlank(i); below < f.limit && f.kind(below) == hunkHeader {
			i = below
		}
	}
	return i
}

// binary returns the line after the binary data that begin on line i. A blank line ends each part of the data.
func (f *LooseFinder) binary(i int) int {
	i++
	for i < f.limit && binaryHunk.MatchString(f.text(i)) {
		for i < f.limit && !f.blank(i) {
			i++
		}
		if i+1 < f.limit && binaryHunk.MatchString(f.text(i+1)) {
			i++
		}
	}
	return i
}

// hunk returns the line after the hunk whose header is on line i. Its counts show the end, which is in doubt if more
// lines of a hunk follow.
func (f *LooseFinder) hunk(i int) int {
	h, _ := f.hunkNumbers(i)
	end := -1
	if h.Numbered {
		end = f.counted(h, i+1)
	}
	if end < 0 || end > f.limit {
		return f.uncounted(i+1, h)
	}
	next := f.pastBlank(end)
	if next < f.limit && f.kind(next) == other && !f.blank(next) && f.op(next) != 0 && (next == end || f.op(next) != ' ' && !f.isItem(next)) {
		return f.doubt(next, mayGoOn)
	}
	return end
}

// uncounted returns the line after a hunk without counts, or with wrong counts. Its end is in doubt, unless the text
// ends before the hunk has as many lines as its header counts.
func (f *LooseFinder) uncounted(from int, h hunk.Hunk) int {
	end := from
	for end < f.limit && f.kind(end) == other && f.op(end) != 0 {
		end++
	}
	if f.Open = end == f.count() && h.Numbered && f.owes(h, from, end); f.Open {
		return end
	}
	return f.doubt(max(f.trimmed(from, end), min(from+1, end))-1, uncounted)
}

// owes reports whether a hunk may lack lines: neither side has more lines than the header counts.
func (f *LooseFinder) owes(h hunk.Hunk, from, end int) bool {
	old, now := f.countSides(from, end)
	return old <= h.Old.Count && now <= h.New.Count
}

// doubt records that line i makes the end of the patch uncertain. It returns the first line below it that does not
// look like a part of a hunk.
func (f *LooseFinder) doubt(i int, why string) int {
	f.Doubt, f.Why = f.line(i), why
	for i++; i < f.limit && f.kind(i) == other && !f.blank(i) && f.op(i) != 0; {
		i++
	}
	return i
}
