package gitdiff

import (
	"strings"

	"github.com/aptix-dev/aptix/server/internal/text"
)

// cutOff returns the last line of a patch that breaks off in the middle of a line or in a header,
// because its writing or copying was interrupted. The span is empty if the patch may be complete.
func (s *section) cutOff() text.Span {
	last := s.count() - 1
	at := s.line(max(last, 0))
	switch {
	case last >= s.bodyDone, last < s.first:
		return text.Span{} // other text follows the last section
	case s.bodyDone == s.head && !s.saysAll(), !strings.HasSuffix(s.body, "\n") && !s.endsWell(last):
		return at
	}
	return text.Span{}
}

// saysAll reports whether the header is complete for a change for which git writes no hunks.
func (s *section) saysAll() bool {
	switch {
	case s.isNew || s.isDelete:
		return s.newID != "" && (s.isDelete || !tells(s.newID))
	case s.moves():
		return s.from.ok() && s.to.ok() && s.from.line != s.to.line && !s.changed // if one line has both names, the other line is lost
	}
	return s.newMode != 0 && s.newID == ""
}

// endsWell reports whether the last line, which has no line ending, is complete: the counts
// of its hunk are right, and the line does not become part of the file.
func (s *section) endsWell(last int) bool {
	if op := s.op(last); len(s.hunks) == 0 || op != ' ' && op != '-' && op != '\\' {
		return len(s.hunks) == 0 && s.bodyDone == s.head
	}
	h := s.hunks[len(s.hunks)-1]
	old, now := 0, 0
	for _, l := range h.Lines {
		if l.Op != '+' {
			old++
		}
		if l.Op != '-' {
			now++
		}
	}
	return !h.Numbered || old >= h.Old.Count && now >= h.New.Count
}
