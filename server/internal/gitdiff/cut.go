package gitdiff

import (
	"strings"

	"github.com/aptix-dev/aptix/server/internal/text"
)

// cutOff is the end of a patch that breaks off there, as a file does whose writing or
// copying was interrupted: in the middle of a line, or in a header. Empty for a patch that
// may be complete.
func (s *section) cutOff() text.Span {
	last := s.count() - 1
	at := s.line(max(last, 0))
	switch {
	case last >= s.bodyDone, last < s.first:
		return text.Span{} // something follows the last section
	case s.bodyDone == s.head && !s.saysAll(), !strings.HasSuffix(s.body, "\n") && !s.endsWell(last):
		return at
	}
	return text.Span{}
}

// saysAll reports whether a header without hunks is all that git writes of a file.
func (s *section) saysAll() bool {
	switch {
	case s.isNew || s.isDelete:
		return s.newID != "" && (s.isDelete || !tells(s.newID))
	case s.moves():
		return s.from.ok() && s.to.ok() && s.from.line != s.to.line && !s.changed // of one line, the other is lost
	}
	return s.newMode != 0 && s.newID == ""
}

// endsWell reports whether the last line, which has no line ending, is whole: the counts
// of its hunk are right, and it is not one that is written into the file.
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
