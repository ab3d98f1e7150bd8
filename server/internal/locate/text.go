package locate

import "sync"

// A Text is the text of a file in which passages are looked for, with the indexes that
// were asked for so far. It never changes, and is safe for concurrent use.
type Text struct {
	s     string
	lines [2]func() *Lines // by cut
}

// NewText is a text to look in.
func NewText(s string) *Text {
	t := &Text{s: s}
	for cut := range t.lines {
		t.lines[cut] = sync.OnceValue(func() *Lines { return NewLines(s, Cut(cut)) })
	}
	return t
}

// String is the whole text.
func (t *Text) String() string { return t.s }

// Len is its length in bytes.
func (t *Text) Len() int { return len(t.s) }

// Lines is the text as lines, all at once: the table is made when it is first asked
// for.
func (t *Text) Lines(cut Cut) *Lines { return t.lines[cut]() }
