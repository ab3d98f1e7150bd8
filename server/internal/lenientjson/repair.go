package lenientjson

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A repair is certain where it cannot change what is written to a file, compared
// to any other reading that makes sense. That is not a property of one mistake
// alone: where it is in doubt what is text and what is structure, nothing in the
// document is certain, and what one string shows of its writer bears on the
// others. So no chain of certain repairs takes away the evidence that another one
// was none: what is in doubt at first stays an error until a person decides.

// evidence is what speaks against certainty, collected on the way.
type evidence struct {
	doubt         bool // a mistake in the structure has no certain repair
	foreignQuotes bool // a string has other quotes than JSON's
	lookAlikes    bool // there are typographic quotes or spaces for plain ones
	carriage      bool // a raw line break in a string is CR or CRLF
	newlines      int  // how many raw line breaks there are in strings
	badEnds       int  // mistakes in how arrays, objects and the block end
	brackets      bool // one of them is about brackets
	trailing      bool // there is a comma before a closing bracket
	equals        bool // another sign is in place of a colon
}

// textual are the mistakes inside strings, and those that leave no doubt where
// each value begins and ends.
var textual = map[diag.Code]bool{
	diag.JSONInvalidEscape: true, diag.JSONLoneSurrogate: true, diag.JSONRawNewline: true, diag.JSONControlCharacter: true,
	diag.JSONInvalidUTF8: true, diag.JSONDuplicateName: true,
}

// careless are the mistakes of a writer who may not escape what must be.
var careless = map[diag.Code]bool{
	diag.JSONInvalidEscape: true, diag.JSONRawNewline: true, diag.JSONControlCharacter: true, diag.JSONUnescapedQuote: true,
}

// weigh notes a mistake, told or not.
func (p *parser) weigh(code diag.Code, fixes []diag.Fix) {
	if !textual[code] && !slices.ContainsFunc(fixes, isCertain) {
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

func isCertain(f diag.Fix) bool { return f.Preferred }

// cutOff reports whether mistakes come together that a block has that was cut off
// and closed again somehow.
func (p *parser) cutOff() bool { return p.badEnds > 1 || p.brackets && p.trailing }

// judge takes certainty from repairs against which something speaks elsewhere.
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

// endsInCarriage reports whether the block's own lines end as those in its strings
// do: then that is how the block was sent, and says nothing of its content.
func (p *parser) endsInCarriage() bool {
	lines := strings.Count(p.src, "\r") + strings.Count(strings.ReplaceAll(p.src, "\r\n", ""), "\n")
	return !text.MixedEOL(p.src) && lines > p.newlines
}

// holdsMember reports whether a string has a member of ours in it, in other quotes
// than its own: where kinds of quotes are mixed, two that are lost make one string
// of two.
func (p *parser) holdsMember(n *Node) bool {
	for i := n.Span.Start + 1; i < n.Span.End; i++ {
		if c := p.src[i]; (c == '\'' || c == '"' || c == '`' || c >= utf8.RuneSelf) && p.memberAt(i, false) {
			return true
		}
	}
	return false
}

// onlyOffer takes certainty from the repairs of all errors with one of codes; of
// every error for nil.
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
		return careless[d.Code] && slices.ContainsFunc(d.Fixes, isCertain)
	})
}

// confirmed reports whether src with all certain repairs made says what was
// understood without them.
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
	return says(again.document(), root)
}

// withoutRemoved leaves out edits of what another one removes.
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

// says reports whether a has the values of b, wherever b was understood.
func says(a, b *Node) bool {
	if b.Kind == Invalid {
		return true
	}
	if a.Kind != b.Kind || !sameText(a.Text, b.Text) || len(a.Elems) != len(b.Elems) {
		return false
	}
	for i := range a.Elems {
		if !says(a.Elems[i], b.Elems[i]) {
			return false
		}
	}
	return sayMembers(a.Members, b.Members)
}

// sameText compares without line endings: those of the block are not its content's.
func sameText(a, b string) bool {
	return a == b || text.WithEOL(a, text.LF) == text.WithEOL(b, text.LF)
}

// sayMembers is says for members. One that b has twice may be missing.
func sayMembers(a, b []Member) bool {
	for i, m := range b {
		if len(a) > 0 && a[0].Key.Text == m.Key.Text && says(a[0].Value, m.Value) {
			a = a[1:]
			continue
		}
		if !slices.ContainsFunc(b[:i], func(o Member) bool { return o.Key.Text == m.Key.Text }) {
			return false
		}
	}
	return len(a) == 0
}

