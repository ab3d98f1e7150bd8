// Package searchreplace reads SEARCH/REPLACE blocks, which many models write by habit:
// docs/formats/search-replace.md.
package searchreplace

import (
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/format/pathline"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/text"
	"github.com/aptix-dev/aptix/server/internal/wholelines"
)

// Format is the SEARCH/REPLACE block.
var Format = format.Format{
	Name:   "search-replace",
	Title:  "a SEARCH/REPLACE block",
	Noun:   "patch",
	Part:   "edit",
	Guest:  true,
	Claims: format.Claims{Find: find},
	Parse:  parse,
	Editor: format.Editor{Outline: outline, Mention: mention, Complete: complete, Folds: true},
}

// What a message calls the two texts of a block.
const (
	searchName  = "the SEARCH text"
	replaceName = "the REPLACE text"
)

// A reader reads the blocks of a region.
type reader struct {
	lines  lines
	parsed format.Parsed
	path   located // of the block before
}

func parse(r *format.Region) format.Parsed { return read(r).parsed }

func read(r *format.Region) *reader {
	outer, _ := r.Shared.(outside)
	rd := &reader{lines: split(r.Body), path: located{path: outer.path}}
	rd.parsed.Set.PathsRepeat = true // one change for each block
	pairs := scan(rd.lines)
	from := 0
	for i, p := range pairs {
		rd.read(p, rd.named(p, from, outer, i == 0))
		from = p.after()
	}
	rd.stray(pairs)
	rd.parsed.Summary = format.Count(len(pairs), "SEARCH/REPLACE block")
	return rd
}

func (r *reader) fail(code diag.Code, at text.Span, message string, fixes ...diag.Fix) {
	r.parsed.Diagnostics = append(r.parsed.Diagnostics, diag.Diagnostic{Span: at, Severity: diag.Error, Code: code, Message: message, Fixes: fixes})
}

// stray reports marks that belong to no block, and a region without any block.
func (r *reader) stray(pairs []pair) {
	like := r.misspelt(pairs)
	if len(pairs) == 0 && !like {
		r.fail(diag.SearchMarks, r.lines.span(0, 1), "no SEARCH/REPLACE block is here: `<<<<<<< SEARCH` begins one")
		return
	}
	for i := range r.lines.count() {
		if r.lines.mark(i) == replaceMark && !owned(pairs, i) {
			r.fail(diag.SearchMarks, r.lines.at(i), "the mark ends no block: the block above ended at its own mark, or has none that begins it")
		}
	}
}

// misspelt reports lines that look like the first mark of a block.
func (r *reader) misspelt(pairs []pair) (found bool) {
	for i := range r.lines.count() {
		m := likeSearch.FindStringSubmatch(r.lines.text(i))
		if m == nil || r.lines.mark(i) == searchMark || owned(pairs, i) {
			continue
		}
		found = true
		written := "<<<<<<< SEARCH"
		if pathline.Is(m[1]) {
			written = m[1] + r.lines.eol() + written
		}
		r.fail(diag.SearchMarks, r.lines.at(i), "the line looks like the first mark of a block, which is `<<<<<<< SEARCH` and nothing else",
			diag.Fix{Title: "Write `<<<<<<< SEARCH`", Edits: []text.Edit{{Span: r.lines.at(i), New: written}}})
		r.parsed.Entries++
	}
	return found
}

func owned(pairs []pair, line int) bool {
	for _, p := range pairs {
		if p.head <= line && line <= p.last {
			return true
		}
	}
	return false
}

// read reads one block, with the path that was found for it.
func (r *reader) read(p pair, name named) {
	r.parsed.Entries++
	if name.path != "" {
		r.path = name.located
	}
	switch {
	case p.problem != "":
		r.fail(diag.SearchMarks, r.lines.at(p.problemAt), p.problem)
		return
	case name.other != "":
		r.fail(diag.SearchPaths, name.span, "the block is for "+name.path+" by this line, and for "+name.other+" by another one next to it; leave one of them")
		return
	case name.path == "":
		r.noPath(p, name)
		return
	}
	edit := wholelines.Edit{Readings: r.readings(p), Scope: wholelines.Scope{Line: p.stated}, At: r.lines.span(p.head, p.after()), FindName: searchName, ReplaceName: replaceName}
	c := intent.Change{Kind: intent.Edit, Path: name.path, PathAt: intent.Literal{Span: name.span}, At: edit.At, Steps: []intent.Step{edit}}
	c.MayCreate = edit.Readings[0].Find == ""
	r.parsed.Readable++
	r.parsed.Set.Changes = append(r.parsed.Set.Changes, c)
}

// noPath reports a block without a path, and offers those that the text above mentions.
func (r *reader) noPath(p pair, name named) {
	message := "nothing says which file this is for; write its path on the line above"
	if name.inherited != "" {
		message = "the block before is for " + name.inherited + ", and the text above this one names another file; write the path on the line above"
	}
	at := r.lines.at(p.head)
	insert := text.Span{Start: at.Start, End: at.Start}
	var fixes []diag.Fix
	for _, path := range name.mentions {
		fixes = append(fixes, diag.Fix{Title: "Write " + path + " above the block", Edits: []text.Edit{{Span: insert, New: path + r.lines.eol()}}})
	}
	r.fail(diag.SearchNoPath, at, message, fixes...)
}

// readings are the ways to read a block: one for each line that may divide it.
func (r *reader) readings(p pair) []wholelines.Reading {
	out := make([]wholelines.Reading, len(p.dividers))
	as := notation{eol: r.lines.eol(), escapes: p.escapes}
	for i, d := range p.dividers {
		find, replace := r.lines.span(p.from, d), r.lines.span(d+1, p.last)
		out[i] = wholelines.Reading{
			Find: as.read(orEmpty(find.In(r.lines.body))), FindAt: intent.Literal{Span: find, As: as},
			Replace: as.read(replace.In(r.lines.body)), ReplaceAt: intent.Literal{Span: replace, As: as},
		}
	}
	return out
}

// orEmpty is s, or nothing for blank lines, which say nothing of a place.
func orEmpty(s string) string {
	if strings.TrimSpace(s) == "" {
		return ""
	}
	return s
}
