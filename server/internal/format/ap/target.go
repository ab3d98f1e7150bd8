package ap

import (
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/text"
)

// A mark is a line as a number: two lines have the same mark if nothing but blanks
// at their ends differs. The upper half tells indentations apart, the lower half
// what is behind them; that of a blank line is 0 (rule A31).
type mark uint64

func (m mark) body() int32 { return int32(m) } // 0 for a blank line

// A line is one of the target, or one that a modification wrote.
type line struct {
	text string // without its ending
	eol  string
	by   int32 // number of the modification that wrote it; 0 for one of the target
}

// A target is a file's lines on the way from what they are to what they become.
// Lines are counted from 0, as they stand at the moment.
type target struct {
	src    string
	lines  []line // the target's, and then those that were written
	starts []int  // of the target's lines, in bytes of src, and its end
	goneBy []int32

	cur     []int32 // the lines as they stand, as indices of lines
	marks   []mark  // of cur
	touched int     // from here on, all lines are the target's last ones

	bodies  map[string]int32
	indents map[string]int32
	words   []string  // by body
	where   [][]int32 // the target's lines, by body
	own     int32     // bodies above this one were not in the target
	endings []int32   // the target's bodies, sorted by their reversed text; nil before it is needed

	eol      text.EOL // of new lines
	language language
}

func newTarget(src string, eol text.EOL) *target {
	n := strings.Count(src, "\n") + 1
	t := &target{src: src, eol: eol, bodies: make(map[string]int32, n), indents: map[string]int32{"": 0}, words: make([]string, 1, n), where: make([][]int32, 1, n)}
	t.bodies[""] = 0
	if eol == text.None {
		t.eol = text.DominantEOL(src)
	}
	if t.eol == text.None {
		t.eol = text.LF
	}
	t.lines, t.marks, t.cur, t.starts = make([]line, 0, n), make([]mark, 0, n), make([]int32, 0, n), make([]int, 0, n+1)
	for at := 0; at < len(src); {
		end, next := text.LineEnd(src, at)
		t.starts = append(t.starts, at)
		m := t.mark(src[at:end])
		if body := m.body(); body != 0 {
			t.where[body] = append(t.where[body], int32(len(t.lines)))
		}
		t.cur = append(t.cur, int32(len(t.lines)))
		t.marks = append(t.marks, m)
		t.lines = append(t.lines, line{text: src[at:end], eol: src[end:next]})
		at = next
	}
	t.starts = append(t.starts, len(src))
	t.goneBy = make([]int32, len(t.lines))
	t.own = int32(len(t.words))
	return t
}

func (t *target) mark(s string) mark {
	body := strings.TrimSpace(s)
	if body == "" {
		return 0
	}
	id, ok := t.bodies[body]
	if !ok {
		id = int32(len(t.words))
		t.bodies[body] = id
		t.words = append(t.words, body)
		t.where = append(t.where, nil)
	}
	indent := s[:strings.Index(s, body)]
	n, ok := t.indents[indent]
	if !ok {
		n = int32(len(t.indents))
		t.indents[indent] = n
	}
	return mark(n)<<32 | mark(id)
}

// original is how many lines the target had.
func (t *target) original() int { return len(t.starts) - 1 }

// shift is from the target's own line numbers to those of the untouched end.
func (t *target) shift() int { return len(t.cur) - t.original() }

func (t *target) at(i int) line { return t.lines[t.cur[i]] }

// offset is where the target has what stands at line i now, in bytes of src. For a
// line that was written it is where the next of the target's lines begins.
func (t *target) offset(i int) int {
	for ; i < len(t.cur); i++ {
		if k := int(t.cur[i]); k < t.original() {
			return t.starts[k]
		}
	}
	return len(t.src)
}

// number is the line of the target, from 1, that stands at i or next below it.
func (t *target) number(i int) int {
	for ; i < len(t.cur); i++ {
		if k := int(t.cur[i]); k < t.original() {
			return k + 1
		}
	}
	return t.original() + 1
}

