package gitdiff

import (
	"fmt"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/diff"
	"github.com/aptix-dev/aptix/server/internal/hunk"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// The shape that some models are trained on: `*** Begin Patch`, then sections that
// begin with one of these, whose hunks have no numbers, but lines of the file that
// above them after `@@`.
const (
	addFile    = "*** Add File: "
	updateFile = "*** Update File: "
	deleteFile = "*** Delete File: "
	moveTo     = "*** Move to: "
	beginPatch = "*** Begin Patch"
	endPatch   = "*** End Patch"
	endOfFile  = "*** End of File"
)

var foreignVerbs = map[string]kind{addFile: foreignHeader, updateFile: foreignHeader, deleteFile: foreignHeader,
	moveTo: foreignMark, beginPatch: foreignMark, endPatch: foreignMark, endOfFile: foreignMark}

// foreignLine reads a line of that shape; verb is "" for any other.
func foreignLine(line string) (verb, arg string) {
	for verb := range foreignVerbs {
		if rest, ok := strings.CutPrefix(line, verb); ok && (rest == "" || strings.HasSuffix(verb, " ")) {
			return verb, strings.TrimSpace(rest)
		}
	}
	return "", ""
}

// A foreign is a section of that shape on its way to become a change.
type foreign struct {
	*section
	verb   string
	path   string
	pathAt text.Span
	dest   string
	destAt text.Span
	drop   []text.Span
}

// readForeign reads a section of that shape.
func (p *parser) readForeign() {
	p.patch.Entries++
	p.inMail = false
	before := p.errors
	f := &foreign{section: &section{parser: p, first: p.at, git: -1}}
	f.verb, f.path = foreignLine(p.text(p.at))
	f.pathAt = f.argument(p.at, f.path)
	p.at++
	if verb, to := foreignLine(p.text(p.at)); verb == moveTo {
		f.dest, f.destAt = to, f.argument(p.at, to)
		p.at++
	}
	f.head = p.at
	if f.verb == addFile {
		f.add()
		return
	}
	f.readHunks()
	if c, ok := f.change(); ok && p.errors == before {
		p.patch.Readable++
		p.patch.Changes = append(p.patch.Changes, c)
	}
}

func (f *foreign) argument(i int, arg string) text.Span {
	at := f.line(i)
	at.End = at.Start + len(strings.TrimRight(at.In(f.body), " \t"))
	at.Start = at.End - len(arg)
	return at
}

// at is what a git header takes the place of: the section's header, and the line
// that begins the patch.
func (f *foreign) at() text.Span {
	first := f.first
	if first > 0 && strings.HasPrefix(f.text(first-1), beginPatch) {
		first--
	}
	return f.lines(first, f.head)
}

// readHunks reads up to the next section.
func (f *foreign) readHunks() {
	for f.parser.at < f.count() {
		verb, _ := foreignLine(f.text(f.parser.at))
		switch k := f.kind(f.parser.at); {
		case verb == endOfFile:
			f.drop = append(f.drop, f.lines(f.parser.at, f.parser.at+1))
			f.parser.at++
		case k == hunkHeader, k == other && !f.blank(f.parser.at):
			f.readAnchored()
		case k == other:
			f.parser.at++
		default:
			return
		}
	}
}

// readAnchored reads a hunk, with the lines above it that begin with `@@`.
func (f *foreign) readAnchored() {
	first := f.parser.at
	h := hunk.Hunk{Header: text.Span{Start: f.starts[first], End: f.starts[first]}}
	for ; f.parser.at < f.count() && f.kind(f.parser.at) == hunkHeader; f.parser.at++ {
		one, _ := f.hunkNumbers(f.parser.at)
		anchor := strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(f.text(f.parser.at), "@@"), "@@"))
		if one.Numbered {
			h.Numbered, h.Old, h.New, anchor = true, one.Old, one.New, ""
		}
		if anchor != "" {
			h.Anchors = append(h.Anchors, anchor)
		}
		h.Header.End = one.Header.End
	}
	from := f.parser.at
	f.finish(h, first, from, f.trimmed(from, f.bodyEnd(from)))
}

