package hunk

import (
	"slices"
	"strings"
)

// fitMark keeps the byte order mark on the file's first line, or its absence.
func (r *run) fitMark(w *work, f *fitted) {
	has := strings.HasPrefix(r.src.Line(f.at), mark)
	if f.at > 0 || len(f.lines) == 0 || has == strings.HasPrefix(w.before.lines[0], mark) {
		return
	}
	first := slices.IndexFunc(f.lines, func(l Line) bool { return l.Op != '-' })
	old := slices.IndexFunc(f.lines, func(l Line) bool { return l.Op != '+' })
	if f.lines[old].Op == ' ' && first == old {
		return // the hunk does not move that line
	}
	if f.lines[old].Op == ' ' || first < 0 || f.lines[first].Op == ' ' {
		f.certain = false // another line of the file becomes the first one
		return
	}
	line := &f.lines[first]
	line.Text = strings.TrimPrefix(line.Text, mark)
	if has {
		line.Text = mark + line.Text
	}
}

// fitEnd adds or removes the newline of an added line at the end of the hunk, so that it
// fits the file's end.
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
	ended := endsLine(w.before) // the old lines end in a newline, according to the hunk
	ends := endsLine(side{text: r.src.Line(f.at + n - 1), lines: []string{""}})
	wrote := endingOf(line.Text) != ""
	switch {
	case !atEnd && !wrote:
		line.Text += r.usual()
	case ended == ends || ends == wrote:
		return // the hunk agrees with the end of the file, or does not change that end
	case ended && !wrote || !ended && wrote:
		return // the hunk says explicitly how the file must end
	case wrote:
		line.Text = bodyOf(line.Text)
		f.certain, f.open = false, final
	default:
		line.Text += r.usual()
		f.certain, f.open = false, final
	}
}

// splitLast turns the file's last line into a removed and an added one if it has no newline and
// the hunk adds lines after it. The line then needs a newline.
func (r *run) splitLast(f *fitted) {
	last, final := lastOf(f.lines, '-'), lastOf(f.lines, '+')
	if last < 0 || f.lines[last].Op != ' ' || final <= last || endingOf(f.lines[last].Text) != "" {
		return
	}
	removed, added := f.lines[last], f.lines[last]
	removed.Op, added.Op, added.Text = '-', '+', added.Text+r.usual()
	f.lines = slices.Replace(f.lines, last, last+1, removed, added)
}

// otherEnd returns f with the other choice for the newline that may or may not be meant.
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

// usual returns the line ending that lines of the source get when they are compared.
func (r *run) usual() string {
	if r.src.Count() > 0 {
		if eol := endingOf(r.src.Line(0)); eol != "" {
			return eol
		}
	}
	return "\n"
}

// lastOf returns the index of the last line of one side, or -1. The side is given by '-' or '+'.
func lastOf(lines []Line, op byte) int {
	for i := len(lines) - 1; i >= 0; i-- {
		if lines[i].Op == ' ' || lines[i].Op == op {
			return i
		}
	}
	return -1
}

// contextLines is the number of lines that git writes around a change.
const contextLines = 3
