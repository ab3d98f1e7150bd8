package lenientjson

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A repair is certain if every other sensible reading of the block writes the same files. All mistakes in the block
// together decide this. If the boundary between text and structure is in doubt, no repair is certain. If one string
// shows how its writer escapes characters, this affects the repairs of the other strings. Making one certain repair
// must never hide the reason why another repair is uncertain: a mistake that is in doubt at first remains an error
// until a person decides.

// evidence has the facts that make repairs uncertain.
type evidence struct {
	doubt         bool // a mistake in the structure has no certain repair
	foreignQuotes bool // a string is not in double quotes
	lookAlikes    bool // typographic quotes or spaces are written instead of plain ones
	carriage      bool // a raw line break in a string is CR or CRLF
	newlines      int  // number of raw line breaks in strings
	badEnds       int  // number of mistakes at the end of arrays, objects and the block
	brackets      bool // badEnds counts a mistake about brackets
	trailing      bool // a comma precedes a closing bracket
	equals        bool // an operator such as `=` stands where a colon belongs
}

// textual lists the mistakes that leave no doubt about the beginning and the end of each value.
// Most of them are inside strings.
var textual = map[diag.Code]bool{
	diag.JSONInvalidEscape: true, diag.JSONLoneSurrogate: true, diag.JSONRawNewline: true, diag.JSONControlCharacter: true,
	diag.JSONInvalidUTF8: true, diag.JSONDuplicateName: true,
}

// careless lists the mistakes of models that may forget to escape characters.
var careless = map[diag.Code]bool{
	diag.JSONInvalidEscape: true, diag.JSONRawNewline: true, diag.JSONControlCharacter: true, diag.JSONUnescapedQuote: true,
}

// weigh records a mistake in the evidence, even if the mistake is not reported.
func (p *parser) weigh(code diag.Code, fixes []diag.Fix) {
	if _, certain := diag.Certain(fixes); !textual[code] && !certain {
		p.doubt = true
	}
	switch code {
	case diag.JSONUnclosed, diag.JSONMismatchedBracket:
		p.brackets = true
		p.badEnds++
	case diag.JSONTextAfter:
		p.badEnds++
	case diag.JSONTrailingComma:
		p.trailing = true
	}
}

// cutOff reports whether the mistakes together suggest that the block was cut off, and that something was added
// afterwards to close it.
func (p *parser) cutOff() bool { return p.badEnds > 1 || p.brackets && p.trailing }

// judge makes repairs uncertain if the evidence is against them.
func (p *parser) judge(root *Node) {
	if p.doubt || p.cutOff() || p.lookAlikes && anyString(root, hasLookAlikes) || p.foreignQuotes && anyString(root, p.holdsMember) {
		p.onlyOffer(nil)
		return
	}
	if p.carriage && (!p.endsInCarriage() || anyString(root, escapesCarriage)) {
		p.onlyOffer(map[diag.Code]bool{diag.JSONRawNewline: true})
	}
	if p.isCareless() && (anyString(root, suspect) || anyString(root, doubled)) {
		p.onlyOffer(careless)
	}
	if anyString(root, suspect) {
		p.onlyOffer(map[diag.Code]bool{diag.JSONWrongQuotes: true})
	}
	if !p.confirmed(root) {
		p.onlyOffer(nil)
	}
}

// endsInCarriage reports whether the lines of the block end like the raw line breaks in its strings. If so, a program
// may have converted all line endings, so the content may have had other endings.
func (p *parser) endsInCarriage() bool {
	lines := strings.Count(p.src, "\r") + strings.Count(strings.ReplaceAll(p.src, "\r\n", ""), "\n")
	return !text.MixedEOL(p.src) && lines > p.newlines
}

// holdsMember reports whether a string contains the name of a known member in a different kind
// of quotes. If a model mixes the kinds of quotes and two quotes are lost, two strings become
// one.
func (p *parser) holdsMember(n *Node) bool {
	for i := n.Span.Start + 1; i < n.Span.End; i++ {
		if c := p.src[i]; (c == '\'' || c == '"' || c == '`' || c >= utf8.RuneSelf) && p.memberAt(i, false) {
			return true
		}
	}
	return false
}

