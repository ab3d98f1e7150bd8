package text

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"strings"
	"unicode/utf8"
	"unsafe"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/unicode"
)

// A Content is a file at one moment: the bytes of a regular file, the target of a symbolic link ([fs.ModeSymlink]), or
// a folder ([fs.ModeDir]) without its entries. The zero value is a missing file.
type Content struct {
	Exists bool
	Data   string      // the bytes on disk, or the text of an open buffer
	Mode   fs.FileMode // 0 if unknown
}

// Executable reports whether git treats a file of mode m as executable, because its owner may
// execute it.
func Executable(m fs.FileMode) bool { return m&0o100 != 0 }

// Text returns the decoded content. It returns [ErrBinary] for a link or a folder, and
// otherwise any error of [Decode].
func (c Content) Text() (string, error) {
	if c.Mode.Type() != 0 {
		return "", ErrBinary
	}
	s, _, err := Decode(c.Data)
	return s, err
}

// An Encoding is the encoding of a file's text, with or without a byte order mark.
type Encoding int

// The encodings that the bytes of a file reveal. Files in other encodings can be edited only in an editor.
const (
	UTF8 Encoding = iota
	UTF8BOM
	UTF16LE // always with a byte order mark
	UTF16BE // always with a byte order mark
)

// ErrBinary reports that a file is not text in any encoding that its bytes reveal, because it
// contains invalid sequences or NUL. UTF-16 without a byte order mark counts as binary, because
// editing it as UTF-8 would destroy it.
var ErrBinary = errors.New("neither UTF-8 nor UTF-16 with a byte order mark")

var marks = [...]string{UTF8: "", UTF8BOM: "\xef\xbb\xbf", UTF16LE: "\xff\xfe", UTF16BE: "\xfe\xff"}

// Decode decodes the bytes of a file, and removes the byte order mark. If it succeeds, encoding the
// result gives the very same bytes. Otherwise it returns [ErrBinary].
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
		// Encoding would not restore a lone surrogate or half of a UTF-16 unit.
		return "", enc, ErrBinary
	}
	return s, enc, nil
}

// Encode returns a text as the bytes of a file, including the byte order mark. The text must be
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

// MayFill reports whether the text `s` may be the whole text of a file with the given size in
// bytes, in any encoding and with any line endings.
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

// Sums are the SHA-256 hashes of a file's bytes before and after a change. The hash of a missing
// file has no meaning.
type Sums struct{ Before, After [sha256.Size]byte }

// Sum returns the SHA-256 hash of a string's bytes.
func Sum(s string) [sha256.Size]byte { return sha256.Sum256(Bytes(s)) }

// SumHex returns the SHA-256 hash of a string's bytes as hexadecimal digits.
func SumHex(s string) string {
	sum := Sum(s)
	return hex.EncodeToString(sum[:])
}

// Bytes returns the bytes of a string without copying them. Callers must not write to the result.
func Bytes(s string) []byte { return unsafe.Slice(unsafe.StringData(s), len(s)) }
