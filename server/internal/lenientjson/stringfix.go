package lenientjson

import (
	"fmt"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// If a string has an unescaped character, it may be text that was pasted without escaping, or with only its quotes
// escaped. In pasted text, a backslash does not begin an escape: "\n" in `say('a\n')` is two characters. Therefore a
// repair is certain only if all escapes in the string are escaped quotes that come in pairs. If some quotes are not
// escaped, there must be no escapes at all (see plainly). If the string shows that it escapes line breaks, repairs of
// unescaped quotes and tabs are certain, too, unless one of the escapes could be code (see lined). For the other
// strings of the block, see suspect.

// plainly reports whether the string can be read in only one way.
func (s *written) plainly() bool {
	return s.closer > 0 && !s.escaped && s.quoted%2 == 0 && (s.quotes == 0 || s.quoted == 0)
}

// lined reports whether a string of several lines escapes its line breaks, and none of its escapes
// can mean anything else.
func (s *written) lined() bool {
	return s.closer > 0 && s.breaks && !s.codes && s.quoted%2 == 0 && (s.quotes == 0 || s.quoted == 0) &&
		s.raws.newlines == 0 && len(s.invalid) == 0 && !suspect(s.node)
}

func (p *parser) reportString(s *written) {
	opening := text.Span{Start: s.node.Span.Start, End: s.node.Span.Start + len(s.delim.opening)}
	if s.delim.opening != `"` {
		p.foreignQuotes = true
		p.lookAlikes = p.lookAlikes || len(s.delim.opening) > 1
		p.report(diag.JSONWrongQuotes, opening, p.useDoubleQuotes(s), "this string is in %s quotes; JSON allows only double quotes", s.delim.opening)
	} else if s.quotes > 0 {
		p.report(diag.JSONUnescapedQuote, text.Span{Start: s.quote, End: s.quote + 1}, p.escapeQuotes(s),
			"a double quote is not escaped%s, so the string seems to end here; write the quote as \\\"", others(s.quotes))
	}
	if s.closer == 0 {
		p.report(diag.JSONUnterminatedString, opening, p.closeString(s), "this string has no closing quote")
		if p.eof() {
			p.open = nil // the text ends in this string, and open brackets are not reported
		}
	}
	p.reportEscapes(s)
	p.reportRaws(s)
}

// others returns the end of a message about the first of n places in a string: the number of places, or "" if there is
// only one.
func others(n int) string {
	if n > 1 {
		return fmt.Sprintf(" (the first of %d in this string)", n)
	}
	return ""
}

// useDoubleQuotes returns the repair that writes JSON's quotes. The repair is certain if the string ends at the first
// delimiter that could end it, and a known member or the end of the block follows.
func (p *parser) useDoubleQuotes(s *written) []diag.Fix {
	if s.closer == 0 {
		return nil
	}
	n, l := s.node, s.node.literal
	certain := p.known(n.Text)
	if !s.name {
		certain = s.quotes == 0 && p.structural(n.Span.End) && !s.pastedInside() && (!s.delim.triple || s.tripledPlainly(p.src[n.Span.End:]))
	}
	edits := []text.Edit{
		{Span: text.Span{Start: n.Span.Start, End: l.start}, New: `"`},
		{Span: text.Span{Start: s.end, End: n.Span.End}, New: `"`},
	}
	edits = append(edits, l.edits(func(at int) (size int, written string) {
		switch {
		case l.raw[at] == '"':
			return 1, `\"`
		case l.raw[at] == '\\' && l.quote != 0 && at+1 < len(l.raw) && l.raw[at+1] == l.quote:
			return 2, string(l.quote)
		}
		return 0, ""
	})...)
	return offer(certain, "Use double quotes: "+Quote(text.Short(n.Text)), edits...)
}

// tripledPlainly reports whether the value of a string in Python's triple quotes is certainly the text between them. It
// returns false in these cases:
//
//   - A line break follows the opening quotes, or an indentation precedes the closing quotes: both may be layout.
//   - The string has an escaped quote: it may be code, because quotes need no escape between triple quotes.
//   - Neither a comma nor a bracket follows the closing quotes, so the string may not end there.
func (s *written) tripledPlainly(behind string) bool {
	raw := s.node.literal.raw
	quote := s.delim.opening[:1]
	last := raw[strings.LastIndexAny(raw, "\r\n")+1:]
	laidOut := strings.TrimLeft(raw, "\r\n") != raw || last != "" && strings.Trim(last, " \t") == ""
	behind = strings.TrimLeft(behind, " \t\r\n")
	ends := behind == "" || strings.IndexByte(",}]", behind[0]) >= 0
	return ends && !laidOut && !strings.HasPrefix(raw, quote) && !strings.HasSuffix(raw, quote) && (s.plainly() && s.quoted == 0 || s.lined())
}

// pastedInside reports whether a string that is not in double quotes may be pasted code. If so, its escapes belong to
// the code.
func (s *written) pastedInside() bool {
	if s.delim.opening == "`" {
		return s.escaped || s.quoted > 0
	}
	raw := strings.ReplaceAll(s.node.literal.raw, `\\`, "")
	bare := strings.ReplaceAll(raw, `\"`, "")
	return len(bare) < len(raw) && strings.Contains(bare, `"`)
}

// escapeQuotes returns the repair that escapes stray quotes. The repair is certain for free text if the quotes come in
// pairs, none of them could end the string, and a known member follows. Three or more quotes at the end may be Python's
// triple quotes, even if the string begins with a different kind of quotes.
func (p *parser) escapeQuotes(s *written) []diag.Fix {
	l := s.node.literal
	tripled := strings.HasSuffix(l.raw, `""`)
	certain := !tripled && !s.name && p.names[p.key] && (s.plainly() || s.lined()) && !s.doubtful && s.quotes%2 == 0 && p.structural(s.node.Span.End)
	edits := l.edits(func(at int) (size int, written string) {
		if l.raw[at] == '"' {
			return 1, `\"`
		}
		return 0, ""
	})
	return offer(certain, "Escape the quotes: `"+preview(s.node.Text, strings.IndexByte(s.node.Text, '"'))+"`", edits...)
}

// closeString returns the repair that closes the string at the end of the line on which it
// begins.
func (p *parser) closeString(s *written) []diag.Fix {
	if p.eof() || s.delim.opening != `"` {
		return nil
	}
	body := strings.TrimRight(s.node.literal.raw, " \t,")
	at := s.node.literal.start + len(body)
	return offer(false, "Close the string: "+Quote(text.Short(body)), text.Insertion(at, `"`))
}

func (p *parser) reportEscapes(s *written) {
	l := s.node.literal
	for _, at := range s.invalid {
		e := readEscape(l.raw[at:], l.quote)
		here := l.raw[at : at+e.size]
		p.report(e.code, text.Span{Start: l.start + at, End: l.start + at + e.size}, p.fixEscape(s, at, here), "%s", e.problem(here))
	}
}

// fixEscape returns the repair that doubles a backslash. The repair is certain before a letter that forms an escape
// only in regular expressions. Before any other character, the backslash may be superfluous, or may begin an escape of
// another language.
func (p *parser) fixEscape(s *written, at int, here string) []diag.Fix {
	const pattern = "ABCDEFGHIJKLMNOPQRSTVWXYZcdghijklmopqswyz123456789"
	start := s.node.literal.start + at
	if len(here) == 1 { // the backslash is at the end of a line
		end := start + 1 + lineBreak(p.src[start+1:])
		return append(offer(false, "Join the lines", remove(start, end)),
			offer(false, `Write \\\n`, text.Edit{Span: text.Span{Start: start, End: end}, New: `\\\n`})...)
	}
	if strings.IndexByte(pattern, here[1]) >= 0 {
		return offer(p.names != nil && s.plainly(), `Write \`+here, text.Insertion(start, `\`))
	}
	double := offer(false, `Write \`+here, text.Insertion(start, `\`))
	if here[1] < 0x80 && IsWord(here[1]) && here[1] != '$' {
		return double
	}
	return append(double, offer(false, "Write "+here[1:], remove(start, start+1))...)
}

func lineBreak(s string) int {
	if strings.HasPrefix(s, "\r\n") {
		return 2
	}
	return min(len(s), 1)
}

func (p *parser) reportRaws(s *written) {
	r, l := &s.raws, s.node.literal
	if r.newlines > 0 {
		certain := p.names != nil && s.plainly() && !r.continued
		p.carriage, p.newlines = p.carriage || r.carriage, p.newlines+r.newlines
		p.report(diag.JSONRawNewline, r.newline, offer(certain, `Write \n: `+shownAt(s.node, r.newline.Start), l.edits(rawNewlines(l.raw))...),
			"the string has a raw line break%s; write it as \\n", others(r.newlines))
	}
	if r.controls > 0 {
		certain := p.names != nil && !r.others && (s.plainly() || s.lined())
		escape := escaped(r.first)
		p.report(diag.JSONControlCharacter, r.control, offer(certain, "Write "+escape+": "+shownAt(s.node, r.control.Start), l.edits(rawControls(l.raw))...),
			"the string has the control character U+%04X%s; write it as %s", r.first, others(r.controls), escape)
	}
	if r.nuls > 0 {
		remove := l.edits(func(at int) (int, string) { return strings.Count(l.raw[at:at+1], "\x00"), "" })
		p.report(diag.JSONNUL, r.nul, offer(false, "Remove every NUL byte of the string", remove...), "the string has a NUL byte%s, which no text file contains", others(r.nuls))
	}
}

// rawNewlines returns a function for [literal.edits] that escapes consecutive raw line breaks.
func rawNewlines(raw string) func(at int) (int, string) {
	return func(at int) (int, string) {
		end, n := at, 0
		for end < len(raw) && (raw[end] == '\n' || raw[end] == '\r') {
			end += lineBreak(raw[end:])
			n++
		}
		return end - at, strings.Repeat(`\n`, n)
	}
}

func rawControls(raw string) func(at int) (int, string) {
	return func(at int) (int, string) {
		var b strings.Builder
		end := at
		for end < len(raw) && raw[end] < ' ' && strings.IndexByte("\n\r\x00", raw[end]) < 0 {
			b.WriteString(escaped(raw[end]))
			end++
		}
		return end - at, b.String()
	}
}

// edits calls `change` for each offset of raw. If `change` returns a size above 0, edits replaces that many bytes with
// `written`. Inside an escape, `change` is called only for the first byte. It is not called for a line break after a
// lone backslash, because the backslash and an `\n` would together form another escape.
func (l *literal) edits(change func(at int) (size int, written string)) []text.Edit {
	var edits []text.Edit
	for i := 0; i < len(l.raw); {
		size, written := change(i)
		if size > 0 {
			edits = append(edits, text.Edit{Span: text.Span{Start: l.start + i, End: l.start + i + size}, New: written})
			i += size
			continue
		}
		if l.raw[i] != '\\' {
			i++
			continue
		}
		e := readEscape(l.raw[i:], l.quote)
		if i += e.size; e.size == 1 {
			i += lineBreak(l.raw[i:])
		}
	}
	return edits
}

func shownAt(n *Node, at int) string {
	value := text.WithEOL(n.Text, text.LF)
	// An escape is longer than its value, so the position is not exact.
	from := min(max(at-n.Span.Start-1, 0), len(value))
	return "`" + preview(value, from) + "`"
}

func preview(s string, at int) string {
	from := max(0, at-12)
	for from > 0 && s[from]&0xC0 == 0x80 {
		from--
	}
	shown := strings.Trim(Quote(text.Short(s[from:])), `"`)
	if from > 0 {
		return "…" + shown
	}
	return shown
}
