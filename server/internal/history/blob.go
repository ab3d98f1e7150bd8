package history

import (
	"bytes"
	"compress/flate"
	"crypto/sha256"
	"errors"
	"io"
	"strings"

	"github.com/klauspost/compress/s2"

	"github.com/aptix-dev/aptix/server/internal/text"
)

// errDamaged means that stored content differs from the recorded one. It must not reach a
// file.
var errDamaged = errors.New("recorded content is damaged")

// sum returns the SHA-256 by which bytes are stored.
func sum(data string) []byte {
	s := text.Sum(data)
	return s[:]
}

// textSum returns a hash of content that does not depend on its encoding. An editor's buffer holds the
// decoded text, but the disk may hold bytes with a byte order mark or in UTF-16. For content that is
// not text, and for the target of a link, it returns raw, the hash of the bytes. If there is no file,
// it returns nil.
func textSum(c text.Content, raw []byte) []byte {
	if s := shared(c); s != c.Data {
		return sumColumn(c, sum(s))
	}
	return sumColumn(c, raw)
}

// shared returns the string that [textSum] hashes.
func shared(c text.Content) string {
	if c.Mode.IsRegular() {
		if s, _, err := text.Decode(c.Data); err == nil {
			return s
		}
	}
	return c.Data
}

// A packer compresses contents one after another, as S2 streams. S2 is several times as fast as the fastest
// DEFLATE. A person waits for the result, and applying a bundle of 50 MB takes a quarter less processor time.
type packer struct{ w *s2.Writer }

// newPacker returns a packer with buffers for contents of at most largest bytes. The buffers
// take at most a megabyte. Small contents get small buffers, which take less time to clear.
func newPacker(largest int) packer {
	return packer{s2.NewWriter(io.Discard, s2.WriterConcurrency(1), s2.WriterBlockSize(min(max(largest, 4<<10), 1<<20)))}
}

func (p packer) pack(data string) ([]byte, error) {
	var out bytes.Buffer
	out.Grow(len(data)/3 + 64)
	p.w.Reset(&out)
	if err := p.w.EncodeBuffer(text.Bytes(data)); err != nil {
		return nil, err
	}
	if err := p.w.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// unpack returns stored content, or errDamaged if its hash is not want. size is its size in
// bytes. before is the content that a delta applies to.
func unpack(packed []byte, size int64, want []byte, before string) (string, error) {
	if len(packed) > 0 && packed[0] == deltaFirst {
		return unpackDelta(packed, before, want)
	}
	r := unpacker(packed)
	var out strings.Builder
	// One byte more than expected is read, so that content which is too long is noticed.
	if _, err := io.Copy(&out, io.LimitReader(r, size+1)); err != nil {
		return "", errors.Join(errDamaged, err)
	}
	if !bytes.Equal(sum(out.String()), want) {
		return "", errDamaged
	}
	return out.String(), nil
}

// unpacker returns a reader of packed data. Older programs packed with DEFLATE. The two
// cannot be confused: an S2 stream begins with a byte that is no valid type of a DEFLATE
// block, or is empty if the content is empty.
func unpacker(packed []byte) io.Reader {
	r := bytes.NewReader(packed)
	if len(packed) == 0 || packed[0] == s2First {
		return s2.NewReader(r)
	}
	return flate.NewReader(r)
}

// s2First is the type of the first chunk of an S2 stream.
const s2First = 0xff

// notKeptSize marks a blob whose contents are not kept: see [File.NotKept]. Older programs
// take such a blob for damaged, so they do not write it to a file.
const notKeptSize = -1

// notKeptSum returns the hash that stands for contents that are not kept. It differs from
// their own hash, because another file may have the same contents, and those are kept.
func notKeptSum(sum [sha256.Size]byte) [sha256.Size]byte {
	return sha256.Sum256(append([]byte("aptix: not kept\x00"), sum[:]...))
}

// notKeptBlob returns the blob that the history stores in place of contents that are not kept.
func notKeptBlob(sum [sha256.Size]byte) blob {
	return blob{sum: notKeptSum(sum), size: notKeptSize, packed: []byte{}}
}
