package diff

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"fmt"
	"strings"
)

// isBinary applies git's test: a NUL within the first 8000 bytes.
func isBinary(data string) bool { return strings.IndexByte(data[:min(len(data), 8000)], 0) >= 0 }

// blobID returns the full object name, which git requires before a binary patch.
func blobID(s Side) string {
	if !s.Exists {
		return strings.Repeat("0", 40)
	}
	return BlobID("", s.Data)
}

// writeBinary writes both sides as literals, so that the patch can be reversed.
func writeBinary(b *strings.Builder, before, after string) {
	b.WriteString("GIT binary patch\n")
	writeLiteral(b, after)
	writeLiteral(b, before)
}

// writeLiteral writes data in git's form: the size, then the deflated bytes in base 85, 52
// bytes to a line after a letter for the line's length, then an empty line.
func writeLiteral(b *strings.Builder, data string) {
	fmt.Fprintf(b, "literal %d\n", len(data))
	packed := deflate(data)
	for len(packed) > 0 {
		n := min(len(packed), 52)
		b.WriteByte(lengthLetter(n))
		writeBase85(b, packed[:n])
		b.WriteByte('\n')
		packed = packed[n:]
	}
	b.WriteByte('\n')
}

func deflate(data string) []byte {
	var buf bytes.Buffer
	w := zlib.NewWriter(&buf)
	// A bytes.Buffer never fails to accept data.
	_, _ = w.Write([]byte(data))
	_ = w.Close()
	return buf.Bytes()
}

func lengthLetter(n int) byte {
	if n <= 26 {
		return byte('A' + n - 1)
	}
	return byte('a' + n - 27)
}

// Base85 is git's alphabet, which is that of RFC 1924.
const Base85 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~"

func writeBase85(b *strings.Builder, data []byte) {
	for len(data) > 0 {
		var group [4]byte
		data = data[copy(group[:], data):]
		word := binary.BigEndian.Uint32(group[:])
		var out [5]byte
		for i := 4; i >= 0; i-- {
			out[i] = Base85[word%85]
			word /= 85
		}
		b.Write(out[:])
	}
}
