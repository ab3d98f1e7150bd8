package jsondoc

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// quotes is a pair of delimiters, of which only the first is JSON's. Where one
// is written for another, either half may close.
type quotes struct {
	opening string
	closing []string
}

var (
	jsonQuotes  = quotes{`"`, []string{`"`}}
	otherQuotes = []quotes{
		{"'", []string{"'"}},
		{"`", []string{"`"}},
		{"“", []string{"”", "“"}},
		{"”", []string{"”", "“"}},
		{"„", []string{"“", "”"}},
		{"‘", []string{"’", "‘"}},
		{"’", []string{"’", "‘"}},
		{"«", []string{"»"}},
	}
)

// quote is the pair that opens at pos; the zero value where none does.
func (p *parser) quote() quotes {
	rest := p.src[p.pos:]
	if rest[0] == '"' {
		return jsonQuotes
	}
	for _, q := range otherQuotes {
		if strings.HasPrefix(rest, q.opening) {
			return q
		}
	}
	return quotes{}
}

// closer is the length of the closing delimiter that s begins with, or 0.
func (q quotes) closer(s string) int {
	for _, c := range q.closing {
		if strings.HasPrefix(s, c) {
			return len(c)
		}
	}
	return 0
}

// extent is what a first pass over a string finds out.
type extent struct {
	end    int  // offset of the closing delimiter, or where the string was cut off
	closer int  // the delimiter's length; 0 for a string without one
	plain  bool // the value is what stands in the source
	quote  int  // offset of the first quote that ought to be escaped
	quotes int  // how many there are
}

// string reads a string: first how far it goes, then what it says.
func (p *parser) string(name bool) *Node {
	start := p.pos
	q := p.quote()
	inner := start + len(q.opening)
	x := p.extent(inner, q, name)
	p.pos = x.end + x.closer
	n := p.node(String, start, p.pos)
	p.reportExtent(n, q, x)
	raw := p.src[inner:x.end]
	if x.plain && p.utf8 {
		n.Text = raw
		if q.opening != `"` {
			n.literal = &literal{raw: raw, start: inner}
		}
		return n
	}
	n.literal = &literal{raw: raw, start: inner}
	n.Text = p.decode(n.literal)
	return n
}

func (p *parser) reportExtent(n *Node, q quotes, x extent) {
	opening := text.Span{Start: n.Span.Start, End: n.Span.Start + len(q.opening)}
	if q.opening != `"` {
		p.report(diag.JSONWrongQuotes, opening, "a string in %s quotes; JSON has double quotes only", q.opening)
	}
	if x.quotes > 0 {
		p.report(diag.JSONUnescapedQuote, text.Span{Start: x.quote, End: x.quote + 1},
			"a double quote that is not escaped%s: the string seems to end here; write it as \\\"", others(x.quotes))
	}
	if x.closer == 0 {
		p.report(diag.JSONUnterminatedString, opening, "this string is not closed")
		if p.eof() {
			p.open = nil // all that is open ends with it
		}
	}
}

// others tells that a diagnostic stands for n places in its string.
func others(n int) string {
	if n > 1 {
		return fmt.Sprintf(" (the first of %d in this string)", n)
	}
	return ""
}

// extent finds the end of the string that begins at pos. In valid JSON that is
// the first quote; otherwise it looks at what follows a quote.
func (p *parser) extent(pos int, q quotes, name bool) extent {
	x := extent{plain: true}
	first := q.closing[0][0] // the delimiters of a pair begin with the same byte
	broken := false          // a line break was passed
	for i := pos; i < len(p.src); {
		c := p.src[i]
		switch {
		case c >= ' ' && c != '\\' && c != first:
			i++
		case c == '\\':
			x.plain = false
			i = min(i+2, len(p.src))
			if p.src[i-1] == '\n' || p.src[i-1] == '\r' {
				i-- // it is still a raw line break
			}
		case c < ' ':
			x.plain = false
			if (c == '\n' || c == '\r') && (name || (!broken && p.startsMember(i))) {
				x.end = i
				return x
			}
			broken = broken || c == '\n' || c == '\r'
			i++
		default:
			n := q.closer(p.src[i:])
			if n > 0 && (name || p.literals || p.ends(i+n)) {
				x.end, x.closer = i, n
				return x
			}
			if n > 0 && x.quotes == 0 {
				x.quote = i
			}
			if n > 0 {
				x.quotes++
			}
			i += max(n, 1)
		}
	}
	if x.quotes > 0 {
		// No quote ended it, so take the first that could. This happens once:
		// looking as far again for each string would not be linear.
		p.literals = true
		return p.extent(pos, q, name)
	}
	x.end = len(p.src)
	return x
}

