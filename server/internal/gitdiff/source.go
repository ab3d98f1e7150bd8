package gitdiff

import (
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A source is a body cut into lines after every LF, as git does.
type source struct {
	body   string
	starts []int // the offset of each line, and of the end of the body
}

func newSource(body string) *source { return newSourceIn(body, text.Span{End: len(body)}) }

// newSourceIn cuts a part of `doc` into lines. Spans of the result are bytes of `doc`.
func newSourceIn(doc string, span text.Span) *source {
	body := doc[:span.End]
	s := &source{body: body, starts: make([]int, 0, 1+strings.Count(span.In(body), "\n"))}
	for at := span.Start; at < len(body); {
		s.starts = append(s.starts, at)
		if i := strings.IndexByte(body[at:], '\n'); i >= 0 {
			at += i + 1
		} else {
			at = len(body)
		}
	}
	s.starts = append(s.starts, len(body))
	return s
}

func (s *source) count() int { return len(s.starts) - 1 }

// line returns the span of line i, from 0, without its LF or CRLF. After the last line, the span is empty.
func (s *source) line(i int) text.Span {
	if i >= s.count() {
		return text.Span{Start: len(s.body), End: len(s.body)}
	}
	raw := s.body[s.starts[i]:s.starts[i+1]]
	return text.Span{Start: s.starts[i], End: s.starts[i] + len(strings.TrimSuffix(strings.TrimSuffix(raw, "\n"), "\r"))}
}

func (s *source) text(i int) string { return s.line(i).In(s.body) }

func (s *source) lines(from, to int) text.Span {
	return text.Span{Start: s.starts[min(from, s.count())], End: s.starts[min(to, s.count())]}
}

func (s *source) eol() string {
	if end := s.line(0).End; strings.HasPrefix(s.body[end:], "\r\n") {
		return "\r\n"
	}
	return "\n"
}

func (s *source) insert(i int, lines ...string) text.Edit {
	at := s.starts[min(i, s.count())]
	written := strings.Join(lines, s.eol()) + s.eol()
	if at > 0 && s.body[at-1] != '\n' {
		written = s.eol() + strings.TrimSuffix(written, s.eol())
	}
	return text.Insertion(at, written)
}

func (s *source) remove(from, to int) text.Edit { return text.Edit{Span: s.lines(from, to)} }

type kind int

const (
	other          kind = iota
	gitHeader           // `diff --git`
	plainHeader         // a `---` line above a `+++` line
	halfHeader          // a lone `---` or `+++` line above a hunk, or both names on one line
	combinedHeader      // `diff --cc`
	contextHeader       // a `***` line above a `---` line, in a context diff
	foreignHeader       // a line such as `*** Update File:`
	foreignMark         // a line such as `*** Begin Patch`
	hunkHeader          // a line that begins with `@@`
	commitLine          // the first line of a mail or of an entry of git log
	signature           // `-- ` above git's version number
	otherTool           // a line of another tool between sections
	fence               // a Markdown fence
)

func (k kind) beginsFile() bool {
	return k == gitHeader || k == plainHeader || k == halfHeader || k == combinedHeader || k == foreignHeader || k == contextHeader
}

var (
	commitPattern    = lazyregexp.New(`^(From [0-9a-f]{40,64} |commit [0-9a-f]{7,64}( \(.*\))?$)`)
	otherToolPattern = lazyregexp.New(`^(diff |Index: |={60,}|Only in .*: )`)
	versionPattern   = lazyregexp.New(`^\d+(\.\w+)+`)
)

func (s *source) kind(i int) kind {
	line := s.text(i)
	if line == "" {
		return other
	}
	switch line[0] {
	case 'd', 'I', 'O', '=':
		return toolKind(line)
	case '-', '+':
		return s.nameKind(i, line)
	case '@':
		if strings.HasPrefix(line, "@@@ ") {
			return combinedHeader
		}
		if strings.HasPrefix(line, "@@") {
			return hunkHeader
		}
	case 'F', 'c':
		if commitPattern.MatchString(line) {
			return commitLine
		}
	case '*':
		if s.beginsContext(i) {
			return contextHeader
		}
		return foreignKind(line)
	case '`', '~':
		if strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~") {
			return fence
		}
	}
	return other
}

