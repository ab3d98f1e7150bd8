// Package wholefile reads whole files in fences, each below its path. Many models write files in this way. The rules
// are in docs/formats/whole-file.md.
package wholefile

import (
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/mdblock"
	"github.com/aptix-dev/aptix/server/internal/reply"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// Format is the format of whole files.
var Format = format.Format{
	Name:   "whole-file",
	Title:  "a whole file",
	Noun:   "file",
	Part:   "part",
	Guest:  true,
	Claims: format.Claims{Find: find},
	Parse:  parse,
	Editor: format.Editor{Outline: format.OutlineParts("Whole file", "file", nil), Mention: format.MentionPathOrPart, Complete: format.CompletePaths(parse), Folds: true},
}

type reader struct {
	body   string
	parsed format.Parsed
}

func parse(r *format.Region) format.Parsed { return read(r).parsed }

func read(r *format.Region) *reader {
	rd := &reader{body: r.Body}
	rd.parsed.Set.PathsRepeat = true // each fence is one change
	found, ok := r.Shared.([]entry)
	if !ok {
		found = rd.all()
	}
	for _, e := range found {
		rd.entry(e)
	}
	if rd.parsed.Entries == 0 {
		rd.parsed.Report(diag.WholeNoPath, text.Span{}, "no file was found: write the path of each file on a line, and its text in a fence below it")
	}
	rd.parsed.Summary = format.Count(len(found), "whole file")
	return rd
}

// all returns the entries of a text that a person declared to be in this format. Each fence is then a file, and a
// fence without a path is an error.
func (r *reader) all() []entry {
	fences := format.NewDocument(mdblock.Read(r.body)).Fences
	found := entries(r.body, fences, func(*format.Region) bool { return false }, nil)
	found = slices.DeleteFunc(found, func(e entry) bool { return e.said })
	files := fencesOf(found)
	for _, f := range fences {
		if !f.Closed {
			r.parsed.Report(diag.WholeFences, f.Open, "the fence is not closed, so its text may be cut off")
		}
		if !files[f] {
			r.parsed.Entries++
			r.parsed.Report(diag.WholeNoPath, f.Open, "the file is not named; write its path on the line above")
		}
	}
	return found
}

func (r *reader) entry(e entry) {
	r.parsed.Entries++
	if r.broken(e) {
		return
	}
	r.parsed.Readable++
	r.parsed.Set.Changes = append(r.parsed.Set.Changes, r.change(e))
}

var kinds = map[verb]intent.Kind{shown: intent.Write, created: intent.Create, updated: intent.Replace, deleted: intent.Delete, renamed: intent.Rename}

func (r *reader) change(e entry) intent.Change {
	c := intent.Change{Kind: kinds[e.verb], Path: e.path.path, PathAt: intent.Literal{Span: e.path.span}, At: e.at, NeedsFolder: e.problem == unplaced}
	if c.NeedsFolder {
		c.Instead = e.asNew(r.body)
	}
	if e.verb == renamed {
		c.To, c.ToAt = e.to.path, intent.Literal{Span: e.to.span}
	}
	if e.step != nil {
		step := *e.step
		step.At = e.at
		c.Kind, c.Steps = intent.Edit, []intent.Step{step}
	}
	if !e.written {
		return c
	}
	return r.content(c, e)
}

// content adds the text of a fence to a change. A fence shows neither whether the file ends with a line ending nor
// whether the text is the whole file, so both are marked as unknown.
func (r *reader) content(c intent.Change, e entry) intent.Change {
	c.Content, c.OpenEnd, c.MayBePart, c.IsPart = e.text(), true, true, e.isPart
	c.About = e.about
	c.ContentAt = intent.Literal{Span: e.content, As: whole{text.FirstEOL(r.body), e.comment}}
	return c
}

// A whole is the notation for the text of a file in a fence, in whole lines. If only a comment names the file and a
// new text lacks it, Write puts the comment above the text, as a label that is not part of the file.
type whole struct{ EOL, comment string }

func (n whole) Write(s string) string {
	if n.comment != "" && !strings.Contains(s, n.comment) {
		s = reply.LabelComment(n.comment) + n.EOL + s
	}
	return text.WholeLines(s, n.EOL)
}
