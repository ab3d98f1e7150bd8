package edit

import (
	"strings"

	"github.com/aptix-dev/aptix/server/internal/text"
)

// A view is a text with all line endings turned into LF, in which they are equal
// to those of what is looked for.
type view struct{ src, text string }

func newView(src string) view { return view{src, text.WithEOL(src, text.LF)} }

// line is the 1-based line of an offset in the view.
func (v view) line(offset int) int { return 1 + lineEndings(v.text[:offset]) }

func lineEndings(s string) int { return strings.Count(s, "\n") }

// backward converts offsets of a view to those of its source. They must ascend.
type backward struct {
	src       string
	view, raw int // the same place in both
}

// offset never lies between CR and LF.
func (b *backward) offset(view int) int {
	for b.view < view {
		i := strings.IndexByte(b.src[b.raw:], '\r')
		if i < 0 || b.view+i >= view {
			b.raw += view - b.view
			b.view = view
			break
		}
		b.view, b.raw = b.view+i+1, b.raw+i+1
		if strings.HasPrefix(b.src[b.raw:], "\n") {
			b.raw++
		}
	}
	return b.raw
}

// occurrences is where pattern starts in s, overlapping ones too, in time linear
// in both: Knuth, Morris and Pratt, with jumps where nothing is matched.
func occurrences(s, pattern string) []int {
	border, length := borders(pattern), int32(len(pattern))
	var starts []int
	matched := int32(0) // bytes of pattern that end at at
	for at := 0; at <= len(s); {
		if matched == 0 {
			i := strings.Index(s[at:], pattern)
			if i < 0 {
				break
			}
			at += i + len(pattern)
			matched = length
		}
		if matched == length {
			starts = append(starts, at-len(pattern))
			matched = border[matched]
			continue
		}
		if at == len(s) {
			break
		}
		for matched > 0 && s[at] != pattern[matched] {
			matched = border[matched]
		}
		if matched > 0 || s[at] == pattern[0] {
			matched++
			at++
		}
	}
	return starts
}

// borders is, for every length, the longest proper prefix of pattern[:length]
// that is its suffix too.
func borders(pattern string) []int32 {
	border := make([]int32, len(pattern)+1)
	k := int32(0)
	for i := 1; i < len(pattern); i++ {
		for k > 0 && pattern[i] != pattern[k] {
			k = border[k]
		}
		if pattern[i] == pattern[k] {
			k++
		}
		border[i+1] = k
	}
	return border
}