// change is what the section asks for. It is an error as it is: its editor has the
// fix, as that takes the file.
func (f *foreign) change() (intent.Change, bool) {
	c := intent.Change{Kind: intent.Edit, Path: f.path, Raw: true, Group: f.group, PathAt: intent.Literal{Span: f.pathAt}}
	c.At = f.lines(f.first, f.parser.at)
	head := gitHead(f.path, f.path)
	if f.dest != "" {
		c.Kind, c.To, c.ToAt = intent.Rename, f.dest, intent.Literal{Span: f.destAt}
		head = gitMoveHead(f.path, f.dest, len(f.hunks) > 0)
	}
	switch {
	case f.verb == deleteFile:
		c.Kind = intent.Delete
		c.Steps = []intent.Step{f.deletion()}
	case len(f.hunks) > 0:
		eol := f.eol()
		c.Steps = []intent.Step{hunk.Patch{Hunks: f.hunks, Options: hunk.Options{EOL: text.EOL(eol), Foreign: &hunk.Foreign{
			Name: "`" + strings.TrimSuffix(f.verb, ": ") + "`", Line: f.line(f.first), At: f.at(), Head: strings.Join(head, eol) + eol, Drop: f.drop}}}}
	case f.dest != "":
		f.fail(diag.GitForeign, f.line(f.first), "git writes a move in other words", diag.Fix{Title: "Write it as a git patch", Edits: []text.Edit{f.replace(f.at(), head)}, Preferred: true})
		return c, false
	default:
		f.fail(diag.GitNoHunks, f.line(f.first), fmt.Sprintf("the patch does not say what changes in %s: write lines that begin with `+` and `-`", f.path))
		return c, false
	}
	return c, true
}

func gitHead(old, new string) []string {
	return []string{"diff --git " + diff.QuoteName("a/"+old) + " " + diff.QuoteName("b/"+new), "--- " + diff.NameInLine("a/"+old), "+++ " + diff.NameInLine("b/"+new)}
}

func gitMoveHead(old, new string, hunks bool) []string {
	head := gitHead(old, new)
	moved := []string{head[0], "rename from " + diff.QuoteName(old), "rename to " + diff.QuoteName(new)}
	if hunks {
		moved = append(moved, head[1:]...)
	}
	return moved
}

// replace writes lines in the place of others.
func (f *foreign) replace(at text.Span, lines []string) text.Edit {
	return text.Edit{Span: at, New: strings.Join(lines, f.eol()) + f.eol()}
}

// deletion deletes the file by a git section with all that it holds.
func (f *foreign) deletion() Deletion {
	d := Deletion{Section: f.at(), Shown: f.line(f.first), EOL: f.eol(), Path: f.path}
	d.At = f.at()
	d.Head = []string{gitHead(f.path, f.path)[0], "deleted file mode 100644"}
	return d
}

// add reports a new file in that shape; a fix writes it as git does.
func (f *foreign) add() {
	from := f.parser.at
	end := f.trimmed(from, f.bodyEnd(from))
	f.parser.at = end
	head := []string{gitHead(f.path, f.path)[0], "new file mode 100644"}
	if end > from {
		head = append(head, "--- /dev/null", "+++ "+diff.NameInLine("b/"+f.path), writeHeader(0, 0, 1, end-from, ""))
	}
	fix := diag.Fix{Title: "Write it as a git patch", Preferred: true, Edits: []text.Edit{f.replace(f.at(), head)}}
	for i := from; i < end; i++ {
		if line := f.text(i); line == "" || line[0] != '+' {
			fix.Preferred = false
			fix.Edits = append(fix.Edits, text.Edit{Span: text.Span{Start: f.starts[i], End: f.starts[i]}, New: "+"})
		}
	}
	f.fail(diag.GitForeign, f.line(f.first), "`*** Add File` is not how git writes a new file; write it as a git patch", fix)
}
