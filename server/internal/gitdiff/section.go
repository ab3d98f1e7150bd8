package gitdiff

import (
	"fmt"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/diff"
	"github.com/aptix-dev/aptix/server/internal/hunk"
	"github.com/aptix-dev/aptix/server/internal/text"
)

type section struct {
	*parser
	first, head int // the first line of the section, and the line after its header
	git         int // the `diff --git` line, or -1

	gitOld, gitNew   name // on the `diff --git` line
	gitNamesOK       bool
	oldName, newName name // on the `---` and `+++` lines
	from, to         name // of a rename or copy

	isNew, isDelete, isRename, isCopy bool
	kindLine                          int    // the header line that calls the file new, deleted, renamed or copied
	changed                           bool   // the similarity index is below 100%, so hunks follow
	oldMode, newMode                  uint32 // 0 if unknown
	modeLine                          int
	oldID, newID                      string // on the `index` line
	oldIDAt, newIDAt, indexLine       text.Span

	names     pair
	otherName string // the other name, if the header names two files but no rename
	hunks     []hunk.Hunk
	binary    *BinaryPatch
	noData    int // the line `Binary files differ`, or 0
	bodyDone  int // the line after the body
}

func (s *section) moves() bool { return s.isRename || s.isCopy }

func (s *section) header() text.Span {
	return text.Span{Start: s.starts[s.first], End: s.line(max(s.head, s.first+1) - 1).End}
}

// readPlainHeader reads a header of a `---` and a `+++` line, of which one may be missing.
func (s *section) readPlainHeader() {
	s.readNames()
	s.head = s.at
	s.isNew = s.oldName.devNull || s.oldName.epoch()
	s.isDelete = s.newName.devNull || s.newName.epoch()
	if s.isNew && s.isDelete {
		s.fail(diag.GitNames, s.newName.at, "the header says that the file exists neither before nor after the patch; write the name of the file on one of the two lines")
	}
}

// readNames reads the `---` and `+++` lines. If one is missing, it adds an error.
func (s *section) readNames() {
	if strings.HasPrefix(s.text(s.at), "--- ") {
		s.oldName = s.fileName(s.at, 4)
		s.at++
	} else if !s.oldName.ok() {
		s.lostName(s.at, "--- ", s.fileName(s.at, 4), "a/")
	}
	if strings.HasPrefix(s.text(s.at), "+++ ") {
		s.newName = s.fileName(s.at, 4)
		s.at++
	} else if !s.newName.ok() {
		s.lostName(s.at, "+++ ", s.oldName, "b/")
	}
}

func (s *section) lostName(i int, sign string, other name, prefix string) {
	at := s.line(other.line)
	if edits := s.partNames(other.line); edits != nil {
		s.fail(diag.GitHeaderMissing, at, "both names of the file are on one line; git needs `--- FILE` and `+++ FILE` on separate lines",
			diag.Fix{Title: "Write `+++` on a line of its own", Edits: edits, Preferred: true})
		return
	}
	message := fmt.Sprintf("the line `%sFILE` is missing", sign)
	if other.devNull || !other.ok() {
		s.fail(diag.GitHeaderMissing, at, message)
		return
	}
	raw := other.raw
	if first, rest := other.cut(); ab(first) {
		raw = prefix + rest
	}
	if s.isNew && sign == "--- " || s.isDelete && sign == "+++ " {
		raw = "/dev/null"
	}
	s.fail(diag.GitHeaderMissing, at, message, diag.Fix{Title: "Add the line `" + sign + raw + "`", Edits: []text.Edit{s.insert(i, sign+diff.NameInLine(raw))}, Preferred: true})
}

// cutOff returns the last line of a patch that ends inside a line or in a header, because its copy was interrupted.
// The span is empty if the patch may be complete.
func (s *section) cutOff() text.Span {
	last := s.count() - 1
	at := s.line(max(last, 0))
	switch {
	case last >= s.bodyDone, last < s.first:
		// Other text follows, so the section is not cut off.
		return text.Span{}
	case s.bodyDone == s.head && !s.saysAll(), !strings.HasSuffix(s.body, "\n") && !s.endsWell(last):
		return at
	}
	return text.Span{}
}

// saysAll reports whether the header describes the change completely, without hunks.
func (s *section) saysAll() bool {
	switch {
	case s.isNew || s.isDelete:
		return s.newID != "" && (s.isDelete || !identifies(s.newID))
	case s.moves():
		// If both names are on one line, the other line was lost.
		return s.from.ok() && s.to.ok() && s.from.line != s.to.line && !s.changed
	}
	return s.newMode != 0 && s.newID == ""
}

// endsWell reports whether the last line is complete although it has no ending: its hunk has as many lines as the
// header counts, and the line does not become part of the file.
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
