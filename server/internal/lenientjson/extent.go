package lenientjson

import (
	"strings"
	"unicode/utf8"

	"github.com/aptix-dev/aptix/server/internal/text"
)

// An extent is the result of a first pass over a string, which finds the end of the string.
type extent struct {
	end    int  // the offset of the closing delimiter; if there is none, the offset at which the string was cut off
	closer int  // the length of the closing delimiter; 0 if there is none
	plain  bool // the value is the same as the source
	quote  int  // offset of the first quote that should be escaped
	quotes int  // number of quotes that should be escaped

	// doubtful is true if the string may have ended earlier, because a stray quote in it looks like the end of a value,
	// or begins the name of a member.
	doubtful bool
}

// extent finds the end of the string that begins at pos. In valid JSON, the first quote ends the string. Otherwise,
// the text after each quote decides whether it ends the string.
func (p *parser) extent(pos int, q quotes, name bool) extent {
	x := p.scan(pos, q, name)
	if x.closer == 0 && x.end == len(p.src) && x.quotes > 0 {
		// No quote certainly ends the string, so read the first one as its end. From now on, the first quote ends every
		// string: searching to the end of the source for each string would take quadratic time.
		p.literals, p.doubt = true, true
		return p.scan(pos, q, name)
	}
	return x
}

// tripled reads the extent of a value in Python's triple quotes. If three quotes open a value and no three quotes close
// it, the boundary between text and structure is in doubt. Four quotes cause no doubt: the first may open the value,
// and three may belong to its text. tripled returns false if the value is not in triple quotes.
func (p *parser) tripled(name bool) (q quotes, x extent, ok bool) {
	at := p.src[p.pos:]
	q = quotes{opening: at[:min(3, len(at))], triple: true}
	if q.closing = []string{q.opening}; name || q.opening != `"""` && q.opening != "'''" {
		return q, x, false
	}
	if !p.untripled {
		if x = p.scan(p.pos+3, q, false); x.closer > 0 {
			return q, x, true
		}
	}
	p.untripled = true
	p.doubt = p.doubt || len(at)-len(strings.TrimLeft(at, q.opening)) != 4
	return q, x, false
}

func (p *parser) scan(pos int, q quotes, name bool) extent {
	x := extent{plain: true}
	first := q.closing[0][0] // all possible closing delimiters begin with the same byte
	broken := false
	for i := pos; i < len(p.src); {
		c := p.src[i]
		switch {
		case c >= ' ' && c != '\\' && c != first:
			i += text.Plain(p.src[i:], first)
		case c == '\\':
			x.plain = false
			i = min(i+2, len(p.src))
			if p.src[i-1] == '\n' || p.src[i-1] == '\r' {
				// Go back to the raw line break, which is read as a separate character.
				i--
			}
		case c < ' ':
			x.plain = false
			if (c == '\n' || c == '\r') && !q.triple && (name || (!broken && p.startsMember(i))) {
				x.end = i
				return x
			}
			broken = broken || c == '\n' || c == '\r'
			i++
		default:
			n := q.closer(p.src[i:])
			if n > 0 && (name || p.literals || p.closes(i+n, x.quotes)) {
				x.end, x.closer = i, n
				return x
			}
			if n > 0 {
				p.stray(&x, i, i+n)
			}
			i += max(n, 1)
		}
	}
	x.end = len(p.src)
	return x
}

// closes reports whether the quote before pos ends a string. `stray` is the number of stray quotes before that quote.
// Stray quotes come in pairs. If `stray` is odd, this quote is therefore the second of a pair, and ends the string only
// if a known member follows.
func (p *parser) closes(pos, stray int) bool {
	switch {
	case p.names == nil:
		return p.ends(pos)
	case stray%2 == 1:
		return p.structural(pos)
	}
	return p.ends(pos) || p.structural(pos)
}

// stray counts a quote, between the offsets `at` and `next`, that does not end its string. If something other than
// text follows the first quote of a pair, the string may have ended there, and stray sets doubtful.
func (p *parser) stray(x *extent, at, next int) {
	if x.quotes == 0 {
		x.quote = at
	}
	opens := x.quotes%2 == 0
	x.quotes++
	behind := p.src[next:min(next+1, len(p.src))]
	x.doubtful = x.doubtful || p.names == nil || behind == "" || p.wordAt(at) ||
		opens && strings.Contains(" \t\r\n,:}]/#", behind)
}

