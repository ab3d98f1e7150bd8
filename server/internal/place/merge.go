package place

import (
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diff"
	"github.com/aptix-dev/aptix/server/internal/locate"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// loosely returns the replacement at the indentation of there, a text that is similar to the
// find.
func (p Passage) loosely(there string) string {
	lines, _ := p.indented(there)
	return strings.Join(lines, "\n")
}

// indented returns the lines of replace and find at the indentation of there, if the lines that
// find and there share determine it. Otherwise it returns the lines unchanged.
func (p Passage) indented(there string) (replace, find []string) {
	find, replace = strings.Split(p.Old, "\n"), strings.Split(p.New, "\n")
	var want, has []string
	lines := strings.Split(there, "\n")
	kept := keptLines(trimmed(find), trimmed(lines))
	for j := range lines {
		i, ok := kept[j]
		if ok && (j > 0 || strings.HasPrefix(there, " ") || strings.HasPrefix(there, "\t")) { // the text there may begin after the indentation of its first line
			want, has = append(want, find[i]), append(has, lines[j])
		}
	}
	if i, j := firstFilled(find), firstFilled(lines); len(want) == 0 && i < len(find) && j < len(lines) {
		want, has = find[i:i+1], lines[j:j+1]
	}
	shift, ok := locate.ShiftOf(want, has, p.Old+"\n"+p.New, there)
	if !ok {
		return replace, find
	}
	return shifted(replace, shift), shifted(find, shift)
}

// firstFilled returns the index of the first nonblank line.
func firstFilled(lines []string) int {
	i := 0
	for i < len(lines) && locate.IsBlank(lines[i]) {
		i++
	}
	return i
}

func shifted(lines []string, shift locate.Shift) []string {
	out := slices.Clone(lines)
	for i, line := range lines {
		var ok bool
		if out[i], ok = shift.Line(line); !ok {
			return lines
		}
	}
	return out
}

func trimmed(lines []string) []string { return text.Each(lines, strings.TrimSpace) }

// merged makes the change from find to replace in there, line by line, and keeps the other
// differences of there. If both differ from find in the same lines, the replacement counts.
func (p Passage) merged(there string) string {
	replace, find := p.indented(there)
	lines := strings.Split(there, "\n")
	theirs, ours := diff.RunsOf(find, replace), singly(diff.RunsOf(find, lines))
	var out []string
	at := 0 // the number of lines of find that are done
	for len(theirs) > 0 || len(ours) > 0 {
		if len(theirs) > 0 && len(ours) > 0 && meet(theirs[0], ours[0]) {
			ours = ours[1:]
			continue
		}
		var next diff.Run
		from := replace
		if len(theirs) == 0 || len(ours) > 0 && before(ours[0], theirs[0]) {
			next, ours, from = ours[0], ours[1:], lines
		} else {
			next, theirs = theirs[0], theirs[1:]
		}
		out = append(append(out, find[at:next.OldStart]...), from[next.NewStart:next.NewEnd]...)
		at = next.OldEnd
	}
	return strings.Join(append(out, find[at:]...), "\n")
}

// singly splits each run that changes as many lines as it replaces into runs of one line.
func singly(runs []diff.Run) (out []diff.Run) {
	for _, r := range runs {
		for n := r.OldEnd - r.OldStart; n > 1 && n == r.NewEnd-r.NewStart; n-- {
			out = append(out, diff.Run{OldStart: r.OldStart, OldEnd: r.OldStart + 1, NewStart: r.NewStart, NewEnd: r.NewStart + 1})
			r.OldStart, r.NewStart = r.OldStart+1, r.NewStart+1
		}
		out = append(out, r)
	}
	return out
}

// meet reports whether two changes of a text concern the same lines, or insert lines at the same
// place.
func meet(a, b diff.Run) bool {
	if a.OldStart == b.OldStart {
		return (a.OldStart == a.OldEnd) == (b.OldStart == b.OldEnd)
	}
	return a.OldStart < b.OldEnd && b.OldStart < a.OldEnd
}

// before reports whether a comes first. An insertion without deleted lines comes before a change
// of the line below it.
func before(a, b diff.Run) bool {
	return a.OldStart < b.OldStart || a.OldStart == b.OldStart && a.OldStart == a.OldEnd
}
