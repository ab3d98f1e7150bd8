package gitdiff

import (
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/diff"
	"github.com/aptix-dev/aptix/server/internal/hunk"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A section is what a patch says of one file.
type section struct {
	*parser
	first, head int // its first line, and the one behind its header
	git         int // the `diff --git` line; -1 for none

	gitOld, gitNew   name // of the `diff --git` line
	gitNamesOK       bool
	oldName, newName name // of --- and +++
	from, to         name // of rename and copy

	isNew, isDelete, isRename, isCopy bool
	said                              int    // the line that says so
	changed                           bool   // the lines of a rename or copy differ, so hunks follow
	oldMode, newMode                  uint32 // 0 for none
	modeLine                          int
	oldID, newID                      string // of the index line
	oldIDAt, newIDAt, indexLine       text.Span

	names    pair
	hunks    []hunk.Hunk
	binary   *BinaryPatch
	noData   int // the line `Binary files differ`; 0 for none
	bodyDone int // the line behind the section
}

func (s *section) moves() bool { return s.isRename || s.isCopy }

// header is the span of the section's header.
func (s *section) header() text.Span {
	return text.Span{Start: s.starts[s.first], End: s.line(max(s.head, s.first+1) - 1).End}
}

// readPlainHeader reads a header that is `---` and `+++`, or what is left of it.
func (s *section) readPlainHeader() {
	s.readNames()
	s.head = s.at
	s.isNew = s.oldName.devNull || s.oldName.epoch()
	s.isDelete = s.newName.devNull || s.newName.epoch()
	if s.isNew && s.isDelete {
		s.fail(diag.GitNames, s.newName.at, "the header says of both sides that there is no file")
	}
}

// readNames reads the `---` and `+++` lines. Where one is lost, the other tells it.
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

// lostName tells that a header has only one of its names.
func (s *section) lostName(i int, sign string, other name, prefix string) {
	at := s.line(other.line)
	message := fmt.Sprintf("the line `%sFILE` is lost", sign)
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
	s.fail(diag.GitHeaderMissing, at, message, diag.Fix{Title: "Write " + sign + raw, Edits: []text.Edit{s.insert(i, sign+diff.NameInLine(raw))}, Preferred: true})
}

// readGitHeader reads the lines from `diff --git` on.
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

// headerLine reads a line of the header; false behind it.
func (s *section) headerLine() bool {
	line := s.text(s.at)
	for _, h := range headerLines {
		if strings.HasPrefix(line, h.word) {
			if h.word[0] == '-' && s.oldName.ok() || h.word[0] == '+' && s.newName.ok() {
				return false // of another section
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

// say notes what the header says the section is, which is one thing only.
func (s *section) say(what *bool) {
	before := s.isNew || s.isDelete || s.isRename || s.isCopy
	if before && !*what {
		s.fail(diag.GitHeader, s.line(s.at), fmt.Sprintf("this line says another thing of the file than line %d of the patch: a file is new, deleted, renamed or copied; leave one of the two", s.said+1))
	}
	*what, s.said = true, s.at
}

// modes are those that git knows, by the type of file, and that of a pipe, which is
// what is left of a regular file's where a 0 was lost.
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
		s.fail(diag.GitSubmodule, at, "a submodule is changed by git alone, in the repository itself: take this section out, and change it with `git submodule`",
			diag.Fix{Title: "Take the section out", Edits: []text.Edit{s.remove(s.first, s.sectionEnd())}})
	case err != nil || kind != regular && kind != symlink:
		s.fail(diag.GitHeader, at, fmt.Sprintf("%q is no mode of a file; they are 100644, 100755 for a program, and 120000 for a symbolic link", written), modeFix(at, written)...)
	}
}

// readNewMode reads the mode of a new file. Of one without a type, or with one that
// it does not have, git makes a regular file; folders, devices and sockets are not
// meant by it.
func (s *section) readNewMode(from int) {
	written := strings.TrimRight(s.text(s.at)[from:], " \t")
	n, err := strconv.ParseUint(written, 8, 32)
	if kind := n & typeBits; err == nil && (kind == 0 || kind == fifo) {
		s.newMode = regular | uint32(n)&^typeBits
		return
	}
	s.readMode(from, &s.newMode)
}

// modeFix writes a mode whose type is left out.
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

// fileMode is a mode of git as one of files. Git keeps of it whether the file is
// a link, and whether it can be executed.
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

// readIndex reads `index OLD..NEW MODE`. One that is not so shaped says nothing.
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

// strayHeaderLines tells of lines between a header and what belongs to it.
func (s *section) strayHeaderLines() {
	end := s.at
	blanks := true
	for end < s.count() && s.kind(end) == other && !s.isHeaderLine(end) && (s.blank(end) || end == s.at && s.op(end) == 0 && !s.isBinary(end)) {
		blanks = blanks && s.blank(end)
		end++
	}
	goesOn := end < s.count() && (s.kind(end) == hunkHeader || s.isHeaderLine(end) && s.kind(end) != plainHeader || s.isBinary(end) || s.kind(end) == plainHeader && !s.oldName.ok())
	if end == s.at || !goesOn {
		return
	}
	what := "the line is none of a header that git knows, so that what follows belongs to no file; remove it"
	if blanks {
		what = "a blank line parts the header of the file from what belongs to it; remove it"
	}
	s.fail(diag.GitHeader, text.Span{Start: s.starts[s.at], End: s.line(end - 1).End}, what,
		diag.Fix{Title: "Remove the line", Edits: []text.Edit{s.remove(s.at, end)}, Preferred: blanks})
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

// needNames tells of a `---` or `+++` line that is lost, and of `/dev/null` where
// the header does not say that the file is new or deleted.
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
		s.fail(diag.GitHeaderMissing, s.line(s.git), "the lines `--- FILE` and `+++ FILE` are lost, without which git does not see a header here",
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
			s.fail(diag.GitHeader, s.line(null.line), "`/dev/null` says that there is no file, and the header another thing")
			return
		}
		s.fail(diag.GitHeaderMissing, s.line(null.line), fmt.Sprintf("git takes `/dev/null` for a file's name unless the header has a line `%s`", mode),
			diag.Fix{Title: "Write " + mode, Edits: []text.Edit{s.insert(s.git+1, mode)}, Preferred: true})
	}
}

// consistent compares what the lines of the header say together.
func (s *section) consistent() {
	if s.moves() && !(s.from.ok() && s.to.ok()) {
		s.lostSide()
	}
	null := func(n name, want bool, sign string) {
		if !n.ok() || n.devNull || !want {
			return
		}
		s.fail(diag.GitHeader, s.line(n.line), "the header says that there is no such file; write `"+sign+"/dev/null`",
			diag.Fix{Title: "Write " + sign + "/dev/null", Edits: []text.Edit{{Span: n.at, New: "/dev/null"}}, Preferred: true})
	}
	null(s.oldName, s.isNew, "--- ")
	null(s.newName, s.isDelete, "+++ ")
}

// lostSide tells that one of `rename from` and `rename to` is lost. Git takes the
// name from the `---` and `+++` lines then, if there are any.
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
		s.fail(diag.GitHeaderMissing, s.line(have.line), "the line `"+word+"FILE` is lost")
		return
	}
	_, rest := fallback.cut()
	if file.ok() && !file.devNull {
		have = name{at: file.at, line: file.line, raw: rest, bare: true}
	} else {
		s.fail(diag.GitHeaderMissing, s.line(have.line), "the line `"+word+"FILE` is lost",
			diag.Fix{Title: "Write " + word + rest, Edits: []text.Edit{s.insert(have.line+1, word+diff.QuoteName(rest))}, Preferred: !strings.HasSuffix(s.text(s.git), " ")})
		have.raw = rest
	}
	if s.from.ok() {
		s.to = have
	} else {
		s.from = have
	}
}

