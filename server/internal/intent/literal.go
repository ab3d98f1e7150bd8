package intent

import "github.com/aptix-dev/aptix/server/internal/text"

// A Literal is where a block has a value, and how its format writes one. Fixes
// need both. The zero Literal is for a value that the block does not have: it gets no fix.
type Literal struct {
	// Span is exactly what a fix replaces: the value as written, with the quotes that As
	// writes, in bytes of the block's body.
	Span text.Span
	// Name is where a diagnostic shows the value, if Span covers more than that: a patch
	// names a file on several lines.
	Name text.Span
	As   Notation // nil: the value is written as it is
	// Quoted: it is written in quotes and escaped, so that a backslash is meant as one.
	Quoted bool
}

// A Notation is how a block writes a value, such as a JSON string. It is data.
type Notation interface {
	// Write is what the literal's span holds once it has the value.
	Write(value string) string
}

// Shown is what a diagnostic about the value underlines.
func (l Literal) Shown() text.Span {
	if l.Name != (text.Span{}) {
		return l.Name
	}
	return l.Span
}

// Set is the edit of the block that writes value in the literal's place.
func (l Literal) Set(value string) text.Edit {
	if l.As != nil {
		value = l.As.Write(value)
	}
	return text.Edit{Span: l.Span, New: value}
}
