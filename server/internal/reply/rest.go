package reply

import (
	"cmp"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/elision"
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/mdblock"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A Rest is a part of a fence or block that no edit covers, although the fence or block has edits.
type Rest struct {
	In   mdblock.Block // the fence or the block
	At   text.Span     // the lines of the part, as a span of the body of In
	Path string        // the path of the preceding edit; "" if there is none
	// Inner is true if the block is only a part of the fence. The fence may then be a text about edits, so lines
	// outside the block are reported as unread only if they are an edit in another notation.
	Inner bool
}

// rest adds r to the unread parts if r looks like another edit. A format reads only its own notation, and would
// silently skip lines without a notation, or an edit in another notation.
func (a *lister) rest(r Rest) {
	found := Unread{Kind: Fence, Path: r.Path, Sure: true}
	var removed, added, code strings.Builder
	asks := false
	first := text.Span{}
	at := r.At.Start
	for _, full := range text.SplitLines(r.At.In(r.In.Body)) {
		line := text.TrimEOL(full)
		span := text.Span{Start: at, End: at + len(line)}
		at += len(full)
		if kind, what := editOn(line); what != "" {
			found.Kind, found.At, found.What = kind, r.In.HostSpan(span), what+" in the same block"
			a.add(found)
			return
		}
		trimmed := strings.TrimSpace(line)
		if r.Inner || !text.HasWord(trimmed) || isRemark(trimmed) {
			continue
		}
		if first.Empty() {
			first = span
		}
		switch {
		case line[0] == '-':
			removed.WriteString(line[1:] + "\n")
		case line[0] == '+':
			added.WriteString(line[1:] + "\n")
		case text.IsSentence(trimmed, fewestInRest) || text.HasWords(trimmed, text.FewestWords):
			asks = asks || Asks(trimmed, Add, Change, Delete, Rename)
		default:
			code.WriteString(line + "\n")
		}
	}
	found.At = r.In.HostSpan(first)
	switch old, new, body := removed.String(), added.String(), code.String(); {
	case first.Empty():
	case old != "" && new != "":
		if r.Path == "" || !a.isMade(r.Path, old, new) {
			found.What = "removed and added lines in the same block"
			a.add(found)
		}
	case text.IsCode(body) && !a.anyHas(body):
		found.What = "code in the same block"
		a.add(found)
	case asks && cmp.Or(r.Path, a.files.only()) != "":
		found.Kind, found.What = Instruction, "an instruction in the same block"
		a.add(found)
	}
}

// fewestInRest is the smallest number of words that make a line between edits a sentence.
const fewestInRest = 3

var (
	beginsAP = lazyregexp.New(`^\[?[0-9A-Za-z_-]{1,64}\]?[ \t]+AP[ \t]+3\.\d`)
	// jsonEdit matches a line on which JSON with the members of an edit begins.
	jsonEdit = lazyregexp.New(`^[ \t]*\[?[ \t]*\{[ \t]*"(?:command|name|tool|tool_name|function|path|file_path|root|files|patches)"[ \t]*:`)
)

// HasEdit reports whether an edit in some notation certainly begins on a line of a text.
func HasEdit(s string) bool {
	return slices.ContainsFunc(text.SplitLines(s), func(line string) bool { _, what := editOn(text.TrimEOL(line)); return what != "" })
}

// editOn identifies the edit that begins on a line. `what` describes the edit; it is "" unless an edit certainly begins
// on the line.
func editOn(line string) (kind Kind, what string) {
	switch mdblock.EditMark(line) {
	case mdblock.SearchMark:
		return Pair, "a SEARCH/REPLACE block"
	case mdblock.PatchMark, mdblock.SectionMark:
		return Diff, "an `apply_patch` patch"
	case mdblock.DiffMark:
		return Diff, "a diff"
	case mdblock.CallMark:
		return ToolCall, "a tool call"
	}
	switch {
	case beginsAP.MatchString(line):
		return Diff, "an ap patch"
	case jsonEdit.MatchString(line):
		return ToolCall, "a tool call"
	}
	return "", ""
}

// isRemark reports whether a line between edits changes nothing, such as a path, a comment or a fence.
func isRemark(line string) bool {
	if _, is := elision.CommentText(line); is || elision.IsPlaceholder(line) || isPath(line) {
		return true
	}
	fence, _ := mdblock.FenceOf(line)
	return fence != "" || strings.HasPrefix(line, "</")
}
