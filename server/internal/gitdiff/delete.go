package gitdiff

import (
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A deletion is a section that deletes a file and does not say what is in it. Git
// takes that for an empty file only.
type deletion struct {
	section  text.Span
	at       text.Edit // where what the file holds is to be written
	unended  bool      // the line before has no ending
	eol      string
	path     string
	oldID    string
	hasNames bool     // the section has `---` and `+++` lines
	head     []string // git's header, for a section that is not git's
}

// deletion is the section as one. What the file holds goes behind the header.
func (s *section) deletion() deletion {
	d := deletion{section: s.header(), eol: s.eol(), path: s.names.old, oldID: s.oldID, hasNames: s.newName.ok()}
	d.at.Span = text.Span{Start: s.starts[s.head], End: s.starts[s.head]}
	d.unended = !strings.HasSuffix(s.body[:d.at.Span.Start], "\n")
	return d
}

func (d deletion) edit(t intent.Target) intent.Outcome {
	place := []intent.Place{{At: d.section, Target: text.Span{End: len(t.Text)}, Done: t.Text == ""}}
	if t.Text == "" && d.head == nil {
		return intent.Outcome{Done: true, Places: place}
	}
	p := diag.Diagnostic{Span: d.section, Severity: diag.Error, Code: diag.GitDeletedContent,
		Message: fmt.Sprintf("git deletes a file only with all of its lines in the patch, and %s is not empty", d.path)}
	if d.head != nil {
		p.Code, p.Message = diag.GitForeign, "`*** Delete File` is not how git writes that a file is deleted; write it as a git patch with all of its lines"
	}
	if e, ok := d.write(t.Text); ok {
		p.Fixes = []diag.Fix{{Title: "Write its content as it is now", Edits: []text.Edit{e}, Preferred: d.oldID == "" || strings.HasPrefix(blobID(t.Text, d.oldID), d.oldID)}}
	}
	return intent.Outcome{Problems: []diag.Diagnostic{p}, Places: place}
}

// write is the edit of the block that writes all lines of the file. Not ok for
// bytes that are no text: a block cannot hold them.
func (d deletion) write(content string) (text.Edit, bool) {
	if strings.ContainsRune(content, 0) || !isText(content) {
		return text.Edit{}, false
	}
	lines := gitLines(content)
	var b strings.Builder
	for _, line := range d.head {
		b.WriteString(line + d.eol)
	}
	if content == "" {
		return text.Edit{Span: d.at.Span, New: b.String()}, true
	}
	if !d.hasNames {
		fmt.Fprintf(&b, "--- %s%s+++ /dev/null%s", fileLine("a/"+d.path), d.eol, d.eol)
	}
	b.WriteString(writeHeader(1, len(lines), 0, 0, "") + d.eol)
	for _, l := range lines {
		b.WriteString("-" + l)
	}
	if !strings.HasSuffix(content, "\n") {
		b.WriteString(d.eol + `\ No newline at end of file` + d.eol)
	}
	e := d.at
	e.New = b.String()
	if d.unended {
		e.New = d.eol + strings.TrimSuffix(e.New, "\n")
	}
	return e, true
}

// gitLines cuts content behind every LF.
func gitLines(content string) []string {
	lines := strings.SplitAfter(content, "\n")
	if last := len(lines) - 1; lines[last] == "" {
		lines = lines[:last]
	}
	return lines
}

func isText(s string) bool { return strings.ToValidUTF8(s, "") == s }

// blobID is the name that git gives to content, by the hash that made like.
func blobID(content, like string) string {
	head := fmt.Sprintf("blob %d\x00", len(content))
	if len(like) > 2*sha1.Size {
		sum := sha256.Sum256([]byte(head + content))
		return hex.EncodeToString(sum[:])
	}
	sum := sha1.Sum([]byte(head + content))
	return hex.EncodeToString(sum[:])
}
