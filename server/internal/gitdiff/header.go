package gitdiff

import (
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// readGitHeader reads a header that begins with `diff --git`.
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

// headerLine reads a line of the header. It returns false if the header has ended.
func (s *section) headerLine() bool {
	line := s.text(s.at)
	for _, h := range headerLines {
		if strings.HasPrefix(line, h.word) {
			if h.word[0] == '-' && s.oldName.ok() || h.word[0] == '+' && s.newName.ok() {
				return false // the line begins another section
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
	{"deleted file mode ", func(s *section, from int) { s.say(&s.isDelete); s.readMode(from, &s.oldMode) }},
	{"new file mode ", func(s *section, from int) { s.say(&s.isNew); s.readNewMode(from) }},
	{"copy from ", func(s *section, from int) { s.say(&s.isCopy); s.from = s.wholeName(s.at, from) }},
	{"copy to ", func(s *section, from int) { s.say(&s.isCopy); s.to = s.wholeName(s.at, from) }},
	{"rename old ", func(s *section, from int) { s.say(&s.isRename); s.from = s.wholeName(s.at, from) }},
	{"rename new ", func(s *section, from int) { s.say(&s.isRename); s.to = s.wholeName(s.at, from) }},
	{"rename from ", func(s *section, from int) { s.say(&s.isRename); s.from = s.wholeName(s.at, from) }},
	{"rename to ", func(s *section, from int) { s.say(&s.isRename); s.to = s.wholeName(s.at, from) }},
	{"similarity index ", func(s *section, from int) { s.changed = s.text(s.at)[from:] != "100%" }},
	{"dissimilarity index ", func(*section, int) {}},
	{"index ", (*section).readIndex},
}

// say records that the header calls the file new, deleted, renamed or copied. Two different
// statements are an error.
func (s *section) say(what *bool) {
	before := s.isNew || s.isDelete || s.isRename || s.isCopy
	if before && !*what {
		s.fail(diag.GitHeader, s.line(s.at), fmt.Sprintf("this line contradicts line %d of the patch: a file is new, deleted, renamed or copied; remove one of the two lines", s.said+1))
	}
	*what, s.said = true, s.at
}

// The modes that git knows, by the type of file. The mode of a pipe results if the mode of a
// regular file has lost a 0.
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

// readNewMode reads the mode of a new file. If the mode has no type, or that of a pipe, git makes
// a regular file. A patch cannot make folders, devices and sockets.
func (s *section) readNewMode(from int) {
	written := strings.TrimRight(s.text(s.at)[from:], " \t")
	n, err := strconv.ParseUint(written, 8, 32)
	if kind := n & typeBits; err == nil && (kind == 0 || kind == fifo) {
		s.newMode = regular | uint32(n)&^typeBits
		return
	}
	s.readMode(from, &s.newMode)
}

// modeFix returns the fix that adds the missing type to a mode.
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

// fileMode converts a mode of git. git records only whether the file is a link, and whether
// it is executable.
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

// readIndex reads `index OLD..NEW MODE`. It ignores a line in any other form.
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
