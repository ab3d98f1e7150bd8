package applypatch

import (
	"strings"

	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/mdblock"
)

// find claims fences that contain a patch, and patches outside of fences.
func find(d format.Document) []*format.Region {
	if !strings.Contains(d.Text, "*** ") {
		return nil
	}
	var found []*format.Region
	l, fences := split(d.Text), d.Fences
	for i := 0; i < l.count(); i++ {
		for len(fences) > 0 && fences[0].Span.End <= l.starts[i] {
			fences = fences[1:]
		}
		if len(fences) > 0 && fences[0].Span.Start < l.starts[i+1] {
			if r := fences[0]; holds(d.Text, r) {
				found = append(found, &format.Region{Block: r.Block})
			}
			for i+1 < l.count() && l.starts[i+1] < fences[0].Span.End {
				i++
			}
			continue
		}
		if beginsFile(l.text(i)) {
			to := bareEnd(l, i)
			found = append(found, format.Piece(d.Text, l.between(i, to), true))
			i = to - 1
			continue
		}
		if !mdblock.BeginsPatch(l.text(i)) {
			continue
		}
		first := i
		if _, ok := isCommand(l.text(max(i-1, 0))); ok && i > 0 {
			first--
		}
		to, closed := patchEnd(l, i)
		if first < i && to < l.count() && strings.TrimSpace(l.text(to)) != "" && closing.MatchString(l.text(to)) {
			to++
		}
		r := format.Piece(d.Text, l.between(first, to), closed || to < l.count())
		found = append(found, r)
		i = to - 1
	}
	return found
}

// bareEnd returns the line after sections without a `*** Begin Patch` above them, which are
// reported instead of ignored.
func bareEnd(l lines, first int) int {
	i := first
	for i < l.count() && !mdblock.BeginsNext(l.text(i)) && !isFence(l.text(i)) {
		if i++; mdblock.EndsPatch(l.text(i - 1)) {
			break
		}
		if line := l.text(i); line != "" && strings.IndexByte(" +-@*", line[0]) < 0 {
			break
		}
	}
	return l.trimmed(first, i)
}

// patchEnd returns the line after a patch. If its last line is missing, it extends to the
// next patch.
func patchEnd(l lines, first int) (to int, closed bool) {
	for i := first + 1; i < l.count(); i++ {
		if mdblock.EndsPatch(l.text(i)) {
			return i + 1, true
		}
		if mdblock.BeginsNext(l.text(i)) {
			return i, false
		}
	}
	return l.count(), false
}

// holds reports whether a fence contains a patch: it begins with one, or has a complete one
// below other lines. In the latter case, a longer fence, or one of Markdown, shows a
// sample.
func holds(doc string, r *format.Region) bool {
	if begins(r.Body) {
		return true
	}
	if r.Lang == "" || r.IsProse() || r.IsLong(doc) {
		return false
	}
	l := split(r.Body)
	for i := range l.count() {
		if mdblock.BeginsPatch(l.text(i)) && beginsFile(l.unindented(i+1)) {
			return true
		}
	}
	return false
}
