package place

import (
	"fmt"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/text"
)

// Hint describes similar text in the file, for a message, or returns "".
func (p Passage) Hint(t *Text, f Finding) string {
	switch {
	case len(f.Places) > 1:
		return fmt.Sprintf("ignoring white space, the text occurs %s, first on line %d; ", times(len(f.Places)), t.LineAt(firstText(t, f.Places[0])))
	case len(f.Places) == 1:
		return fmt.Sprintf("ignoring white space, the text is on line %d; ", t.LineAt(firstText(t, f.Places[0])))
	}
	if d, ok := p.FirstDifference(t); ok {
		return fmt.Sprintf("line %d of the file is %s, but %s has %s; ", d.Line, quoted(d.There), p.OldName, quoted(d.Want))
	}
	return ""
}

func times(n int) string {
	if n >= 50 {
		return "many times"
	}
	return fmt.Sprintf("%d times", n)
}

func firstText(t *Text, span text.Span) int {
	w := t.Window(span, 0)
	s := span.Shift(-w.At).In(w.Text)
	return span.Start + len(s) - len(strings.TrimLeft(s, " \t\n"))
}

// anchors limits how many lines of an old passage are searched for in the file.
const anchors = 3

// A LineDifference is the first line in which a passage differs from the file.
type LineDifference struct {
	Line        int // from 1, in the file
	Index       int // from 0, in the passage
	There, Want string
}

// FirstDifference searches the file for one of the longest lines of the old passage. From there, it compares the
// lines below and then those above, ignoring white space. It returns the first difference.
func (p Passage) FirstDifference(t *Text) (LineDifference, bool) {
	lines := trimmed(strings.Split(p.Old, "\n"))
	order := make([]int, len(lines))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return len(lines[j]) - len(lines[i]) })
	for _, anchor := range order[:min(len(order), anchors)] {
		if !text.Passage.Says(lines[anchor]) {
			continue
		}
		at := t.Index(lines[anchor], 0)
		if at < 0 {
			continue
		}
		line := t.LineAt(at)
		reach := 2*len(p.Old) + 1000
		w := t.Window(text.Span{Start: at, End: at}, reach)
		s := w.Text
		at -= w.At
		below := strings.Split(s[at:min(len(s), at+reach)], "\n")
		if i := differing(lines[anchor:], below); i > 0 {
			return LineDifference{line + i, anchor + i, below[i], lines[anchor+i]}, true
		}
		up, above := slices.Clone(lines[:anchor+1]), strings.Split(s[max(0, at-reach):at], "\n")
		slices.Reverse(up)
		slices.Reverse(above)
		if i := differing(up, above); i > 0 {
			return LineDifference{line - i, anchor - i, above[i], up[i]}, true
		}
		break
	}
	return LineDifference{}, false
}

// differing returns the index of the first line that differs, or 0 if no line differs or `want` is blank there.
// Index 0 is not compared, and neither is the last line of `found`, which may be cut off.
func differing(want, found []string) int {
	for i := 1; i < min(len(want), len(found)-1); i++ {
		if strings.TrimSpace(found[i]) != want[i] {
			if want[i] == "" {
				return 0
			}
			return i
		}
	}
	return 0
}

func quoted(line string) string { return fmt.Sprintf("%q", text.Cut(strings.TrimSpace(line), 60)) }
