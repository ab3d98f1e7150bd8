package mdblock

import (
	"strings"

	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
)

// A family is the kind of a block's content, which determines how the block closes.
//
// CommonMark closes a block at the first line that looks like a closing fence. But models write lines that look like a
// closing fence into the content of blocks:
//
//   - in JSON strings, hunks and ap values (these are the three families);
//   - under any tag: between the marks of a SEARCH/REPLACE block or an apply_patch patch, in a call that is written as
//     tags, in a file between tags, and below the path of a Markdown file;
//   - in a fence with shell commands: in a here-document.
//
// The text around the line decides whether the line is content or closes the block. If this remains uncertain, this
// package chooses the reading with which nothing is applied: a block that is left open, or has broken content, is
// refused.
//
// The decision may need text further down. All reading ahead is charged to scanner.budget, so that every input takes
// linear time. Once the budget is spent, blocks close as in CommonMark.
type family int

const (
	other family = iota
	jsonFamily
	patchFamily
	apFamily
)

// families has the family of each kind of tag. If a fence has no tag, its first lines determine the family.
var families = map[Kind]family{JSON: jsonFamily, Patch: patchFamily, AP: apFamily}

func tagged(lang string) family { return families[kinds[lang]] }

// closing returns the row that closes the fence. The field ok of the result is false if no row closes it.
func (r reader) closing() row {
	if r.beginsMarked() {
		return r.closeAround(markedBy, true)
	}
	f := tagged(r.fence.lang)
	if r.fence.lang == "" {
		f = r.begins()
	}
	switch f {
	case jsonFamily:
		return r.closeJSON()
	case patchFamily:
		return r.closePatch()
	case apFamily:
		return r.closeAP()
	}
	switch {
	case r.holdsMarkdown():
		return r.closeMarkdown()
	case kinds[r.fence.lang] == Shell:
		return r.closeAround(hereDocBy, false)
	}
	return r.closePlain()
}

// closeAround returns the row that closes the fence. It skips complete inner blocks, because the files in them may have
// fences. `begins` returns the inner block that a line begins, or nil. If `ours` is true and the opening fence of a
// JSON, patch or ap block comes first, the outer block was left open, and closeAround returns [leftOpen].
func (r reader) closeAround(begins func(line string) marked, ours bool) row {
	for {
		w := r.next()
		if !w.ok || w.fence {
			return w
		}
		if m := begins(r.content(w)); m != nil {
			r.skip(m)
		} else if ours && r.opensFamily(w) {
			return leftOpen(w)
		}
	}
}

func (r reader) closePlain() row { return r.closeAround(func(string) marked { return nil }, false) }

// hereDocMark matches the part of a command that begins a here-document: `<<EOF`.
var hereDocMark = lazyregexp.New(`(?:^|[^<])<<-?[ \t]*\\?["']?([A-Za-z_]\w*)["']?`)

// hereDocBy returns the here-document that a line of a script begins, or nil. The here-document is incomplete if
// another here-document with the same end word begins inside it.
func hereDocBy(line string) marked {
	m := hereDocMark.FindStringSubmatch(line)
	if m == nil {
		return nil
	}
	return &bounded{
		ends: func(line string) bool { return strings.TrimLeft(line, "\t") == m[1] },
		begins: func(line string) bool {
			next := hereDocMark.FindStringSubmatch(line)
			return next != nil && next[1] == m[1]
		},
	}
}

// begins returns the family of the following rows, or `other` if they do not certainly belong to a family.
func (r reader) begins() family {
	minus := false
	for w := r.peek(); w.ok && !w.fence; w = r.peek() {
		line := r.content(w)
		switch {
		case minus && strings.HasPrefix(line, "+++ "), strings.HasPrefix(line, "diff --git "), strings.HasPrefix(line, "*** Begin Patch"), !minus && BeginsHunk(line):
			return patchFamily
		case minus:
			return other
		case strings.HasPrefix(line, "--- "):
			minus = true
		case apID(line, "AP") != "":
			return apFamily
		case startsJSON(line):
			return jsonFamily
		case !isBlankLine(line) && line[0] != '#':
			return other
		}
	}
	return other
}

func startsJSON(line string) bool {
	line = strings.TrimLeft(line, " \t")
	return line != "" && (line[0] == '{' || line[0] == '[')
}

func isBlankLine(s string) bool { return strings.TrimLeft(s, " \t") == "" }

// peek is like [reader.next], but for reading ahead: it charges the budget. The field ok of the row is false if the
// budget is spent.
func (r *reader) peek() row {
	if r.budget < 0 {
		return row{}
	}
	w := r.next()
	r.budget -= w.next - w.start + 1
	return w
}

// opening returns the tag of a row that is an opening fence with the same indentation as the block's own fence.
// Otherwise it returns "".
func (r *reader) opening(w row) (tag string) {
	line := r.content(w)
	if r.verbatim {
		line = strings.TrimLeft(line, " \t")
	}
	_, _, info, ok := parseFence(line)
	if !ok {
		return ""
	}
	return firstWord(info)
}

// opensFamily reports whether `w`, the last row of r, opens a JSON, patch or ap block. The tag of the row and the lines
// below must name the same family.
func (r *reader) opensFamily(w row) bool {
	f := tagged(r.opening(w))
	return f != other && r.begins() == f
}
