package applypatch

import (
	"path"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/mdblock"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// The lines that begin with `***`.
const (
	begin     = "*** Begin Patch"
	end       = "*** End Patch"
	add       = "*** Add File:"
	update    = "*** Update File:"
	remove    = "*** Delete File:"
	move      = "*** Move to:"
	endOfFile = "*** End of File"
)

// header returns the kind of a line that begins with `***`, and the text after it. For any other line, `verb` is "".
func header(line string) (verb, argument string) {
	if !strings.HasPrefix(line, "*** ") {
		return "", ""
	}
	line = strings.TrimRight(line, " \t")
	switch {
	case mdblock.BeginsNext(line):
		return begin, ""
	case mdblock.EndsPatch(line):
		return end, ""
	case line == endOfFile:
		return endOfFile, ""
	}
	for _, verb := range []string{add, update, remove, move} {
		if rest, ok := strings.CutPrefix(line, verb); ok {
			return verb, strings.TrimLeft(rest, " \t")
		}
	}
	return "", ""
}

func beginsFile(line string) bool {
	verb, _ := header(line)
	return verb == add || verb == update || verb == remove
}

type lines struct{ text.Rows }

func split(body string) lines { return lines{text.RowsOf(body)} }

// unindented returns a line without its indentation, which has no meaning outside of hunks.
func (l lines) unindented(i int) string { return strings.TrimLeft(l.Text(i), " \t") }

// sectionEnd returns the first line from line `from` on that is not part of a section.
func (l lines) sectionEnd(from int) int {
	for from < l.Count() {
		if verb, _ := header(l.Text(from)); verb == begin || verb == end || verb != "" && verb != endOfFile && verb != move {
			break
		}
		if isFence(l.Text(from)) {
			break
		}
		from++
	}
	return from
}

// trimmed returns the end of the lines [from, to) without the blank lines at their end.
func (l lines) trimmed(from, to int) int {
	for to > from && l.Blank(to-1) {
		to--
	}
	return to
}

func isFence(line string) bool {
	return strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~")
}

var (
	// heredoc matches a command whose input is the patch. Its first group is the folder of `cd`.
	heredoc = lazyregexp.New(`^\s*(?:\$ )?(?:(?:bash|sh|zsh) -l?c ["'])?(?:cd ("[^"]+"|'[^']+'|\S+) && )?(?:apply_patch|applypatch)?\s*(?:<<-?\s*["']?(\w+)["']?|["'])?\s*$`)
	// closing matches the line below the patch that ends the command.
	closing = lazyregexp.New(`^\s*(?:\w*EOF|PATCH|END)?["')]*\s*$`)
)

// isCommand reports whether a line is a command whose input is the patch: `cd app && apply_patch <<'EOF'`. `dir` is
// the span of the folder.
func isCommand(line string) (dir text.Span, ok bool) {
	if !strings.Contains(line, "apply_patch") && !strings.Contains(line, "applypatch") && !strings.Contains(line, "<<") {
		return text.Span{}, false
	}
	m := heredoc.FindStringSubmatchIndex(line)
	if m == nil {
		return text.Span{}, false
	}
	if m[2] >= 0 {
		dir = text.Span{Start: m[2], End: m[3]}
	}
	if quoted := dir.In(line); quoted != "" && strings.IndexByte(`"'`, quoted[0]) >= 0 {
		dir = text.Span{Start: dir.Start + 1, End: dir.End - 1}
	}
	return dir, true
}

// command reads a line for which [isCommand] returns true. It returns false for any other line. An absolute folder
// of `cd` that applies to all sections becomes the root of the block.
func (r *reader) command() bool {
	at, ok := isCommand(r.Text(r.at))
	if !ok {
		return false
	}
	r.parsed.Set.RootAt = intent.Literal{}
	r.dir = at.In(r.Text(r.at))
	if path.IsAbs(r.dir) && r.parsed.Entries == 0 && r.parsed.Set.Root == "" {
		r.parsed.Set.Root, r.dir = r.dir, ""
		r.parsed.Set.RootAt = intent.Literal{Span: at.Shift(r.Starts[r.at])}
	}
	r.dir = strings.TrimSuffix(strings.TrimPrefix(r.dir, "./"), "/")
	if r.dir == "." {
		r.dir = ""
	}
	return true
}

// isPatchFile reports whether a text begins with a patch, and has no prose below its last patch. With prose below,
// the text is a reply, in which the prose is read, too.
func isPatchFile(body string) bool {
	if !begins(body) {
		return false
	}
	l := split(body)
	i := l.Count() - 1
	for i >= 0 && (l.Blank(i) || isFence(l.Text(i)) || closing.MatchString(l.Text(i))) {
		i--
	}
	if i < 0 || mdblock.EndsPatch(l.Text(i)) || strings.IndexByte(" +-@*", l.Text(i)[0]) >= 0 {
		return true
	}
	for i--; i >= 0; i-- {
		if mdblock.EndsPatch(l.Text(i)) {
			return false
		}
	}
	return true
}

// begins reports whether a text begins like a patch, or like a command whose input is a patch.
func begins(body string) bool {
	l := split(strings.TrimPrefix(body, "\ufeff"))
	i := 0
	for i < l.Count() && l.Blank(i) {
		i++
	}
	if _, ok := isCommand(l.Text(i)); ok {
		i++
	}
	if mdblock.BeginsPatch(l.Text(i)) {
		for i++; i < l.Count() && l.Blank(i); i++ {
		}
		return beginsFile(l.unindented(i))
	}
	return beginsFile(l.Text(i))
}
