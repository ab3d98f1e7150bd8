package gitdiff

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/diff"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A Deletion is the step of a section that deletes a file without listing its lines. git allows
// such a section only for an empty file.
type Deletion struct {
	Section  text.Span
	Shown    text.Span // the part that a diagnostic underlines
	At       text.Span // where a fix writes the lines of the file
	Unended  bool      // the line before At has no ending
	EOL      string    // line ending of the section
	Path     string
	OldID    string // the file's id on the `index` line; "" if there is none
	HasNames bool   // the section has `---` and `+++` lines
	CutOff   bool   // the patch ends after the section, and a part of it may be missing
}

// Span implements [intent.Step].
func (d Deletion) Span() text.Span { return d.Section }

// Parts implements [intent.Step]. A deletion has no parts.
func (Deletion) Parts() []text.Span { return nil }

// deletion returns the section as a Deletion. A fix writes the lines of the file after the
// header.
func (s *section) deletion() Deletion {
	d := Deletion{Section: s.header(), Shown: s.header(), EOL: s.eol(), Path: s.names.old, OldID: s.oldID, HasNames: s.newName.ok()}
	d.At = text.Span{Start: s.starts[s.head], End: s.starts[s.head]}
	d.Unended = !strings.HasSuffix(s.body[:d.At.Start], "\n")
	return d
}

// Resolve implements [intent.Step].
func (d Deletion) Resolve(on intent.Target) intent.Outcome {
	content := on.Text.String()
	place := []intent.Place{{At: d.Shown, Target: text.Span{End: len(content)}, Done: content == ""}}
	if content == "" {
		return intent.Outcome{Done: true, Places: place}
	}
	p := diag.New(diag.GitDeletedContent, d.Shown, fmt.Sprintf("git deletes a file only if the patch has all of its lines, but %s is not empty", d.Path))
	if e, ok := d.write(content); ok {
		p.Fixes = []diag.Fix{{Title: "Write its content as it is now", Edits: []text.Edit{e}, Preferred: !d.CutOff && (d.OldID == "" || strings.HasPrefix(diff.BlobID(d.OldID, content), d.OldID))}}
	}
	return intent.Outcome{Problems: []diag.Diagnostic{p}, Places: place}
}

// write returns the edit of the block that writes all lines of the file. It returns false if a
// block cannot hold the content, because it is not text.
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
