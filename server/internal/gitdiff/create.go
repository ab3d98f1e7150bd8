package gitdiff

import (
	"fmt"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/diff"
	"github.com/aptix-dev/aptix/server/internal/hunk"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/text"
)

func (s *section) newContent(c *intent.Change) bool {
	switch {
	case len(s.hunks) == 0:
		if s.newName.ok() && (s.newID == "" || !strings.HasPrefix(emptyBlob, s.newID)) {
			s.report(diag.New(diag.GitNoHunks, s.header(), s.names.new+" would be created empty, because the patch has no hunk with its lines").As(diag.Warning))
		}
		return s.isNamed(hunk.Hunk{}, "")
	case len(s.hunks) > 1:
		// git would put each hunk at the beginning of the file.
		s.fail(diag.GitNewFile, s.hunks[1].Header, "a new file must have one hunk with all of its lines")
		return false
	case !s.onlyAdded():
		return false
	}
	h := s.hunks[0]
	var b strings.Builder
	for i, l := range h.Lines {
		if i < len(h.Lines)-1 && !strings.HasSuffix(l.Text, "\n") {
			s.fail(diag.GitNewFile, l.At, "a line in the middle of the file is marked as the last line without a newline; remove the mark, `\\ No newline at end of file`")
			return false
		}
		b.WriteString(l.Text)
	}
	c.Content, c.ContentAt = b.String(), intent.Literal{Span: h.At, As: verbatim(h.At.In(s.body))}
	c.Proven = identifies(s.newID) && isBlob(c.Content, s.newID)
	return s.newHeader(h) && (c.Proven || s.isNamed(h, c.Content))
}

// isNamed reports whether the content of a new file has the id on the `index` line. If not, it adds an error.
func (s *section) isNamed(h hunk.Hunk, content string) bool {
	if strings.Trim(s.oldID, "0") != "" || !identifies(s.newID) || isBlob(content, s.newID) || s.repeatsIDs() {
		return true
	}
	fixes := []diag.Fix{{Title: "Remove the `index` line and keep the content", Edits: []text.Edit{{Span: s.indexLine}}}}
	if plain, edits := unindented(h); plain != "" && isBlob(plain, s.newID) {
		fixes = []diag.Fix{{Title: "Remove the indentation from the added lines", Edits: edits, Preferred: true}}
	}
	s.fail(diag.GitResultDiffers, s.newIDAt, fmt.Sprintf("the patch was cut off or altered: the new file is not the file %s that the `index` line names", s.newID), fixes...)
	return false
}

// isBlob reports whether git gives this content the id, perhaps after converting CRLF to LF.
func isBlob(content, id string) bool {
	return strings.HasPrefix(diff.BlobID(id, content), id) || strings.Contains(content, "\r\n") && isBlob(strings.ReplaceAll(content, "\r\n", "\n"), id)
}

// madeUp lists how ids begin that do not identify a file: ids from examples, and the id of the empty file, which
// many patches give for any new file.
var madeUp = []string{emptyBlob[:4], "1234", "abcd", "abc1", "a1b2", "0123", "dead"}

const emptyBlob = "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"

func identifies(id string) bool {
	const fewest = 4
	return len(id) >= fewest && strings.Trim(id, id[:1]) != "" && !slices.ContainsFunc(madeUp, func(start string) bool { return strings.HasPrefix(id, start) })
}

// repeatsIDs reports whether the `index` lines of a patch give two files the same id, although their hunks differ. The
// ids were then made up.
func repeatsIDs(patch string) bool {
	hunks := map[string]string{} // the hunks below each id, as the old or the new one: a series may make a file that it changes again
	for _, section := range strings.Split("\n"+patch, "\nindex ")[1:] {
		line, lines, _ := strings.Cut(section, "\n")
		lines, _, _ = strings.Cut(lines, "\ndiff ")
		if at := strings.Index(lines, "@@"); at >= 0 {
			lines = lines[at:]
		}
		ids, _, _ := strings.Cut(strings.TrimSpace(line), " ")
		old, new, _ := strings.Cut(ids, "..")
		for _, key := range []string{old + "..", ".." + new} {
			if seen, ok := hunks[key]; ok && seen != lines {
				return true
			} else if identifies(strings.Trim(key, ".")) {
				hunks[key] = lines
			}
		}
	}
	return false
}

