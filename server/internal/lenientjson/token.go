package lenientjson

import (
	"encoding/json"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// space skips white space. It reports comments and characters that JSON does not allow as white
// space.
func (p *parser) space() {
	for !p.eof() {
		switch c := p.src[p.pos]; {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			p.pos++
		case c == '/' || c == '#':
			if !p.comment() {
				return
			}
		case c >= utf8.RuneSelf || c == '\v' || c == '\f':
			if !p.foreignBlank() {
				return
			}
		default:
			return
		}
	}
}

func (p *parser) comment() bool {
	end := commentAt(p.src[p.pos:])
	if end == 0 {
		return false
	}
	p.report(diag.JSONComment, text.Span{Start: p.pos, End: p.pos + end}, p.removeComment(p.src[p.pos:p.pos+end]), "JSON has no comments; remove this one")
	p.pos += end
	return true
}

func commentAt(s string) int {
	switch {
	case strings.HasPrefix(s, "/*"):
		if i := strings.Index(s[2:], "*/"); i >= 0 {
			return i + 4
		}
		return len(s)
	case strings.HasPrefix(s, "//") || strings.HasPrefix(s, "#"):
		end, _ := text.LineEnd(s, 0)
		return end
	}
	return 0
}

func (p *parser) foreignBlank() bool {
	start := p.pos
	first, size := utf8.DecodeRuneInString(p.src[start:])
	count := 0
	for r := first; looksBlank(r); r, size = utf8.DecodeRuneInString(p.src[p.pos:]) {
		p.pos += size
		count++
	}
	if count == 0 {
		return false
	}
	p.lookAlikes = true
	span := text.Span{Start: start, End: p.pos}
	p.report(diag.JSONUnexpectedCharacter, span, offer(p.names != nil, "Use plain spaces", text.Edit{Span: span, New: strings.Repeat(" ", count)}),
		"U+%04X is not white space in JSON; use a plain space", first)
	return true
}

func looksBlank(r rune) bool {
	return r == '\ufeff' || r == '\u200b' || unicode.IsSpace(r) && !strings.ContainsRune(" \t\r\n", r)
}

// signAt returns the colon at the start of s, or the operator that other languages use instead. It returns "" if s
// begins with neither.
func signAt(s string) string {
	return text.Find([]string{":=", "::", ":", "=>", "==", "=", "->"}, func(sign string) bool { return strings.HasPrefix(s, sign) })
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// IsWord reports whether c can occur in a word or an unquoted name.
func IsWord(c byte) bool {
	return isDigit(c) || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_' || c == '$'
}

func (p *parser) number() *Node {
	start := p.pos
	for !p.eof() && (IsWord(p.src[p.pos]) || strings.IndexByte("+-.", p.src[p.pos]) >= 0) {
		p.pos++
	}
	n := p.node(Number, start, p.pos)
	n.Text = n.Span.In(p.src)
	if !json.Valid([]byte(n.Text)) { // text that begins like a number cannot be anything else
		n.Kind = Invalid
		p.report(diag.JSONBadNumber, n.Span, nil, "%s is not a valid JSON number", Quote(text.Short(n.Text)))
	}
	return n
}

// certainWords maps words of other languages to the words of JSON that they certainly mean.
var certainWords = map[string]string{
	"True": "true", "TRUE": "true", "False": "false", "FALSE": "false",
	"None": "null", "NULL": "null", "Null": "null", "nil": "null", "undefined": "null",
}

// possibleWords maps words to the words of JSON that they may mean. Each word may also mean something else.
var possibleWords = map[string]string{"none": "null", "nan": "null", "infinity": "null", "yes": "true", "no": "false"}

func (p *parser) word() *Node {
	start := p.pos
	for !p.eof() && IsWord(p.src[p.pos]) {
		p.pos++
	}
	n := p.node(Invalid, start, p.pos)
	n.Text = n.Span.In(p.src)
	switch n.Text {
	case "true", "false":
		n.Kind = Bool
		return n
	case "null":
		n.Kind = Null
		return n
	}
	right, certain := certainWords[n.Text], p.names != nil
	if right == "" {
		right, certain = possibleWords[strings.ToLower(n.Text)], false
	}
	if right != "" {
		p.report(diag.JSONBadLiteral, n.Span, offer(certain, "Write `"+right+"`", text.Edit{Span: n.Span, New: right}), "%s is not valid JSON; write %s", n.Text, right)
		if certain && right == "null" {
			n.Kind, n.Text = Null, right
		} else if certain {
			n.Kind, n.Text = Bool, right
		}
		return n
	}
	n.Span.End = p.skipJunk()
	written := n.Span.In(p.src)
	p.report(diag.JSONBadLiteral, n.Span, offer(false, "Write `"+Quote(text.Short(written))+"`", text.Edit{Span: n.Span, New: Quote(written)}), "%s is not a JSON value; a string needs double quotes", Quote(text.Short(written)))
	return n
}

func (p *parser) junk() *Node {
	start := p.pos
	r, size := utf8.DecodeRuneInString(p.src[start:])
	span := text.Span{Start: start, End: start + size}
	switch {
	case r == '\\':
		span.End = min(start+2, len(p.src))
		p.report(diag.JSONOverEscaped, span, p.unescapeAll(), "there is a backslash outside a string: the JSON was escaped once too often")
		p.pos, p.open = len(p.src), nil
		return p.node(Invalid, start, start)
	case r == 0:
		p.report(diag.JSONNUL, span, offer(false, "Remove the NUL byte", remove(span.Start, span.End)), "there is a NUL byte, which no text file contains")
	case r == utf8.RuneError && size == 1:
		p.report(diag.JSONInvalidUTF8, span, nil, "the byte 0x%02X is not valid UTF-8", p.src[start])
	default:
		p.report(diag.JSONUnexpectedCharacter, span, nil, "%q is not valid JSON here; remove it, or put it in a string", r)
	}
	p.pos += size
	return p.node(Invalid, start, p.skipJunk())
}

// skipJunk moves to the next byte at which JSON may continue: a bracket, a quote, a comma
// or the end of the line.
func (p *parser) skipJunk() int {
	rest := p.src[p.pos:]
	if i := strings.IndexAny(rest, "{}[],\"\r\n"); i >= 0 {
		rest = rest[:i]
	}
	p.pos += len(rest)
	return p.pos - len(rest) + len(strings.TrimRight(rest, " \t"))
}
