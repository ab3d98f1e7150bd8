package mdblock

import (
	"strings"

	"github.com/aptix-dev/aptix/server/internal/text"
)

// closeJSON returns the row that closes the block. A line that resembles the closing fence may be inside a string, if
// the string has a raw line break. For each such line, the first matching case applies:
//
//	a tagged fence was opened inside a string      the line closes that fence, so it is content
//	no string is open                              the line closes the block
//	quotes do not pair as in JSON                  the line closes the block: a stray quote opened that string
//	the JSON is complete above a later such line   the line is content, and the later line closes the block
//	otherwise                                      the line closes the block
//
// A string in which a tagged fence was opened is Markdown. From there on, each bare fence closes a tagged one, even
// after a quote that was not escaped.
//
// "Complete" means that all brackets are paired, and that every string so far is at a place where JSON allows a string:
// after "{", "[", "," or ":", and before "," "]", "}" or ":". If prose and further blocks are read as the inside of a
// string, their first quote breaks this rule, which ends the search. The search also ends where another JSON, patch or
// ap block begins, because joining two blocks into one would be the worse mistake.
//
// If the document ends before a line closes the block, the first case leaves the block open, because its string may
// still be growing. In any other case the block closes at the earliest line in doubt, as in CommonMark. Its JSON is
// then broken, so none of it is applied, but the blocks below are found.
func (r reader) closeJSON() row {
	var json quoting
	// doubt is the first line that may be the closing fence. If the JSON is complete at a later line that may be the
	// closing fence, doubt is content.
	var doubt row
	markdown, nested := false, false
	for {
		w := r.next()
		if doubt.ok {
			r.budget -= w.next - w.start + 1
		}
		if !w.ok || doubt.ok && (json.broken || r.budget < 0) {
			return doubt
		}
		switch {
		case w.fence && nested:
			nested = false
		case w.fence && json.inString():
			doubt = earliest(doubt, w)
		case w.fence && doubt.ok && !json.complete():
			return doubt
		case w.fence:
			return w
		case doubt.ok && r.opensFamily(w):
			return doubt
		case (json.inString() || json.broken && markdown) && r.opening(w) != "":
			markdown, nested = true, true
		}
		json.read(r.doc[w.text:w.next])
		nested = nested && (json.string || json.broken)
	}
}

func earliest(a, b row) row {
	if a.ok {
		return a
	}
	return b
}

// A quoting tracks whether a JSON text is inside a string. It allows comments and raw control characters.
type quoting struct {
	open    []byte // the closing brackets of all open brackets, outermost first
	last    byte   // the last byte outside strings that is not white space or a comment
	string  bool
	escape  bool
	triple  bool // the open string is in Python's triple quotes
	comment bool
	broken  bool // a quote or a bracket is misplaced, so it is no longer known whether a string is open
}

func (q *quoting) inString() bool { return q.string && !q.broken }

func (q *quoting) complete() bool {
	return !q.broken && !q.string && !q.comment && len(q.open) == 0 && q.last != 0
}

func (q *quoting) read(s string) {
	for s != "" && !q.broken {
		switch {
		case q.string:
			s = q.readString(s)
		case q.comment:
			_, behind, found := strings.Cut(s, "*/")
			q.comment, s = !found, behind
		case strings.HasPrefix(s, `"""`) && strings.IndexByte("[,:=>", q.last) >= 0 && q.last != 0:
			q.string, q.triple, q.last, s = true, true, '"', s[3:]
		case strings.HasPrefix(s, "//"):
			return
		case strings.HasPrefix(s, "/*"):
			q.comment, s = true, s[2:]
		default:
			q.readByte(s[0])
			s = s[1:]
		}
	}
}

func (q *quoting) readString(s string) string {
	if q.escape {
		q.escape = false
		return s[1:]
	}
	i := text.Plain(s, '"')
	for i < len(s) && s[i] < ' ' {
		i += 1 + text.Plain(s[i+1:], '"')
	}
	switch {
	case i == len(s):
		return ""
	case q.triple && strings.HasPrefix(s[i:], `"""`):
		q.string, q.triple = false, false
		return s[i+3:]
	case q.triple:
		q.escape = s[i] == '\\'
		return s[i+1:]
	}
	q.escape, q.string = s[i] == '\\', s[i] == '\\'
	return s[i+1:]
}

func (q *quoting) readByte(b byte) {
	switch b {
	case ' ', '\t', '\n', '\r':
		return
	case '"':
		q.broken = q.last != 0 && strings.IndexByte("{[,:=>", q.last) < 0
		q.string = true
	case '{':
		q.push('}')
	case '[':
		q.push(']')
	case '}', ']':
		q.pop(b)
	case ',', ':', '=', '>': // models write `=` and `=>` in place of a colon, as package lenientjson explains
	default:
		q.broken = q.last == '"'
	}
	q.last = b
}

func (q *quoting) push(due byte) {
	q.broken = q.last == '"' || (len(q.open) == 0 && q.last != 0)
	q.open = append(q.open, due)
}

func (q *quoting) pop(b byte) {
	n := len(q.open) - 1
	if q.broken = n < 0 || q.open[n] != b; !q.broken {
		q.open = q.open[:n]
	}
}
