package mdblock

import (
	"strings"

	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
)

var markdownFile = lazyregexp.New(`(?i)\.(?:md|mdx|markdown)\b`)

// holdsMarkdown reports whether the fence contains a Markdown file: the path of the file is in the info string or on
// the line above.
func (r *reader) holdsMarkdown() bool {
	if r.fence.size > 3 {
		// A longer fence ends as in CommonMark, because the model took account of the fences in the file.
		return false
	}
	if r.fence.lang != "" && !(Block{Lang: r.fence.lang}).IsProse() {
		return markdownFile.MatchString(r.fence.info)
	}
	if markdownFile.MatchString(r.fence.info) {
		return true
	}
	above := strings.TrimRight(r.doc[:r.fence.line.Start], " \t\r\n>")
	above = above[strings.LastIndexAny(above, "\r\n")+1:]
	return fileLabel.MatchString(above) && markdownFile.MatchString(above)
}

// closeMarkdown finds the end of a fence with a Markdown file, whose own fences may be equally long. A line can close
// the outer fence in these conditions:
//
//   - No inner fence is open.
//   - Every opening fence below has a closing one.
//   - The line is not between a blank line and text.
//
// The last line that qualifies closes the fence. The search ends at the label of another file, or at a JSON, patch or
// ap block.
func (r reader) closeMarkdown() row {
	start := r
	var first, last row
	inner := 0 // length of the open fence inside the file; 0 if none is open
	before := ""
	for w, above := r.peek(), ""; w.ok; w = r.peek() {
		line := r.content(w)
		size, info := r.fenceOf(line)
		opens := isBlankLine(before) && r.textNext()
		before = line
		switch {
		case size < r.fence.size: // a shorter fence cannot close the outer one
		case last.ok && (fileLabel.MatchString(above) || r.opensFamily(w) || info == "" && r.begins() != other):
			return last
		case inner == 0 && w.fence && !opens:
			if !first.ok {
				first = w
			}
			if ahead := r; ahead.pairs() {
				last = w
			}
			inner = size
		case inner == 0:
			inner = size
		case info == "" && size >= inner:
			inner = 0
		}
		if !isBlankLine(line) {
			above = line
		}
	}
	switch {
	case r.budget < 0:
		return start.closePlain()
	case last.ok:
		return last
	}
	return first
}

// fileLabel matches a line that names the file of the fence below.
var fileLabel = lazyregexp.New("^[#*`\\s>-]*(?:[\\w ]{1,24}:)?[*`\\s]*[\\w./@-]+\\.\\w+[*`:\\s]*(?:\\([\\w ]*\\))?[*:\\s]*$")

// textNext reports whether the next row has text, or is not yet written. A fence between a blank line and text opens a
// block instead of closing one, because the text of a block rarely ends in a blank line.
func (r *reader) textNext() bool {
	ahead := *r
	w := ahead.peek()
	return !w.ok || !isBlankLine(ahead.content(w))
}

// pairs reports whether every opening fence in the following rows has a closing fence. While the reply is being
// written, the last fence may still be open, unless it has neither a tag nor text.
func (r *reader) pairs() bool {
	open, empty := 0, false
	for w, above := r.peek(), ""; w.ok; w = r.peek() {
		line := r.content(w)
		size, info := r.fenceOf(line)
		switch {
		case size < 3:
			empty = empty && isBlankLine(line)
		case open == 0 && fileLabel.MatchString(above):
			return true // the next file begins here, and has its own fences
		case open == 0:
			open, empty = size, info == ""
		case info == "" && size >= open:
			open = 0
		}
		if !isBlankLine(line) {
			above = line
		}
	}
	return open == 0 || !empty
}

// fenceOf returns the length and the info string of the fence on a line. It returns 0 if the line is not a fence, or
// has other characters than the outer fence.
func (r *reader) fenceOf(line string) (size int, info string) {
	trimmed := strings.TrimLeft(line, " ")
	if len(line)-len(trimmed) > r.closeIndent {
		return 0, ""
	}
	char, size, info, ok := parseFence(trimmed)
	if !ok || char != r.fence.char {
		return 0, ""
	}
	return size, info
}