// ends reports whether a string ends with the quote before pos, judged by what
// follows. It is true wherever the JSON is valid.
func (p *parser) ends(pos int) bool {
	next, lines := p.skipBlanks(pos)
	if next == len(p.src) {
		return true
	}
	switch c := p.src[next]; {
	case c == ',':
		return p.goesOn(next + 1)
	case c == '}' || c == ']':
		after, moreLines := p.skipBlanks(next + 1)
		return moreLines || len(p.open) <= 1 || after == len(p.src) || strings.IndexByte(",{}[]/#", p.src[after]) >= 0 || p.nameAt(after)
	case c == ':':
		return !p.inObject()
	case c == '/':
		return next+1 < len(p.src) && (p.src[next+1] == '/' || p.src[next+1] == '*')
	case c == '"' || c == '\'':
		return lines || p.nameAt(next)
	case c == '{' || c == '[' || c == '#':
		return lines
	}
	return lines && p.nameAt(next)
}

// goesOn reports whether what follows a comma at pos can be JSON.
func (p *parser) goesOn(pos int) bool {
	next, lines := p.skipBlanks(pos)
	if next == len(p.src) || lines {
		return true
	}
	rest := p.src[next:]
	if rest[0] == '"' && p.inObject() {
		return p.mayBeName(next + 1)
	}
	if strings.IndexByte(`"'{}[],-/#`, rest[0]) >= 0 || isDigit(rest[0]) || rest[0] >= utf8.RuneSelf {
		return true
	}
	for _, word := range []string{"true", "false", "null", "None", "True", "False", "undefined", "NaN"} {
		if strings.HasPrefix(rest, word) {
			return true
		}
	}
	return p.nameAt(next)
}

// skipBlanks is the offset of the next byte from pos that is no white space, and
// whether a line ended on the way.
func (p *parser) skipBlanks(pos int) (next int, lines bool) {
	for ; pos < len(p.src); pos++ {
		switch p.src[pos] {
		case '\n', '\r':
			lines = true
		case ' ', '\t':
		default:
			return pos, lines
		}
	}
	return pos, lines
}

// nameAt reports whether a member's name and a colon stand at pos, quoted or not.
func (p *parser) nameAt(pos int) bool {
	const longest = 64
	quoted := strings.IndexByte(`"'`, p.src[pos])
	if quoted >= 0 {
		pos++
	}
	start := pos
	for pos < len(p.src) && pos-start <= longest && (isWord(p.src[pos]) || p.src[pos] == '-') {
		pos++
	}
	if pos == start || pos == len(p.src) || pos-start > longest {
		return false
	}
	if quoted >= 0 {
		if p.src[pos] != `"'`[quoted] {
			return false
		}
		pos++
	}
	for pos < len(p.src) && pos-start <= 2*longest && (p.src[pos] == ' ' || p.src[pos] == '\t') {
		pos++
	}
	return pos < len(p.src) && p.src[pos] == ':'
}

// mayBeName reports whether the string that begins at pos is followed by a colon,
// or is too long to tell.
func (p *parser) mayBeName(pos int) bool {
	const longest = 256
	for i := pos; i < len(p.src); i++ {
		switch {
		case i-pos > longest:
			return true
		case p.src[i] == '\\':
			i++
		case p.src[i] == '"':
			next, _ := p.skipBlanks(i + 1)
			return next == len(p.src) || p.src[next] == ':'
		}
	}
	return true
}

