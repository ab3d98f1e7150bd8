package gitdiff

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/diff"
	"github.com/aptix-dev/aptix/server/internal/hunk"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/text"
)

func (s *section) change() (c intent.Change, ok bool) {
	if !s.resolve() {
		return c, false
	}
	c = intent.Change{Kind: intent.Edit, Path: s.names.old, Other: s.otherName, Raw: true, Marked: true, Group: s.group, Mode: fileMode(s.newMode), WasMode: fileMode(s.oldMode)}
	c.At = text.Span{Start: s.starts[s.first], End: s.starts[s.bodyDone]}
	c.PathAt = s.literal(true)
	switch {
	case s.isNew:
		c.Kind, c.Path, c.WasMode = intent.Create, s.names.new, 0
	case s.isDelete:
		c.Kind, c.Mode = intent.Delete, 0
	case s.moves():
		c.Kind, c.To, c.ToAt = intent.Rename, s.names.new, s.literal(false)
		if s.isCopy {
			c.Kind = intent.Copy
		}
	}
	if s.oldMode != 0 && s.oldMode == s.newMode {
		c.Mode = 0
	}
	return c, s.content(&c)
}

func (s *section) content(c *intent.Change) bool {
	switch {
	case s.noData > 0:
		s.fail(diag.GitBinary, s.line(s.noData), "the patch has no data for this binary file; make it with `git diff --binary`")
		return false
	case s.binary != nil:
		return s.binary.fill(c, s)
	case c.Kind == intent.Create:
		return s.newContent(c)
	case len(s.hunks) > 0:
		c.Steps = []intent.Step{hunk.Patch{Hunks: s.hunks, Options: hunk.Options{
			OldBlob:        s.oldID,
			NewBlob:        s.newID,
			IndexAt:        s.newIDAt,
			IndexLine:      s.indexLine,
			WholeFile:      s.isDelete,
			EOL:            text.EOL(s.eol()),
			EndingsUnknown: s.allCRLF(),
		}}}
		other := func(l hunk.Line) bool { return l.Op != '+' }
		c.MayCreate = s.git < 0 && c.Kind == intent.Edit && len(s.hunks) == 1 && !slices.ContainsFunc(s.hunks[0].Lines, other)
		return true
	case c.Kind == intent.Delete:
		c.Steps = []intent.Step{s.deletion()}
		return true
	}
	return s.mayBeEmpty(c)
}

// allCRLF reports whether every line of the section ends in CRLF, even those that git always ends in LF. If so,
// somebody converted the whole patch.
func (s *section) allCRLF() bool {
	for i := s.first; i < s.bodyDone; i++ {
		if end := s.line(i).End; end < s.starts[i+1] && s.source.body[end:s.starts[i+1]] != "\r\n" {
			return false
		}
	}
	return true
}

// mayBeEmpty reports whether a section needs no hunks. If it needs some, mayBeEmpty adds an error.
func (s *section) mayBeEmpty(c *intent.Change) bool {
	switch {
	case c.Kind != intent.Edit || c.Mode != 0 && c.WasMode != 0:
		return true
	case s.newMode != 0 && s.oldMode == 0:
		old := "100644"
		if c.Mode == 0o644 {
			old = "100755"
		}
		s.fail(diag.GitHeaderMissing, s.line(s.modeLine), "git does not accept `new mode` without `old mode`",
			diag.Fix{Title: "Add the line `old mode " + old + "`", Edits: []text.Edit{s.insert(s.modeLine, "old mode "+old)}, Preferred: true})
		return false
	}
	s.fail(diag.GitNoHunks, s.header(), fmt.Sprintf("the patch does not say what changes in %s: write hunks, which begin with `@@ -LINE,COUNT +LINE,COUNT @@`", s.names.new),
		diag.Fix{Title: "Remove the section", Edits: []text.Edit{s.remove(s.first, s.bodyDone)}})
	return false
}

// A Deletion is the step of a section that deletes a file without listing its lines. git accepts this only for an
// empty file. The step has no parts.
type Deletion struct {
	Section  text.Span
	Shown    text.Span // the text that a diagnostic underlines
	At       text.Span // where a fix inserts the lines of the file
	Unended  bool      // the line before At has no line ending
	EOL      string    // of the section
	Path     string
	OldID    string // the file's id on the `index` line, or ""
	HasNames bool   // the section has `---` and `+++` lines
	CutOff   bool   // the patch ends with the section, and may be cut off there
}

func (d Deletion) Span() text.Span { return d.Section }

func (Deletion) Parts() []text.Span { return nil }

func (s *section) deletion() Deletion {
	d := Deletion{Section: s.header(), Shown: s.header(), EOL: s.eol(), Path: s.names.old, OldID: s.oldID, HasNames: s.newName.ok()}
	d.At = text.Span{Start: s.starts[s.head], End: s.starts[s.head]}
	d.Unended = !strings.HasSuffix(s.body[:d.At.Start], "\n")
	return d
}

func (d Deletion) Resolve(on intent.Target) intent.Outcome {
	content := on.Text.String()
	place := []intent.Place{{At: d.Shown, Target: text.Span{End: len(content)}, Done: content == ""}}
	if content == "" {
		return intent.Outcome{Done: true, Places: place}
	}
	p := diag.New(diag.GitDeletedContent, d.Shown, fmt.Sprintf("git deletes a file only if the patch removes all of its lines, but the patch has no lines of %s", d.Path))
	if e, ok := d.write(content); ok {
		p.Fixes = []diag.Fix{{Title: "Add the lines of the file, with `-`", Edits: []text.Edit{e}, Preferred: !d.CutOff && (d.OldID == "" || strings.HasPrefix(diff.BlobID(d.OldID, content), d.OldID))}}
	}
	return intent.Outcome{Problems: []diag.Diagnostic{p}, Places: place}
}

// write returns the edit that adds all lines of the file to the block, as removed lines. It returns false if the
// content is not text.
func (d Deletion) write(content string) (text.Edit, bool) {
	if strings.ContainsRune(content, 0) || !utf8.ValidString(content) {
		return text.Edit{}, false
	}
	lines := diff.GitLines(content)
	var b strings.Builder
	if !d.HasNames {
		fmt.Fprintf(&b, "--- %s%s+++ /dev/null%s", diff.NameInLine("a/"+d.Path), d.EOL, d.EOL)
	}
	b.WriteString(writeHeader(1, len(lines), 0, 0, "") + d.EOL)
	for _, l := range lines {
		b.WriteString("-" + l)
	}
	if !strings.HasSuffix(content, "\n") {
		b.WriteString(d.EOL + `\ No newline at end of file` + d.EOL)
	}
	e := text.Edit{Span: d.At, New: b.String()}
	if d.Unended {
		e.New = d.EOL + strings.TrimSuffix(e.New, "\n")
	}
	return e, true
}
