package git

import (
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/gitdiff"
	"github.com/aptix-dev/aptix/server/internal/mdblock"
	"github.com/aptix-dev/aptix/server/internal/reply"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// An outside describes the text around a patch in the document.
type outside struct {
	file  string        // the file that nearby text names for a hunk without a header; "" if it names none
	loose gitdiff.Loose // the patch, if it is outside of fences
}

// find claims patches outside of fences (rule G70) and in fences with the tags of other languages. For each fence, it
// records the file that the text next to the fence names.
func find(d format.Document) []*format.Region {
	var found []*format.Region
	var loose *gitdiff.LooseFinder
	// The offset `read` is the end of the last patch or fence, and `from` is the end of the last fence.
	read, from := 0, 0
	for p := range d.Segments(&read) {
		switch {
		case p.Fence != nil:
			if r := fenced(d, from, p.Fence); r != nil {
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
	return found
}

// fenced returns the region of a fence that contains a patch, although the tag of the fence does not say so. Otherwise
// it returns nil.
func fenced(d format.Document, from int, r *format.Region) *format.Region {
	switch {
	case gitdiff.Begins(r.Body) && !isHunk(r.Body):
		if otherTag(r) {
			return &format.Region{Block: r.Block}
		}
	case strings.Contains(r.Body, "@@"):
		if r.Shared == nil {
			r.Shared = outside{file: named(d.Text, from, r)}
		}
	default:
		if b, ok := bareIn(d, from, r); ok {
			return &format.Region{Block: r.Block, Shared: b}
		}
	}
	return nil
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

// named returns the file that the text next to a region names. It returns "" if the text names no file or two files. A
// file name in a sentence does not count, because a hunk below the sentence may be for another file.
func named(doc string, from int, r *format.Region) string {
	b := reply.FileOf(doc, from, &r.Block)
	if b.Other != "" || b.Where >= reply.InSentence {
		return ""
	}
	return b.Path
}

// otherTag reports whether a fence has a tag that is used neither for patches nor for samples.
func otherTag(r *format.Region) bool {
	return r.Lang != "" && r.Kind() != mdblock.Patch && !r.IsProse()
}

func isHunk(body string) bool { return strings.HasPrefix(strings.TrimLeft(body, " \t\r\n"), "@@") }

// looseEnd reports a patch outside of fences whose end is uncertain. No part of the patch may be planned: a repair of a
// hunk would change the line counts in its header, and then nothing would show that the end is uncertain.
func looseEnd(r *format.Region, p *gitdiff.Patch) bool {
	o, _ := r.Shared.(outside)
	l := o.loose
	if l.Why == "" {
		return false
	}
	onlyOffer(*p)
	p.Diagnostics = append(p.Diagnostics, diag.Diagnostic{Span: l.Doubt.Shift(-l.Span.Start), Severity: diag.Error, Code: diag.GitLooseEnd,
		Message: l.Why + "; write the patch between ```diff and ```", Fixes: []diag.Fix{inFence(r.Body)}})
	return true
}

// inFence returns the fix that puts a patch into a fence. The fence is longer than any run of backticks in the patch.
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
