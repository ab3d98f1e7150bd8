package ap

import (
	"fmt"
	"path"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A foreign line is written as a directive and does not start with the patch's ID.
type foreign struct {
	line, id text.Span
	keyword  string
}

// drift tells of directives whose ID is not the header's. Only the header's ID
// makes a directive, so all of them are text. Where no text can be, or where a
// value that is needed is missing because of them, they are an error; in a value
// they are what they seem, and a warning asks where they look like a slip.
func (p *patch) drift(ds []directive) {
	if len(ds) == 0 {
		p.otherID()
		return
	}
	first := text.Span{Start: p.start, End: ds[0].line.Start}
	for _, f := range p.foreign(first, false) {
		p.drifted(f)
	}
	name := ""
	for i, d := range ds {
		v := trimmed(p.body[:p.stop], d.below)
		if d.keyword == kwFile && len(v.lines) > 0 {
			name = v.lines[0]
		}
		if d.keyword == kwEnd {
			break
		}
		switch lines := p.foreign(d.below, true); {
		case len(lines) == 0:
		case !hasValue(d.keyword), d.keyword == kwFile, d.keyword == kwRename:
			for _, f := range lines {
				p.drifted(f)
			}
		default:
			p.inValue(ds, i, lines, name)
		}
	}
}

// otherID: no directive has the header's ID. The directives have one of their own.
func (p *patch) otherID() {
	lines := p.foreign(text.Span{Start: p.start, End: p.stop}, false)
	if len(lines) == 0 {
		return
	}
	id := lines[0].id.In(p.body)
	for _, f := range lines {
		if f.id.In(p.body) != id {
			return
		}
	}
	at := text.Span{Start: p.start, End: p.start}
	for line := range eachLine(p.body[:p.start]) {
		if i := strings.Index(line.In(p.body), p.id); i >= 0 && headerLine.MatchString(strings.TrimPrefix(line.In(p.body), "\ufeff")) {
			at = text.Span{Start: line.Start + i, End: line.Start + i + len(p.id)}
		}
	}
	p.fail(diag.APIDDrift, at, fmt.Sprintf("the header's ID is %s, and every directive below has %s", p.id, id), certain("Write "+id, text.Edit{Span: at, New: id}))
}

// foreign are the lines of whole lines that are written as directives. With
// indented, also those of the patch itself that stand behind blanks.
func (p *patch) foreign(span text.Span, indented bool) []foreign {
	var found []foreign
	for line := range eachLine(span.In(p.body)) {
		line = line.Shift(span.Start)
		s := line.In(p.body)
		blanks := len(s) - len(strings.TrimLeft(s, " \t"))
		if !idLike(s[blanks : blanks+wordEnd(s[blanks:])]) {
			continue // most lines are told by this, in a tenth of the time
		}
		id, keyword, ok := directiveOf(s[blanks:])
		if !ok || blanks > 0 && (!indented || id != p.id) {
			continue
		}
		start := line.Start + blanks
		found = append(found, foreign{line: line, id: text.Span{Start: start, End: start + len(id)}, keyword: keyword})
	}
	return found
}

// idLike reports whether a word could be a patch's ID: words of prose that stand
// before a keyword are none.
func idLike(s string) bool {
	return len(s) >= 4 && strings.ContainsAny(s, "0123456789_") || len(s) == 8 && validID.MatchString(s)
}

func (p *patch) rewrite(f foreign) diag.Fix {
	return certain("Write "+p.id, text.Edit{Span: text.Span{Start: f.line.Start, End: f.id.End}, New: p.id})
}

func (p *patch) drifted(f foreign) {
	p.drifts = append(p.drifts, f.line)
	p.fail(diag.APIDDrift, f.line, fmt.Sprintf("the patch's ID is %s, and this line begins with %s, so it is no directive", p.id, f.id.In(p.body)), p.rewrite(f))
}

// describes reports whether a file may well hold directives: it is a patch or a
// text about patches.
func describes(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".ap", ".md", ".markdown", ".mdx":
		return true
	}
	return false
}

// inValue looks at lines in the value of ds[i] that are written as directives.
func (p *patch) inValue(ds []directive, i int, lines []foreign, name string) {
	if f := lines[len(lines)-1]; kinds[f.keyword] == action && repeats(ds, i) {
		p.drifted(f) // else the value that follows is there twice in one modification
		return
	}
	for _, f := range lines {
		id := f.id.In(p.body)
		switch {
		case p.isNeeded(ds, i, f.keyword):
			p.drifted(f)
			return // what follows is read anew then
		case strings.Contains(ds[i].below.In(p.body), id+" AP 3."), describes(name):
			return
		}
		d := diag.Diagnostic{Span: f.line, Severity: diag.Info, Code: diag.APIDDrift, Fixes: []diag.Fix{p.rewrite(f)},
			Message: fmt.Sprintf("this line is a part of the %s: only lines that begin with %s are directives", ds[i].keyword, p.id)}
		d.Fixes[0].Preferred = ds[i].keyword != kwContent && id != p.id && slipOf(id, p.id)
		if ds[i].keyword != kwContent || slipOf(id, p.id) {
			d.Severity = diag.Warning
		}
		p.report(d)
	}
}

// repeats reports whether the directive behind ds[i] is one that its modification
// has already.
func repeats(ds []directive, i int) bool {
	if i+1 >= len(ds) || kinds[ds[i+1].keyword] != keyValue {
		return false
	}
	for j := i; j >= 0 && kinds[ds[j].keyword] != action && ds[j].keyword != kwFile; j-- {
		if ds[j].keyword == ds[i+1].keyword {
			return true
		}
	}
	return false
}

// isNeeded reports whether a modification lacks just the directive that a line in
// a value of it would be.
func (p *patch) isNeeded(ds []directive, i int, keyword string) bool {
	if ds[i].keyword == kwContent || keyword != kwContent && keyword != kwSnippet {
		return false
	}
	for j := i; j >= 0 && kinds[ds[j].keyword] != action && ds[j].keyword != kwFile; j-- {
		if ds[j].keyword == keyword {
			return false
		}
		if j > 0 && kinds[ds[j-1].keyword] == action && ds[j-1].keyword == kwDelete {
			return false
		}
	}
	for j := i + 1; j < len(ds) && kinds[ds[j].keyword] != action && ds[j].keyword != kwFile; j++ {
		if ds[j].keyword == keyword {
			return false
		}
	}
	return true
}

// slipOf reports whether an ID is another one with a character or two that differ,
// are missing or too many.
func slipOf(id, of string) bool {
	if strings.EqualFold(id, of) {
		return true
	}
	if len(id) == len(of) {
		differ := 0
		for i := range len(id) {
			if id[i] != of[i] {
				differ++
			}
		}
		return differ <= 2
	}
	long, short := id, of
	if len(long) < len(short) {
		long, short = short, long
	}
	if len(long)-len(short) > 2 {
		return false
	}
	i := 0
	for j := 0; j < len(long) && i < len(short); j++ {
		if long[j] == short[i] {
			i++
		}
	}
	return i == len(short)
}
