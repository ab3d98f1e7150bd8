package gitdiff

import (
	"fmt"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/diff"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// strayHeaderLines reports lines between a header and its hunks.
func (s *section) strayHeaderLines() {
	end := s.at
	blank := true
	for end < s.count() && s.kind(end) == other && !s.isHeaderLine(end) && (s.blank(end) || end == s.at && s.op(end) == 0 && !s.isBinary(end)) {
		blank = blank && s.blank(end)
		end++
	}
	goesOn := end < s.count() && (s.kind(end) == hunkHeader || s.isHeaderLine(end) && s.kind(end) != plainHeader || s.isBinary(end) || s.kind(end) == plainHeader && !s.oldName.ok())
	if end == s.at || !goesOn {
		return
	}
	what := "git does not know this header line, so what follows belongs to no file; remove it"
	if blank {
		what = "a blank line separates the header of the file from its hunks or lines; remove it"
	}
	s.fail(diag.GitHeader, text.Span{Start: s.starts[s.at], End: s.line(end - 1).End}, what,
		diag.Fix{Title: "Remove the line", Edits: []text.Edit{s.remove(s.at, end)}, Preferred: blank})
	for s.at = end; s.at < s.count() && s.headerLine(); {
		s.at++
	}
	s.head = s.at
}

func (s *source) isHeaderLine(i int) bool {
	for _, h := range headerLines {
		if strings.HasPrefix(s.text(i), h.word) {
			return true
		}
	}
	return false
}

func (s *source) isBinary(i int) bool {
	line := s.text(i)
	return line == gitBinary || strings.HasPrefix(line, "Binary files ") && strings.HasSuffix(line, " differ")
}

// needNames reports a missing `---` or `+++` line. It also reports `/dev/null` if the header does
// not say that the file is new or deleted.
func (s *section) needNames() {
	hasBody := s.at < s.count() && (s.kind(s.at) == hunkHeader)
	switch {
	case s.oldName.ok() && !s.newName.ok() && (hasBody || s.at >= s.count()):
		s.lostName(s.oldName.line+1, "+++ ", s.oldName, "b/")
		return
	case s.newName.ok() && !s.oldName.ok() && hasBody:
		s.lostName(s.newName.line, "--- ", s.newName, "a/")
		return
	case hasBody && s.head == s.git+1 && s.gitNamesOK:
		lines := []string{"--- " + diff.NameInLine(s.gitOld.raw), "+++ " + diff.NameInLine(s.gitNew.raw)}
		s.fail(diag.GitHeaderMissing, s.line(s.git), "the lines `--- FILE` and `+++ FILE` are missing; without them, git sees no header here",
			diag.Fix{Title: "Write " + lines[0] + " and " + lines[1], Edits: []text.Edit{s.insert(s.head, lines...)}, Preferred: true})
		return
	case !s.oldName.ok() || !s.newName.ok():
		return
	}
	null, said, mode := s.oldName, s.isNew, "new file mode 100644"
	if s.newName.devNull {
		null, said, mode = s.newName, s.isDelete, "deleted file mode 100644"
	}
	if null.devNull && !said {
		if s.isNew || s.isDelete || s.moves() {
			s.fail(diag.GitHeader, s.line(null.line), "`/dev/null` says that the file does not exist, but other lines of the header say that it does")
			return
		}
		s.fail(diag.GitHeaderMissing, s.line(null.line), fmt.Sprintf("git reads `/dev/null` as a file's name unless the header has a line `%s`", mode),
			diag.Fix{Title: "Write " + mode, Edits: []text.Edit{s.insert(s.git+1, mode)}, Preferred: true})
	}
}

// consistent checks that the lines of the header agree with each other.
func (s *section) consistent() {
	if s.moves() && !(s.from.ok() && s.to.ok()) {
		s.lostSide()
	}
	null := func(n name, want bool, sign string) {
		if !n.ok() || n.devNull || !want {
			return
		}
		s.fail(diag.GitHeader, s.line(n.line), "the header says that the file does not exist; write `"+sign+"/dev/null`",
			diag.Fix{Title: "Write " + sign + "/dev/null", Edits: []text.Edit{{Span: n.at, New: "/dev/null"}}, Preferred: true})
	}
	null(s.oldName, s.isNew, "--- ")
	null(s.newName, s.isDelete, "+++ ")
}

// lostSide reports that either `rename from` or `rename to` is missing. git then uses the name on
// the `---` or `+++` line, if there is one.
func (s *section) lostSide() {
	verb := "rename"
	if s.isCopy {
		verb = "copy"
	}
	have, word, fallback, file := s.from, verb+" to ", s.gitNew, s.newName
	if !s.from.ok() {
		have, word, fallback, file = s.to, verb+" from ", s.gitOld, s.oldName
	}
	if file.ok() && !file.devNull {
		fallback = file
	} else if !s.gitNamesOK {
		s.fail(diag.GitHeaderMissing, s.line(have.line), "the line `"+word+"FILE` is missing")
		return
	}
	_, rest := fallback.cut()
	if file.ok() && !file.devNull {
		have = name{at: file.at, line: file.line, raw: rest, bare: true}
	} else {
		s.fail(diag.GitHeaderMissing, s.line(have.line), "the line `"+word+"FILE` is missing",
			diag.Fix{Title: "Write " + word + rest, Edits: []text.Edit{s.insert(have.line+1, word+diff.QuoteName(rest))}, Preferred: !strings.HasSuffix(s.text(s.git), " ")})
		have.raw = rest
	}
	if s.from.ok() {
		s.to = have
	} else {
		s.from = have
	}
}
