// Package searchblock reads the marks of SEARCH/REPLACE blocks, and the texts between them,
// for the formats that have such blocks: docs/formats/search-replace.md.
package searchblock

import (
	"strconv"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/mdblock"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// Lines is a text with blocks, cut into lines.
type Lines struct{ text.Rows }

// Split cuts a text into lines.
func Split(body string) Lines { return Lines{text.RowsOf(body)} }

// Mark returns the mark on line i, or [mdblock.NoMark].
func (l Lines) Mark(i int) mdblock.Mark { return mdblock.MarkOf(l.Text(i)) }

// altered matches a first mark with wrong characters around the word SEARCH or ORIGINAL, such as `###### SEARCH`.
var altered = lazyregexp.New(`^ {0,3}[^\pL\pN\s]{2,}[ \t]*(?:SEARCH|ORIGINAL)[^\pL\pN]*$`)

// EndsAltered reports whether the line `last` is a mark that ends a block without a correct first mark. `head` is the
// first line of that block: its first mark or, if there is none, its `=======`. EndsAltered ignores lines above `from`.
func EndsAltered(l Lines, from, last int) (head int, ok bool) {
	if l.Mark(last) != mdblock.ReplaceMark {
		return last, false
	}
	head = last
	for i := last - 1; i >= from; i-- {
		switch mark := l.Mark(i); {
		case mark == mdblock.DivideMark:
			head, ok = i, true
		case mark != mdblock.NoMark:
			return head, ok
		case ok && altered.MatchString(l.Text(i)):
			return i, true
		}
	}
	return head, ok
}

// A Pair is one block: the line numbers of its marks, and of the texts between them.
type Pair struct {
	Head     int
	From     int   // first line of the SEARCH text
	Dividers []int // the lines that may divide the two texts
	Last     int   // the line with the mark that ends the block, or the last line of a broken block

	Stated  int  // the line number that the block gives for its place in the file, from 1; 0 if it gives none
	escapes bool // in both texts, a backslash precedes each line that looks like a mark

	Problem   string // the reason why the block is broken; "" if it is complete
	ProblemAt int    // the line that a diagnostic underlines
}

// After returns the line after the block.
func (p Pair) After() int { return p.Last + 1 }

// Scan finds all blocks of a text.
func Scan(l Lines) []Pair {
	var found []Pair
	for i := 0; i < l.Count(); i++ {
		if l.Mark(i) == mdblock.SearchMark {
			p := ReadPair(l, i)
			found = append(found, p)
			i = p.Last
		}
	}
	return found
}

// ReadPair reads the block whose first mark is on the line `head`.
func ReadPair(l Lines, head int) Pair {
	p := Pair{Head: head, From: head + 1}
	p.readStated(l)
	for i := p.From; i < l.Count(); i++ {
		switch l.Mark(i) {
		case mdblock.DivideMark:
			p.Dividers = append(p.Dividers, i)
		case mdblock.SearchMark:
			return p.broken(i-1, i, "a block begins before the block above has ended with `>>>>>>> REPLACE`")
		case mdblock.ReplaceMark:
			p.Last = i
			if len(p.Dividers) == 0 {
				return p.broken(i, i, "the block has no `=======` between its SEARCH and its REPLACE text")
			}
			return p
		}
	}
	return p.broken(l.Count()-1, head, "the block has no `>>>>>>> REPLACE`, so it is not complete")
}

func (p Pair) broken(last, at int, problem string) Pair {
	p.Last, p.ProblemAt, p.Problem = last, at, problem
	return p
}

var statedLine = lazyregexp.New(`^:(start|end)_line: ?(\d{1,9})[ \t]*$`)

// readStated reads lines such as `:start_line: 7` below the first mark, and the line of dashes below them.
func (p *Pair) readStated(l Lines) {
	i := p.Head + 1
	for ; i < l.Count(); i++ {
		m := statedLine.FindStringSubmatch(l.Text(i))
		if m == nil {
			break
		}
		if m[1] == "start" {
			p.Stated, _ = strconv.Atoi(m[2])
		}
		p.escapes, p.From = true, i+1
	}
	if p.escapes && i < l.Count() && strings.TrimRight(l.Text(i), " \t") == "-------" {
		p.From = i + 1
	}
}
