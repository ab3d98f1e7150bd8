package gitdiff

import (
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/diff"
	"github.com/aptix-dev/aptix/server/internal/text"
)

func (s *section) readGitHeader() {
	s.git = s.at
	s.gitOld, s.gitNew, s.gitNamesOK = s.gitNames(s.at)
	s.at++
	for s.at < s.count() && s.headerLine() {
		s.at++
	}
	s.head = s.at
	s.strayHeaderLines()
	if s.from.ok() && s.to.ok() {
		if old, new, ok := s.movedNames(s.git, s.from.raw, s.to.raw); ok {
			s.gitOld, s.gitNew, s.gitNamesOK = old, new, true
		}
	}
	s.needNames()
	s.consistent()
}

// headerLine reads a line of the header. It returns false if the line belongs to no header, or to the next one.
func (s *section) headerLine() bool {
	line := s.text(s.at)
	for _, h := range headerLines {
		if strings.HasPrefix(line, h.word) {
			if h.word[0] == '-' && s.oldName.ok() || h.word[0] == '+' && s.newName.ok() {
				// The header already has this name, so the line begins another section.
				return false
			}
			h.read(s, len(h.word))
			return true
		}
	}
	return false
}

var headerLines = []struct {
	word string
	read func(s *section, from int)
}{
	{"--- ", func(s *section, from int) { s.oldName = s.fileName(s.at, from) }},
	{"+++ ", func(s *section, from int) { s.newName = s.fileName(s.at, from) }},
	{"old mode ", func(s *section, from int) { s.readMode(from, &s.oldMode) }},
	{"new mode ", func(s *section, from int) { s.readMode(from, &s.newMode); s.modeLine = s.at }},
	{"deleted file mode ", func(s *section, from int) { s.setKind(&s.isDelete); s.readMode(from, &s.oldMode) }},
	{"new file mode ", func(s *section, from int) { s.setKind(&s.isNew); s.readNewMode(from) }},
	{"copy from ", func(s *section, from int) { s.setKind(&s.isCopy); s.from = s.wholeName(s.at, from) }},
	{"copy to ", func(s *section, from int) { s.setKind(&s.isCopy); s.to = s.wholeName(s.at, from) }},
	{"rename old ", func(s *section, from int) { s.setKind(&s.isRename); s.from = s.wholeName(s.at, from) }},
	{"rename new ", func(s *section, from int) { s.setKind(&s.isRename); s.to = s.wholeName(s.at, from) }},
	{"rename from ", func(s *section, from int) { s.setKind(&s.isRename); s.from = s.wholeName(s.at, from) }},
	{"rename to ", func(s *section, from int) { s.setKind(&s.isRename); s.to = s.wholeName(s.at, from) }},
	{"similarity index ", func(s *section, from int) { s.changed = s.text(s.at)[from:] != "100%" }},
	{"dissimilarity index ", func(*section, int) {}},
	{"index ", (*section).readIndex},
}

// setKind records that the header calls the file new, deleted, renamed or copied. Two of these are an error.
func (s *section) setKind(what *bool) {
	before := s.isNew || s.isDelete || s.isRename || s.isCopy
	if before && !*what {
		s.fail(diag.GitHeader, s.line(s.at), fmt.Sprintf("this line contradicts line %d of the patch: a file can be new, deleted, renamed or copied, but only one of these; remove one of the two lines", s.kindLine+1))
	}
	*what, s.kindLine = true, s.at
}

// The types of file in git's modes. The mode of a regular file that lost a 0 reads like the mode of a pipe.
const (
	fifo      = 0o010000
	regular   = 0o100000
	symlink   = 0o120000
	submodule = 0o160000
	typeBits  = 0o170000
)

func (s *section) readMode(from int, mode *uint32) {
	at := s.line(s.at)
	at.Start += from
	written := strings.TrimRight(at.In(s.body), " \t")
	n, err := strconv.ParseUint(written, 8, 32)
	*mode = uint32(n)
	switch kind := *mode & typeBits; {
	case err == nil && kind == submodule:
		s.fail(diag.GitSubmodule, at, "only git can change a submodule, in the repository itself: remove this section, and use `git submodule`",
			diag.Fix{Title: "Remove the section", Edits: []text.Edit{s.remove(s.first, s.sectionEnd())}})
	case err != nil || kind != regular && kind != symlink:
		s.fail(diag.GitHeader, at, fmt.Sprintf("%q is not a file mode; write 100644, 100755 for a program, or 120000 for a symbolic link", written), modeFix(at, written)...)
	}
}

