package mdblock

import (
	"strconv"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
)

// closePatch returns the row that closes the block. A fence in the first column always closes the block, so that a
// wrong count in a header cannot make the rest of the reply content. An indented fence may be a context line. It is
// content in these cases:
//
//   - The hunk lacks lines according to its header's counts, unless the opening fence of a JSON, patch or ap block
//     comes before the next bare fence: in that case, the counts are wrong.
//   - The hunk has no counts ("@@ ... @@", or no header at all below the file's name), a bare fence follows, and all
//     lines up to it can belong to a patch.
//
// Otherwise an indented fence closes the block, as in CommonMark. A tagged fence below a finished hunk begins another
// block, so the hunk's block was left open. The opening fence of a JSON, patch or ap block does the same in any hunk.
func (r reader) closePatch() row {
	var h hunk
	var below outlook
	begun := false
	for {
		w := r.next()
		if !w.ok {
			return w
		}
		line := r.content(w)
		if w.fence {
			if !isBlank(line[0]) || !(h.owes() || h.uncounted) {
				return w
			}
			if below.end <= w.start {
				below = r.hunkOutlook()
			}
			if !below.allows(h, w) {
				return w
			}
		}
		if begun && r.opening(w) != "" && (!h.owes() && !h.uncounted || r.opensFamily(w)) {
			return leftOpen(w)
		}
		h.read(line)
		begun = begun || h.owes() || h.uncounted
	}
}

// A hunk is the state of reading a hunk of a unified diff: how many old and new lines are still missing.
type hunk struct {
	old, new  int // the numbers of missing lines, according to the header
	uncounted bool
}

func (h *hunk) owes() bool { return h.old > 0 || h.new > 0 }

var hunkHeader = lazyregexp.New(`^@@ +-\d+(?:,(\d+))? +\+\d+(?:,(\d+))? +@@`)

func (h *hunk) read(line string) {
	switch {
	case strings.HasPrefix(line, "@@"):
		*h = readHunkHeader(line)
	case strings.HasPrefix(line, "diff --git "):
		*h = hunk{}
	case !h.owes() && (strings.HasPrefix(line, "+++ ") || strings.HasPrefix(line, "*** ")):
		*h = hunk{uncounted: true} // the next hunk has no line counts unless a header precedes it
	case !h.owes() || strings.HasPrefix(line, `\`):
	case strings.HasPrefix(line, "-"):
		h.old--
	case strings.HasPrefix(line, "+"):
		h.new--
	default: // a context line, perhaps without its space
		h.old--
		h.new--
	}
}

func readHunkHeader(line string) hunk {
	m := hunkHeader.FindStringSubmatch(line)
	if m == nil {
		return hunk{uncounted: true}
	}
	return hunk{old: HunkNumber(m[1]), new: HunkNumber(m[2])}
}

// HunkNumber reads a number in the header of a hunk. A missing count is 1.
func HunkNumber(s string) int {
	if s == "" {
		return 1
	}
	n, err := strconv.ParseInt(s, 10, 31)
	if err != nil {
		return 1 << 30 // more than the lines of any document
	}
	return int(n)
}

// patchHeader matches a line of a file's header in a diff, which comes between the hunks of two files.
var patchHeader = lazyregexp.New(`^(diff |index |(old|new) mode |(new|deleted) file mode |(dis)?similarity index |(rename|copy) (from|to) |GIT binary patch$|\*\*\* )`)

// An outlook describes the lines below a line that may be content, up to the next bare fence or the next opening fence
// of a JSON, patch or ap block.
type outlook struct {
	end   int  // offset in the host where the search ended
	bare  bool // the search ended at a bare fence, which has no tag
	ours  bool // the search ended at an opening fence of JSON, a patch or an ap patch
	alien int  // the offset of the last line before end that cannot belong to a patch; -1 if there is none
}

func (r reader) hunkOutlook() outlook {
	o := outlook{alien: -1}
	for {
		w := r.peek()
		if !w.ok {
			o.end = len(r.doc)
			return o
		}
		line := r.content(w)
		o.end = w.next
		o.bare, o.ours = w.fence && !isBlank(line[0]), r.opensFamily(w)
		if o.bare || o.ours {
			return o
		}
		if line != "" && strings.IndexByte(` +-\@`, line[0]) < 0 && !patchHeader.MatchString(line) {
			o.alien = w.start
		}
	}
}

func (o outlook) allows(h hunk, w row) bool {
	if h.uncounted {
		return o.bare && o.alien < w.start
	}
	return !o.ours
}
