package text

import (
	"errors"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/unicode"
)

// An Encoding is the way a file's bytes spell its text. It includes the byte order mark, so
// that a file keeps the one it has.
type Encoding int

// The encodings that the bytes alone reveal. Files in other encodings can be edited only
// through an editor, which knows them.
const (
	UTF8 Encoding = iota
	UTF8BOM
	UTF16LE // always with BOM
	UTF16BE // always with BOM
)

// ErrBinary reports that a file is not text in any encoding that its bytes reveal, because
// it holds invalid sequences or NUL. UTF-16 without a byte order mark counts as binary,
// because editing it as UTF-8 would destroy it.
var ErrBinary = errors.New("neither UTF-8 nor UTF-16 with a byte order mark")

var marks = [...]string{UTF8: "", UTF8BOM: "\xef\xbb\xbf", UTF16LE: "\xff\xfe", UTF16BE: "\xfe\xff"}

// Decode reads a file's bytes as text and drops the byte order mark. If it succeeds,
// encoding the result gives the very same bytes; otherwise it returns [ErrBinary].
func Decode(data string) (string, Encoding, error) {
	enc := sniff(data)
	s := data[len(marks[enc]):]
	if codec := enc.utf16(); codec != nil {
		decoded, err := codec.NewDecoder().String(s)
		if err != nil {
			return "", enc, ErrBinary
		}
		s = decoded
	}
	if !utf8.ValidString(s) || strings.ContainsRune(s, 0) {
		return "", enc, ErrBinary
	}
	if enc.utf16() != nil && enc.Encode(s) != data {
		return "", enc, ErrBinary // a lone surrogate or half a unit, which encoding would not restore
	}
	return s, enc, nil
}

// Encode writes text as the bytes of a file, BOM included. The text must be
// valid UTF-8.
func (e Encoding) Encode(s string) string {
	codec := e.utf16()
	if codec == nil {
		return marks[e] + s
	}
	encoded, err := codec.NewEncoder().String(s)
	if err != nil {
		panic("encoding valid UTF-8 as UTF-16 failed: " + err.Error())
	}
	return marks[e] + encoded
}

// MayFill reports whether a file of size bytes can hold s, in any encoding and with any
// line endings.
func MayFill(s string, size int64) bool {
	crlf := strings.Count(s, "\r\n")
	ends := strings.Count(s, "\r") + strings.Count(s, "\n") - crlf
	fits := func(length, unit int, mark string) bool {
		least := unit*(length-crlf) + len(mark)
		return int64(least) <= size && size <= int64(least+unit*ends)
	}
	return fits(len(s), 1, marks[UTF8]) || fits(len(s), 1, marks[UTF8BOM]) || size%2 == 0 && fits(utf16Len(s), 2, marks[UTF16LE])
}

func sniff(data string) Encoding {
	for _, e := range []Encoding{UTF8BOM, UTF16LE, UTF16BE} {
		if strings.HasPrefix(data, marks[e]) {
			return e
		}
	}
	return UTF8
}

func (e Encoding) utf16() encoding.Encoding {
	switch e {
	case UTF16LE:
		return unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM)
	case UTF16BE:
		return unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)
	}
	return nil
}
