package findreplace

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

// dominant is the ending that most lines of the source have.
func (v view) dominant() text.EOL {
	switch {
	case v.src != v.text:
		return text.DominantEOL(v.src)
	case strings.Contains(v.text, "\n"):
		return text.LF
	}
	return text.None
}

func lineEndings(s string) int { return strings.Count(s, "\n") }

// backward converts offsets of a view to those of its source. They must ascend.
type backward struct {
	src       string
	same      bool // the source is its view
	view, raw int  // the same place in both
}

func (v view) backward() backward { return backward{src: v.src, same: v.src == v.text} }

// offset never lies between CR and LF.
func (b *backward) offset(view int) int {
	if b.same {
		return view
	}
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