// readNewMode reads the mode of a new file. Like git, it makes a regular file if the mode has no type, or the type
// of a pipe.
func (s *section) readNewMode(from int) {
	written := strings.TrimRight(s.text(s.at)[from:], " \t")
	n, err := strconv.ParseUint(written, 8, 32)
	if kind := n & typeBits; err == nil && (kind == 0 || kind == fifo) {
		s.newMode = regular | uint32(n)&^typeBits
		return
	}
	s.readMode(from, &s.newMode)
}

func modeFix(at text.Span, written string) []diag.Fix {
	full := map[string]string{"644": "100644", "0644": "100644", "755": "100755", "0755": "100755", "000644": "100644", "000755": "100755", "10644": "100644", "10755": "100755"}[written]
	if full == "" {
		return nil
	}
	return []diag.Fix{{Title: "Write " + full, Edits: []text.Edit{{Span: at, New: full}}, Preferred: true}}
}

func (s *section) sectionEnd() int {
	end := s.at + 1
	for end < s.count() && !(s.kind(end).beginsFile() && s.kind(end) != plainHeader) && s.kind(end) != commitLine {
		end++
	}
	return end
}

// fileMode converts a mode of git, which records only whether a file is a link or executable.
func fileMode(git uint32) fs.FileMode {
	switch {
	case git == 0:
		return 0
	case git&typeBits == symlink:
		return fs.ModeSymlink | 0o777
	case git&0o100 != 0:
		return 0o755
	}
	return 0o644
}

// readIndex reads `index OLD..NEW MODE`. It ignores any other line.
func (s *section) readIndex(from int) {
	words := strings.Fields(s.text(s.at)[from:])
	if len(words) == 0 {
		return
	}
	old, new, ok := strings.Cut(words[0], "..")
	if !ok || !isID(old) || !isID(new) {
		return
	}
	s.oldID, s.newID = strings.ToLower(old), strings.ToLower(new)
	s.oldIDAt.Start = s.starts[s.at] + from + strings.Index(s.text(s.at)[from:], old)
	s.oldIDAt.End = s.oldIDAt.Start + len(old)
	s.newIDAt.Start = s.oldIDAt.End + len("..")
	s.newIDAt.End = s.newIDAt.Start + len(new)
	s.indexLine = s.lines(s.at, s.at+1)
	if len(words) > 1 {
		s.readMode(strings.LastIndex(s.text(s.at), words[1]), &s.oldMode)
	}
}

func isID(s string) bool {
	return s != "" && len(s) <= 64 && strings.Trim(s, "0123456789abcdefABCDEF") == ""
}

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
	what := "git does not recognize this header line, so it cannot tell which file the lines below are for; remove the header line"
	if blank {
		what = "a blank line separates the header of the file from its hunks or lines; remove the blank line"
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

// needNames reports a missing `---` or `+++` line, and `/dev/null` if the header does not call the file new or
// deleted.
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
			diag.Fix{Title: "Add the lines `" + lines[0] + "` and `" + lines[1] + "`", Edits: []text.Edit{s.insert(s.head, lines...)}, Preferred: true})
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
			diag.Fix{Title: "Add the line `" + mode + "`", Edits: []text.Edit{s.insert(s.git+1, mode)}, Preferred: true})
	}
}

// consistent reports lines of the header that contradict each other.
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

// lostSide reports a header without `rename from` or `rename to`. Instead of the missing name, git uses the name on
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
			diag.Fix{Title: "Add the line `" + word + rest + "`", Edits: []text.Edit{s.insert(have.line+1, word+diff.QuoteName(rest))}, Preferred: !strings.HasSuffix(s.text(s.git), " ")})
		have.raw = rest
	}
	if s.from.ok() {
		s.to = have
	} else {
		s.from = have
	}
}
