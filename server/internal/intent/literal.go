package intent

import "github.com/aptix-dev/aptix/server/internal/text"

// A Literal is the place and the notation of a value in a block, for fixes that write another value there. It is zero
// if the block does not contain the value.
type Literal struct {
	// Span is exactly the text that a fix replaces, in bytes of the block's body: the value as written, with any
	// quotes that As writes.
	Span text.Span
	// Name is the part that a diagnostic underlines, if Span covers more than that. For
	// example, a patch names a file on several lines.
	Name text.Span
	As   Notation // nil if the value is written unchanged
	// Quoted is true if the value is written in quotes, with escapes. A backslash in the value is then intended.
	Quoted bool
}

// A Notation is the way in which a block writes a value, for example as a JSON string. Each Notation is plain data,
// like a [Set].
type Notation interface {
	// Write returns the text with which the block writes the value.
	Write(value string) string
}

// Shown returns the span that a diagnostic about the value underlines.
func (l Literal) Shown() text.Span {
	if l.Name != (text.Span{}) {
		return l.Name
	}
	return l.Span
}

// Set returns the edit of the block that replaces the literal with `value`.
func (l Literal) Set(value string) text.Edit {
	if l.As != nil {
		value = l.As.Write(value)
	}
	return text.Edit{Span: l.Span, New: value}
}
