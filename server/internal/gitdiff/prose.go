package gitdiff

import (
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/diff"
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/mdblock"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// prose skips lines outside of sections. It reports them, except above the first section, in a mail, or after the
// name of a commit.
func (p *parser) prose() {
	switch {
	case p.blank(p.at), p.inMail, p.patch.Entries == 0, p.kind(p.at) == otherTool:
		if !p.inMail {
			p.rest(p.at, p.at+1)
		}
		p.at++
		return
	case p.kind(p.at) == signature:
		p.at += 2
		return
	// Models write this line below git patches, too.
	case strings.TrimRight(p.text(p.at), " \t") == endPatch:
		p.at++
		return
	}
	first := p.at
	for p.at < p.count() && (p.kind(p.at) == other || p.kind(p.at) == fence || p.kind(p.at) == foreignMark) {
		p.at++
	}
	last := p.at
	for p.blank(last - 1) {
		last--
	}
	p.rest(first, p.at)
	at := text.Span{Start: p.starts[first], End: p.line(last - 1).End}
	p.report(diag.New(diag.GitProse, at, "the text is not part of the patch, and is ignored",
		// After an error, the text may be a missing part of the section above.
		diag.Fix{Title: "Remove the text", Edits: []text.Edit{p.remove(first, p.at)}, Preferred: p.errors == 0}))
}

// rest records the lines [first, end) if any of them begins an edit in another notation.
func (p *parser) rest(first, end int) {
	found := false
	for i := first; i < end && !found; i++ {
		line := p.text(i)
		found = p.kind(i) != foreignMark && mdblock.EditMark(line) != mdblock.NoMark || strings.HasPrefix(line, "{") || strings.HasPrefix(line, "[{")
	}
	if found {
		p.patch.Rest = append(p.patch.Rest, text.Span{Start: p.starts[first], End: p.line(end - 1).End})
	}
}

// orphanPattern matches a line that only git's headers have.
var orphanPattern = lazyregexp.New(`^((new|deleted) file mode|old mode|new mode) \d{6}$|^(rename|copy) (from|to) .`)

// orphans reports header lines without a `diff --git` line, which git would treat as prose. It returns false if
// there are none.
func (p *parser) orphans() bool {
	end := p.at
	for end < p.count() && p.kind(end) == other && p.isHeaderLine(end) {
		end++
	}
	if end == p.at || !orphanPattern.MatchString(p.text(p.at)) && !orphanPattern.MatchString(p.text(end-1)) && end-p.at < 3 {
		return false
	}
	p.patch.Entries++
	s := &section{parser: p, first: p.at, git: -1}
	if p.kind(end) == plainHeader {
		s.oldName, s.newName = p.fileName(end, len("--- ")), p.fileName(end+1, len("+++ "))
	}
	for i := p.at; i < end; i++ {
		p.readMoved(i, &s.from, &s.to)
	}
	p.fail(diag.GitHeaderMissing, p.line(p.at), "the line `diff --git a/FILE b/FILE` is missing above this line; without it, git ignores this line", s.gitLine()...)
	p.at = end
	return true
}

// gitLine returns the fix that writes the missing `diff --git` line, or nil.
func (s *section) gitLine() []diag.Fix {
	old, new := s.oldName, s.newName
	switch {
	case s.from.ok() && s.to.ok():
		old, new = name{raw: "a/" + s.from.raw}, name{raw: "b/" + s.to.raw}
	case !old.ok() || !new.ok() || old.devNull && new.devNull:
		return nil
	case old.devNull:
		_, rest := new.cut()
		old = name{raw: "a/" + rest}
	case new.devNull:
		_, rest := old.cut()
		new = name{raw: "b/" + rest}
	}
	line := "diff --git " + diff.QuoteName(old.raw) + " " + diff.QuoteName(new.raw)
	return []diag.Fix{{Title: "Write " + line, Edits: []text.Edit{s.insert(s.first, line)}, Preferred: true}}
}

// The first and the last line of a patch in the apply_patch format. Models write them around git patches, too.
const (
	beginPatch = "*** Begin Patch"
	endPatch   = "*** End Patch"
)

var (
	foreignSection = lazyregexp.New(`^\*\*\* (?:Add|Update|Delete) File: `)
	foreignLine    = lazyregexp.New(`^\*\*\* (?:Begin Patch|End Patch|Move to: |End of File)`)
)

func foreignKind(line string) kind {
	switch {
	case foreignSection.MatchString(line):
		return foreignHeader
	case foreignLine.MatchString(line):
		return foreignMark
	}
	return other
}

// beginsContext reports whether a context diff, which git does not read, begins on line i.
func (s *source) beginsContext(i int) bool {
	return strings.HasPrefix(s.text(i), "*** ") && strings.HasPrefix(s.text(i+1), "--- ") && strings.HasPrefix(s.text(i+2), "*****")
}

func (p *parser) readForeign() {
	p.patch.Entries++
	p.inMail = false
	if p.kind(p.at) == contextHeader {
		p.fail(diag.GitForeign, p.line(p.at), "this is a context diff, which git does not read: write it as a unified diff (`diff -u`)")
		p.at = p.contextEnd(p.at, p.count())
		return
	}
	p.fail(diag.GitForeign, p.line(p.at), "this section is not in git's format: write it in a separate block between `*** Begin Patch` and `*** End Patch`, or in git's format")
	p.at++
	p.skipSection()
}

// contextEnd returns the line after the context diff that begins on line i. The diff ends at the last line before
// `limit` that may belong to it.
func (s *source) contextEnd(i, limit int) int {
	end := i
	for ; i < limit && (s.blank(i) || strings.IndexByte("*-+! \\", s.text(i)[0]) >= 0); i++ {
		if !s.blank(i) {
			end = i + 1
		}
	}
	return end
}
