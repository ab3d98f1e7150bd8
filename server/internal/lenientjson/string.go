package lenientjson

import (
	"strings"
	"unicode/utf8"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// quotes has an opening delimiter and the delimiters that may close its string. Models often end a string with another
// opening delimiter, such as “.
type quotes struct {
	opening string
	closing []string
	triple  bool // the quotes are Python's triple quotes
}

var (
	jsonQuotes  = quotes{opening: `"`, closing: []string{`"`}}
	otherQuotes = []quotes{
		{opening: "'", closing: []string{"'"}},
		{opening: "`", closing: []string{"`"}},
		{opening: "“", closing: []string{"”", "“"}},
		{opening: "”", closing: []string{"”", "“"}},
		{opening: "„", closing: []string{"“", "”"}},
		{opening: "‘", closing: []string{"’", "‘"}},
		{opening: "’", closing: []string{"’", "‘"}},
		{opening: "«", closing: []string{"»"}},
	}
)

// quote returns the delimiters of the string that begins at pos, or the zero value.
func (p *parser) quote() quotes { return quotesAt(p.src[p.pos:]) }

func quotesAt(s string) quotes {
	if s[0] == '"' {
		return jsonQuotes
	}
	return text.Find(otherQuotes, func(q quotes) bool { return strings.HasPrefix(s, q.opening) })
}

// closer returns the length of the closing delimiter at the start of s, or 0. If there are more
// than three quotes, Python's delimiter is the last three.
func (q quotes) closer(s string) int {
	if q.triple && strings.HasPrefix(s[1:], q.opening) {
		return 0
	}
	return len(text.Find(q.closing, func(closing string) bool { return strings.HasPrefix(s, closing) }))
}

// ascii returns the quote of a delimiter that consists of one ASCII quote, or of the same quote three times. It
// returns 0 for any other delimiter.
func (q quotes) ascii() byte {
	if len(q.opening) == 1 || q.triple {
		return q.opening[0]
	}
	return 0
}

// string reads a string. `name` is true if the string is the name of a member.
func (p *parser) string(name bool) *Node {
	start := p.pos
	q, x, ok := p.tripled(name)
	if !ok {
		q = p.quote()
		x = p.extent(start+len(q.opening), q, name)
	}
	inner := start + len(q.opening)
	p.pos = x.end + x.closer
	n := p.node(String, start, p.pos)
	raw := p.src[inner:x.end]
	if q.opening == `"` && x.plain && x.quotes == 0 && x.closer > 0 && p.utf8 {
		n.Text = raw
		return n
	}
	n.literal = &literal{raw: raw, quote: q.ascii(), start: inner}
	s := written{node: n, delim: q, extent: x, name: name, indent: true}
	n.Text = p.decode(&s)
	p.reportString(&s)
	return n
}

// A written records how a string is written and which mistakes it contains.
type written struct {
	node  *Node
	delim quotes
	extent
	name bool

	invalid []int // offsets in raw of the backslashes that do not begin a valid escape
	escaped bool  // the string has escapes other than escaped quotes
	quoted  int   // number of escaped quotes

	// breaks is true if the string certainly escapes its line breaks: an escaped line break is at the end of the
	// string, before another line break, or before an indentation.
	breaks bool
	codes  bool // the string has escapes of characters other than quotes, line breaks and indentation

	indent bool // only white space was read in the current line so far
	raws   rawCharacters
}

// decode returns the value of a string. If an escape has no meaning, the value contains it as
// written.
func (p *parser) decode(s *written) string {
	l := s.node.literal
	var b strings.Builder
	b.Grow(len(l.raw))
	for i := 0; i < len(l.raw); {
		if c := l.raw[i]; c != '\\' {
			breaks := s.raws.newlines
			n := p.run(l.raw[i:], l.start+i, &s.raws)
			b.WriteString(l.raw[i : i+n])
			if s.raws.newlines > breaks {
				s.indent = onlyIndents(l.raw[i+1+strings.LastIndexAny(l.raw[i:i+n], "\r\n") : i+n])
			} else if s.indent {
				s.indent = onlyIndents(l.raw[i : i+n])
			}
			i += n
			continue
		}
		if len(l.marks) == 0 || b.Len()-l.marks[len(l.marks)-1].value >= markEvery {
			l.marks = append(l.marks, mark{b.Len(), i})
		}
		e := readEscape(l.raw[i:], l.quote)
		s.note(e, i)
		if e.code == diag.JSONLoneSurrogate {
			p.report(e.code, text.Span{Start: l.start + i, End: l.start + i + e.size}, nil, "%s", e.problem(l.raw[i:i+e.size]))
		}
		if e.kept {
			b.WriteString(l.raw[i : i+e.size])
		} else {
			b.WriteRune(e.value)
		}
		i += e.size
	}
	return b.String()
}

func onlyIndents(s string) bool { return strings.Trim(s, " \t") == "" }

func (s *written) note(e escape, at int) {
	next := s.node.literal.raw[at+e.size:]
	indent := s.indent // true if only white space came before this escape in its line
	s.indent = e.value == '\n' || indent && e.value == '\t'
	switch {
	case e.code == diag.JSONInvalidEscape:
		s.invalid = append(s.invalid, at)
		if e.size == 1 && next != "" { // a raw line break follows the backslash
			s.raws.continued = true
		}
	case e.value == '"' || e.value == rune(s.node.literal.quote):
		s.quoted++
	default:
		s.escaped = true
		s.codes = s.codes || e.value != '\n' && (e.value != '\t' || !indent)
		s.breaks = s.breaks || e.value == '\n' && endsLine(next)
	}
}

// endsLine reports whether an escaped line break before s certainly ends a line of the text.
func endsLine(s string) bool {
	return s == "" || strings.HasPrefix(s, "  ") || strings.HasPrefix(s, "\t") || strings.HasPrefix(s, `\n`) || strings.HasPrefix(s, `\t`)
}

// run returns the number of bytes at the start of s that go into the value unchanged. It also records the bytes among
// them that should be escaped.
func (p *parser) run(s string, at int, raws *rawCharacters) int {
	for i := 0; i < len(s); i++ {
		if p.utf8 {
			if i += text.Plain(s[i:], '\\'); i == len(s) {
				break
			}
		}
		switch c := s[i]; {
		case c == '\\':
			return i
		case c < ' ':
			raws.note(s, i, at)
		case c >= utf8.RuneSelf && !p.utf8:
			r, size := utf8.DecodeRuneInString(s[i:])
			if r == utf8.RuneError && size <= 1 && !continues(s, i) {
				p.report(diag.JSONInvalidUTF8, text.Span{Start: at + i, End: at + i + 1}, nil, "the byte 0x%02X is not valid UTF-8", c)
			}
		}
	}
	return len(s)
}

// continues reports whether the byte at index i belongs to a character that began before i.
func continues(s string, i int) bool {
	for back := 1; back < utf8.UTFMax && back <= i; back++ {
		if _, size := utf8.DecodeRuneInString(s[i-back:]); size > back {
			return true
		}
	}
	return false
}

// rawCharacters counts the characters of a string that should be escaped. Each kind is reported once for each string,
// because a model that forgets to escape one character usually forgets to escape all characters of its kind.
type rawCharacters struct {
	newlines, controls, nuls int
	newline, control, nul    text.Span // the first character of each kind
	first                    byte      // the first control character
	others                   bool      // there is a control character other than tabs
	carriage                 bool      // a line ends with CR or CRLF
	continued                bool      // a line ends with a backslash
}

// note records the control character s[i]. The text s begins at the offset `at`.
func (r *rawCharacters) note(s string, i, at int) {
	span := text.Span{Start: at + i, End: at + i + 1}
	switch c := s[i]; c {
	case '\n', '\r':
		r.carriage = r.carriage || c == '\r'
		if c == '\n' && i > 0 && s[i-1] == '\r' {
			return
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
		r.others = r.others || c != '\t'
		if r.controls++; r.controls == 1 {
			r.control, r.first = span, c
		}
	}
}
