// Package gitdiff reads patches as `git apply` does, version 2.39, and says what is
// wrong with those that it would not read.
//
// It differs from git, with its defaults, in this:
//
//   - Names lose `a/` and `b/`, or the first folders in which alone the two sides
//     differ. Names that are the same on both sides without that lose nothing: they
//     are of --no-prefix, where git takes a level off and mostly finds no file. So
//     does a name that is alone, unless it begins with a prefix of others.
//     Several folders are taken for a prefix where a rename or a copy proves it, or
//     with a warning where the names of all sections differ in them alone; to git
//     they are one with -p. That takes as many off `rename from` too, which is not
//     done here.
//   - Lines that follow a finished hunk are an error: git leaves them out silently.
//   - Names that disagree where no rename is asked for get a warning.
//   - What git takes for prose although it is a broken part of the patch is an error:
//     hunks without numbers, hunks without a header, headers without hunks.
//   - A file that is changed and deleted by the same patch is an error: git keeps it.
//   - A submodule is an error; git makes an empty folder.
//   - A patch may end without a line ending, and begin with a byte order mark.
package gitdiff

import (
	"cmp"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A Patch is what a text says that holds sections for any number of files.
type Patch struct {
	Changes     []intent.Change // of the sections without an error; all are raw
	Diagnostics []diag.Diagnostic
	// How many sections the text seems to have, and how many of them have no error.
	Entries, Readable int
	// CutOff is the line at which the patch breaks off, as a file does that was not written
	// to its end; empty where it may be complete.
	CutOff text.Span
}

// Parse reads body. All spans are bytes of it. room is how many bytes binary patches may
// still make, and is counted down; nil for as many as one block may make.
func Parse(body string, room *int) Patch { return ParseIn(body, text.Span{End: len(body)}, room) }

// ParseIn is [Parse] for the lines of body that a span holds.
func ParseIn(body string, at text.Span, room *int) Patch {
	if room == nil {
		room = new(maxBinary)
	}
	p := &parser{room: room, source: newSourceIn(body, at), group: 1, prefixes: map[string]bool{}}
	if p.indented() {
		return p.patch
	}
	p.skipBOM()
	p.scheme = readScheme(p.source)
	p.read()
	if p.patch.Entries == 0 && !diag.HasErrors(p.patch.Diagnostics) {
		p.report(diag.Diagnostic{Span: p.line(0), Severity: diag.Error, Code: diag.GitNoPatch,
			Message: "no file is named: a patch has `--- a/FILE` and `+++ b/FILE`, and then hunks that begin with `@@ -LINE,COUNT +LINE,COUNT @@`"})
	}
	slices.SortStableFunc(p.patch.Diagnostics, func(a, b diag.Diagnostic) int { return cmp.Compare(a.Span.Start, b.Span.Start) })
	return p.patch
}

// A parser goes through a patch line by line.
type parser struct {
	*source
	at     int // the line that is read, from 0
	group  int // number of the commit that is read, from 1
	inMail bool
	patch  Patch
	errors int

	scheme   scheme
	prefixes map[string]bool // first folders that were taken off, such as "old/"
	room     *int            // bytes that binary patches may still make
}

func (p *parser) report(d diag.Diagnostic) {
	if d.Severity == diag.Error {
		p.errors++
	}
	p.patch.Diagnostics = append(p.patch.Diagnostics, d)
}

func (p *parser) fail(code diag.Code, at text.Span, message string, fixes ...diag.Fix) {
	p.report(diag.Diagnostic{Span: at, Severity: diag.Error, Code: code, Message: message, Fixes: fixes})
}

// read goes from section to section.
func (p *parser) read() {
	for p.at < p.count() {
		switch p.kind(p.at) {
		case gitHeader:
			p.section((*section).readGitHeader)
		case plainHeader, halfHeader:
			p.section((*section).readPlainHeader)
		case foreignHeader:
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

// section reads one file's section by its kind of header.
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
	p.patch.Changes = append(p.patch.Changes, c)
}

// commit begins a commit: a mail of format-patch, or what log and show write.
func (p *parser) commit() {
	if p.patch.Entries > 0 && !p.inMail {
		p.group++
	}
	p.inMail = true
	p.at++
}

// readCombined goes over a diff against several parents.
func (p *parser) readCombined() {
	p.fail(diag.GitCombined, p.line(p.at), "a combined diff says what a merge did to several parents, and cannot be applied; write the change against one of them (`git diff` or `git show -m` does)")
	for p.at++; p.at < p.count() && !strings.HasPrefix(p.text(p.at), "diff ") && p.kind(p.at) != commitLine; {
		p.at++
	}
}

// strayHunk is a hunk that no header says the file of. In the text above a patch
// git looks for whole hunk headers only.
func (p *parser) strayHunk() {
	_, strict := p.hunkNumbers(p.at)
	if p.inMail && !strict {
		p.at++
		return
	}
	p.patch.Entries++
	p.fail(diag.GitHeaderMissing, p.line(p.at), "the hunk is in no file: write `--- a/FILE` and `+++ b/FILE` above it")
	p.at = p.bodyEnd(p.at + 1)
}