func (p *parser) inObject() bool { return len(p.open) > 0 && p.open[len(p.open)-1] == '{' }

// startsMember reports whether the line behind the line break at pos begins with
// a quoted name and a colon: then the string before it lacks its closing quote.
func (p *parser) startsMember(pos int) bool {
	next, _ := p.skipBlanks(pos)
	return next < len(p.src) && p.src[next] == '"' && p.nameAt(next)
}

// decode is the value of a string, and reports what is wrong in it. Where an
// escape has no meaning, the value has it as it is written.
func (p *parser) decode(l *literal) string {
	var b strings.Builder
	b.Grow(len(l.raw))
	var raws rawCharacters
	for i := 0; i < len(l.raw); {
		if c := l.raw[i]; c != '\\' {
			n := p.run(l.raw[i:], l.start+i, &raws)
			b.WriteString(l.raw[i : i+n])
			i += n
			continue
		}
		if len(l.marks) == 0 || b.Len()-l.marks[len(l.marks)-1].value >= markEvery {
			l.marks = append(l.marks, mark{b.Len(), i})
		}
		e := readEscape(l.raw[i:])
		if e.code != "" {
			p.report(e.code, text.Span{Start: l.start + i, End: l.start + i + e.size}, "%s", e.problem(l.raw[i:i+e.size]))
		}
		if e.kept {
			b.WriteString(l.raw[i : i+e.size])
		} else {
			b.WriteRune(e.value)
		}
		i += e.size
	}
	raws.report(p)
	return b.String()
}

// run is how many bytes s begins with that stand for themselves. It notes those
// that must not.
func (p *parser) run(s string, at int, raws *rawCharacters) int {
	for i := range len(s) {
		switch c := s[i]; {
		case c == '\\':
			return i
		case c < ' ':
			raws.note(s, i, at)
		case c >= utf8.RuneSelf && !p.utf8:
			r, size := utf8.DecodeRuneInString(s[i:])
			if r == utf8.RuneError && size <= 1 && !continues(s, i) {
				p.report(diag.JSONInvalidUTF8, text.Span{Start: at + i, End: at + i + 1}, "the byte 0x%02X is not UTF-8", c)
			}
		}
	}
	return len(s)
}

// continues reports whether the byte at i is inside a character that began before.
func continues(s string, i int) bool {
	for back := 1; back < utf8.UTFMax && back <= i; back++ {
		if _, size := utf8.DecodeRuneInString(s[i-back:]); size > back {
			return true
		}
	}
	return false
}

// rawCharacters is what a string holds that must be escaped. Each kind is told
// once for a string: where a model forgot to escape, it forgot it everywhere.
type rawCharacters struct {
	newlines, controls, nuls int
	newline, control, nul    text.Span // the first of each
	first                    byte      // the first control character
}

// note takes the control character s[i]; s begins at offset at.
func (r *rawCharacters) note(s string, i, at int) {
	span := text.Span{Start: at + i, End: at + i + 1}
	switch c := s[i]; c {
	case '\n', '\r':
		if c == '\n' && i > 0 && s[i-1] == '\r' {
			return // the second half of CRLF
		}
		if c == '\r' && i+1 < len(s) && s[i+1] == '\n' {
			span.End++
		}
		if r.newlines++; r.newlines == 1 {
			r.newline = span
		}
	case 0:
		if r.nuls++; r.nuls == 1 {
			r.nul = span
		}
	default:
		if r.controls++; r.controls == 1 {
			r.control, r.first = span, c
		}
	}
}

func (r *rawCharacters) report(p *parser) {
	if r.newlines > 0 {
		p.report(diag.JSONRawNewline, r.newline, "a raw line break in a string%s; write it as \\n", others(r.newlines))
	}
	if r.controls > 0 {
		p.report(diag.JSONControlCharacter, r.control, "the control character U+%04X in a string%s; write it as %s", r.first, others(r.controls), strings.Trim(Quote(string(r.first)), `"`))
	}
	if r.nuls > 0 {
		p.report(diag.JSONNUL, r.nul, "a NUL byte in a string%s; text has none", others(r.nuls))
	}
}
