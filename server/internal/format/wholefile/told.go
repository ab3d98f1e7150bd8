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
		added := strings.TrimSpace(t.New)
		first, _, _ := strings.Cut(added, "\n")
		places := t.Where == reply.Change || !hasAll(content, first) || strings.Contains(content, added)
		part := slices.IndexFunc(found, func(e entry) bool { return places && t.Fence != nil && e.fence == t.Fence })
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
		e.step = &sentence{Where: t.Where, Anchor: t.Anchor, New: t.New, Called: t.Called, Within: t.Within, Old: t.Old, Named: t.Named, Asked: t.Asked}
		if out := e.step.Resolve(intent.Target{Text: place.NewMetered(content, d.Meter)}); !out.Done && (len(out.Edits) == 0 || part < 0 && t.New != "" && hasAll(content, t.New)) {
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

// hasAll reports whether a text has all lines of another text. It ignores white space around the lines.
func hasAll(content, lines string) bool {
	has := text.Set(text.Each(text.SplitLines(content), strings.TrimSpace))
	return !slices.ContainsFunc(text.SplitLines(lines), func(line string) bool { return !has[strings.TrimSpace(line)] })
}

// A sentence is an edit that the reply describes in a sentence. The sentence names the end of the file, or a line or
// a block that the file must have exactly once.
type sentence struct {
	Where       reply.Verb
	Anchor, New string
	Called      bool      // the sentence is about a call of Anchor
	Within      bool      // words of the sentence may limit the edit
	Old         string    // the lines to delete; "" if Anchor names them
	Named       bool      // the sentence names the file
	Asked       bool      // the sentence has a word for an edit or for a new text, or the reply has other edits
	At          text.Span // in the block's body
}

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
	edit := findreplace.WholeLines{At: s.At, FindName: "the place", ReplaceName: "the new text"}
	if !on.Text.Meter().Pay(eachTold * len(lines.Text())) {
		return intent.Outcome{}, false
	}
	new := text.SplitLines(strings.Trim(text.Ended(text.WithEOL(s.New, text.LF)), "\n") + "\n")
	if s.Where == reply.AtEnd {
		edit.Appends, edit.AtEnd = true, true
		// The last block that begins at the margin below a blank line.
		last := place.Block{First: lines.Count(), End: lines.Count()}
		for last.First > 1 && (last.First == lines.Count() || text.Indentation(lines.Line(last.First)) != "" || !text.IsBlank(lines.Line(last.First-1))) {
			last.First--
		}
		gap, sure := s.gap(lines, last, new)
		sure = sure && s.endsFile(lines, new[0])
		edit.Readings = []findreplace.Reading{{Replace: gap + strings.Join(new, "")}}
		return edit.Resolve(on), sure
	}
	if n := strings.Count(lines.Text(), s.Anchor); s.Where == reply.Changed && n <= 1 && !strings.Contains(s.New, "\n") {
		old, new, ok := s.assigned(lines.Text())
		if !ok {
			return intent.Outcome{Problems: []diag.Diagnostic{diag.New(diag.FindNotFound, s.At, "`"+s.Anchor+"` may be a name, or stand for its value; quote the old line and the new one")}}, false
		}
		return findreplace.Replacement{Find: old, Replace: new, Limit: findreplace.Only, At: s.At, FindName: "the old code", ReplaceName: "the new code"}.Resolve(on), !s.Within
	}
	at, ok := s.place(lines, new)
	if s.Old != "" {
		at, ok = s.lines(lines)
	}
	if ok && s.New != "" {
		new, ok = s.adapted(lines, at, new)
	}
	if !ok || len(new) == 0 {
		return intent.Outcome{Problems: []diag.Diagnostic{diag.New(diag.FindNotFound, s.At, "the sentence names `"+s.Anchor+"`, but the file has no such line or block, or several; quote a line that the file has exactly once")}}, false
	}
	sure = true
	if s.Where == reply.Change {
		at, sure = s.extent(lines, at, new)
	}
	old, put := lines.Span(at.First, at.End-at.First).In(lines.Text()), strings.Join(new, "")
	edit.Line = at.First + 1
	gap := ""
	switch s.Where {
	case reply.Below:
		gap, sure = s.gap(lines, at, new)
		// Below a heading, a blank line may come first.
		sure = sure && !(strings.HasPrefix(s.Anchor, "#") && at.End < lines.Count() && text.IsBlank(lines.Line(at.End)) && gap == "")
		put = text.Ended(old) + gap + put
	case reply.Above:
		gap, sure = s.gap(lines, at, new)
		put += gap + old
	case reply.Delete:
		// A sentence above quoted lines may delete something else: "remove everything except:".
		put, sure = "", s.Old == ""
		alone := at.First == 0 || text.Indentation(lines.Line(at.First-1)) != text.Indentation(lines.Line(at.First)) || text.IsBlank(lines.Line(at.First-1))
		for ; alone && at.End > at.First+1 && at.End < lines.Count() && text.IsBlank(lines.Line(at.End)); at.End++ {
			old += lines.Line(at.End)
		}
	}
	edit.Readings = []findreplace.Reading{{Find: old, Replace: put}}
	return edit.Resolve(on), sure
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
var closing = lazyregexp.New(`^(?:</|\?>|#endif|#pragma|\}\)|return\b|export default\b|module\.exports\b)`)

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
	if own := place.NewLines(strings.Join(new, ""), place.AfterEOL, nil); place.BlockEnd(own, attached(new)) == own.Count() {
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

// name returns the name that the anchor defines or calls, without what contains it.
func (s sentence) name() string {
	name := strings.TrimSuffix(s.Anchor, "()")
	return name[1+strings.LastIndexAny(name, ".:#"):]
}

// attached counts the comments and decorators above a definition.
func attached(lines []string) int {
	return max(0, slices.IndexFunc(lines, func(line string) bool { return !elision.Attached.MatchString(line) }))
}

// place returns the only block that the sentence names: the line that equals the anchor, or else the block that
// defines the name, or else the line that contains the code. Only a definition can be replaced. A line that only
// contains the code cannot be removed.
func (s sentence) place(lines *place.Lines, new []string) (at place.Block, ok bool) {
	var found [3][]int
	name := s.name()
	for i := range lines.Count() {
		switch line := strings.TrimSpace(lines.Line(i)); {
		case line == s.Anchor:
			found[0] = append(found[0], i)
		case defines(line, name) && !strings.HasSuffix(line, ";"):
			found[1] = append(found[1], i)
		case reply.HasCode(line, s.Anchor):
			found[2] = append(found[2], i)
		}
	}
	if s.Where == reply.Change {
		i := attached(new)
		found[0], ok = nil, defines(strings.TrimSpace(new[i]), name)
		if !ok {
			return at, false
		}
		// The other lines may use the name without defining it.
		if head, _, _ := strings.Cut(strings.TrimSpace(new[i]), name); len(found[1]) > 1 {
			found[1] = slices.DeleteFunc(found[1], func(k int) bool { return !strings.HasPrefix(strings.TrimSpace(lines.Line(k)), head+name) })
		}
	}
	if s.Called {
		found[1] = nil
	}
	sort := slices.IndexFunc(found[:], func(lines []int) bool { return len(lines) > 0 })
	if sort < 0 || len(found[sort]) > 1 || sort == 2 && s.Where != reply.Below && s.Where != reply.Above || sort == 1 && s.Where == reply.Changed {
		return at, false
	}
	first := found[sort][0]
	at = place.BlocksOf(lines, lines.Line(first), []place.Block{{First: first, End: first + 1}})[0]
	if s.Where == reply.Changed {
		at.End = first + 1
	}
	for at.End > first+1 && text.IsBlank(lines.Line(at.End-1)) {
		at.End--
	}
	if sort == 0 && at.End > first+1 && s.Where == reply.Below {
		return at, false // the sentence may mean below the line or below its block
	}
	if s.Where == reply.Above || s.Where == reply.Delete || s.Where == reply.Change && elision.Attached.MatchString(new[0]) {
		for at.First > 0 && elision.Attached.MatchString(lines.Line(at.First-1)) && text.Indentation(lines.Line(at.First-1)) == text.Indentation(lines.Line(first)) {
			at.First--
		}
	}
	return at, true
}

// lines returns the lines of the file that the fence quotes, if the file has them exactly once. White space around a line
// does not matter.
func (s sentence) lines(lines *place.Lines) (at place.Block, ok bool) {
	old := text.Each(text.SplitLines(strings.Trim(text.WithEOL(s.Old, text.LF), "\n")), strings.TrimSpace)
	all := text.Each(text.SplitLines(lines.Text()), strings.TrimSpace)
	for i := range all {
		if i+len(old) > len(all) || !slices.Equal(all[i:i+len(old)], old) {
			continue
		}
		if ok {
			return at, false
		}
		at, ok = place.Block{First: i, End: i + len(old)}, true
	}
	return at, ok
}

// others matches the first words of statements that do not define a name.
var others = lazyregexp.New(`^(?:return|if|elif|else|while|for|foreach|switch|match|case|when|await|new|throw|raise|yield|import|from|use|using|include|require|assert|del|delete|not|and|or|in)\b`)

// named matches the text before the name that a line defines: words, types, and the receiver of a method in Go.
var named = lazyregexp.New(`^(?:[\w<>\[\]*&,@:"' ?]|\((?:crate|super)\)|func \([^()]*\))*$`)

// defines reports whether a line defines a name. Only words may precede the name. If none does, the line must open a
// block or give the name a value.
func defines(line, name string) bool {
	i := strings.Index(line, name)
	if i < 0 || !reply.HasCode(line, name) || others.MatchString(line) || !named.MatchString(line[:i]) {
		return false
	}
	before, after := strings.Trim(line[:i], `"' `), strings.TrimLeft(line[i+len(name):], `"' `)
	if strings.HasSuffix(line[:i], ".") || after != "" && strings.ContainsRune(".,)]", rune(after[0])) {
		return false
	}
	return strings.HasSuffix(line[:i], " ") && before != "" ||
		after != "" && (after[0] == ':' || after[0] == '=' && !strings.HasPrefix(after, "==")) ||
		strings.HasSuffix(line, "{")
}

// adapted gives the new lines the indentation of the block. It drops lines at their beginning and end that the file
// already has around the place.
func (s sentence) adapted(lines *place.Lines, at place.Block, new []string) ([]string, bool) {
	same := func(line string, i int) bool {
		return i >= 0 && i < lines.Count() && strings.TrimSpace(line) == strings.TrimSpace(lines.Line(i)) && text.HasWord(line)
	}
	edge := at.End // the line above which the new lines go
	if s.Where == reply.Above {
		edge = at.First
	}
	head, tail := len(new)-1, len(new)-1
	for ; head > 0; head-- {
		if i := edge - head; !slices.ContainsFunc(new[:head], func(line string) bool { i++; return !same(line, i-1) }) {
			break
		}
	}
	for ; tail > 0; tail-- {
		if i := edge; !slices.ContainsFunc(new[len(new)-tail:], func(line string) bool { i++; return !same(line, i-1) }) {
			break
		}
	}
	// If `done` is true, the file already has all new lines around the place.
	switch done := head+tail >= len(new); {
	case s.Where == reply.Below && head > 0 && done:
		new = new[head:]
	case s.Where == reply.Above && tail > 0 && done:
		new = new[:len(new)-tail]
	case s.Where == reply.Below && head > 0 || s.Where == reply.Above && tail > 0:
		new = new[head : len(new)-tail]
	}
	own, from := text.Indentation(lines.Line(at.First)), text.Indentation(new[0])
	out, ok := place.Adapt([]string{from + "x"}, []string{own + "x"}, new, nil, lines.Text())
	return out.Lines, ok
}

// gap returns the blank lines between a block and the new lines next to it: as many as the file has around the block, or
// as the new text has on that side. `sure` is false if the block has no neighbour that shows the number.
func (s sentence) gap(lines *place.Lines, at place.Block, new []string) (gap string, sure bool) {
	fence := text.WithEOL(s.New, text.LF)
	own := len(fence) - len(strings.TrimLeft(fence, "\n"))
	if s.Where == reply.Above {
		own = max(0, len(fence)-len(strings.TrimRight(fence, "\n"))-1)
	}
	blank := func(i, by int) (n int) {
		for ; i >= 0 && i < lines.Count() && text.IsBlank(lines.Line(i)); i += by {
			n++
		}
		return n
	}
	if len(new) == 1 || s.Where != reply.AtEnd && at.End-at.First == 1 {
		return strings.Repeat("\n", own), true
	}
	indent := 0
	if at.First < lines.Count() {
		indent = len(text.Indentation(lines.Line(at.First)))
	}
	ends := func(i int) bool { return i < 0 || i >= lines.Count() || len(text.Indentation(lines.Line(i))) < indent }
	n, alone := blank(at.End, +1), false
	if ends(at.End + n) {
		for at.First > 0 && elision.Attached.MatchString(lines.Line(at.First-1)) {
			at.First--
		}
		n = blank(at.First-1, -1)
		alone = ends(at.First - 1 - n)
	}
	return strings.Repeat("\n", max(n, own)), own > 0 || !alone
}
