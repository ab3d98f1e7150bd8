package ap

import (
	"cmp"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/place"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A line is a line of the target, from the file or from a modification.
type line struct {
	text string // without its ending
	eol  string
	// the modification that wrote the line; 0 for a line of the file; [undoing] for a line from a replay
	by   int32
	body int32 // the number of the text: see [target.bodyOf]
}

// undoing stands for the number of a modification in lines that a replay restored.
const undoing = -1

// A target is the lines of a file while they are changed. Line numbers count from 0, in the current lines. The ID of
// a line of the file is its number in the original file. Written lines get the next IDs.
//
// Changes are made at a gap between two lines, which moves to the place of each change. Therefore N changes from top
// to bottom take time in proportion to the size of the file plus N. N searches take no longer, because the index of
// the file's lines is made only once, and `at` maps each line to its current place.
type target struct {
	lines *place.Lines // of the original file
	index *place.Index // the lines by the text that searches compare (rule A31)

	head  []int32 // the IDs of the lines above the gap
	below []int32 // the IDs of the lines below the gap; the last is nearest to the gap
	rest  int     // the line of the file at which its untouched rest begins
	// the place of each line, by ID: the index in head or, if negative, the distance from the beginning of below
	at []int32

	goneBy []int32 // by ID, the modification that removed the line of the file, or 0
	above  []int32 // by ID, a line above the removed line that remains or was removed later

	written []line
	// the IDs of the written lines from top to bottom, by [line.body]
	writtenOf map[int32][]int32

	others  map[string]int32 // the numbers of the texts that are not in the file
	words   []string         // these texts, in the order of their numbers
	blank   int32            // the number that stands for blank lines
	endings []int32          // the numbers of the file's texts, sorted by the reversed text, once needed

	eol      text.EOL // of new lines
	finish   finish
	language language
}

func newTarget(t *place.Text, eol text.EOL) *target {
	lines := t.Lines(place.AfterEOL)
	return onLines(lines, lines.IndexBy(strings.TrimSpace), cmp.Or(eol, text.DominantEOL(lines.Text()), text.LF))
}

func onLines(lines *place.Lines, index *place.Index, eol text.EOL) *target {
	n := lines.Count()
	t := &target{lines: lines, index: index, head: make([]int32, 0, n), at: make([]int32, n), goneBy: make([]int32, n), above: make([]int32, n),
		writtenOf: map[int32][]int32{}, others: map[string]int32{}, eol: eol}
	t.blank = t.bodyOf("")
	return t
}

// pristine returns the target before any change.
func (t *target) pristine() *target { return onLines(t.lines, t.index, t.eol) }

// knownBody returns the number of a text, or -1 if it has none yet. It ignores white space around the text.
func (t *target) knownBody(s string) int32 {
	body := t.index.Class(s)
	if body < 0 && len(t.others) > 0 {
		if other, ok := t.others[strings.TrimSpace(s)]; ok {
			return other
		}
	}
	return body
}

// bodyOf returns the number of a text. Texts that differ only in white space around them have the same number.
func (t *target) bodyOf(s string) int32 {
	if body := t.knownBody(s); body >= 0 {
		return body
	}
	s = strings.TrimSpace(s)
	body := int32(t.index.Classes() + len(t.words))
	t.others[s] = body
	t.words = append(t.words, s)
	return body
}

// word returns the text that a number stands for.
func (t *target) word(body int32) string {
	if n := int32(t.index.Classes()); body >= n {
		return t.words[body-n]
	}
	return t.index.Folded(body)
}

func (t *target) original() int { return t.lines.Count() }

// touched returns the line at which the untouched rest of the file begins.
func (t *target) touched() int { return len(t.head) + len(t.below) }

func (t *target) count() int { return t.touched() + t.original() - t.rest }

func (t *target) id(i int) int {
	switch k := i - len(t.head); {
	case k < 0:
		return int(t.head[i])
	case k < len(t.below):
		return int(t.below[len(t.below)-1-k])
	}
	return i - t.touched() + t.rest
}

// now returns the current index of the line with an ID. For a removed line, it returns the index of the nearest
// remaining line above, or -1.
func (t *target) now(id int) int {
	if id = t.present(id); id < 0 {
		return -1
	}
	if id >= t.rest && id < t.original() {
		return id - t.rest + t.touched()
	}
	if at := int(t.at[id]); at >= 0 {
		return at
	}
	return t.touched() + int(t.at[id])
}

// present returns id if its line still exists, otherwise the ID of the nearest remaining line above, or -1.
func (t *target) present(id int) int {
	first := id
	for id >= 0 && t.isGone(id) {
		id = int(t.above[id])
	}
	// Point all lines on the way directly to the result, so that the next search is faster.
	for first > id {
		first, t.above[first] = int(t.above[first]), int32(id)
	}
	return id
}

func (t *target) isGone(id int) bool { return id < t.original() && t.goneBy[id] != 0 }

func (t *target) line(i int) line { return t.lineOf(t.id(i)) }

func (t *target) lineOf(id int) line {
	if n := t.original(); id >= n {
		return t.written[id-n]
	}
	s := t.lines.Line(id)
	body := text.TrimEOL(s)
	return line{text: body, eol: s[len(body):], body: t.index.ClassOf(id)}
}

func (t *target) body(i int) int32 {
	id := t.id(i)
	if n := t.original(); id >= n {
		return t.written[id-n].body
	}
	return t.index.ClassOf(id)
}

func (t *target) isBlank(i int) bool { return t.body(i) == t.blank }

// solidFrom returns the first nonblank line from line i on.
func (t *target) solidFrom(i int) int {
	for i < t.count() && t.isBlank(i) {
		i++
	}
	return i
}

// next returns the first nonblank line from line i on, and whether it is the given line.
func (t *target) next(i int, line string) (int, bool) {
	i = t.solidFrom(i)
	return i, i < t.count() && t.word(t.body(i)) == line
}

func (t *target) isWritten(i int) bool {
	id := t.id(i)
	return id >= t.original() && t.written[id-t.original()].by != undoing
}

// offset returns the byte offset of line i in the original file. For a written line, it returns the offset of the
// next line of the file.
func (t *target) offset(i int) int { return t.lines.Start(t.fileLine(i)) }

// number returns the number of line i in the original file, from 1. For a written line, it returns the number of the
// next line of the file.
func (t *target) number(i int) int { return t.fileLine(i) + 1 }

func (t *target) fileLine(i int) int {
	for ; i < t.count(); i++ {
		if id := t.id(i); id < t.original() {
			return id
		}
	}
	return t.original()
}

func (t *target) textsOf(at region) []string {
	var out []string
	for i := at.start; i < at.end; i++ {
		out = append(out, t.line(i).text)
	}
	return out
}

func (t *target) changed() bool { return len(t.written) > 0 || t.count() < t.original() }

// replace replaces the lines [start, end) with `lines`, which have no trailing white space. If the first or last
// lines are the same before and after, replace leaves them alone, so that they still count as lines of the file
// (rule A37).
func (t *target) replace(start, end int, lines []string, by int) {
	for start < end && len(lines) > 0 && t.line(end-1).text == lines[len(lines)-1] {
		end, lines = end-1, lines[:len(lines)-1]
	}
	for start < end && len(lines) > 0 && t.line(start).text == lines[0] {
		start, lines = start+1, lines[1:]
	}
	t.moveGap(start)
	for range end - start {
		t.remove(by)
	}
	for _, s := range lines {
		t.write(s, by)
	}
}

func (t *target) moveGap(i int) {
	for len(t.head) < i {
		t.push(t.pop())
	}
	for len(t.head) > i {
		id := t.head[len(t.head)-1]
		t.head = t.head[:len(t.head)-1]
		t.below = append(t.below, id)
		t.at[id] = -int32(len(t.below))
	}
}

func (t *target) push(id int32) {
	t.at[id] = int32(len(t.head))
	t.head = append(t.head, id)
}

// pop removes the line below the gap, and returns its ID.
func (t *target) pop() (id int32) {
	if n := len(t.below); n > 0 {
		id, t.below = t.below[n-1], t.below[:n-1]
		return id
	}
	t.rest++
	return int32(t.rest - 1)
}

func (t *target) remove(by int) {
	id := t.pop()
	if int(id) < t.original() {
		t.goneBy[id], t.above[id] = int32(by), id-1
		return
	}
	body := t.lineOf(int(id)).body
	t.writtenOf[body] = slices.DeleteFunc(t.writtenOf[body], func(o int32) bool { return o == id })
}

func (t *target) write(s string, by int) {
	l := line{text: s, eol: string(t.eol), by: int32(by), body: t.bodyOf(s)}
	id := int32(t.original() + len(t.written))
	t.written, t.at = append(t.written, l), append(t.at, 0)
	same := t.writtenOf[l.body]
	i, _ := slices.BinarySearchFunc(same, len(t.head), t.compareNow)
	t.writtenOf[l.body] = slices.Insert(same, i, id)
	t.push(id)
}

// compareNow compares the current index of the line with an ID to i. It is negative if the index is smaller.
func (t *target) compareNow(id int32, i int) int { return t.now(int(id)) - i }

// A finish describes changes to all lines of a changed file.
type finish struct {
	trims bool     // removes white space at line ends (rule A43)
	eol   text.EOL // the ending of all lines (rule A10), or None to keep their endings
}

const spaces = " \t"

func (t *target) finished(l line) line {
	if t.finish.trims && endsInSpace(l.text) {
		l.text = strings.TrimRight(l.text, spaces)
	}
	if t.finish.eol != text.None && l.eol != "" {
		l.eol = string(t.finish.eol)
	}
	return l
}

// trim removes white space at all line ends. It returns the number of changed lines that no modification wrote.
func (t *target) trim() (untouched int) {
	t.finish.trims = true
	for id := range t.original() {
		if !t.isGone(id) && endsInSpace(text.TrimEOL(t.lines.Line(id))) {
			untouched++
		}
	}
	return untouched
}

func endsInSpace(s string) bool { return s != "" && (s[len(s)-1] == ' ' || s[len(s)-1] == '\t') }

// edits returns the edits that turn the file into the current lines. Untouched lines keep their endings. If the
// file's last line has no ending, the new last line has none either (rule A45).
func (t *target) edits() []text.Edit {
	n := t.original()
	o := output{target: t, open: n > 0 && t.lineOf(n-1).eol == ""}
	for i := range t.count() {
		id, last := t.id(i), i == t.count()-1
		if id < n {
			o.flush(id)
			o.keep(id, last)
			continue
		}
		l := t.finished(t.lineOf(id))
		o.fresh.WriteString(l.text)
		if !last || !o.open {
			o.fresh.WriteString(l.eol)
		}
	}
	o.flush(n)
	return o.edits
}

type output struct {
	*target
	open  bool // the last line of the file has no ending
	edits []text.Edit
	fresh strings.Builder // the lines to write before the next line of the file
	next  int
}

// flush writes the lines in `fresh` before the line of the file with this ID.
func (o *output) flush(id int) {
	if o.fresh.Len() > 0 || id > o.next {
		o.edits = append(o.edits, text.Edit{Span: o.lines.Span(o.next, id-o.next), New: o.fresh.String()})
		o.fresh.Reset()
	}
}

func (o *output) keep(id int, last bool) {
	o.next = id + 1
	was := o.lines.Line(id)
	body := text.TrimEOL(was)
	now := o.finished(line{text: body, eol: was[len(body):]})
	switch {
	case last && o.open:
		now.eol = ""
	case now.eol == "":
		now.eol = string(o.eol)
	}
	if len(was) == len(now.text)+len(now.eol) && was[len(now.text):] == now.eol {
		return
	}
	tail := now.text + now.eol
	n := text.SharedStart(body, tail)
	at := o.lines.Start(id)
	o.edits = append(o.edits, text.Edit{Span: text.Span{Start: at + n, End: at + len(was)}, New: tail[n:]})
}