// change is what the section asks for. Ok is false where that is not known.
func (s *section) change() (c intent.Change, ok bool) {
	if !s.resolve() {
		return c, false
	}
	c = intent.Change{Kind: intent.Edit, Path: s.names.old, Raw: true, Group: s.group, Mode: fileMode(s.newMode), WasMode: fileMode(s.oldMode)}
	c.At = text.Span{Start: s.starts[s.first], End: s.starts[s.bodyDone]}
	c.PathAt = s.literal(true)
	switch {
	case s.isNew:
		c.Kind, c.Path, c.WasMode = intent.Create, s.names.new, 0
		if c.Mode == 0 {
			c.Mode = fileMode(regular | 0o644)
		}
	case s.isDelete:
		c.Kind, c.Mode = intent.Delete, 0
	case s.moves():
		c.Kind, c.To, c.ToAt = intent.Rename, s.names.new, s.literal(false)
		if s.isCopy {
			c.Kind = intent.Copy
		}
	}
	if s.oldMode != 0 && s.oldMode == s.newMode {
		c.Mode = 0
	}
	return c, s.content(&c)
}

// content fills in what a change does with its file.
func (s *section) content(c *intent.Change) bool {
	switch {
	case s.noData > 0:
		s.fail(diag.GitBinary, s.line(s.noData), "the patch has no data for this binary file; make it with `git diff --binary`")
		return false
	case s.binary != nil:
		return s.binary.fill(c, s)
	case c.Kind == intent.Create:
		return s.newContent(c)
	case len(s.hunks) > 0:
		c.Steps = []intent.Step{hunk.Patch{Hunks: s.hunks, Options: hunk.Options{OldBlob: s.oldID, NewBlob: s.newID, IndexAt: s.newIDAt, IndexLine: s.indexLine, WholeFile: s.isDelete, EOL: text.EOL(s.eol()), EndingsUnknown: s.allCRLF()}}}
		c.MayCreate = s.git < 0 && c.Kind == intent.Edit && len(s.hunks) == 1 && onlyAdds(s.hunks[0])
		return true
	case c.Kind == intent.Delete:
		c.Steps = []intent.Step{s.deletion()}
		return true
	}
	return s.mayBeEmpty(c)
}