// onlyOffer makes the repairs of all errors with these codes uncertain, or of all errors if `codes` is nil.
func (p *parser) onlyOffer(codes map[diag.Code]bool) {
	for _, d := range p.diags {
		if d.Severity != diag.Error || codes != nil && !codes[d.Code] {
			continue
		}
		for i := range d.Fixes {
			d.Fixes[i].Preferred = false
		}
	}
}

func (p *parser) isCareless() bool {
	return slices.ContainsFunc(p.diags, func(d diag.Diagnostic) bool {
		_, certain := diag.Certain(d.Fixes)
		return careless[d.Code] && certain
	})
}

// confirmed reports whether making all certain repairs together leaves the values that could be read unchanged.
func (p *parser) confirmed(root *Node) bool {
	var edits []text.Edit
	for _, d := range p.diags {
		for _, f := range d.Fixes {
			if f.Preferred {
				edits = append(edits, f.Edits...)
			}
		}
	}
	if len(edits) == 0 {
		return true
	}
	repaired, err := text.Apply(p.src, withoutRemoved(edits))
	if err != nil {
		return false
	}
	again := newParser(repaired, p.names)
	return hasValuesOf(again.document(), root)
}

func withoutRemoved(edits []text.Edit) []text.Edit {
	var removed []text.Span
	for _, e := range edits {
		if e.New == "" {
			removed = append(removed, e.Span)
		}
	}
	return slices.DeleteFunc(edits, func(e text.Edit) bool {
		return slices.ContainsFunc(removed, func(s text.Span) bool { return s != e.Span && s.Contains(e.Span) && !e.Span.Empty() })
	})
}

// hasValuesOf reports whether node a has all values of node b that could be read.
func hasValuesOf(a, b *Node) bool {
	if b.Kind == Invalid {
		return true
	}
	if a.Kind != b.Kind || !sameText(a.Text, b.Text) || len(a.Elems) != len(b.Elems) {
		return false
	}
	for i := range a.Elems {
		if !hasValuesOf(a.Elems[i], b.Elems[i]) {
			return false
		}
	}
	return hasMembersOf(a.Members, b.Members)
}

// sameText reports whether two texts are equal apart from their line endings, which a repair may change.
func sameText(a, b string) bool {
	return a == b || text.WithEOL(a, text.LF) == text.WithEOL(b, text.LF)
}

// hasMembersOf is like [hasValuesOf], for members. If b has two members with the same name, a may lack the later one.
func hasMembersOf(a, b []Member) bool {
	for i, m := range b {
		if len(a) > 0 && a[0].Key.Text == m.Key.Text && hasValuesOf(a[0].Value, m.Value) {
			a = a[1:]
			continue
		}
		if !slices.ContainsFunc(b[:i], func(o Member) bool { return o.Key.Text == m.Key.Text }) {
			return false
		}
	}
	return len(a) == 0
}

func alike(a, b *Node) bool { return a.Kind != Invalid && hasValuesOf(a, b) && hasValuesOf(b, a) }

func remove(start, end int) text.Edit { return text.Edit{Span: text.Span{Start: start, End: end}} }

func offer(certain bool, title string, edits ...text.Edit) []diag.Fix {
	return []diag.Fix{{Title: title, Edits: edits, Preferred: certain}}
}

func certainly(title string, edits ...text.Edit) []diag.Fix { return offer(true, title, edits...) }

// insertComma returns the repair that inserts a comma. The repair is certain between two objects of a list, and
// between white space and a known member. Without white space, more than the comma may have been lost.
func (p *parser) insertComma(n *Node, at int) []diag.Fix {
	certain := p.pos > at && p.memberAt(p.pos, true)
	if n.Kind == Array {
		certain = p.at('{') && len(n.Elems) > 0 && n.Elems[len(n.Elems)-1].Kind == Object
	}
	return offer(p.names != nil && certain, "Insert `,`", text.Insertion(at, ","))
}

