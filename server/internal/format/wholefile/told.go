package wholefile

import (
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/elision"
	"github.com/aptix-dev/aptix/server/internal/findreplace"
	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/place"
	"github.com/aptix-dev/aptix/server/internal/reply"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// eachTold is the cost of each byte of a file that is searched for a described place, in units of the meter.
const eachTold = 16

// told adds the edits that sentences describe, if the code that they quote has exactly one place in the file. It
// leaves out a fence whose lines the file has, which is a quotation, and a fence that is already an entry. But a fence
// that replaces a named definition, or whose first line is new, becomes an edit at the place in the sentence, because
// the comparison of the entry with the file would only guess that place.
func told(found []entry, d format.Document) []entry {
	others := len(found) + len(d.Claimed)
	for _, t := range reply.Tells(d) {
		content, ok := reply.FileText(d, t.File)
		if !ok || !d.Meter.Pay(eachTold*len(content)+4*len(found)) || slices.ContainsFunc(text.SplitLines(t.New), isElision) {
			continue
		}
		part := slices.IndexFunc(found, func(e entry) bool { return t.Fence != nil && e.fence == t.Fence })
		if part >= 0 && t.Where != reply.Change && t.Where != reply.Changed && !begins(content, t) {
			continue // the fence stays the entry that it is
		}
		taken := func(e entry) bool {
			return (part < 0 || e.fence != t.Fence) && (t.At.Overlaps(e.at) || t.Fence != nil && e.fence == t.Fence)
		}
		if slices.ContainsFunc(found, taken) {
			continue
		}
		e := entry{path: located{path: t.File}, fence: t.Fence, problem: placed, open: t.Open, at: t.At, line: t.At}
		if t.Fence != nil {
			e.part, e.line.End = text.Span{End: len(t.Fence.Body)}, t.Fence.Open.Start
			if _, next := text.LineEnd(d.Text, t.Fence.Open.Start); strings.HasPrefix(d.Text[next:], t.Fence.Body) {
				e.content = e.part.Shift(next)
			}
		}
		e.step = &sentence{t}
		if out := e.step.Resolve(intent.Target{Text: place.NewMetered(content, d.Meter)}); !out.Done && (len(out.Edits) == 0 || part < 0 && t.New != "" && text.HasLines(content, t.New)) {
			if part >= 0 && t.Where == reply.Delete {
				found = slices.Delete(found, part, part+1) // the lines are not the text of a file
			}
			continue
		}
		if part >= 0 {
			e.isPart = found[part].isPart
			found[part] = e
		} else {
			found = append(found, e)
		}
	}
	for _, e := range found {
		if e.step != nil && len(found)+len(d.Claimed) > 1 {
			e.step.Asked = true
		}
	}
	files := fencesOf(found)
	if others == 0 && slices.ContainsFunc(d.Fences, func(f *format.Region) bool { return !files[f] && reply.MayBeText(&f.Block, "") }) {
		return nil // the fence is no edit, so only a part of the reply would be read
	}
	return found
}

// begins reports whether the new lines of a sentence begin with a line that the file lacks, or repeat the line that the
// sentence names, or are all in the file.
func begins(content string, t reply.Told) bool {
	added := strings.TrimSpace(t.New)
	first, _, _ := strings.Cut(added, "\n")
	last := added[1+strings.LastIndex(added, "\n"):]
	anchor := map[reply.Verb]string{reply.Below: first, reply.Above: last}[t.Where]
	return !text.HasLines(content, first) || strings.Contains(content, added) || anchor != "" && strings.TrimSpace(anchor) == t.Anchor
}

// A sentence is an edit that the reply describes in a sentence. Its span is relative to the block's body. It also counts
// as asked if the reply has other edits.
type sentence struct{ reply.Told }

func (s sentence) Span() text.Span { return s.At }

func (s sentence) Parts() []text.Span { return nil }

func (s sentence) Resolve(on intent.Target) intent.Outcome {
	out, sure := s.resolve(on)
	if len(out.Edits) > 0 && !(sure && s.Asked) {
		out.Problems = append(out.Problems, diag.New(diag.WholeSample, s.At, "Aptix reads this sentence as an edit; check whether it is one, and whether Aptix found the right place"))
	}
	return out
}

// resolve makes the edit as one of whole lines: the old text is the lines of the place, and the new text also has
// the new lines. `sure` is false if the end of a replaced block, or the blank lines next to a new one, are not certain.
func (s sentence) resolve(on intent.Target) (out intent.Outcome, sure bool) {
	lines := place.NewLines(on.Text.LF(), place.AfterEOL, on.Text.Meter())
	if !on.Text.Meter().Pay(eachTold * len(lines.Text())) {
		return intent.Outcome{}, false
	}
	if s.Where == reply.Changed && !strings.Contains(s.New, "\n") {
		if out, sure, ok := s.changed(on, lines); ok {
			return out, sure
		}
	}
	new := text.SplitLines(strings.Trim(text.Ended(text.WithEOL(s.New, text.LF)), "\n") + "\n")
	at, where, sure, ok := s.placed(lines, new)
	if where == reply.AtEnd {
		return s.append(on, lines, new)
	}
	s.Where = where
	if ok && s.New != "" {
		new, ok = s.adapted(lines, at, new)
	}
	if !ok || len(new) == 0 {
		return intent.Outcome{Problems: []diag.Diagnostic{diag.New(diag.FindNotFound, s.At, "the sentence names `"+s.Anchor+"`, but the file has no such line or block, or several; quote a line that the file has exactly once")}}, false
	}
	if alone, both, there := s.there(lines, at, new); there {
		return s.exchange(on, lines, alone, linesOf(lines, both)), sure
	}
	old := linesOf(lines, at)
	kept, new := s.separated(lines, at, old, new)
	gap, spaced, put := "", true, strings.Join(new, "")
	switch s.Where {
	case reply.Below:
		gap, spaced = s.gap(lines, at, new)
		// Below a heading, a blank line may come first.
		spaced = spaced && !(strings.HasPrefix(s.Anchor, "#") && at.End < lines.Count() && text.IsBlank(lines.Line(at.End)) && gap == "")
		put = text.Ended(kept) + gap + put
	case reply.Above:
		gap, spaced = s.gap(lines, at, new)
		put += gap + kept
	case reply.Delete:
		at, put = withGap(lines, at), ""
		if at.First > 0 && wasLast(lines, at) {
			at.First--
			put = withoutComma(lines.Line(at.First))
		}
	}
	if s.Line > 0 && put == old {
		return intent.Outcome{Done: true}, sure
	}
	return s.exchange(on, lines, at, put), sure && spaced
}

func linesOf(lines *place.Lines, at place.Block) string {
	return lines.Span(at.First, at.End-at.First).In(lines.Text())
}

func (s sentence) edit() findreplace.WholeLines {
	return findreplace.WholeLines{At: s.At, FindName: "the place", ReplaceName: "the new text"}
}

// exchange replaces the lines of a place.
func (s sentence) exchange(on intent.Target, lines *place.Lines, at place.Block, put string) intent.Outcome {
	edit := s.edit()
	edit.Line, edit.Readings = at.First+1, []findreplace.Reading{{Find: linesOf(lines, at), Replace: put}}
	return edit.Resolve(on)
}

// placed returns the lines that the sentence replaces or deletes, or the lines next to which new ones go. `where` says on
// which side of them; it is [reply.AtEnd] if they go to the end of the file.
func (s sentence) placed(lines *place.Lines, new []string) (at place.Block, where reply.Verb, sure, ok bool) {
	switch {
	case s.Where == reply.AtTop:
		at, sure, ok = s.top(lines, new)
		return at, reply.Above, sure, ok
	case s.Where == reply.Add || s.Where == reply.AtEnd && s.Anchor != "":
		at, ok = s.lastIn(lines, new)
		return at, reply.Below, s.Where == reply.AtEnd, ok
	case s.Where == reply.AtEnd:
		// Lines like those at the margin may go to the end of the file, too.
		if text.Indentation(new[0]) != "" || s.Part && !hasAlike(lines, new) {
			at, ok = s.lastIn(lines, new)
		}
		if !ok {
			return at, reply.AtEnd, false, false
		}
		return at, reply.Below, s.Part || isEnd(lines, at), true
	case s.Line > 0:
		at = place.Block{First: s.Line - 1, End: s.Line}
		return at, s.Where, s.Named && len(sortOf(new[0])) == 1, at.End <= lines.Count() && len(new) == 1 && isVersionOf(lines.Line(at.First), new[0])
	case s.Old != "":
		// A sentence above quoted lines may delete something else: "remove everything except:".
		at, ok = s.lines(lines)
		return at, s.Where, false, ok
	}
	at, ok = s.place(lines, new)
	switch {
	case !ok:
		return at, s.Where, false, false
	case s.Where == reply.Change:
		at, sure = s.extent(lines, at, new)
		// "Add this to `resources`:" with its head does not say that the other entries go.
		return at, s.Where, sure && (s.Swaps || sortOf(new[attached(new)]) != ":" || keepsEntries(lines, at, new)), true
	case s.Where == reply.Below:
		at, sure = s.below(lines, at, new)
	case s.Where == reply.Changed:
		// If the whole block changes, the first line must stay. Otherwise, only that line may change.
		sure = at.End == at.First+1 || strings.TrimSpace(new[0]) == strings.TrimSpace(lines.Line(at.First))
	case s.Where == reply.Delete:
		sure = !opensSection.MatchString(s.Anchor) // the whole section may be meant
	default:
		sure = true
	}
	return at, s.Where, sure && !s.Within && s.isEnclosed(lines, at), true
}

// below returns the lines below which new ones go if the sentence names the block `at`. `sure` is false if the new lines
// may belong in the block, or below the statements of a label.
func (s sentence) below(lines *place.Lines, at place.Block, new []string) (of place.Block, sure bool) {
	line := strings.TrimSpace(lines.Line(at.First))
	if !isBlock(new) && sortOf(line) == ":" {
		if in, fits := lastMember(lines, at.First, new, false); fits {
			return in, false // "under `dependencies`" is probably in its block
		}
	}
	if at.End > at.First+1 {
		return at, true
	}
	if at.End < lines.Count() && underline.MatchString(lines.Line(at.End)) {
		return place.Block{First: at.First, End: at.End + 1}, false // the heading of a document
	}
	return at, !strings.HasSuffix(line, ":")
}

// underline matches the line below a heading.
var underline = lazyregexp.New(`^(?:={3,}|-{3,}|~{3,}|\^{3,}|\*{3,}|\+{3,}|"{3,})\s*$`)

// withGap extends a block that is deleted over the blank lines that separated it from the next one, or, if it is the last
// of its kind, from the one above it.
func withGap(lines *place.Lines, at place.Block) place.Block {
	indent := text.Indentation(lines.Line(at.First))
	blank := func(i int) bool { return i >= 0 && i < lines.Count() && text.IsBlank(lines.Line(i)) }
	first := at.First == 0 || blank(at.First-1) || text.Indentation(lines.Line(at.First-1)) != indent
	switch {
	case at.End == at.First+1 || !first:
	case blank(at.End):
		for blank(at.End) {
			at.End++
		}
	case at.End == lines.Count() || text.Indentation(lines.Line(at.End)) != indent:
		for blank(at.First - 1) {
			at.First--
		}
	}
	return at
}

// opensSection matches the first line of a section of an INI, TOML or Markdown file.
var opensSection = lazyregexp.New(`^(?:\[.*\]|##+ .*)$`)

// append adds the new lines at the end of the file.
func (s sentence) append(on intent.Target, lines *place.Lines, new []string) (out intent.Outcome, sure bool) {
	edit := s.edit()
	edit.Appends, edit.AtEnd = true, true
	// The last block that begins at the margin below a blank line.
	last := place.Block{First: lines.Count(), End: lines.Count()}
	for last.First > 1 && (last.First == lines.Count() || text.Indentation(lines.Line(last.First)) != "" || !text.IsBlank(lines.Line(last.First-1))) {
		last.First--
	}
	gap, sure := s.gap(lines, last, new)
	edit.Readings = []findreplace.Reading{{Replace: gap + strings.Join(new, "")}}
	return edit.Resolve(on), sure && !s.Part && (s.OfFile || s.endsFile(lines, new[0]))
}

// changed replaces code within a line. It returns false if several lines have the code, and the sentence names no block
// around one of them.
func (s sentence) changed(on intent.Target, lines *place.Lines) (out intent.Outcome, sure, ok bool) {
	var found []int
	for i := range lines.Count() {
		if strings.Contains(lines.Line(i), s.Anchor) {
			found = append(found, i)
		}
	}
	content, sure := lines.Text(), !s.Within
	if found = s.inScope(lines, found); len(found) == 1 {
		content = lines.Line(found[0])
		sure = sure && s.isEnclosed(lines, place.Block{First: found[0], End: found[0] + 1})
	}
	if len(found) > 1 || strings.Count(content, s.Anchor) > 1 {
		return out, false, false
	}
	old, new, same := s.assigned(content)
	switch {
	case !same:
		return intent.Outcome{Problems: []diag.Diagnostic{diag.New(diag.FindNotFound, s.At, "`"+s.Anchor+"` may be a name, or stand for its value; quote the old line and the new one")}}, false, true
	case strings.Count(lines.Text(), old) > 1:
		return s.exchange(on, lines, place.Block{First: found[0], End: found[0] + 1}, strings.Replace(content, old, new, 1)), sure, true
	}
	return findreplace.Replacement{Find: old, Replace: new, Limit: findreplace.Only, At: s.At, FindName: "the old code", ReplaceName: "the new code"}.Resolve(on), sure, true
}

// assigned returns the code to replace and its replacement. If the file gives a value to the name in the sentence, as in
// "change `port` to `8080`", the value changes. It must be of the same kind as the new one. Otherwise, the sentence may
// mean the name or its value, and ok is false.
func (s sentence) assigned(content string) (old, new string, ok bool) {
	_, after, _ := strings.Cut(content, s.Anchor)
	m, kind := given.FindStringSubmatch(after), kindOf(s.New)
	switch {
	case !isKey.MatchString(s.Anchor), kindOf(s.Anchor) != 0, kind == 0 && (m == nil || !strings.ContainsAny(m[1], ":=")):
		return s.Anchor, s.New, true
	case kind == 0 || m == nil:
		return "", "", false
	}
	old, new = s.Anchor+m[1]+m[2], s.Anchor+m[1]+s.New
	if quoted := strings.Trim(m[2], `"'`); quoted != m[2] && kindOf(quoted) == kind { // version = "1.2.0"
		return old, strings.Replace(old, quoted, s.New, 1), strings.Count(old, quoted) == 1
	}
	return old, new, kind == kindOf(m[2])
}

var (
	isKey = lazyregexp.New(`^[\pL_$][\pL\d_.$-]*$`)
	// given matches the text after a name that gets a value: `: 80`, ` = "x"`, or ` 512` after the name of a directive.
	given   = lazyregexp.New(`^(["']?[ \t]*(?::=|[:=])[ \t]*|[ \t]+)("[^"\n]*"|'[^'\n]*'|[^\s,;(){}\[\]"'=]+)?`)
	literal = lazyregexp.New(`^(?:(-?\d[\w.%]*)|("[^"]*"|'[^']*')|((?i)true|false|yes|no|on|off))$`)
)

// kindOf returns the kind of a literal, or 0 for other text.
func kindOf(code string) int {
	m := literal.FindStringSubmatch(code)
	for i := 1; i < len(m); i++ {
		if m[i] != "" {
			return i
		}
	}
	return 0
}

// endsFile reports whether the end in a sentence is certainly the end of the file: the first new line and the last line
// of the file are at the margin, or the sentence names the file. Otherwise, it may be the end of a list or a class.
func (s sentence) endsFile(lines *place.Lines, first string) bool {
	if lines.Count() == 0 {
		return true
	}
	last := lines.Line(lines.Count() - 1)
	return text.Indentation(first) == "" && !strings.HasPrefix(first, "- ") && (s.Named || text.Indentation(last) == "") && !closing.MatchString(last)
}

var isDecorator = lazyregexp.New(`^(?:@|\[|#\[)`)

// closing matches a last line of a file above which additions usually belong.
var closing = lazyregexp.New(`^(?:</|\?>|#endif|#pragma|\}\)|return\b|export default\b|module\.exports\b|1;|=cut\b)`)

// extent returns the lines that a new definition replaces. If the new lines are a block, these are the block `at` of
// the old definition. Otherwise, the old and the new definition must both end at a semicolon, as in SQL, or every line
// of both that is not indented must have the name of the definition, as in Elm. The new definition may not lose a
// decorator.
func (s sentence) extent(lines *place.Lines, at place.Block, new []string) (of place.Block, sure bool) {
	for i := at.First; i < at.End && elision.Attached.MatchString(lines.Line(i)); i++ {
		decorator, _, _ := strings.Cut(strings.TrimSpace(lines.Line(i)), "(")
		if isDecorator.MatchString(decorator) && !slices.ContainsFunc(new, func(line string) bool { return strings.HasPrefix(strings.TrimSpace(line), decorator) }) {
			return at, false
		}
	}
	if len(new) == 1 || isBlock(new) {
		return at, at.End > at.First+1 || len(new) == 1 || at.End == lines.Count() || text.IsBlank(lines.Line(at.End))
	}
	ends := func(line string) bool { return strings.HasSuffix(strings.TrimSpace(line), ";") }
	inside := func(line string) bool {
		return !text.IsBlank(line) && (text.Indentation(line) != text.Indentation(lines.Line(at.First)) || reply.HasCode(line, s.name()))
	}
	of = at
	if ends(new[len(new)-1]) {
		for of.End = of.First + 1; of.End < lines.Count() && !ends(lines.Line(of.End-1)) && !text.IsBlank(lines.Line(of.End)); of.End++ {
		}
		return of, text.Count(new, ends) == 1 && ends(lines.Line(of.End-1))
	}
	for of.First > 0 && inside(lines.Line(of.First-1)) {
		of.First--
	}
	for of.End < lines.Count() && inside(lines.Line(of.End)) {
		of.End++
	}
	return of, !slices.ContainsFunc(new, func(line string) bool { return !inside(line) })
}