// allCRLF reports whether every line of the section ends in CRLF, those included
// that git always ends in LF: the patch went through something that made them so.
func (s *section) allCRLF() bool {
	for i := s.first; i < s.bodyDone; i++ {
		if end := s.line(i).End; end < s.starts[i+1] && s.source.body[end:s.starts[i+1]] != "\r\n" {
			return false
		}
	}
	return true
}

func onlyAdds(h hunk.Hunk) bool {
	for _, l := range h.Lines {
		if l.Op != '+' {
			return false
		}
	}
	return true
}

// mayBeEmpty refuses a section without hunks that asks for nothing.
func (s *section) mayBeEmpty(c *intent.Change) bool {
	switch {
	case c.Kind != intent.Edit || c.Mode != 0 && c.WasMode != 0:
		return true
	case s.newMode != 0 && s.oldMode == 0:
		old := "100644"
		if c.Mode == 0o644 {
			old = "100755"
		}
		s.fail(diag.GitHeaderMissing, s.line(s.modeLine), "git does not take `new mode` without `old mode`",
			diag.Fix{Title: "Write old mode " + old, Edits: []text.Edit{s.insert(s.modeLine, "old mode "+old)}, Preferred: true})
		return false
	}
	s.fail(diag.GitNoHunks, s.header(), fmt.Sprintf("the patch says nothing of what changes in %s: hunks are expected, which begin with `@@ -LINE,COUNT +LINE,COUNT @@`", s.names.new),
		diag.Fix{Title: "Take the section out", Edits: []text.Edit{s.remove(s.first, s.bodyDone)}})
	return false
}
