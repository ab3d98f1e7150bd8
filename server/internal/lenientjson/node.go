// Package lenientjson reads JSON (RFC 8259) as models write it. It records the position of every
// value and diagnoses every mistake. It continues after each mistake, so that the trustworthy parts
// can still be used.
package lenientjson

import (
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/text"
)

// Kind is the type of a value.
type Kind uint8

// The kinds of value. Invalid stands for a value that could not be read; a diagnostic says why.
const (
	Invalid Kind = iota
	Null
	Bool
	Number
	String
	Array
	Object
)

func (k Kind) String() string {
	return [...]string{"unreadable", "null", "a boolean", "a number", "a string", "an array", "an object"}[k]
}

// A Node is a value and its position. The tree also has a node for each broken value, with the parts that could be
// read. A node can be trusted if its span contains no error.
type Node struct {
	Kind    Kind
	Span    text.Span // the whole value, including quotes and brackets
	Text    string    // the value of a String; the source of a Number or Bool
	Members []Member  // the members of an Object, in order
	Elems   []*Node   // the elements of an Array

	literal *literal // the literal of a String whose value differs from its source; otherwise nil
}

// A Member is a name and a value in an object.
type Member struct {
	Key   *Node // the name, a String
	Value *Node
	Span  text.Span // from the key's start to the value's end

	sign string // the operator that is written in place of the colon; "" for a colon
}

// Member returns the first member with the given name. It returns nil if n has none, or is not an object.
func (n *Node) Member(name string) *Member {
	for i := range n.Members {
		if n.Members[i].Key.Text == name {
			return &n.Members[i]
		}
	}
	return nil
}

// A literal records how a string with escapes is written.
type literal struct {
	raw   string // the source between the delimiters, which are the quotes
	quote byte   // the delimiter, if it is one byte
	start int    // offset of raw in the source
	marks []mark // some pairs of corresponding offsets, in order
}

// A mark pairs an offset in the value with the corresponding offset in raw. There is a mark about every markEvery
// bytes, so that a string of 50 MB needs few marks and converting an offset is fast.
type mark struct{ value, raw int }

const markEvery = 4096

// Source returns the offset in the source of the byte at an offset of the string's value. For an
// escape, it returns the offset of the backslash.
func (n *Node) Source(offset int) int {
	l := n.literal
	if l == nil {
		return min(n.Span.Start+1+offset, n.Span.End)
	}
	i, found := slices.BinarySearchFunc(l.marks, offset, func(m mark, o int) int { return m.value - o })
	at := mark{}
	if found {
		at = l.marks[i]
	} else if i > 0 {
		at = l.marks[i-1]
	}
	for {
		plain := strings.IndexByte(l.raw[at.raw:], '\\')
		if plain < 0 || offset < at.value+plain {
			return l.start + min(at.raw+offset-at.value, len(l.raw))
		}
		at.value, at.raw = at.value+plain, at.raw+plain
		e := readEscape(l.raw[at.raw:], l.quote)
		if offset < at.value+e.valueLen() {
			return l.start + at.raw
		}
		at.value, at.raw = at.value+e.valueLen(), at.raw+e.size
	}
}

// SourceSpan converts a span of the string's value to the source.
func (n *Node) SourceSpan(s text.Span) text.Span {
	return text.Span{Start: n.Source(s.Start), End: n.Source(s.End)}
}

// Values returns the spans of the consecutive JSON values in a text. A value without an end extends to the end of
// the text, and the last one includes any text below it.
func Values(s string) []text.Span {
	var found []text.Span
	for at := 0; ; {
		at += len(s[at:]) - len(strings.TrimLeft(s[at:], " \t\r\n\ufeff"))
		if at == len(s) || s[at] != '{' && s[at] != '[' {
			break
		}
		end, ok := ValueEnd(s, at)
		if !ok {
			end = len(s)
		}
		found = append(found, text.Span{Start: at, End: end})
		at = end
	}
	if n := len(found); n > 0 && strings.TrimSpace(s[found[n-1].End:]) != "" {
		found[n-1].End = len(s)
	}
	return found
}

// ValueEnd returns the end of the object or array at an offset of a text, without parsing it. It returns false if the text ends first.
func ValueEnd(s string, at int) (end int, ok bool) {
	depth := 0
	for at < len(s) {
		switch s[at] {
		case '"':
			if at = closingQuote(s, at+1); at == len(s) {
				return 0, false
			}
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return at + 1, true
			}
		}
		at++
	}
	return 0, false
}

// closingQuote returns the offset of the quote that ends a string, or len(s). The string's text begins at `at`.
func closingQuote(s string, at int) int {
	for at < len(s) {
		i := strings.IndexAny(s[at:], `"\`)
		if i < 0 {
			break
		}
		if at += i; s[at] == '"' {
			return at
		}
		at += 2
	}
	return len(s)
}
