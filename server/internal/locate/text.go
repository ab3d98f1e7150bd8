package locate

// A Text is the text of a file in which passages are looked for.
type Text struct{ s string }

// NewText is a text to look in.
func NewText(s string) *Text { return &Text{s} }

// String is the whole text.
func (t *Text) String() string { return t.s }

// Len is its length in bytes.
func (t *Text) Len() int { return len(t.s) }
