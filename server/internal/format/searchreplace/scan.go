package searchreplace

import (
	"strconv"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/mdblock"
	"github.com/aptix-dev/aptix/server/internal/text"
)

const (
	searchMark  = mdblock.SearchMark
	divideMark  = mdblock.DivideMark
	replaceMark = mdblock.ReplaceMark
)

// lines is a text cut into lines. They count from 0.
type lines struct {
	body   string
	starts []int // of each line, and the text's length
}

func split(body string) lines {
	l := lines{body: body, starts: []int{0}}
	for at := 0; at < len(body); {
		_, at = text.LineEnd(body, at)
		l.starts = append(l.starts, at)
	}
	return l
}

func (l lines) count() int { return len(l.starts) - 1 }

// span is the lines from one up to another, which is left out, with their endings.
func (l lines) span(from, to int) text.Span {
	from, to = min(from, l.count()), min(to, l.count())
	return text.Span{Start: l.starts[from], End: l.starts[max(from, to)]}
}

// at is a line without its ending.
func (l lines) at(i int) text.Span {
	if i >= l.count() {
		return text.Span{Start: len(l.body), End: len(l.body)}
	}
	end, _ := text.LineEnd(l.body, l.starts[i])
	return text.Span{Start: l.starts[i], End: end}
}

func (l lines) text(i int) string       { return l.at(i).In(l.body) }
func (l lines) mark(i int) mdblock.Mark { return mdblock.MarkOf(l.text(i)) }
func (l lines) blank(i int) bool        { return strings.TrimSpace(l.text(i)) == "" }

// eol is how the first line ends.
func (l lines) eol() string {
	if ending := l.span(0, 1).In(l.body)[l.at(0).Len():]; ending != "" {
		return ending
	}
	return "\n"
}

var likeSearch = lazyregexp.New(`(?i)^ {0,3}<{3,}[ \t]*(?:search|original)\b[ \t]*:?[ \t]*(.*?)[ \t]*$`)

// likeMark reports whether a line looks like the first mark of a block, and is none: its
// words are in lower case, text follows it, or it has too few or too many signs.
func likeMark(line string) bool {
	return strings.HasPrefix(strings.TrimLeft(line, " "), "<<<") && mdblock.MarkOf(line) == mdblock.NoMark && likeSearch.MatchString(line)
}

// A pair is one block: its marks, and what they enclose, by lines.
type pair struct {
	head     int
	from     int   // first line of the SEARCH text
	dividers []int // lines that may divide it
	last     int   // the mark that ends it; of a broken block its last line

	stated  int  // the line of the file that the block names, from 1; 0 for none
	escapes bool // content that looks like a mark has a backslash before it

	problem   string // why it is broken; "" for a block that is whole
	problemAt int
}

// after is the line after the block.
func (p pair) after() int { return p.last + 1 }

// scan finds all blocks of a text.
func scan(l lines) []pair {
	var found []pair
	for i := 0; i < l.count(); i++ {
		if l.mark(i) == searchMark {
			p := readPair(l, i)
			found = append(found, p)
			i = p.last
		}
	}
	return found
}

func readPair(l lines, head int) pair {
	p := pair{head: head, from: head + 1}
	p.readStated(l)
	for i := p.from; i < l.count(); i++ {
		switch l.mark(i) {
		case divideMark:
			p.dividers = append(p.dividers, i)
		case searchMark:
			return p.broken(i-1, i, "a block begins before the one above has its `>>>>>>> REPLACE`")
		case replaceMark:
			p.last = i
			if len(p.dividers) == 0 {
				return p.broken(i, i, "the block has no `=======` between its SEARCH and its REPLACE text")
			}
			return p
		}
	}
	return p.broken(l.count()-1, head, "the block has no `>>>>>>> REPLACE`, so it is not complete")
}

func (p pair) broken(last, at int, problem string) pair {
	p.last, p.problemAt, p.problem = last, at, problem
	return p
}

var statedLine = lazyregexp.New(`^:(start|end)_line: ?(\d{1,9})[ \t]*$`)

// readStated reads the lines that name a line of the file, and the dashes below them.
func (p *pair) readStated(l lines) {
	i := p.head + 1
	for ; i < l.count(); i++ {
		m := statedLine.FindStringSubmatch(l.text(i))
		if m == nil {
			break
		}
		if m[1] == "start" {
			p.stated, _ = strconv.Atoi(m[2])
		}
		p.escapes, p.from = true, i+1
	}
	if p.escapes && i < l.count() && strings.TrimRight(l.text(i), " \t") == "-------" {
		p.from = i + 1
	}
}

// A notation is how a block writes one of its texts.
type notation struct {
	eol     string
	escapes bool
}

var (
	escaped = lazyregexp.New(`(?m)^\\(<{7}|={7}|>{7}|-{7}|:start_line:|:end_line:)`)
	special = lazyregexp.New(`(?m)^(<{7}|={7}|>{7}|-{7}|:start_line:|:end_line:)`)
)

func (n notation) read(s string) string {
	if n.escapes {
		return escaped.ReplaceAllString(s, "$1")
	}
	return s
}

// Write implements [intent.Notation]: whole lines.
func (n notation) Write(s string) string {
	if n.escapes {
		s = special.ReplaceAllString(s, `\$1`)
	}
	if s != "" && !strings.HasSuffix(s, "\n") {
		s += "\n"
	}
	if n.eol == "\r\n" {
		s = text.WithEOL(s, text.CRLF)
	}
	return s
}
