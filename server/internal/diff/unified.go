package diff

import (
	"bytes"
	"compress/zlib"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"znkr.io/diff"

	"github.com/aptix-dev/aptix/server/internal/text"
)

// A Side is the state of a file before or after a change. It cannot be a folder, because git does not track folders.
type Side struct {
	Path string
	text.Content
}

const context = 3 // the number of lines around a change, as in git

// Unified returns the change of one file as a patch that `git apply` accepts: text as hunks, and content that is
// binary for git as literals. It returns "" if both sides are equal.
func Unified(before, after Side) string {
	if before.Exists == after.Exists && before.Data == after.Data && gitMode(before) == gitMode(after) && before.Path == after.Path {
		return ""
	}
	if before.Exists && after.Exists && (isLink(before) != isLink(after) || isLink(before) && before.Path != after.Path) {
		// git has no header for a change between file and link, so the patch deletes one and creates the other. A
		// renamed link is deleted and created, too: after a header for a rename, git permits no creation at or below
		// the link's old path.
		return Unified(before, Side{Path: before.Path}) + Unified(Side{Path: after.Path}, after)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "diff --git %s %s\n", headerName("a/"+before.Path), headerName("b/"+after.Path))
	writeHeaders(&b, before, after)
	switch {
	case before.Data == after.Data:
	case isBinary(before.Data) || isBinary(after.Data):
		writeBinary(&b, before.Data, after.Data)
	default:
		fmt.Fprintf(&b, "--- %s\n+++ %s\n", nameLine("a/", before), nameLine("b/", after))
		writeHunks(&b, before.Data, after.Data)
	}
	return b.String()
}

func writeHeaders(b *strings.Builder, before, after Side) {
	switch {
	case !before.Exists:
		fmt.Fprintf(b, "new file mode %s\n", gitMode(after))
	case !after.Exists:
		fmt.Fprintf(b, "deleted file mode %s\n", gitMode(before))
	case gitMode(before) != gitMode(after):
		fmt.Fprintf(b, "old mode %s\nnew mode %s\n", gitMode(before), gitMode(after))
	}
	if before.Exists && after.Exists && before.Path != after.Path {
		fmt.Fprintf(b, "rename from %s\nrename to %s\n", QuoteName(before.Path), QuoteName(after.Path))
	}
	binary := before.Data != after.Data && (isBinary(before.Data) || isBinary(after.Data))
	if empty := before.Exists != after.Exists && before.Data == after.Data; binary || empty {
		// An empty file has no hunks, so the ids show that the patch was not cut off.
		fmt.Fprintf(b, "index %s..%s\n", blobID(before), blobID(after))
	}
}

func gitMode(s Side) string {
	switch {
	case isLink(s):
		return "120000"
	case text.Executable(s.Mode):
		return "100755"
	}
	return "100644"
}

func isLink(s Side) bool { return s.Mode&fs.ModeSymlink != 0 }

func nameLine(prefix string, s Side) string {
	if !s.Exists {
		return "/dev/null"
	}
	return NameInLine(prefix + s.Path)
}

// GitLines cuts a text after every LF, the only line ending for git.
func GitLines(s string) []string { return slices.Collect(strings.Lines(s)) }

func writeHunks(b *strings.Builder, before, after string) {
	old, new := GitLines(before), GitLines(after)
	for _, h := range diff.Hunks(old, new, Bounded(old, new, diff.Context(context))...) {
		fmt.Fprintf(b, "@@ -%s +%s @@\n", HunkRange(h.PosX, h.EndX), HunkRange(h.PosY, h.EndY))
		for _, e := range h.Edits {
			switch e.Op {
			case diff.Match:
				writeLine(b, ' ', e.X)
			case diff.Delete:
				writeLine(b, '-', e.X)
			case diff.Insert:
				writeLine(b, '+', e.Y)
			}
		}
	}
}

func writeLine(b *strings.Builder, sign byte, line string) {
	b.WriteByte(sign)
	b.WriteString(line)
	if !strings.HasSuffix(line, "\n") {
		b.WriteString("\n\\ No newline at end of file\n")
	}
}

// HunkRange returns `start,count` for the lines [from, to), counted from 0. An empty range names the line above it.
func HunkRange(from, to int) string {
	switch n := to - from; n {
	case 0:
		return fmt.Sprintf("%d,0", from)
	case 1:
		return fmt.Sprint(from + 1)
	default:
		return fmt.Sprintf("%d,%d", from+1, n)
	}
}

// isBinary applies git's test: a NUL within the first 8000 bytes.
func isBinary(data string) bool { return strings.IndexByte(data[:min(len(data), 8000)], 0) >= 0 }

// blobID returns the complete object name, which git requires above a binary patch.
func blobID(s Side) string {
	if !s.Exists {
		return strings.Repeat("0", 40)
	}
	return BlobID("", s.Data)
}

// writeBinary writes both sides, so that the patch can be reversed.
func writeBinary(b *strings.Builder, before, after string) {
	b.WriteString("GIT binary patch\n")
	writeLiteral(b, after)
	writeLiteral(b, before)
}

// writeLiteral writes data in git's form: the size, then the deflated bytes in base 85 with at most 52 bytes on a
// line after a letter for their number, then an empty line.
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

// Base85 is git's alphabet for base 85, as in RFC 1924.
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

// BlobID returns git's id of a file with the contents `parts`, in all its hexadecimal digits. The id is a SHA-256 if
// `like`, an id of the same repository, has more digits than a SHA-1; otherwise it is a SHA-1.
func BlobID(like string, parts ...string) string {
	size := 0
	for _, part := range parts {
		size += len(part)
	}
	h := sha1.New()
	if len(like) > 2*sha1.Size {
		h = sha256.New()
	}
	fmt.Fprintf(h, "blob %d\x00", size)
	for _, part := range parts {
		h.Write(text.Bytes(part))
	}
	return hex.EncodeToString(h.Sum(nil))
}
