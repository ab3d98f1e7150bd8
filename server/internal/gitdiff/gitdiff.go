// Package gitdiff reads patches as `git apply` 2.39 does, and explains mistakes in patches that git would not read.
//
// It differs from git with its default options in these points:
//
//   - Names lose `a/` and `b/`, or their first folders if the two sides differ only in these. A name that is the same on
//     both sides and has no such prefix stays as it is, because the patch was made with --no-prefix. git removes its first
//     folder and usually finds no file. A single name also stays as it is, unless other names have its prefix.
//   - Several folders count as a prefix if a rename or a copy proves it, or, with a warning, if the names of all sections
//     differ only in these folders. git needs -p for such a prefix. It then also shortens the names on lines such as
//     `rename from`, but this package does not.
//   - Lines after a complete hunk are an error. git ignores them silently.
//   - Names that differ cause a warning if no rename is requested.
//   - A broken part of the patch that git treats as prose is an error: a hunk without numbers or without a header, or a
//     header without hunks.
//   - A patch that both changes and deletes a file is an error. git keeps the file.
//   - A submodule is an error. git makes an empty folder.
//   - A patch may end without a line ending, and may begin with a byte order mark.
package gitdiff

import (
	"cmp"
	"strings"
	"sync"

	"github.com/aptix-dev/aptix/server/internal/artifact"
	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A Patch is a text with sections for any number of files, which are its entries. Each of its changes is Raw.
type Patch struct {
	format.Parsed
	// CutOff is the line at which the patch ends too early, for example because its copy was interrupted. The span
	// is empty if the patch may be complete.
	CutOff text.Span
}

// Parse reads the patch in `body`. All spans of the result are bytes of `body`. Parse subtracts the output of binary
// patches from `room`, the number of bytes that they may still produce. If `room` is nil, the limit is maxBinary.
func Parse(body string, room *int) Patch { return ParseIn(body, text.Span{End: len(body)}, room) }

// ParseIn is [Parse] for the lines in a span of body.
func ParseIn(body string, at text.Span, room *int) Patch {
	room = cmp.Or(room, new(maxBinary))
	p := &parser{room: room, source: newSourceIn(body, at), group: 1, prefixes: map[string]bool{}, repeatsIDs: sync.OnceValue(func() bool { return repeatsIDs(body) })}
	if p.indented() {
		return p.patch
	}
	p.skipBOM()
	p.scheme = readScheme(p.source)
	p.read()
	if p.patch.Entries == 0 && !diag.HasErrors(p.patch.Diagnostics) {
		p.report(diag.New(diag.GitNoPatch, p.line(0),
			"no file is named: a patch has `--- a/FILE` and `+++ b/FILE`, and then hunks that begin with `@@ -LINE,COUNT +LINE,COUNT @@`"))
	}
	diag.Sort(p.patch.Diagnostics)
	return p.patch
}

type parser struct {
	*source
	at     int // from 0
	group  int // the number of the commit, from 1
	inMail bool
	patch  Patch
	errors int

	scheme   scheme
	prefixes map[string]bool // the removed prefixes, such as "old/"
	room     *int            // how many bytes binary patches may still produce

	repeatsIDs func() bool // for the whole body; it is read once, because every new file may ask
}

func (p *parser) report(d diag.Diagnostic) {
	if d.Severity == diag.Error {
		p.errors++
	}
	p.patch.Diagnostics = append(p.patch.Diagnostics, d)
}

func (p *parser) fail(code diag.Code, at text.Span, message string, fixes ...diag.Fix) {
	p.report(diag.New(code, at, message, fixes...))
}

func (p *parser) read() {
	for p.at < p.count() {
		switch p.kind(p.at) {
		case gitHeader:
			p.section((*section).readGitHeader)
		case plainHeader, halfHeader:
			p.section((*section).readPlainHeader)
		case foreignHeader, contextHeader:
			p.readForeign()
		case combinedHeader:
			p.patch.Entries++
			p.readCombined()
		case hunkHeader:
			p.strayHunk()
		case commitLine:
			p.commit()
		case other:
			if !p.orphans() {
				p.prose()
			}
		default:
			p.prose()
		}
	}
}

// section reads the section of one file. It calls `header` for the section's header.
func (p *parser) section(header func(*section)) {
	s := &section{parser: p, first: p.at, git: -1}
	before := p.errors
	p.patch.Entries++
	p.inMail = false
	header(s)
	s.readBody()
	p.patch.CutOff = s.cutOff()
	if p.errors > before {
		return
	}
	c, ok := s.change()
	if p.errors > before || !ok {
		return
	}
	p.patch.Readable++
	p.patch.Set.Changes = append(p.patch.Set.Changes, c)
}

// commit begins the part of one commit: a mail of format-patch, or an entry of log or show.
func (p *parser) commit() {
	if p.patch.Entries > 0 && !p.inMail {
		p.group++
	}
	p.inMail = true
	p.at++
}

// readCombined reports and skips a combined diff, which compares a file with several parents.
func (p *parser) readCombined() {
	p.fail(diag.GitCombined, p.line(p.at), "a combined diff compares a merge with several parents and cannot be applied; write the change against one parent, as `git diff` or `git show -m` does")
	for p.at++; p.at < p.count() && !strings.HasPrefix(p.text(p.at), "diff ") && p.kind(p.at) != commitLine; {
		p.at++
	}
}

// strayHunk reports a hunk that is below no file header. In a mail, git starts a hunk only at a complete `@@` line, so
// strayHunk skips an incomplete one there.
func (p *parser) strayHunk() {
	_, strict := p.hunkNumbers(p.at)
	if p.inMail && !strict {
		p.at++
		return
	}
	p.patch.Entries++
	p.fail(diag.GitHeaderMissing, p.line(p.at), "nothing says which file this hunk is for; write `--- a/FILE` and `+++ b/FILE` above it")
	p.at = p.bodyEnd(p.at + 1)
}

// Shaped reports whether a text looks like a patch, broken or not. It must have the header of a file or of a hunk,
// because lines with `+` and `-` alone may only illustrate something.
func Shaped(body string) bool {
	if _, is := Uncolored(body); is {
		return true
	}
	s := newSource(body)
	for i := range s.count() {
		line := strings.TrimLeft(strings.TrimPrefix(s.text(i), bom), " \t")
		if strings.HasPrefix(line, "@@") {
			return true
		}
		below := strings.TrimLeft(s.text(i+1), " \t")
		if k := newSource(line + "\n" + below).kind(0); k.beginsFile() || strings.HasPrefix(line, beginPatch) || s.beginsContext(i) {
			return true
		}
	}
	return false
}

// Described reports whether a text begins with fields, as a mail does, and has a patch below them. The packages of Debian
// describe their patches in this way.
func Described(body string) bool {
	return field.MatchString(body) && strings.Contains(body, "\n--- a/") && strings.Contains(body, "\n+++ b/") && strings.Contains(body, "\n@@ -")
}

var field = lazyregexp.New(`^[A-Z][A-Za-z-]+: \S`)

// Uncolored returns a patch without the colors of a terminal. It returns false if the text has no colors, or if it
// is a patch as it is, because its lines may contain the colors.
func Uncolored(body string) (string, bool) {
	if !strings.Contains(body, "\x1b[") || Begins(body) {
		return "", false
	}
	plain, _ := artifact.Terminal.Undo(body)
	return plain, Begins(plain)
}

// Begins reports whether a text certainly begins with a patch: with a mail, with a hunk whose header has counts, or
// with a file's header above a hunk or above other header lines of git.
func Begins(body string) bool {
	s := newSource(strings.TrimPrefix(body, bom))
	first := 0
	for first < s.count() && (s.blank(first) || s.kind(first) == otherTool) {
		first++
	}
	switch s.kind(first) {
	case gitHeader, combinedHeader, contextHeader:
		return true
	case plainHeader:
		return strings.HasPrefix(s.text(first+2), "@@")
	case hunkHeader:
		_, strict := s.hunkNumbers(first)
		return strict && s.op(first+1) != 0 && s.text(first+1) != ""
	case commitLine:
		return strings.Contains(body, "\ndiff --git ") || strings.Contains(body, "\n--- a/")
	case foreignMark:
		return strings.HasPrefix(s.text(first), beginPatch) && s.kind(first+1).beginsFile()
	}
	return false
}