func toolKind(line string) kind {
	switch {
	case strings.HasPrefix(line, "diff --git "):
		return gitHeader
	case strings.HasPrefix(line, "diff --cc "), strings.HasPrefix(line, "diff --combined "):
		return combinedHeader
	case otherToolPattern.MatchString(line):
		return otherTool
	}
	return other
}

// nameKind distinguishes the `---` and `+++` lines of a header from removed and added lines, such as a removed
// comment in SQL. A lone `---` or `+++` belongs to a header only if a hunk follows and the line above belongs to no
// hunk.
func (s *source) nameKind(i int, line string) kind {
	inBody := i > 0 && !s.blank(i-1) && s.op(i-1) != 0
	switch {
	case (line == "-- " || line == "--") && (versionPattern.MatchString(s.text(i+1)) || line == "-- " && s.text(i+1) == ""):
		return signature
	case strings.HasPrefix(line, "--- ") && strings.HasPrefix(s.text(i+1), "+++ ") && (!inBody || strings.HasPrefix(s.text(i+2), "@@")):
		return plainHeader
	case !inBody && (strings.HasPrefix(line, "--- ") || strings.HasPrefix(line, "+++ ")) && strings.HasPrefix(s.text(i+1), "@@ "), !inBody && s.joinedNames(i):
		return halfHeader
	}
	return other
}

// op returns the first byte of a line in a hunk, or 0 if the line cannot belong to a hunk. An empty line counts as a
// context line that lost its space.
func (s *source) op(i int) byte {
	line := s.text(i)
	if line == "" {
		return ' '
	}
	if strings.IndexByte(` +-\`, line[0]) < 0 {
		return 0
	}
	return line[0]
}

func (s *source) blank(i int) bool { return strings.Trim(s.text(i), " \t") == "" }

// bodyEnd returns the line after the body of a hunk without counts, which begins at line `from`.
func (s *source) bodyEnd(from int) int {
	end := from
	for end < s.count() && s.kind(end) == other {
		end++
	}
	return end
}

const bom = "\ufeff"

func (p *parser) skipBOM() {
	if !strings.HasPrefix(p.body, bom) || p.starts[0] > 0 {
		return
	}
	at := text.Span{End: len(bom)}
	p.report(diag.New(diag.GitBOM, at, "the patch begins with a byte order mark, which is skipped",
		diag.Fix{Title: "Remove the byte order mark", Edits: []text.Edit{{Span: at}}, Preferred: true}))
	p.starts[0] = len(bom)
}

// indented reports whether all lines of the patch have the same indentation. If so, it adds an error with a fix.
func (p *parser) indented() bool {
	first := 0
	for first < p.count() && p.blank(first) {
		first++
	}
	line := p.text(first)
	shift := line[:len(line)-len(strings.TrimLeft(line, " \t"))]
	if shift == "" || !newSource(line[len(shift):]+"\n"+strings.TrimPrefix(p.text(first+1), shift)).kind(0).beginsFile() {
		return false
	}
	fix := diag.Fix{Title: "Remove the indentation from every line", Preferred: true}
	for i := range p.count() {
		switch start := p.starts[i]; {
		case strings.HasPrefix(p.text(i), shift):
			fix.Edits = append(fix.Edits, text.Edit{Span: text.Span{Start: start, End: start + len(shift)}})
		case !p.blank(i):
			return false
		}
	}
	p.patch.Entries = 1
	at := p.line(first)
	p.fail(diag.GitIndented, text.Span{Start: at.Start, End: at.Start + len(shift)}, "every line of the patch is indented, so git does not see its headers; remove the indentation", fix)
	return true
}
