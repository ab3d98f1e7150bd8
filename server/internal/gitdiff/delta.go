package gitdiff

import (
	"errors"
	"strings"
)

var errDelta = errors.New("the delta is damaged")

// applyDelta makes a new content from an old one by a delta in git's pack format. The delta has
// both sizes, followed by instructions that copy a part of the old content or insert bytes of the
// delta.
func applyDelta(old, delta string) (string, error) {
	from, delta, ok := deltaSize(delta)
	if !ok || from != len(old) {
		return "", errDelta
	}
	size, delta, ok := deltaSize(delta)
	if !ok || size > maxBinary {
		return "", errDelta
	}
	var b strings.Builder
	for delta != "" {
		part := ""
		part, delta, ok = deltaOrder(old, delta)
		if !ok || b.Len()+len(part) > size {
			return "", errDelta
		}
		b.WriteString(part)
	}
	if b.Len() != size {
		return "", errDelta
	}
	return b.String(), nil
}

// deltaSize reads a number of seven bits per byte, the lowest bits first.
func deltaSize(delta string) (size int, rest string, ok bool) {
	for i := range min(len(delta), 5) {
		size |= int(delta[i]&0x7f) << (7 * i)
		if delta[i] < 0x80 {
			return size, delta[i+1:], true
		}
	}
	return 0, "", false
}

// deltaOrder reads one instruction, and returns the bytes that it adds.
func deltaOrder(old, delta string) (part, rest string, ok bool) {
	order := delta[0]
	rest = delta[1:]
	if order < 0x80 {
		n := int(order)
		if n == 0 || n > len(rest) {
			return "", "", false
		}
		return rest[:n], rest[n:], true
	}
	var words [2]int // the offset and the size to copy
	for bit := range 7 {
		if order&(1<<bit) == 0 {
			continue
		}
		if rest == "" {
			return "", "", false
		}
		word, shift := bit/4, 8*(bit%4)
		words[word] |= int(rest[0]) << shift
		rest = rest[1:]
	}
	offset, size := words[0], words[1]
	if size == 0 {
		size = 0x10000
	}
	if offset > len(old) || size > len(old)-offset {
		return "", "", false
	}
	return old[offset : offset+size], rest, true
}
