package git

import (
	"cmp"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/elision"
	"github.com/aptix-dev/aptix/server/internal/escape"
	"github.com/aptix-dev/aptix/server/internal/findreplace"
	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/gitdiff"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/mdblock"
	"github.com/aptix-dev/aptix/server/internal/place"
	"github.com/aptix-dev/aptix/server/internal/reply"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A bare diff has only lines with ` `, `+` or `-`, without any header. The line above its fence or the first line in
// the fence names the file, or the diff continues the diff above (rule G73). If all lines are added, the file is
// new.
type bare struct {
	path  string
	parts []part
}

// A part of a bare diff ends at a line such as `...`, which leaves out lines of the file.
type part struct {
	at       text.Span // in the body of the fence
	old, new string
	line     int // the line of the old text in the file, from 1, if a terminal shows it with numbers; otherwise 0
}

// bareIn returns the bare diff in a fence. The text next to the fence must name a file that has the old or the new
// lines. If the diff only adds lines, the file must be missing or have exactly these lines. `last` is the file of
// the preceding fence, which is used if the text between the fences allows it.
func bareIn(d format.Document, from int, last string, r *format.Region) (b bare, ok bool) {
	if d.Tree == nil || r.Kind() != mdblock.Patch || gitdiff.Shaped(r.Body) {
		return b, false
	}
	beside := reply.FileOf(d.Text, from, &r.Block)
	if b.path = beside.Path; b.path == "" && continues(d, from, r) {
		b.path = last
	}
	if b.path == "" || beside.Other != "" {
		return b, false
	}
	whole := text.Span{Start: beside.Skip, End: len(r.Body)}
	if end, next := text.LineEnd(r.Body, 0); reply.IsPathComment(r.Body[:end], b.path) {
		whole.Start = next
	}
	if whole.Start > 0 {
		whole.Start = len(r.Body) - len(strings.TrimLeft(r.Body[whole.Start:], "\r\n"))
	}
	content, has := reply.FileText(d, b.path)
	t := place.NewText(content)
	all, ok := partOf(r.Body, whole)
	switch {
	case ok && all.old == "" && all.new != "":
		b.parts = []part{all}
		named := beside.Path != "" && beside.Where < reply.InSentence || beside.Says == reply.Create
		return b, named && (content == all.new || !has && reply.MayHold(d.Tree, b.path))
	case !has:
		return b, false
	case ok && all.isIn(t):
		b.parts = []part{all}
		return b, all.old != all.new
	}
	b.parts, ok = partsOf(r.Body, whole)
	return b, ok && len(b.parts) > 0 && !slices.ContainsFunc(b.parts, func(p part) bool { return !p.isIn(t) })
}

// continues reports whether a fence may be for the file of the preceding fence, which ends at offset from.
func continues(d format.Document, from int, r *format.Region) bool {
	_, ok := reply.Continues(d.Text, from, &r.Block)
	return ok || strings.Trim(d.Text[from:r.Span.Start], " \t\r\n>") == ""
}

// partOf reads the lines of a span as one part. It returns false if a line does not begin with ` `, `+` or `-`.
func partOf(body string, at text.Span) (part, bool) {
	old, new, ok := findreplace.Sides(text.SplitLines(strings.TrimRight(at.In(body), " \t\r\n")), eol(body))
	return part{at: at, old: old, new: new}, ok
}

// partsOf splits a diff at the lines that leave out lines of the file. It returns the parts that change something,
// or false if a line of a part does not begin with ` `, `+` or `-`.
func partsOf(body string, whole text.Span) (parts []part, ok bool) {
	ok = true
	end := func(at text.Span) {
		p, signed := partOf(body, at)
		if ok = ok && signed; p.old != p.new {
			parts = append(parts, p)
		}
	}
	from := whole.Start
	for at, next := range text.EachLine(whole.In(body)) {
		if line := at.In(whole.In(body)); !strings.HasPrefix(line, "+") && !strings.HasPrefix(line, "-") && elision.SortOf(line) >= elision.Worded {
			end(text.Span{Start: from, End: whole.Start + at.Start})
			from = whole.Start + next
		}
	}
	end(text.Span{Start: from, End: whole.End})
	return parts, ok
}

func (p part) isIn(t *place.Text) bool {
	return strings.TrimSpace(p.old) != "" && (len(findreplace.PlacesOfLines(t, p.old)) > 0 || p.new != "" && len(findreplace.PlacesOfLines(t, p.new)) > 0)
}

func eol(body string) string { return string(cmp.Or(text.DominantEOL(body), text.LF)) }

func (b bare) parsed(r *format.Region) format.Parsed {
	p := format.Parsed{Entries: 1, Readable: 1}
	p.Set.PathsRepeat = true
	if len(b.parts) == 0 {
		end, _ := text.LineEnd(r.Body, 0)
		p.Readable, p.Diagnostics = 0, []diag.Diagnostic{diag.New(diag.GitLooseEnd, text.Span{End: end}, "this diff with line numbers is not complete, or does not fit "+escape.Line(b.path)+"; write it between ```diff and ```, without the numbers")}
		return p
	}
	first := b.parts[0]
	at := text.Span{Start: first.at.Start, End: b.parts[len(b.parts)-1].at.End}
	if first.old == "" {
		p.Set.Changes = []intent.Change{{Kind: intent.Create, Path: b.path, Content: first.new, Marked: true, At: at, ContentAt: intent.Literal{Span: at}}}
		if !r.Fenced {
			p.Set.Changes[0].ContentAt = intent.Literal{}
		}
		return p
	}
	c := intent.Change{Kind: intent.Edit, Path: b.path, At: at}
	for _, part := range b.parts {
		reading := findreplace.Reading{Find: part.old, Replace: part.new}
		if r.Fenced { // No fix can write the numbers of a listing.
			reading.FindAt, reading.ReplaceAt = intent.Literal{Span: part.at}, intent.Literal{Span: part.at}
			reading.Both = findreplace.HunkWriter{Span: part.at, EOL: eol(r.Body)}
		}
		c.Steps = append(c.Steps, findreplace.WholeLines{At: part.at, Scope: findreplace.Scope{Line: part.line}, FindName: "the old side of the diff", ReplaceName: "the new side of the diff", Readings: []findreplace.Reading{reading}})
	}
	p.Set.Changes = []intent.Change{c}
	return p
}