// alike reports whether two values are the same, and were understood.
func alike(a, b *Node) bool {
	if a.Kind == Invalid || a.Kind != b.Kind || a.Text != b.Text || len(a.Elems) != len(b.Elems) || len(a.Members) != len(b.Members) {
		return false
	}
	for i := range a.Elems {
		if !alike(a.Elems[i], b.Elems[i]) {
			return false
		}
	}
	for i := range a.Members {
		if a.Members[i].Key.Text != b.Members[i].Key.Text || !alike(a.Members[i].Value, b.Members[i].Value) {
			return false
		}
	}
	return true
}

func remove(start, end int) text.Edit { return text.Edit{Span: text.Span{Start: start, End: end}} }

func insert(at int, s string) text.Edit {
	return text.Edit{Span: text.Span{Start: at, End: at}, New: s}
}

func offer(certain bool, title string, edits ...text.Edit) []diag.Fix {
	return []diag.Fix{{Title: title, Edits: edits, Preferred: certain}}
}

func certainly(title string, edits ...text.Edit) []diag.Fix { return offer(true, title, edits...) }

// insertComma is certain between objects, and before a member of ours after white space:
// where no white space is left, more than the comma may be lost.
func (p *parser) insertComma(n *Node, at int) []diag.Fix {
	certain := p.pos > at && p.memberAt(p.pos, true)
	if n.Kind == Array {
		certain = p.at('{') && len(n.Elems) > 0 && n.Elems[len(n.Elems)-1].Kind == Object
	}
	return offer(p.names != nil && certain, "Insert `,`", insert(at, ","))
}

// writesColon reports whether a sign can only be meant for the colon between a name and
// a value: one of ours, and no part of the text before it. Text with quotes that were not
// escaped could be that, but not where it is marked by the same sign.
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

// insertColon is certain between a name of ours and a value with white space between them.
func (p *parser) insertColon(key *Node) []diag.Fix {
	if p.at(',') || p.at('}') || p.at(']') {
		return nil
	}
	value := p.pos > key.Span.End && (p.at('"') || p.at('[') || p.at('{'))
	return offer(value && p.known(key.Text), "Insert `:`", insert(key.Span.End, ":"))
}

// removeComment is certain for a comment that says nothing of what is missing,
// and in which nothing is hidden. Right after a string, it may be more of that.
func (p *parser) removeComment(comment string) []diag.Fix {
	end := p.pos + len(comment)
	ends := strings.HasSuffix(comment, "*/") && len(comment) >= len("/**/")
	if !strings.HasPrefix(comment, "/*") {
		ends = end < len(p.src) // a line break follows
	}
	behindString := p.pos > 0 && (p.src[p.pos-1] >= utf8.RuneSelf || strings.IndexByte("\"'`", p.src[p.pos-1]) >= 0)
	return offer(ends && !behindString && p.idle(comment), "Remove the comment `"+oneLine(comment)+"`", remove(p.pos, end))
}

// removeProse is certain for the same.
func (p *parser) removeProse(start, end int) []diag.Fix {
	prose := p.src[start:end]
	return offer(p.idle(prose), "Remove the text `"+oneLine(prose)+"`", remove(start, end))
}

// removeSurplus removes brackets after the value, where nothing else is.
func (p *parser) removeSurplus() []diag.Fix {
	end := len(strings.TrimRight(p.src, " \t\r\n"))
	if surplus := p.src[p.pos:end]; strings.Trim(surplus, "]} \t\r\n") == "" {
		return offer(p.names != nil, "Remove `"+oneLine(surplus)+"`", remove(p.pos, end))
	}
	return nil
}

// oneLine is s for a title.
func oneLine(s string) string { return cut(strings.Join(strings.Fields(cut(s)), " ")) }

// idle reports whether a comment or prose says nothing that matters: no part of an
// edit, and no word of something left out.
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

// unescapeAll takes a level of escapes off the whole source, where that makes
// JSON of it.
func (p *parser) unescapeAll() []diag.Fix {
	if strings.Contains(strings.ReplaceAll(p.src, `\"`, ""), `"`) {
		return nil
	}
	inner := newParser(`"`+p.src+`"`, nil)
	value := inner.string(false)
	if slices.ContainsFunc(inner.diags, func(d diag.Diagnostic) bool { return d.Code != diag.JSONRawNewline }) {
		return nil
	}
	return offer(false, "Take a level of escapes off: `"+oneLine(value.Text)+"`", text.Edit{Span: text.Span{End: len(p.src)}, New: value.Text})
}
