package elision

import (
	"cmp"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A block is a header, such as that of a function or of a section of a configuration, with the lines that belong to it.
type block struct{ from, head, to int } // the lines [from,head) are comments and attributes of the header

// blocksOf cuts lines into blocks. It returns false if a line belongs to no block, or if a block is only one line.
func blocksOf(lines []string) (out []block, ok bool) {
	for i := 0; i < len(lines); i++ {
		if lines[i] == "" {
			continue
		}
		at := block{from: i, head: i}
		for isLead(lines[at.head]) && at.head+1 < len(lines) && (indentOf(lines[at.head+1]) == indentOf(lines[i]) || strings.HasPrefix(lines[at.head+1], lines[i][:indentOf(lines[i])]+" *")) {
			at.head++
		}
		at.to = endOfBlock(lines, at.head)
		if indentOf(lines[i]) != indentOf(lines[0]) || indentOf(lines[at.head]) != indentOf(lines[0]) || at.to == at.head+1 {
			return nil, false
		}
		out, i = append(out, at), at.to-1
	}
	return out, len(out) > 0
}

// endOfBlock returns the line after the last line of the block whose header is line i. The block has the lines that are
// indented more, and those with which it goes on at the same indentation. A section of a TOML or INI file ends at the next
// one, without the comments above that.
func endOfBlock(lines []string, i int) int {
	end, section := i+1, isSection(lines, i)
	for j := i + 1; j < len(lines); j++ {
		line := lines[j]
		if line == "" || section && isLead(line) {
			continue
		} else if section && isSection(lines, j) || !section && indentOf(line) <= indentOf(lines[i]) && (indentOf(line) < indentOf(lines[i]) || !goesOn(line)) {
			break
		}
		end = j + 1
	}
	return end
}

var (
	// sectionHeader matches the header of a section of a TOML or INI file, and sectionLine a line of the section.
	sectionHeader = lazyregexp.New(`^\[\[?[\w .:"'/-]+\]\]?$`)
	sectionLine   = lazyregexp.New(`^[\w."'-]+\s*=`)
	// goesOnWith matches a line with which a block ends or goes on at the indentation of its header.
	goesOnWith = lazyregexp.New(`^\s*(?:[})\]]|</|\{$|(?:else|elif|elsif|except|finally|catch|rescue|ensure|when|case|default|then|do|end|fi|done|esac)\b)`)
	// leads matches a line that belongs to the header below it: a comment or an attribute.
	leads = lazyregexp.New(`^\s*(?:@|#|//|/\*|\*|--|;|<!--|\[[A-Z].*\]$)`)
)

func isSection(lines []string, i int) bool {
	for j := i + 1; sectionHeader.MatchString(lines[i]) && j < len(lines); j++ {
		if lines[j] != "" && !isLead(lines[j]) {
			return sectionLine.MatchString(lines[j])
		}
	}
	return false
}

func goesOn(line string) bool { return goesOnWith.MatchString(line) }
func isLead(line string) bool { return leads.MatchString(line) }

// An owned is what lines that are whole blocks replace in a file: the blocks with the same headers.
type owned struct {
	lines   []string // the new lines, in the indentation of the file
	place            // the lines of the file
	shifted bool     // the lines had another indentation
}

// own returns what lines replace. It returns false if they are not whole blocks, if the file has none of the headers or one
// of them several times, if it has other lines between the blocks, or if the ends of the blocks are unclear.
func (b *base) own(lines []string) (own owned, ok bool) {
	blocks, ok := blocksOf(lines)
	if !ok {
		return own, false
	}
	own = owned{lines: slices.Clone(lines), place: place{-1, -1, -1}}
	for _, block := range blocks {
		header := strings.TrimSpace(lines[block.head])
		class := b.trimmed().Class(header)
		if class < 0 {
			if !b.isNew(header) {
				return own, false
			}
			continue
		}
		places := b.trimmed().Places(class)
		if i := b.index.Class(lines[block.head]); len(places) > 1 && i >= 0 {
			places = b.index.Places(i)
		}
		if len(places) != 1 || letters(header) < fewestLetters {
			return own, false
		}
		at := int(places[0])
		if own.p < 0 {
			if own.lines, own.shifted, ok = indentedAs(own.lines, lines[block.head], b.lines[at]); !ok {
				return own, false
			}
		}
		from, to := at, endOfBlock(b.lines, at)
		if block.from < block.head {
			for from > 0 && isLead(b.lines[from-1]) {
				from--
			}
		}
		kept := own.lines[block.from:block.head]
		if own.q >= 0 && b.next(int(own.q)) != from || to == at+1 || slices.ContainsFunc(b.lines[from:at], func(line string) bool {
			return !slices.ContainsFunc(kept, func(other string) bool { return isLike(line, other) })
		}) || !endAlike(own.lines[:block.to], b.lines[:to], indentOf(b.lines[at])) {
			return own, false
		}
		if own.q = int32(to); own.p < 0 {
			own.p = int32(from)
		}
	}
	return own, own.p >= 0 && b.pairs(own)
}

// indentedAs gives lines the indentation of the file, as one of them has it there.
func indentedAs(lines []string, line, file string) (out []string, changed, ok bool) {
	of := func(line string) string { return line[:len(line)-len(strings.TrimLeft(line, " \t"))] }
	shift, ok := shiftOf(of(line), of(file))
	if !ok || shift == [2]string{} {
		return lines, false, ok
	}
	out, ok = shifted(lines, shift)
	return out, true, ok
}

// endAlike reports whether a block ends as its older form in the file: both have the same last line at the indentation of
// their header, or neither has one. A comma belongs to the place, so the new line gets that of the file.
func endAlike(lines, file []string, indent int32) bool {
	last, old := &lines[len(lines)-1], file[len(file)-1]
	closes := func(line string) bool { return indentOf(line) <= indent && goesOn(line) }
	switch {
	case closes(*last) != closes(old):
		return false
	case !closes(old):
		return true
	case strings.TrimRight(*last, ",") != strings.TrimRight(old, ","):
		return false
	}
	*last = old
	return true
}

// named matches the name in the header of a function or of a test: the word before the first bracket, or a string in it.
var named = lazyregexp.New("([\\pL\\pN_$]+)\\((?:\\s*[\"'`]([^\"'`]+))?")

// nameOf returns the name of a block: that of a function, the title of a test, or else the words of the header.
func nameOf(header string) string {
	if m := named.FindStringSubmatch(header); m != nil {
		return cmp.Or(m[2], m[1])
	}
	return strings.Trim(header, " \t{:")
}

// isNew reports whether no line of the file has the name of a block, whose header is given.
func (b *base) isNew(header string) bool {
	name := nameOf(header)
	return !slices.ContainsFunc(b.lines, func(line string) bool {
		return b.file.Meter().Pay(cell) && strings.Contains(line, name) && nameOf(strings.TrimSpace(line)) == name
	})
}

// pin determines the place of a segment that only has whole blocks. If new blocks are between an elision and the lines that
// close the file, they go above these lines, with a blank line above them if the text has one.
func (f *search) pin(s *segment, blankAbove bool) {
	if own, ok := f.b.own(s.lines); ok && (!s.below || own.isWhole(f.b)) {
		f.pinAt(s, own.lines, own.place)
		s.above, s.below = s.above || int(own.p) > f.b.first, s.below || int(own.q) < f.b.last
		return
	}
	end := len(s.lines)
	for end > 0 && goesOn(s.lines[end-1]) && !text.HasWord(s.lines[end-1]) && indentOf(s.lines[end-1]) < indentOf(s.lines[0]) {
		end--
	}
	at := f.b.last - (len(s.lines) - end)
	if !s.above || s.below || end == len(s.lines) || at <= f.b.first || !slices.Equal(f.b.lines[at:f.b.last], s.lines[end:]) {
		return
	}
	blocks, ok := blocksOf(s.lines[:end])
	if !ok || slices.ContainsFunc(blocks, func(block block) bool { return !f.b.isNew(strings.TrimSpace(s.lines[block.head])) }) {
		return
	}
	lines := s.lines
	if blankAbove && f.b.lines[at-1] != "" {
		lines = append([]string{""}, lines...)
	}
	f.pinAt(s, lines, place{int32(at), int32(f.b.last), -1})
}

func (f *search) pinAt(s *segment, lines []string, at place) {
	class := make([]int32, len(lines))
	for i, line := range lines {
		class[i] = f.b.index.Class(line)
	}
	s.take(lines, class)
	s.pinned = &at
}

// isWhole reports whether the last block ends as in the file, so that an elision below leaves out none of its lines.
func (own owned) isWhole(b *base) bool {
	return isLike(own.lines[len(own.lines)-1], b.lines[own.q-1])
}

// pairs reports whether the brackets and the quotes of several lines pair, in the new lines and in those that they replace.
func (b *base) pairs(own owned) bool {
	var open [3]int32
	for _, line := range own.lines {
		open = balance(open, line)
	}
	content, file := strings.Join(own.lines, "\n"), strings.Join(b.lines[own.p:own.q], "\n")
	return open == [3]int32{} && b.open[own.p] == b.open[own.q] && !slices.ContainsFunc([]string{`"""`, "'''", "`"}, func(quote string) bool {
		n := strings.Count(content, quote)
		return n%2+strings.Count(file, quote)%2 > 0 || n > 0 && own.shifted
	})
}

// around returns the lines of the file that a text with elisions may change: one block, if the text begins with the header
// of that block and ends with its last line, otherwise all lines.
func (r *reader) around(elided []bool) (p, q int) {
	lines := slices.Clone(r.lines)
	for i := range lines {
		if elided[i] {
			lines[i] = ""
		}
	}
	first, end := r.neighbour(-1, +1), r.neighbour(len(lines), -1)
	if blocks, ok := blocksOf(lines[first:]); ok && len(blocks) == 1 && !elided[first] && !elided[end] {
		if own, ok := r.base.own(lines[first:]); ok && !own.shifted {
			return int(own.p), int(own.q)
		}
	}
	return r.base.first, r.base.last
}

// shift moves the lines of the file that a reading names.
func (r Reading) shift(n int) Reading {
	for i := range r.Parts {
		p := &r.Parts[i]
		p.At, p.End = p.At+n, p.End+n
		for j := range p.Hunks {
			p.Hunks[j].At, p.Hunks[j].End = p.Hunks[j].At+n, p.Hunks[j].End+n
		}
		for j := range p.Others {
			p.Others[j].At, p.Others[j].End = p.Others[j].At+n, p.Others[j].End+n
		}
	}
	for i := range r.Reasons {
		if why := &r.Reasons[i]; why.Kind != MuchGone {
			why.Other, why.To = why.Other+n, why.To+n
		}
	}
	return r
}
