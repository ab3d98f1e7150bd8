package hunk

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diff"
	"github.com/aptix-dev/aptix/server/internal/place"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// rewrite returns the edits of the block that replace a hunk with the fitted one. The new line numbers fit the
// current file and the hunks above.
func (r *run) rewrite(w *work, f fitted) []text.Edit {
	header := r.header(w, f)
	if !f.changed {
		if w.Header.Empty() {
			return []text.Edit{{Span: text.Span{Start: w.At.Start, End: w.At.Start}, New: header + r.eol()}}
		}
		return []text.Edit{{Span: w.Header, New: header}}
	}
	var b strings.Builder
	b.WriteString(header)
	b.WriteString(r.eol())
	for _, line := range f.lines {
		r.writeLine(&b, line)
	}
	edits := []text.Edit{{Span: w.At, New: b.String()}}
	for _, other := range f.joined {
		edits = append(edits, text.Edit{Span: other.At})
	}
	return edits
}

const noNewline = `\ No newline at end of file`

func (r *run) writeLine(b *strings.Builder, line Line) {
	body, ending := bodyOf(line.Text), endingOf(line.Text)
	b.WriteByte(line.Op)
	b.WriteString(body)
	if ending == "" || r.t.EndingsUnknown {
		b.WriteString(r.eol())
	} else {
		b.WriteString(ending)
	}
	if ending == "" {
		b.WriteString(noNewline)
		b.WriteString(r.eol())
	}
}

func (r *run) eol() string { return cmp.Or(string(r.opt.EOL), "\n") }

func (r *run) header(w *work, f fitted) string {
	before, after := sides(f.lines)
	now := max(r.imageLine(w, f.at)+w.lost, 0)
	header := fmt.Sprintf("@@ -%s +%s @@", diff.HunkRange(f.at, f.at+before.count()), diff.HunkRange(now, now+after.count()))
	return strings.TrimRight(header+" "+w.Section, " ")
}

// imageLine returns the line of a place after the hunks above are applied.
func (r *run) imageLine(w *work, at int) int {
	if w.verdict == place.Applies || w.verdict == place.Near {
		return w.line
	}
	return r.image.line(at)
}

// edits returns the edits of the target for the hunks that apply. Consecutive changed lines become one edit.
func (r *run) edits() []text.Edit {
	var edits []text.Edit
	for _, w := range r.all {
		if w.verdict == place.Applies && !w.skipped {
			edits = append(edits, r.editsOf(w)...)
		}
	}
	slices.SortStableFunc(edits, text.ByPlace)
	return edits
}

func (r *run) editsOf(w *work) (edits []text.Edit) {
	for _, c := range changes(w.Lines, w.at) {
		if r.t.EndingsUnknown {
			r.giveEndings(c.added, c.at)
		}
		edits = append(edits, text.Edit{Span: r.src.target.Span(c.at, c.removed), New: strings.Join(c.added, "")})
	}
	return edits
}

type change struct {
	at, removed int
	added       []string
}

// changes returns the runs of changed lines of a hunk at a line of the source.
func changes(lines []Line, at int) (all []change) {
	for i := 0; i < len(lines); {
		if lines[i].Op == ' ' {
			at++
			i++
			continue
		}
		c := change{at: at}
		for ; i < len(lines) && lines[i].Op != ' '; i++ {
			if lines[i].Op == '-' {
				c.removed++
			} else {
				c.added = append(c.added, lines[i].Text)
			}
		}
		all = append(all, c)
		at += c.removed
	}
	return all
}

// giveEndings gives each added line the ending of the line that it replaces, or of a line next to it.
func (r *run) giveEndings(added []string, at int) {
	eol := ""
	for _, i := range []int{at, at - 1, at + 1} {
		if eol == "" && i >= 0 && i < r.src.Count() {
			eol = endingOf(r.src.target.Line(i))
		}
	}
	eol = cmp.Or(eol, string(text.DominantEOL(r.src.target.Text())), "\n")
	for i, line := range added {
		if body := bodyOf(line); body != line {
			added[i] = body + eol
		}
	}
}
