package mdblock

import "github.com/aptix-dev/aptix/server/internal/text"

// A cursor moves along one line as CommonMark does. It counts columns, with a tab stop at every
// fourth one, so that a container can consume a part of a tab.
type cursor struct {
	doc   string
	start int  // start of the line
	at    int  // offset of the next byte; if a part of a tab is consumed, the offset of that tab
	col   int  // column of the cursor, counted from the start of the host's line
	pad   int  // the number of columns of the tab at `at` that no container consumed; 0 if no tab is split
	end   int  // end of the line, without its ending
	next  int  // start of the next line
	full  bool // the prefix certainly ends at the cursor, so that a space inserted here would belong to the content

	first    int // offset of the first byte at or after the cursor that is neither space nor tab; end if there is none
	firstCol int
}

func newCursor(doc string, at int) cursor {
	c := cursor{doc: doc, start: at, at: at, full: true}
	c.end, c.next = text.LineEnd(doc, at)
	if at == 0 {
		c.at = bomLen(doc)
	}
	c.look()
	return c
}

func (c *cursor) look() {
	i, col := c.at, c.col
	for ; i < c.end && isBlank(c.doc[i]); i++ {
		col += width(c.doc[i], col)
	}
	c.first, c.firstCol = i, col
}

// indent returns the width of the white space at the cursor, in columns.
func (c *cursor) indent() int { return c.firstCol - c.col }

func (c *cursor) blank() bool { return c.first == c.end }

func (c *cursor) rest() string { return c.doc[c.first:c.end] }

// skip skips at most n columns of white space and returns the number of skipped columns. If a tab
// is too wide, it skips only a part of the tab.
func (c *cursor) skip(n int) int {
	left := n
	for left > 0 && c.at < c.first {
		w := width(c.doc[c.at], c.col)
		if w > left {
			c.col, c.pad = c.col+left, w-left
			return n
		}
		c.col, c.pad = c.col+w, 0
		c.at++
		left -= w
	}
	return n - left
}

func (c *cursor) take(n int) {
	c.at, c.col, c.pad = c.first+n, c.firstCol+n, 0
	c.look()
}

func isBlank(b byte) bool { return b == ' ' || b == '\t' }

func width(b byte, col int) int {
	if b == '\t' {
		return 4 - col%4
	}
	return 1
}

func bomLen(s string) int {
	if len(s) >= 3 && s[:3] == "\ufeff" {
		return 3
	}
	return 0
}