// replace puts lines, without white space at their ends, in the place of those from
// start to end, on behalf of a modification. The first and the last lines that stay
// the same are still the file's own: the patch did not write them (rule A37).
func (t *target) replace(start, end int, lines []string, by int) {
	for start < end && len(lines) > 0 && t.at(end-1).text == lines[len(lines)-1] {
		end, lines = end-1, lines[:len(lines)-1]
	}
	least := 0
	if end == len(t.cur) {
		least = 1 // a written line ends as the file did
	}
	for start < end && len(lines) > least && t.at(start).text == lines[0] {
		start, lines = start+1, lines[1:]
	}
	fresh, marks := make([]int32, len(lines)), make([]mark, len(lines))
	for i, s := range lines {
		fresh[i] = int32(len(t.lines))
		marks[i] = t.mark(s)
		t.lines = append(t.lines, line{text: s, eol: string(t.eol), by: int32(by)})
	}
	for _, k := range t.cur[start:end] {
		if int(k) < t.original() {
			t.goneBy[k] = int32(by)
		}
	}
	t.cur = slices.Replace(t.cur, start, end, fresh...)
	t.marks = slices.Replace(t.marks, start, end, marks...)
	t.touched = max(t.touched+len(lines)-(end-start), start+len(lines))
}

// trim takes the blanks off the ends of all lines, and tells how many of them no
// modification had to do with (rule A43).
func (t *target) trim() (untouched int) {
	for _, k := range t.cur {
		l := &t.lines[k]
		if s := strings.TrimRight(l.text, blanks); s != l.text {
			if l.by == 0 {
				untouched++
			}
			l.text = s
		}
	}
	return untouched
}

const blanks = " \t"

// end gives all lines one ending.
func (t *target) end(eol text.EOL) {
	for _, k := range t.cur {
		if l := &t.lines[k]; l.eol != "" {
			l.eol = string(eol)
		}
	}
}

// changed reports whether any line was written or taken away.
func (t *target) changed() bool {
	return len(t.lines) > t.original() || len(t.cur) < t.original()
}

// edits are what turns src into the lines as they stand. A line that is not
// touched keeps its ending, and so does the file's end where it has none.
func (t *target) edits() []text.Edit {
	var out []text.Edit
	var b strings.Builder
	next := 0 // of the target's lines
	flush := func(upTo int) {
		if b.Len() > 0 || upTo > next {
			out = append(out, text.Edit{Span: text.Span{Start: t.starts[next], End: t.starts[upTo]}, New: b.String()})
			b.Reset()
		}
	}
	open := t.original() > 0 && t.lines[t.original()-1].eol == "" && !strings.HasSuffix(t.src, "\n") && !strings.HasSuffix(t.src, "\r")
	for i, k := range t.cur {
		l, last := t.lines[k], i == len(t.cur)-1
		if int(k) >= t.original() {
			b.WriteString(l.text)
			if !last || !open {
				b.WriteString(l.eol)
			}
			continue
		}
		flush(int(k))
		if l.eol == "" && !last {
			l.eol = string(t.eol)
		}
		out = appendTail(out, t.starts[k], text.Span{Start: t.starts[k], End: t.starts[k+1]}.In(t.src), l.text+l.eol)
		next = int(k) + 1
	}
	flush(t.original())
	return out
}

// appendTail adds the edit that turns the line was, at an offset, into now, which
// begins alike.
func appendTail(edits []text.Edit, at int, was, now string) []text.Edit {
	if was == now {
		return edits
	}
	n := 0
	for n < min(len(was), len(now)) && was[n] == now[n] && was[n] != '\r' {
		n++
	}
	return append(edits, text.Edit{Span: text.Span{Start: at + n, End: at + len(was)}, New: now[n:]})
}
