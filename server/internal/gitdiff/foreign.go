package gitdiff

import (
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
)

// The first and the last line of an apply_patch patch, which is another format. These lines may
// enclose a git patch, but not sections of the other format.
const (
	beginPatch = "*** Begin Patch"
	endPatch   = "*** End Patch"
)

var (
	foreignSections = []string{"*** Add File: ", "*** Update File: ", "*** Delete File: "}
	foreignMarks    = []string{beginPatch, endPatch, "*** Move to: ", "*** End of File"}
)

func foreignKind(line string) kind {
	for _, section := range foreignSections {
		if strings.HasPrefix(line, section) {
			return foreignHeader
		}
	}
	for _, mark := range foreignMarks {
		if strings.HasPrefix(line, mark) {
			return foreignMark
		}
	}
	return other
}

// beginsContext reports whether a context diff, which git does not read, begins on a line.
func (s *source) beginsContext(i int) bool {
	return strings.HasPrefix(s.text(i), "*** ") && strings.HasPrefix(s.text(i+1), "--- ") && strings.HasPrefix(s.text(i+2), "*****")
}

// readForeign skips a section of another format and reports it.
func (p *parser) readForeign() {
	p.patch.Entries++
	p.inMail = false
	if p.kind(p.at) == contextHeader {
		p.fail(diag.GitForeign, p.line(p.at), "this is a context diff, which git does not read: write it as a unified diff (`diff -u`)")
		p.at = p.contextEnd(p.at, p.count())
		return
	}
	p.fail(diag.GitForeign, p.line(p.at), "this section is not in git's format: write it in a block of its own between `*** Begin Patch` and `*** End Patch`, or in git's format")
	for p.at++; p.at < p.count() && !p.kind(p.at).beginsFile() && p.kind(p.at) != commitLine; {
		p.at++
	}
}

// contextEnd returns the line after the last line, from line i and before limit, that may belong
// to a context diff.
func (s *source) contextEnd(i, limit int) int {
	end := i
	for ; i < limit && (s.blank(i) || strings.IndexByte("*-+! \\", s.text(i)[0]) >= 0); i++ {
		if !s.blank(i) {
			end = i + 1
		}
	}
	return end
}
