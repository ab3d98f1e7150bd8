package mdblock

import "strings"

// A countedHunk is the state of reading a hunk of a unified diff whose header counts its lines. The counts show where
// the hunk ends, even without a fence.
type countedHunk struct {
	hunk
	broken bool // a line was read that cannot belong to the hunk, or is one too many
}

// BeginsHunk reports whether a line is the header of a hunk, with line counts.
func BeginsHunk(line string) bool {
	return strings.HasPrefix(line, "@@ -") && hunkHeader.MatchString(line)
}

// beginsHunk returns the state of reading the hunk that a line begins, or nil. A hunk without lines does not count.
func beginsHunk(line string) marked {
	if !BeginsHunk(line) {
		return nil
	}
	if h := readHunkHeader(line); h.owes() {
		return &countedHunk{hunk: h}
	}
	return nil
}

func (h *countedHunk) Whole() bool { return !h.broken && !h.owes() }

func (h *countedHunk) Read(line string) (over bool) {
	if line != "" && strings.IndexByte(` +-\`, line[0]) < 0 {
		h.broken = true
		return true
	}
	h.read(line)
	h.broken = h.old < 0 || h.new < 0
	return h.broken || !h.owes()
}
