package elision

import (
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/place"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A Place is a range of lines of a file, from At up to, but not including, End. Lines count from 0.
type Place struct{ At, End int }

const mostAround = 12

// PutAt adds lines of the file around a part of the text, as few as possible, so that the part can only be at the
// given place. It returns false if mostAround lines on each side are not enough.
func PutAt(file *place.Lines, content string, part int, at Place) (string, bool) {
	r := newReader(file, content)
	segments := r.split(r.elisions(r.base))
	if part >= len(segments) {
		return "", false
	}
	s, all := segments[part], text.SplitLines(content)
	eol := "\n"
	if len(all) > 0 && strings.HasSuffix(all[0], "\r\n") {
		eol = "\r\n"
	}
	lines := func(from, to int) []string {
		return text.Each(r.base.lines[from:to], func(line string) string { return line + eol })
	}
	for i := range 3 * mostAround {
		n, from, to := 1+i/3, at.At, at.End
		if i%3 != 1 && s.above {
			from = max(0, from-n)
		}
		if i%3 != 2 && s.below {
			to = min(len(r.base.lines), to+n)
		}
		put := strings.Join(slices.Concat(all[:s.from], lines(from, at.At), all[s.from:s.to], lines(at.End, to), all[s.to:]), "")
		got := Read(file, put)
		if (got.State == Certain || got.State == Asks) && part < len(got.Parts) && got.Parts[part].At == r.base.next(from, +1) && !got.unclear(part) {
			return put, true
		}
	}
	return "", false
}

func (r Reading) unclear(part int) bool {
	return slices.ContainsFunc(r.Reasons, func(why Reason) bool {
		return (why.Kind == Unclear || why.Kind == LeavesNothing) && why.Part == part
	})
}

// Count counts the elisions of a text. It recognizes them only by their words.
func Count(content string) int {
	n := 0
	for line := range strings.Lines(content) {
		if SortOf(line) == Elision {
			n++
		}
	}
	return n
}

// Segments returns the parts of a text between elisions, which it recognizes only by their words. Each span reaches
// from the first nonblank line of a part to the end of its last. Segments returns nil if the text has no elision.
func Segments(content string) []text.Span {
	var out []text.Span
	at, found, open := 0, false, false
	for _, line := range text.SplitLines(content) {
		switch {
		case SortOf(line) == Elision:
			found, open = true, false
		case strings.TrimSpace(line) == "":
		case !open:
			out, open = append(out, text.Span{Start: at, End: at + len(line)}), true
		default:
			out[len(out)-1].End = at + len(line)
		}
		at += len(line)
	}
	if !found {
		return nil
	}
	return out
}