// ends reports whether the quote before pos ends a string. The text after the quote decides. In
// valid JSON, the quote always ends the string.
func (p *parser) ends(pos int) bool {
	next, lines := p.skipBlanks(pos)
	if next == len(p.src) {
		return true
	}
	switch c := p.src[next]; {
	case c == ',':
		return p.continuesValue(next + 1)
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

func (p *parser) continuesValue(pos int) bool {
	next, lines := p.skipBlanks(pos)
	if next == len(p.src) || lines {
		return true
	}
	rest := p.src[next:]
	if rest[0] == '"' && p.inObject() {
		return p.mayBeName(next+1) || p.wordAt(next)
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

// structural reports whether only commas, brackets and comments are between pos and a known member, or between pos and
// the end of the text.
func (p *parser) structural(pos int) bool {
	const longest = 1024
	start := pos
	for pos < min(len(p.src), start+longest) {
		c := p.src[pos]
		if strings.IndexByte(" \t\r\n,{}[]", c) >= 0 {
			pos++
			continue
		}
		comment := commentAt(p.src[pos:min(len(p.src), start+longest)])
		if comment == 0 {
			return p.memberAt(pos, pos > start)
		}
		pos += comment
	}
	return pos == len(p.src)
}

// memberAt reports whether the name of a known member and a colon are at pos. The name may be in any quotes, or without
// quotes if `bare` is true.
func (p *parser) memberAt(pos int, bare bool) bool {
	end := p.nameEnd(pos, bare)
	if end < 0 {
		return false
	}
	next, _ := p.skipBlanks(end)
	return p.colonAt(next, p.src[pos:end])
}

// colonAt reports whether a colon follows a name that ends at pos. If the block already has an operator in place of a
// colon, an operator is accepted here, too. After a name without quotes, only a colon is accepted, because an operator
// would be an assignment in code.
func (p *parser) colonAt(pos int, name string) bool {
	if pos == len(p.src) || p.src[pos] == ':' || !p.equals || IsWord(name[0]) {
		return pos < len(p.src) && p.src[pos] == ':'
	}
	return signAt(p.src[pos:]) != ""
}

func (p *parser) wordAt(pos int) bool { return p.nameEnd(pos, false) >= 0 }

func (p *parser) nameEnd(pos int, bare bool) int {
	const longest = 32
	if p.names == nil || pos >= len(p.src) {
		return -1
	}
	q := quotesAt(p.src[pos:])
	if q.opening == "" && !bare {
		return -1
	}
	pos += len(q.opening)
	end := pos
	for end < min(len(p.src), pos+longest) && IsWord(p.src[end]) {
		end++
	}
	if !p.known(p.src[pos:end]) {
		return -1
	}
	if q.opening == "" {
		return end
	}
	if n := q.closer(p.src[end:]); n > 0 {
		return end + n
	}
	return -1
}

func (p *parser) known(name string) bool {
	_, ok := p.names[name]
	return ok
}

// skipBlanks returns the offset of the first byte at or after pos that is not white space. It also reports whether a
// line ended before that byte.
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

func (p *parser) nameAt(pos int) bool {
	const longest = 64
	named := pos
	quoted := strings.IndexByte(`"'`, p.src[pos])
	if quoted >= 0 {
		pos++
	}
	start := pos
	for pos < len(p.src) && pos-start <= longest && (IsWord(p.src[pos]) || p.src[pos] == '-') {
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
	return p.colonAt(pos, p.src[named:pos])
}

// mayBeName reports whether a colon follows the string that begins at pos, or the string is too
// long to tell.
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
			return next == len(p.src) || p.colonAt(next, `"`)
		}
	}
	return true
}

func (p *parser) inObject() bool { return len(p.open) > 0 && p.open[len(p.open)-1] == '{' }

// startsMember reports whether the line after the line break at pos begins with a quoted name and a
// colon. In this case, the string before the line break lacks its closing quote.
func (p *parser) startsMember(pos int) bool {
	next, _ := p.skipBlanks(pos)
	if p.names != nil {
		return p.memberAt(next, false)
	}
	return next < len(p.src) && p.src[next] == '"' && p.nameAt(next)
}
