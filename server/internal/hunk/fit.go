package hunk

import (
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/meter"
	"github.com/aptix-dev/aptix/server/internal/place"
)

// A fitted is a hunk rewritten so that git applies it at a place.
type fitted struct {
	lines   []Line
	at      int     // the line of the source
	certain bool    // only this result can be the intended one
	changed bool    // whether the lines differ from those of the hunk
	why     string  // the difference that was corrected, or ""
	joined  []*work // the next hunks, if they are written into this one
	// The index of an added line for which a final newline is uncertain, or -1. As written now, it keeps the end of
	// the file.
	open int
}

// fit rewrites a hunk for a place where its lines match at level `l`. Context and removed lines are copied from the
// file. Added lines get the file's line endings, and are shifted if all old lines are shifted by the same
// indentation. fit returns false if git would apply no form of the hunk there.
func (r *run) fit(w *work, at int, l place.Level) (fitted, bool) {
	if w.proven != nil {
		return *w.proven, true
	}
	f := r.adapted(w, at, l)
	if l > place.Exact {
		r.fitMark(w, &f)
	}
	r.fitEnd(w, &f)
	r.extend(&f)
	r.join(&f)
	f.changed = w.isRewritten() || len(f.joined) > 0 || !slices.EqualFunc(f.lines, w.Lines, sameLine)
	return f, r.gitTakes(f)
}

// extend appends lines of the file as context to a hunk that ends without any, because git applies such a hunk only
// at the end of the file. The lines must not belong to another hunk.
func (r *run) extend(f *fitted) {
	if _, trailing := edges(f.lines); trailing > 0 || r.zero {
		return
	}
	before, _ := sides(f.lines)
	end := f.at + before.count()
	for i := end; i < min(end+contextLines, r.src.Count()) && r.image.taken[i] == 0 && (i == end || r.image.wedge[i] == 0); i++ {
		f.lines = append(f.lines, Line{Op: ' ', Text: r.src.Line(i)})
	}
}

const maxJoined = 50

// eachJoined is the cost of searching for another hunk to append, in units of the meter for each line of the hunk.
const eachJoined = 8 * meter.Line

// join appends the next hunks to a hunk that ends without context, if each begins directly below. The file then has
// no line between them that could be context.
func (r *run) join(f *fitted) {
	for len(f.joined) < maxJoined && r.src.Meter().Pay(eachJoined*len(f.lines)) && r.lacksContext(*f) {
		before, _ := sides(f.lines)
		next := r.starts[f.at+before.count()]
		if next == nil {
			return
		}
		g := r.adapted(next, next.at, next.level)
		f.certain = f.certain && g.certain
		f.lines, f.joined = append(f.lines, g.lines...), append(f.joined, next)
		r.extend(f)
	}
}

func (r *run) gitTakes(f fitted) bool {
	before, after := sides(f.lines)
	n := before.count()
	if torn(f.lines) >= 0 || !r.src.Has(f.at, before.lines, place.Exact) || f.at+n < r.src.Count() && !endsLine(after) {
		return false
	}
	return !r.lacksContext(f)
}

// lacksContext reports whether git would apply the hunk only at the end of the file, although its place is
// elsewhere.
func (r *run) lacksContext(f fitted) bool {
	before, _ := sides(f.lines)
	_, trailing := edges(f.lines)
	return !r.zero && trailing == 0 && f.at+before.count() < r.src.Count()
}

// fitMark adds or removes a byte order mark in the first new line of a hunk, so that the file still begins as it
// does now.
func (r *run) fitMark(w *work, f *fitted) {
	has := strings.HasPrefix(r.src.Line(f.at), mark)
	if f.at > 0 || len(f.lines) == 0 || has == strings.HasPrefix(w.before.lines[0], mark) {
		return
	}
	first := slices.IndexFunc(f.lines, func(l Line) bool { return l.Op != '-' })
	old := slices.IndexFunc(f.lines, func(l Line) bool { return l.Op != '+' })
	if f.lines[old].Op == ' ' && first == old {
		// The hunk does not move the first line.
		return
	}
	if f.lines[old].Op == ' ' || first < 0 || f.lines[first].Op == ' ' {
		f.certain = false // another line becomes the first line of the file
		return
	}
	line := &f.lines[first]
	line.Text = strings.TrimPrefix(line.Text, mark)
	if has {
		line.Text = mark + line.Text
	}
}

// fitEnd adds or removes the newline of the last added line, so that it fits the end of the file.
func (r *run) fitEnd(w *work, f *fitted) {
	before, _ := sides(f.lines)
	n := before.count()
	if n == 0 || w.before.count() == 0 {
		return
	}
	r.splitLast(f)
	final := lastOf(f.lines, '+')
	if final < 0 || f.lines[final].Op != '+' || lastOf(f.lines, '-') > final && f.lines[lastOf(f.lines, '-')].Op == ' ' {
		return
	}
	line := &f.lines[final]
	atEnd := f.at+n == r.src.Count()
	ended := endsLine(w.before) // whether the old lines end with a newline, as the hunk says
	ends := endsLine(side{text: r.src.Line(f.at + n - 1), lines: []string{""}})
	wrote := endingOf(line.Text) != ""
	switch {
	case !atEnd && !wrote:
		line.Text += r.usual()
	case ended == ends || ends == wrote:
		// The hunk agrees with the end of the file, or does not change it.
		return
	case ended && !wrote || !ended && wrote:
		// The hunk changes the final newline, so it says how the file must end.
		return
	case wrote:
		line.Text = bodyOf(line.Text)
		f.certain, f.open = false, final
	default:
		line.Text += r.usual()
		f.certain, f.open = false, final
	}
}

// splitLast gives the file's last line a newline if it has none and the hunk adds lines after it: the line is
// removed, and added with a newline.
func (r *run) splitLast(f *fitted) {
	last, final := lastOf(f.lines, '-'), lastOf(f.lines, '+')
	if last < 0 || f.lines[last].Op != ' ' || final <= last || endingOf(f.lines[last].Text) != "" {
		return
	}
	removed, added := f.lines[last], f.lines[last]
	removed.Op, added.Op, added.Text = '-', '+', added.Text+r.usual()
	f.lines = slices.Replace(f.lines, last, last+1, removed, added)
}

func (r *run) otherEnd(f fitted) fitted {
	f.lines = slices.Clone(f.lines)
	line := &f.lines[f.open]
	if body := bodyOf(line.Text); body != line.Text {
		line.Text = body
	} else {
		line.Text += r.usual()
	}
	return f
}

// usual returns the line ending for new lines: that of the source's first line, or "\n".
func (r *run) usual() string {
	if r.src.Count() > 0 {
		if eol := endingOf(r.src.Line(0)); eol != "" {
			return eol
		}
	}
	return "\n"
}

func lastOf(lines []Line, op byte) int {
	for i := len(lines) - 1; i >= 0; i-- {
		if lines[i].Op == ' ' || lines[i].Op == op {
			return i
		}
	}
	return -1
}

// contextLines is the number of context lines that git writes.
const contextLines = 3
