package text

import (
	"encoding/binary"
	"math/bits"
	"strings"
)

// Brackets adds the brackets of a line to the counts of open brackets: `()`, `[]`, `{}`. It ignores quoted text, and
// brackets that are escaped or belong to a terminal's color.
func Brackets[T int | int32](open *[3]T, line string) {
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case '\'', '"', '`':
			i += ClosingQuote(line[i:])
		case '(', ')', '[', ']', '{', '}':
			if k := strings.IndexByte("()[]{}", line[i]); i == 0 || line[i-1] != '\\' && line[i-1] != '\x1b' {
				open[k/2] += T(1 - 2*(k%2))
			}
		}
	}
}

// ClosingQuote returns the offset of the quote that closes the quote at the start of s. It returns 0 if there is none.
func ClosingQuote(s string) int {
	for i := 1; i < len(s); i++ {
		if s[i] == '\\' {
			i++
		} else if s[i] == s[0] {
			return i
		}
	}
	return 0
}

// Plain returns the number of bytes at the start of s that need no escape in a JSON string with the
// given quotes. These are the bytes before the first quote, backslash or control character. Plain
// looks at eight bytes at a time, because the strings of a reply of 50 MB are read three times.
func Plain(s string, quote byte) int {
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	b := Bytes(s)
	at := 0
	for ; at+8 <= len(b); at += 8 {
		x := binary.LittleEndian.Uint64(b[at:])
		// A set high bit means that the byte of s is less than a space, or equals the quote or the backslash (it is 0
		// after the xor). The bits above the first such byte may be wrong.
		control := (x - ones*' ') &^ x
		q, backslash := x^ones*uint64(quote), x^ones*'\\'
		found := (control | (q-ones)&^q | (backslash-ones)&^backslash) & highs
		if found != 0 {
			return at + bits.TrailingZeros64(found)/8
		}
	}
	for ; at < len(b) && b[at] >= ' ' && b[at] != quote && b[at] != '\\'; at++ {
	}
	return at
}
