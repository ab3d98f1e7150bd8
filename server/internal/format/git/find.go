package git

import (
	"cmp"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/findreplace"
	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/gitdiff"
	"github.com/aptix-dev/aptix/server/internal/mdblock"
	"github.com/aptix-dev/aptix/server/internal/place"
	"github.com/aptix-dev/aptix/server/internal/reply"
	"github.com/aptix-dev/aptix/server/internal/text"
)

type outside struct {
	file  string        // the file that nearby text names for a hunk without a header, or ""
	loose gitdiff.Loose // the patch, if it is outside of fences
}

// find claims patches outside of fences (rule G70) and in fences with the tags of other languages. For other fences,
// it records the file that the text next to the fence names.
func find(d format.Document) []*format.Region {
	var found []*format.Region
	var loose *gitdiff.LooseFinder
	// The ends of the last patch or fence, and of the last fence.
	read, from := 0, 0
	file := "" // the file that the text next to the last fence names
	for p := range d.Segments(&read) {
		switch {
		case p.Fence != nil:
			var r *format.Region
			if r, file = fenced(d, from, file, p.Fence); r != nil {
				found = append(found, r)
			}
			read, from = p.At.End, p.Fence.Span.End
		case p.Mark == mdblock.DiffMark || p.Mark == mdblock.HunkMark:
			if loose == nil {
				loose = gitdiff.NewLooseFinder(d.Text)
			}
			if l, ok := loose.Find(p.At.Start, read, d.FenceBelow(p.At.Start)); ok {
				found = append(found, unfenced(d.Text, l))
				read = l.Span.End
			}
		}
	}
	return append(found, listings(d)...)
}

// fenced returns the region of a fence that has a patch although its tag does not say so, or nil, and the file that
// the text next to the fence names. `last` is the file of the preceding fence.
func fenced(d format.Document, from int, last string, r *format.Region) (found *format.Region, file string) {
	switch {
	case gitdiff.Begins(r.Body) && !isHunk(r.Body):
		if r.Lang != "" && r.Kind() != mdblock.Patch && !r.IsProse() {
			return &format.Region{Block: r.Block}, ""
		}
	case r.Lang == "" && gitdiff.Described(r.Body) && reply.FileOf(d.Text, from, &r.Block).Path == "":
		return &format.Region{Block: r.Block}, "" // Below a path, the text may be the file of a patch.
	case strings.Contains(r.Body, "@@"):
		if r.Shared == nil {
			file = cmp.Or(named(d.Text, from, r), said(d, from, r))
			r.Shared = outside{file: file}
		}
	default:
		if b, ok := bareIn(d, from, last, r); ok {
			return &format.Region{Block: r.Block, Shared: b}, b.path
		}
	}
	return nil, file
}

func unfenced(doc string, l gitdiff.Loose) *format.Region {
	r := format.Piece(doc, l.Span, !l.Open)
	o := outside{loose: l}
	if isHunk(r.Body) {
		o.file = named(doc, 0, r)
	}
	r.Shared = o
	return r
}

// named returns the file that the text next to a region names, or "" unless it names exactly one. A name in a
// sentence does not count, because the hunk may be for another file.
func named(doc string, from int, r *format.Region) string {
	b := reply.FileOf(doc, from, &r.Block)
	if b.Other != "" || b.Where >= reply.InSentence {
		return ""
	}
	return b.Path
}

// said returns the file that a sentence above a fence names, if the file has the old or the new lines of each hunk
// in the fence. Otherwise it returns "".
func said(d format.Document, from int, r *format.Region) string {
	b := reply.FileOf(d.Text, from, &r.Block)
	if b.Path == "" {
		b.Path, b.Where = onlyAbove(d.Text[from:r.Open.Start]), reply.InSentence
	}
	if b.Path == "" || b.Other != "" || b.Where < reply.InSentence || !isHunk(r.Body) {
		return ""
	}
	return reply.Holder(d, b.Path, []string{b.Path}, func(t *place.Text) bool {
		return !slices.ContainsFunc(hunks(r.Body), func(hunk []string) bool {
			old, new, signed := findreplace.Sides(hunk, eol(r.Body))
			return !signed || strings.TrimSpace(old) == "" || len(findreplace.PlacesOfLines(t, old)) == 0 && len(findreplace.PlacesOfLines(t, new)) == 0
		})
	})
}

// onlyAbove returns the only file that the last nonblank lines of a text name, or "". Between the name and the fence, a
// program may show the status of the edit.
func onlyAbove(above string) string {
	lines := text.Only(strings.Split(above, "\n"), func(line string) bool { return strings.TrimSpace(line) != "" })
	if names := reply.Mentioned(strings.Join(lines[max(0, len(lines)-nearPath):], "\n")); len(names) == 1 {
		return names[0]
	}
	return ""
}

// nearPath is the number of nonblank lines above a fence that may name its file.
const nearPath = 2

// hunks returns the lines of each hunk of a patch without file headers. Blank lines at the end of a hunk are left
// out.
func hunks(body string) (all [][]string) {
	for _, line := range text.SplitLines(strings.TrimSpace(body)) {
		if strings.HasPrefix(line, "@@") {
			all = append(all, nil)
			continue
		}
		all[len(all)-1] = append(all[len(all)-1], line)
	}
	for i, lines := range all {
		for len(lines) > 0 && text.TrimEOL(lines[len(lines)-1]) == "" {
			lines = lines[:len(lines)-1]
		}
		all[i] = lines
	}
	return all
}

func isHunk(body string) bool { return strings.HasPrefix(strings.TrimLeft(body, " \t\r\n"), "@@") }

// looseEnd adds an error and returns true if the end of a patch outside of fences is uncertain. No part of the patch
// may then be planned: repairing a hunk would change the counts in its header, and nothing would show the uncertain
// end any more.
func looseEnd(r *format.Region, p *gitdiff.Patch) bool {
	o, _ := r.Shared.(outside)
	l := o.loose
	if l.Why == "" {
		return false
	}
	onlyOffer(*p)
	p.Diagnostics = append(p.Diagnostics, diag.New(diag.GitLooseEnd, l.Doubt.Shift(-l.Span.Start), l.Why+"; write the patch between ```diff and ```", inFence(r.Body)))
	return true
}

func inFence(body string) diag.Fix {
	fence := "```"
	for strings.Contains(body, fence) {
		fence += "`"
	}
	eol := string(text.DominantEOL(body))
	last := fence + eol
	if !strings.HasSuffix(body, "\n") {
		last = eol + fence
	}
	end := text.Span{Start: len(body), End: len(body)}
	return diag.Fix{Title: "Put the patch in a fence", Edits: []text.Edit{{New: fence + "diff" + eol}, {Span: end, New: last}}}
}
