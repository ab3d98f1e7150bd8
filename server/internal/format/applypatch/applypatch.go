// Package applypatch reads patches in the notation that begins with `*** Begin Patch`, on which some models are
// trained: docs/formats/apply-patch.md.
package applypatch

import (
	"path"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// Format is the format of apply_patch patches.
var Format = format.Format{
	Name:   "apply-patch",
	Title:  "an apply_patch patch",
	Noun:   "patch",
	Part:   "hunk",
	Guest:  true,
	Claims: format.Claims{Find: find, Shaped: func(r *format.Region) bool { return begins(r.Body) }},
	Files:  format.Files{Begins: isPatchFile},
	Parse:  parse,
	Editor: format.Editor{Outline: format.OutlineParts("Patch", "file", nil), Mention: format.MentionPathOrPart, Complete: format.CompletePaths(parse), Folds: true},
}

// The words for the two texts of a hunk in messages.
const (
	oldName = "the old text of the hunk"
	newName = "the new text of the hunk"
)

type reader struct {
	lines
	at     int    // the current line, from 0
	dir    string // the folder of a `cd` command above the patch
	closed bool   // the patch is in a closed fence
	begun  int    // the line of a `*** Begin Patch` without its end so far, or -1
	parsed format.Parsed
	empty  []diag.Diagnostic // the hunks of the section that change nothing
}

func parse(r *format.Region) format.Parsed { return read(r).parsed }

func read(r *format.Region) *reader {
	rd := &reader{lines: split(r.Body), closed: r.Fenced && r.Closed, begun: -1}
	if !r.Fenced && beginsFile(rd.Text(0)) {
		at := text.Span{}
		rd.parsed.Report(diag.PatchNoEnd, rd.At(0), "outside of a fence, a patch begins with `*** Begin Patch` and ends with `*** End Patch`",
			diag.Fix{Title: "Write `*** Begin Patch`", Edits: []text.Edit{{Span: at, New: "*** Begin Patch" + rd.EOL()}}})
	}
	rd.parsed.Set.PathsRepeat = true
	for rd.at < rd.Count() {
		rd.line()
	}
	if rd.begun >= 0 {
		rd.noEnd()
	}
	if rd.parsed.Entries == 0 && !diag.HasErrors(rd.parsed.Diagnostics) {
		rd.parsed.Report(diag.PatchEmpty, rd.At(0), "the patch has no section: `*** Add File: PATH`, `*** Update File: PATH` or `*** Delete File: PATH` begins one")
	}
	return rd
}

// line reads a section, or a line between sections.
func (r *reader) line() {
	verb, path := header(r.unindented(r.at))
	switch {
	case verb == begin:
		if r.begun >= 0 {
			r.noEnd()
		}
		r.begun = r.at
	case verb == end:
		r.begun, r.dir = -1, ""
	case verb == add, verb == update, verb == remove:
		r.section(verb, path)
		return
	case r.Blank(r.at), isFence(r.Text(r.at)), r.begun < 0 && r.command():
	case r.begun < 0 && r.at > 0 && closing.MatchString(r.Text(r.at)):
	default:
		r.parsed.Report(diag.PatchLine, r.At(r.at), "the line is outside of any section of the patch; "+expected)
	}
	r.at++
}

const expected = "`*** Add File: PATH`, `*** Update File: PATH` or `*** Delete File: PATH` begins a section"

func (r *reader) noEnd() {
	at := text.Span{Start: r.Starts[r.at], End: r.Starts[r.at]}
	written := "*** End Patch" + r.EOL()
	if at.Start > 0 && r.Body[at.Start-1] != '\n' {
		written = r.EOL() + "*** End Patch"
	}
	d := diag.New(diag.PatchNoEnd, r.At(r.begun), "the patch has no `*** End Patch`: it may have been cut off",
		diag.Fix{Title: "Write `*** End Patch`", Edits: []text.Edit{{Span: at, New: written}}})
	if r.closed && r.parsed.Readable > 0 && !diag.HasErrors(r.parsed.Diagnostics) {
		d = d.As(diag.Warning) // the fence ends the patch, and each of its sections is complete
	}
	r.parsed.Diagnostics = append(r.parsed.Diagnostics, d)
	r.begun = -1
}

func (r *reader) section(verb, path string) {
	r.parsed.Entries++
	first, errors := r.at, len(r.parsed.Diagnostics)
	head := r.At(r.at)
	c := intent.Change{Marked: true, Path: r.below(path), PathAt: r.literal(r.at, path)}
	r.at++
	switch verb {
	case add:
		c.Kind = intent.Create
		c.KindAt = intent.Literal{Span: text.Span{Start: head.Start, End: head.Start}, Name: head, As: deleteFirst{"*** Delete File: " + path + r.EOL()}}
		c.Content, c.ContentAt = r.content()
	case remove:
		c.Kind = intent.Delete
	case update:
		c.Kind = intent.Edit
		if verb, to := header(r.Text(r.at)); verb == move {
			c.Kind, c.To, c.ToAt = intent.Rename, r.below(to), r.literal(r.at, to)
			r.at++
		}
		c.Steps = r.hunks()
		if len(c.Steps) == 0 && c.Kind == intent.Edit && len(r.parsed.Diagnostics) == errors {
			r.parsed.Report(diag.PatchEmpty, head, "the section does not say what changes in "+path+": lines that begin with ` `, `-` and `+` are expected")
		}
	}
	if path == "" {
		r.parsed.Report(diag.PatchEmpty, head, "the section does not name its file; write the path after the colon")
	}
	c.At = text.Span{Start: r.Starts[first], End: r.Starts[r.at]}
	if !diag.HasErrors(r.parsed.Diagnostics[errors:]) {
		r.parsed.Readable++
		r.parsed.Set.Changes = append(r.parsed.Set.Changes, c)
	}
}

func (r *reader) content() (string, intent.Literal) {
	var b strings.Builder
	from := r.at
	to := r.trimmed(from, r.sectionEnd(from))
	for ; r.at < to; r.at++ {
		raw := r.Raw(r.at)
		if !strings.HasPrefix(raw, "+") {
			at := text.Span{Start: r.Starts[r.at], End: r.Starts[r.at]}
			r.parsed.Report(diag.PatchLine, r.At(r.at), "every line of a new file must begin with `+`", diag.Fix{Title: "Write the missing `+`", Edits: []text.Edit{{Span: at, New: "+"}}})
			continue
		}
		b.WriteString(raw[1:])
	}
	r.at = r.sectionEnd(from)
	return text.Ended(b.String()), intent.Literal{Span: text.Span{Start: r.Starts[from], End: r.Starts[to]}, As: added{r.EOL()}}
}

// below returns the path of a file that the patch names relative to the folder of `cd`. The path may lead out of
// that folder.
func (r *reader) below(name string) string {
	switch {
	case r.dir == "" || name == "" || path.IsAbs(name):
		return name
	case strings.HasPrefix(name, "../"):
		return path.Join(r.dir, name)
	}
	return r.dir + "/" + name
}

func (r *reader) literal(line int, name string) intent.Literal {
	at := r.At(line)
	at.End = at.Start + len(strings.TrimRight(at.In(r.Body), " \t"))
	l := intent.Literal{Span: text.Span{Start: at.End - len(name), End: at.End}}
	switch {
	case r.dir == "":
	case path.IsAbs(r.dir), strings.HasPrefix(r.dir, ".."):
		// No relative path leads from that folder back into the workspace.
		return intent.Literal{}
	default:
		l.As = inside{r.dir}
	}
	return l
}

// An inside is the notation of a path relative to a folder.
type inside struct{ Dir string }

func (n inside) Write(name string) string {
	up := ""
	for dir := n.Dir; ; dir = path.Dir(dir) {
		if rest, below := strings.CutPrefix(name, dir+"/"); below {
			return up + rest
		}
		if up += "../"; !strings.Contains(dir, "/") {
			return up + name
		}
	}
}

// A deleteFirst is a notation that writes a section that deletes a file above the section that adds it.
type deleteFirst struct{ Section string }

func (n deleteFirst) Write(string) string { return n.Section }

// An added is the notation of a text as `+` lines with the line ending EOL.
type added struct{ EOL string }

func (n added) Write(content string) string {
	var b strings.Builder
	for _, line := range text.SplitLines(content) {
		b.WriteString("+" + text.TrimEOL(line) + n.EOL)
	}
	return b.String()
}