// unindented removes the indentation that all lines of a new file share. It returns the new content and the edits of
// the patch, or "" if there is no shared indentation.
func unindented(h hunk.Hunk) (string, []text.Edit) {
	shift, known := "", false
	for _, l := range h.Lines {
		if indentation := text.Indentation(l.Text); !text.IsBlank(l.Text) && (!known || len(indentation) < len(shift)) {
			shift, known = indentation, true
		}
	}
	var b strings.Builder
	var edits []text.Edit
	for _, l := range h.Lines {
		rest, ok := strings.CutPrefix(l.Text, shift)
		if ok && shift != "" {
			edits = append(edits, text.Edit{Span: text.Span{Start: l.At.Start + 1, End: l.At.Start + 1 + len(shift)}})
		} else if !text.IsBlank(l.Text) {
			return "", nil
		}
		b.WriteString(rest)
	}
	return b.String(), edits
}

// newHeader checks the header of a new file's hunk, which must count all lines of the file.
func (s *section) newHeader(h hunk.Hunk) bool {
	if h.Numbered && h.Old.Count == 0 && h.New.Count == len(h.Lines) {
		return true
	}
	fixed := writeHeader(0, 0, 1, len(h.Lines), "")
	e := text.Edit{Span: h.Header, New: fixed}
	message := fmt.Sprintf("a new file of %d lines needs the header `%s`", len(h.Lines), fixed)
	if h.Header.Empty() {
		e = s.insert(s.head, fixed)
		message += "; without it, git makes an empty file"
	}
	at := h.Header
	if at.Empty() {
		at = h.Lines[0].At
	}
	s.fail(diag.GitNewFile, at, message, diag.Fix{Title: "Write " + fixed, Edits: []text.Edit{e}, Preferred: true})
	return false
}

// isUnsigned reports whether a new file's lines are written without any sign: the first line has none, no line has
// `+`, and no line is indented by a single space, which could be the sign of context.
func isUnsigned(lines []hunk.Line) bool {
	return lines[0].Bare && !slices.ContainsFunc(lines, func(l hunk.Line) bool {
		return l.Op == '+' || l.Op == ' ' && !l.Bare && strings.TrimSpace(l.Text) != "" && l.Text[0] != ' ' && l.Text[0] != '\t'
	})
}

// onlyAdded reports whether all lines of a new file are added. If not, it adds an error.
func (s *section) onlyAdded() bool {
	h := s.hunks[0]
	var bad []hunk.Line
	fix := diag.Fix{Title: "Add all lines of the hunk", Preferred: h.Numbered && h.Old.Count == 0 && h.New.Count == len(h.Lines)}
	spoilt, empty := false, true
	unsigned := isUnsigned(h.Lines)
	for _, l := range h.Lines {
		if l.Op == '+' {
			continue
		}
		bad = append(bad, l)
		empty = empty && l.At.Empty()
		e := text.Edit{Span: text.Span{Start: l.At.Start, End: l.At.Start}, New: "+"}
		if at := l.At.In(s.body); at != "" && at[0] == ' ' && !unsigned {
			e.Span.End++
			// The line may be superfluous, or its leading space may belong to the text.
			fix.Preferred = false
		}
		fix.Edits = append(fix.Edits, e)
		spoilt = spoilt || l.Op == '-'
	}
	if len(bad) == 0 {
		return true
	}
	d := "the file is new, so every line of its hunk must begin with `+`"
	if spoilt {
		s.fail(diag.GitNewFile, bad[0].At, d+"; no line can be removed")
		return false
	}
	fix.Preferred = fix.Preferred || empty && !listBelow(h)
	s.fail(diag.GitNewFile, bad[0].At, d, fix)
	return false
}

// listBelow reports whether the last lines of a hunk may be a list in prose, whose items begin with `+`.
func listBelow(h hunk.Hunk) bool {
	for i, l := range h.Lines[1:] {
		if h.Lines[i].At.Empty() && l.Op == '+' && len(l.Text) > 2 && l.Text[0] == ' ' && l.Text[1] != ' ' {
			return true
		}
	}
	return false
}
