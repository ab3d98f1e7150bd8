package ap

import (
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/locate"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A line is one of the target's, or one that a modification wrote.
type line struct {
	text string // without its ending
	eol  string
	by   int32 // number of the modification that wrote it; 0 for one of the file
	body int32 // see [target.bodyOf]
}

// A target is a file's lines on the way from what they are to what they become. Lines are
// counted from 0, as they are at the moment; a line of the file also has its number there
// as its ID, and written ones have the next IDs.
//
// Changes are made at a gap between two lines, which moves to where the next change is. So
// N changes from top to bottom cost the file and N, and so do N searches: the index of the
// file's lines is made once, and at says where each of them is.
type target struct {
	lines *locate.Lines // of the file
	index *locate.Index // of lines, by what a search compares (rule A31)

	head  []int32 // IDs of the lines above the gap
	below []int32 // and of those below it, the nearest last
	rest  int     // the file's line that is next; all from there on are untouched
	at    []int32 // by ID: where it is in head, or below zero, how far from the beginning of below

	goneBy []int32 // by line of the file: the modification that took it away; 0 for none
	above  []int32 // by line of the file that is gone: a line above that is not, or was gone later

	written   []line
	writtenOf map[int32][]int32 // IDs of the written lines of a body, from top to bottom

	others  map[string]int32 // bodies that the file does not have
	words   []string         // of others
	blank   int32            // the body of blank lines
	endings []int32          // the file's bodies, sorted by their reversed text; nil before it is needed

	eol      text.EOL // of new lines
	finish   finish
	language language
}

func newTarget(t *locate.Text, eol text.EOL) *target {
	lines := t.Lines(locate.AfterEOL)
	if eol == text.None {
		eol = text.DominantEOL(lines.Text())
	}
	if eol == text.None {
		eol = text.LF
	}
	return onLines(lines, lines.IndexBy(strings.TrimSpace), eol)
}

func onLines(lines *locate.Lines, index *locate.Index, eol text.EOL) *target {
	n := lines.Count()
	t := &target{lines: lines, index: index, head: make([]int32, 0, n), at: make([]int32, n), goneBy: make([]int32, n), above: make([]int32, n),
		writtenOf: map[int32][]int32{}, others: map[string]int32{}, eol: eol}
	t.blank = t.bodyOf("")
	return t
}

// pristine is the target as it was before any change.
func (t *target) pristine() *target { return onLines(t.lines, t.index, t.eol) }

// knownBody is the number of the text that a line has without the white space around it;
// -1 where neither the file has that text nor was it asked for with [target.bodyOf].
func (t *target) knownBody(s string) int32 {
	body := t.index.Class(s)
	if body < 0 && len(t.others) > 0 {
		if other, ok := t.others[strings.TrimSpace(s)]; ok {
			return other
		}
	}
	return body
}

// bodyOf is the number of the text that a line has without the white space around it.
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

// word is the text of a body.
func (t *target) word(body int32) string {
	if n := int32(t.index.Classes()); body >= n {
		return t.words[body-n]
	}
	return t.index.Folded(body)
}

// original is how many lines the file had.
func (t *target) original() int { return t.lines.Count() }

// touched is the first line from which on all lines are the file's last ones.
func (t *target) touched() int { return len(t.head) + len(t.below) }

// count is how many lines there are now.
func (t *target) count() int { return t.touched() + t.original() - t.rest }

// id is that of line i.
func (t *target) id(i int) int {
	switch k := i - len(t.head); {
	case k < 0:
		return int(t.head[i])
	case k < len(t.below):
		return int(t.below[len(t.below)-1-k])
	}
	return i - t.touched() + t.rest
}

// now is where the line of an ID is; of one that is gone, the line above that place.
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

// present is the next line of the file, from one upwards, that is not gone; -1 for none.
func (t *target) present(id int) int {
	first := id
	for id >= 0 && t.isGone(id) {
		id = int(t.above[id])
	}
	for first > id { // the next search takes the short way
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

// body is that of line i.
func (t *target) body(i int) int32 {
	id := t.id(i)
	if n := t.original(); id >= n {
		return t.written[id-n].body
	}
	return t.index.ClassOf(id)
}

func (t *target) isBlank(i int) bool { return t.body(i) == t.blank }

// solidFrom is the first line from i on that is not blank.
func (t *target) solidFrom(i int) int {
	for i < t.count() && t.isBlank(i) {
		i++
	}
	return i
}

// isWritten reports whether line i was written by a modification.
func (t *target) isWritten(i int) bool { return t.id(i) >= t.original() }

// offset is where the file has what is at line i now, in bytes. For a line that was
// written it is where the next of the file's lines begins.
func (t *target) offset(i int) int { return t.lines.Start(t.fileLine(i)) }

// number is the line of the file, from 1, that is at i or next below it.
func (t *target) number(i int) int { return t.fileLine(i) + 1 }

func (t *target) fileLine(i int) int {
	for ; i < t.count(); i++ {
		if id := t.id(i); id < t.original() {
			return id
		}
	}
	return t.original()
}

// textsOf are the texts of lines.
func (t *target) textsOf(at region) []string {
	var out []string
	for i := at.start; i < at.end; i++ {
		out = append(out, t.line(i).text)
	}
	return out
}

// changed reports whether any line was written or taken away.
func (t *target) changed() bool { return len(t.written) > 0 || t.count() < t.original() }

// replace puts lines, without white space at their ends, in the place of those from
// start to end, on behalf of a modification. The first and the last lines that stay
// the same are still the file's own: the patch did not write them (rule A37).
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

// moveGap puts the gap above line i.
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

// push puts a line right above the gap.
func (t *target) push(id int32) {
	t.at[id] = int32(len(t.head))
	t.head = append(t.head, id)
}

// pop takes the line below the gap.
func (t *target) pop() (id int32) {
	if n := len(t.below); n > 0 {
		id, t.below = t.below[n-1], t.below[:n-1]
		return id
	}
	t.rest++
	return int32(t.rest - 1)
}

// remove takes the line below the gap away.
func (t *target) remove(by int) {
	id := t.pop()
	if int(id) < t.original() {
		t.goneBy[id], t.above[id] = int32(by), id-1
		return
	}
	body := t.lineOf(int(id)).body
	t.writtenOf[body] = slices.DeleteFunc(t.writtenOf[body], func(o int32) bool { return o == id })
}

// write adds a line right above the gap.
func (t *target) write(s string, by int) {
	l := line{text: s, eol: string(t.eol), by: int32(by), body: t.bodyOf(s)}
	id := int32(t.original() + len(t.written))
	t.written, t.at = append(t.written, l), append(t.at, 0)
	same := t.writtenOf[l.body]
	i, _ := slices.BinarySearchFunc(same, len(t.head), t.compareNow)
	t.writtenOf[l.body] = slices.Insert(same, i, id)
	t.push(id)
}

// compareNow compares where a line is with another place.
func (t *target) compareNow(id int32, i int) int { return t.now(int(id)) - i }