// writesColon reports whether the operator between a known name and a value can only stand for a colon. After a member
// with free text, the name and the operator may belong to that text, unless that member has the same operator.
func (p *parser) writesColon(n *Node, key *Node, sign string) bool {
	if !p.known(key.Text) || p.eof() || strings.IndexByte(",:=>}]", p.src[p.pos]) >= 0 {
		return false
	}
	if len(n.Members) == 0 {
		return true
	}
	last := n.Members[len(n.Members)-1]
	return last.sign == sign || last.Value.Kind != String || !p.names[last.Key.Text]
}

// insertColon returns the repair that inserts a colon. The repair is certain between a known name
// and a value with white space between them.
func (p *parser) insertColon(key *Node) []diag.Fix {
	if p.at(',') || p.at('}') || p.at(']') {
		return nil
	}
	value := p.pos > key.Span.End && (p.at('"') || p.at('[') || p.at('{'))
	return offer(value && p.known(key.Text), "Insert `:`", text.Insertion(key.Span.End, ":"))
}

// removeComment returns the repair that removes a comment. The repair is certain if the comment neither mentions
// missing text nor contains a part of an edit, and does not directly follow a string, because it may be part of that
// string.
func (p *parser) removeComment(comment string) []diag.Fix {
	end := p.pos + len(comment)
	ends := strings.HasSuffix(comment, "*/") && len(comment) >= len("/**/")
	if !strings.HasPrefix(comment, "/*") {
		ends = end < len(p.src) // true if a line break follows the comment
	}
	behindString := p.pos > 0 && (p.src[p.pos-1] >= utf8.RuneSelf || strings.IndexByte("\"'`", p.src[p.pos-1]) >= 0)
	return offer(ends && !behindString && p.idle(comment), "Remove the comment `"+oneLine(comment)+"`", remove(p.pos, end))
}

// removeProse returns the repair that removes prose. The repair is certain if the prose neither mentions missing text
// nor contains a part of an edit.
func (p *parser) removeProse(start, end int) []diag.Fix {
	prose := p.src[start:end]
	return offer(p.idle(prose), "Remove the text `"+oneLine(prose)+"`", remove(start, end))
}

// removeSurplus returns the repair that removes brackets after the value, if nothing follows these
// brackets.
func (p *parser) removeSurplus() []diag.Fix {
	end := len(strings.TrimRight(p.src, " \t\r\n"))
	if surplus := p.src[p.pos:end]; strings.Trim(surplus, "]} \t\r\n") == "" {
		return offer(p.names != nil, "Remove `"+oneLine(surplus)+"`", remove(p.pos, end))
	}
	return nil
}

func oneLine(s string) string {
	return text.Short(strings.Join(strings.Fields(text.Short(s)), " "))
}

// idle reports whether a comment or prose is irrelevant: it contains no part of an edit and no word that suggests
// omitted text.
func (p *parser) idle(s string) bool {
	if p.names == nil || strings.ContainsAny(s, "{}[]\"`“”„«»‘") || strings.HasPrefix(s, ",") || singleQuotes(s) > 0 {
		return false
	}
	lower := strings.ToLower(s)
	for _, word := range []string{"...", "…", "rest", "remain", "existing", "unchanged", "omit", "truncat", "etc", "same", "more", "other", "abbreviat", "continu", "skip", "cut"} {
		if strings.Contains(lower, word) {
			return false
		}
	}
	for name := range p.names {
		for rest := lower; ; {
			_, behind, found := strings.Cut(rest, strings.ToLower(name))
			if !found {
				break
			}
			if strings.HasPrefix(strings.TrimLeft(behind, "'`”’\\ \t"), ":") {
				return false
			}
			rest = behind
		}
	}
	return true
}

// unescapeAll returns the repair that removes one level of escapes from the whole source, if the
// result is JSON.
func (p *parser) unescapeAll() []diag.Fix {
	if strings.Contains(strings.ReplaceAll(p.src, `\"`, ""), `"`) {
		return nil
	}
	inner := newParser(`"`+p.src+`"`, nil)
	value := inner.string(false)
	if slices.ContainsFunc(inner.diags, func(d diag.Diagnostic) bool { return d.Code != diag.JSONRawNewline }) {
		return nil
	}
	return offer(false, "Remove one level of escapes: `"+oneLine(value.Text)+"`", text.Edit{Span: text.Span{End: len(p.src)}, New: value.Text})
}
