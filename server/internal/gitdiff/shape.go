package gitdiff

import "strings"

// Shaped reports whether a text has the shape of a patch, broken or not: it must have a header of
// a file or of a hunk. Lines with `+` and `-` alone are only an illustration.
func Shaped(body string) bool {
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

// Begins reports whether a text certainly begins with a patch: with a file's header above a hunk
// or other lines of git, with a hunk that counts its lines, or with a mail.
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
