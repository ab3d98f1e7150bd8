package lenientjson

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// Limits of the reader. If one is exceeded, the reader stops with a diagnostic.
const (
	maxDepth  = 10_000
	maxValues = 1 << 21
)

// MaxDiagnostics limits the number of diagnostics. Further diagnostics are dropped without notice.
const MaxDiagnostics = 100

// Names has the names of the members that a format expects. The value is true for a member with free text. A string
// with stray quotes ends where a member with one of these names begins.
type Names map[string]bool

// Parse reads `src` as one JSON value. The node is never nil. If no diagnostic is an error, `src` is valid according to
// RFC 8259, with unique names and without lone surrogates. Parse always takes time linear in the length of `src`.
//
// Diagnostics come with repairs. Most of the repairs can be certain only if the names of the members are known (see
// [ParseAs]).
func Parse(src string) (*Node, []diag.Diagnostic) { return ParseAs(src, nil) }

// ParseAs is like [Parse], for a reader that expects members with the given names. A repair is certain if no other
// reading of src makes sense (see repair.go).
func ParseAs(src string, names Names) (*Node, []diag.Diagnostic) {
	p := newParser(src, names)
	root := p.document()
	if diag.HasErrors(p.diags) {
		p.judge(root)
	}
	diag.Sort(p.diags)
	return root, p.diags
}

type parser struct {
	src   string
	names Names // nil if no names are known
	pos   int
	utf8  bool // src is valid UTF-8
	diags []diag.Diagnostic
	evidence

	key      string // name of the member whose value is being read; "" for an element of an array
	open     []byte // the open brackets, outermost first
	braces   int    // number of braces in open
	values   int
	unused   []Node // nodes that were allocated together and are not used yet
	literals bool   // a search for the end of a string reached the end of src, so from now on any quote ends its string

	untripled bool // three quotes opened a string that never ends, so triple quotes are ignored from now on
}

func newParser(src string, names Names) *parser {
	return &parser{src: src, names: names, utf8: utf8.ValidString(src)}
}

func (p *parser) document() *Node {
	if strings.HasPrefix(p.src, "\ufeff") {
		p.pos = len("\ufeff")
		p.report(diag.JSONBOM, text.Span{Start: 0, End: p.pos}, certainly("Remove the byte order mark", remove(0, p.pos)),
			"the JSON begins with a byte order mark, which is skipped")
	}
	p.space()
	p.textBefore()
	if p.eof() {
		if !diag.HasErrors(p.diags) {
			p.report(diag.JSONEmpty, text.Span{Start: p.pos, End: p.pos}, nil, "the block is empty; a JSON value is expected")
		}
		return p.node(Invalid, p.pos, p.pos)
	}
	root := p.value()
	p.textAfter()
	return root
}

func (p *parser) textBefore() {
	if p.eof() || strings.IndexByte("{[\"-0123456789\\", p.src[p.pos]) >= 0 {
		return
	}
	rest := p.src[p.pos:]
	i := strings.IndexAny(rest, "{[")
	if i <= 0 {
		return
	}
	prose := text.Span{Start: p.pos, End: p.pos + len(strings.TrimRight(rest[:i], " \t\r\n"))}
	p.report(diag.JSONTextBefore, prose, p.removeProse(prose.Start, p.pos+i), "there is text before the JSON; the block must hold only JSON")
	p.pos += i
}

func (p *parser) textAfter() {
	p.space()
	if p.eof() {
		return
	}
	line := p.restOfLine()
	switch p.src[p.pos] {
	case '}', ']':
		p.report(diag.JSONMismatchedBracket, text.Span{Start: p.pos, End: p.pos + 1}, p.removeSurplus(), "`%c` closes nothing: the JSON has already ended", p.src[p.pos])
	case '{', '[':
		p.report(diag.JSONTextAfter, line, nil, "a second value follows the JSON; a block must hold exactly one")
	default:
		p.report(diag.JSONTextAfter, line, p.removeProse(p.pos, len(strings.TrimRight(p.src, " \t\r\n"))), "there is text after the JSON; the block must hold only JSON")
	}
}

// value reads the value at pos. It always advances, unless a bracket or a comma is in place of the
// value.
func (p *parser) value() *Node {
	if p.values++; p.values > maxValues {
		p.stop(diag.JSONTooLarge, "the JSON has more than %d values; no edit needs that many", maxValues)
		return p.node(Invalid, p.pos, p.pos)
	}
	c := p.src[p.pos]
	switch {
	case c == '"':
		return p.string(false)
	case c == '{' || c == '[':
		return p.container()
	case c == '-' || c == '+' || c == '.' || isDigit(c):
		return p.number()
	case IsWord(c):
		return p.word()
	case p.quote().opening != "":
		return p.string(false)
	}
	return p.junk()
}

// report adds a diagnostic with its repairs, unless there are MaxDiagnostics already.
func (p *parser) report(code diag.Code, span text.Span, fixes []diag.Fix, format string, args ...any) {
	p.weigh(code, fixes)
	if len(p.diags) < MaxDiagnostics {
		p.diags = append(p.diags, diag.New(code, span, fmt.Sprintf(format, args...), fixes...))
	}
}

func (p *parser) related(span text.Span, message string) {
	if len(p.diags) < MaxDiagnostics {
		d := &p.diags[len(p.diags)-1]
		d.Related = append(d.Related, diag.Related{Span: span, Message: message})
	}
}

func (p *parser) stop(code diag.Code, format string, args ...any) {
	p.report(code, text.Span{Start: p.pos, End: min(p.pos+1, len(p.src))}, nil, format, args...)
	p.pos = len(p.src)
	p.open = nil // no bracket is still open, so none is reported as unclosed
}

func (p *parser) eof() bool { return p.pos >= len(p.src) }

func (p *parser) at(c byte) bool { return p.pos < len(p.src) && p.src[p.pos] == c }

func (p *parser) restOfLine() text.Span {
	end, _ := text.LineEnd(p.src, p.pos)
	return text.Span{Start: p.pos, End: p.pos + len(strings.TrimRight(p.src[p.pos:end], " \t"))}
}

// node returns a new node. It allocates many nodes at a time, because a large block has a node for every few bytes.
func (p *parser) node(kind Kind, start, end int) *Node {
	if len(p.unused) == 0 {
		p.unused = make([]Node, min(16+p.values, 4096))
	}
	n := &p.unused[0]
	p.unused = p.unused[1:]
	n.Kind, n.Span = kind, text.Span{Start: start, End: end}
	return n
}
