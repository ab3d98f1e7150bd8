// Package searchreplace reads SEARCH/REPLACE blocks, which many models write without being asked:
// docs/formats/search-replace.md.
package searchreplace

import (
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/mdblock"
	"github.com/aptix-dev/aptix/server/internal/reply"
	"github.com/aptix-dev/aptix/server/internal/searchblock"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// Format is the format of SEARCH/REPLACE blocks.
var Format = format.Format{
	Name:   "search-replace",
	Title:  "a SEARCH/REPLACE block",
	Noun:   "patch",
	Part:   "edit",
	Guest:  true,
	Claims: format.Claims{Find: find},
	Parse:  parse,
	Editor: format.Editor{Outline: format.OutlineParts("SEARCH/REPLACE", "edit", describe), Mention: format.MentionPathOrPart, Complete: format.CompletePaths(parse), Folds: true},
}

type reader struct {
	lines  searchblock.Lines
	parsed format.Parsed
	path   located // of the previous block
}

func parse(r *format.Region) format.Parsed {
	if w, ok := r.Shared.(written); ok {
		return parsePair(w)
	}
	if all := pairs(r.Body, format.NewDocument(mdblock.Read(r.Body)).Fences); len(all) == 1 && !isSearch(r.Body) {
		return parsePair(all[0].within(0, ""))
	}
	return read(r).parsed
}

func read(r *format.Region) *reader {
	outer, _ := r.Shared.(outside)
	rd := &reader{lines: searchblock.Split(r.Body), path: located{path: outer.path}}
	rd.parsed.Set.PathsRepeat = true // each block is one change
	pairs := searchblock.Scan(rd.lines)
	from := 0
	for i, p := range pairs {
		rd.read(p, rd.named(p, from, outer, i == 0))
		_, top := pathsAbove(rd.lines, from, p.Head)
		rd.rest(from, top)
		from = p.After()
	}
	rd.rest(from, rd.lines.Count())
	rd.stray(pairs)
	rd.parsed.Summary = format.Count(len(pairs), "SEARCH/REPLACE block")
	return rd
}

func (r *reader) rest(from, to int) {
	if at := r.lines.Span(from, to); strings.TrimSpace(at.In(r.lines.Body)) != "" {
		r.parsed.Rest = append(r.parsed.Rest, at)
	}
}

// stray reports marks outside of any block, and a region without any block.
func (r *reader) stray(pairs []searchblock.Pair) {
	like := searchblock.AllMisspelt(r.lines, pairs)
	for _, m := range like {
		above := ""
		if reply.IsPath(m.Rest) {
			above = m.Rest + r.lines.EOL()
		}
		r.parsed.Diagnostics = append(r.parsed.Diagnostics, m.Diagnostic(above))
		r.parsed.Entries++
	}
	ends := searchblock.Stray(r.lines, pairs)
	if len(pairs) == 0 && len(like) == 0 && len(ends) == 0 {
		r.parsed.Report(diag.SearchMarks, r.lines.Span(0, 1), "there is no SEARCH/REPLACE block here: `<<<<<<< SEARCH` begins one")
	}
	r.parsed.Diagnostics = append(r.parsed.Diagnostics, ends...)
}

// read reads one block. `name` is its path, from [reader.named].
func (r *reader) read(p searchblock.Pair, name named) {
	r.parsed.Entries++
	if name.path != "" {
		r.path = name.located
	}
	switch {
	case p.Problem != "":
		r.parsed.Report(diag.SearchMarks, r.lines.At(p.ProblemAt), p.Problem)
		return
	case name.other != "":
		r.parsed.Report(diag.SearchPaths, name.span, "this line says that the block is for "+name.path+", but another line next to it says "+name.other+"; remove one of the two lines")
		return
	case name.path == "":
		r.noPath(p, name)
		return
	}
	edit := p.Edit(r.lines)
	c := intent.Change{Kind: intent.Edit, Path: name.path, Other: name.earlier, PathAt: intent.Literal{Span: name.span}, At: edit.At, Steps: []intent.Step{edit}}
	c.MayCreate = edit.Readings[0].Find == ""
	r.parsed.Readable++
	r.parsed.Set.Changes = append(r.parsed.Set.Changes, c)
}

// noPath reports a block without a path, with a fix for each path in the text above. The fix is certain for a path
// that the sentence above names as the place, because the file must also contain the text to replace.
func (r *reader) noPath(p searchblock.Pair, name named) {
	message := "the file of this block is not named; write its path on the line above"
	if name.inherited != "" {
		message = "the previous block is for " + name.inherited + ", but the text between the two blocks names another file; write the path of this block on the line above it"
	}
	at := r.lines.At(p.Head)
	insert := text.Span{Start: at.Start, End: at.Start}
	fixes := text.Each(name.mentions, func(path string) diag.Fix {
		return diag.Fix{Title: "Write " + path + " above the block", Edits: []text.Edit{{Span: insert, New: path + r.lines.EOL()}}, Preferred: path == name.place}
	})
	r.parsed.Report(diag.SearchNoPath, at, message, fixes...)
}

// describe returns the operation of a block, and the first line that it replaces.
func describe(block string) (name, detail string) {
	l := searchblock.Split(block)
	p := searchblock.ReadPair(l, 0)
	if p.Problem != "" || p.Dividers[0] == p.From {
		return "create", ""
	}
	for i := p.From; i < p.Dividers[0]; i++ {
		if !l.Blank(i) {
			return "replace", strings.TrimSpace(l.Text(i))
		}
	}
	return "replace", ""
}
