package ap

import (
	"fmt"
	"path"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/place"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A foreign is a line that looks like a directive but does not begin with the patch's ID.
type foreign struct {
	line, id text.Span // id includes any text before the ID
	after    text.Span // superfluous characters at the end of the line
}

// drift reports lines that look like directives but have another ID, so that they are text. Such a line is an error
// in three cases, and in any other value a warning, because a file that describes patches may have such lines:
//
//   - No text is allowed there.
//   - The ID looks like a mistake.
//   - A DELETE looks for the text, which counts as deleted if it is missing.
func (p *patch) drift(ds []directive) {
	if !known(ds) {
		p.allDrifted(p.foreign(text.Span{Start: p.start, End: p.stop}))
		return
	}
	for _, f := range p.foreign(text.Span{Start: p.start, End: ds[0].line.Start}) {
		p.drifted(f, true)
	}
	name, act := "", ""
	for i, d := range ds {
		if kinds[d.keyword] == action {
			act = d.keyword
		}
		v := trimmed(p.body[:p.stop], d.below)
		if d.keyword == kwFile && len(v.lines) > 0 {
			name = v.lines[0]
		}
		if d.keyword == kwEnd {
			break
		}
		isText := kinds[d.keyword] == keyValue && d.keyword != kwRename
		for _, f := range p.foreign(d.below) {
			slip := slipOf(strings.Trim(f.id.In(p.body), marks), p.id)
			switch {
			case isText && describes(name):
			case !isText, slip, d.keyword != kwContent && act == kwDelete:
				// A value below shows that the line begins a modification, even inside a content.
				begins := i+1 < len(ds) && kinds[ds[i+1].keyword] == keyValue
				p.drifted(f, !isText || slip && (d.keyword != kwContent || begins))
			default:
				p.report(diag.Diagnostic{Span: f.line, Severity: diag.Warning, Code: diag.APIDDrift, Fixes: []diag.Fix{p.rewrite(f)},
					Message: fmt.Sprintf("this line is a part of the %s: only lines that begin with %s are directives", d.keyword, p.id)})
			}
		}
	}
}

// allDrifted reports a patch in which no directive has the header's ID.
func (p *patch) allDrifted(lines []foreign) {
	if len(lines) == 0 {
		return
	}
	fix := certain("Write " + p.id + " throughout")
	for _, f := range lines {
		p.drifts = append(p.drifts, f.line)
		fix.Edits = append(fix.Edits, p.rewrite(f).Edits...)
	}
	p.fail(diag.APIDDrift, lines[0].line, fmt.Sprintf("the header's ID is %s, but no directive has this ID", p.id), fix)
}

// foreign returns the lines that look like directives but have another ID, or other characters before the patch's
// ID.
func (p *patch) foreign(span text.Span) []foreign {
	var found []foreign
	for line := range text.EachLine(span.In(p.body)) {
		line = line.Shift(span.Start)
		s := line.In(p.body)
		if strings.Contains(s, p.id) {
			if f, ok := p.own(line, s); ok {
				found = append(found, f)
				continue
			}
		}
		word := s[:wordEnd(s)]
		if !idLike(word) {
			// This test excludes most lines in a tenth of the time of the tests below.
			continue
		}
		if _, _, ok := directiveOf(s); ok || slipOf(word, p.id) && isAlone(s[len(word):]) {
			found = append(found, foreign{line: line, id: text.Span{Start: line.Start, End: line.Start + len(word)}})
		}
	}
	return found
}

// marks are the characters that may surround a directive that was copied from a page, or written in a list, a
// quotation, bold type or code.
const marks = " \t>*`+-\u00a0\u200b\ufeff"

// own reads a line that is a directive of the patch, apart from marks around it.
func (p *patch) own(line text.Span, s string) (foreign, bool) {
	start := len(s) - len(strings.TrimLeft(s, marks))
	n := start + len(p.id)
	switch {
	case strings.HasPrefix(s[start:], "["+p.id+"]"):
		n += 2
	case !strings.HasPrefix(s[start:], p.id):
		return foreign{}, false
	}
	end := len(strings.TrimRight(s, marks))
	if end < n || start == 0 && n == len(p.id) {
		return foreign{}, false
	}
	f := foreign{line: line, id: text.Span{Start: line.Start, End: line.Start + n}, after: text.Span{Start: line.Start + end, End: line.End}}
	return f, isAlone(s[n:end])
}

// isAlone reports whether the text after an ID is only a keyword with its arguments.
func isAlone(rest string) bool {
	words := strings.TrimLeft(rest, " \t\u00a0")
	if words == rest || words == "" {
		return false
	}
	keyword, n := meant(words)
	_, _, ok := directiveOf("x " + keyword + words[n:])
	return ok
}

// idLike reports whether a word may be a patch's ID. In prose, the word before a keyword hardly ever looks like one.
func idLike(s string) bool {
	s = strings.Trim(s, "[]")
	return len(s) >= 4 && strings.ContainsAny(s, "0123456789_") || len(s) == 8 && validID.MatchString(s)
}

func (p *patch) rewrite(f foreign) diag.Fix {
	edits := []text.Edit{{Span: text.Span{Start: f.line.Start, End: f.id.End}, New: p.id}}
	if !f.after.Empty() {
		edits = append(edits, remove(f.after))
	}
	return possible("Write "+p.id, edits...)
}

// drifted reports a line that was probably meant as a directive. If `sure` is false, the line may be superfluous
// text, so the fix is not certain.
func (p *patch) drifted(f foreign, sure bool) {
	p.drifts = append(p.drifts, f.line)
	message := fmt.Sprintf("the patch's ID is %s, but this line begins with %s, so it is not a directive", p.id, f.id.In(p.body))
	id := strings.Trim(f.id.In(p.body), marks)
	if id == p.id {
		message = fmt.Sprintf("a directive begins with %s in the first column, but this line has other characters before it", p.id)
	}
	fix := p.rewrite(f)
	fix.Preferred = sure && (validID.MatchString(id) || slipOf(id, p.id))
	p.fail(diag.APIDDrift, f.line, message, fix)
}

// describes reports whether a file may contain directives as text, because it is a patch or documentation.
func describes(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".ap", ".md", ".markdown", ".mdx":
		return true
	}
	return false
}

// slipOf reports whether an ID may be a misspelling of another one: at most two characters differ.
func slipOf(id, of string) bool {
	const most = 2
	longer := len(id) - len(of)
	return strings.EqualFold(id, of) || max(longer, -longer) <= most && place.Distance(id, of) <= most
}
