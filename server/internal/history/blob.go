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

// errDamaged means that stored content differs from the recorded content. It must not be written to a file.
var errDamaged = errors.New("recorded content is damaged")

func sum(data string) []byte {
	s := text.Sum(data)
	return s[:]
}

// textSum returns a hash of a file's content that is the same in every encoding: an editor has only the decoded text,
// but the disk may have it in UTF-16 or with a byte order mark. For content that is not text, and for the target of a
// link, it returns `raw`, the hash of the bytes. If there is no file, it returns nil.
func textSum(c text.Content, raw []byte) []byte {
	if s := shared(c); s != c.Data {
		return sumColumn(c, sum(s))
	}
	return sumColumn(c, raw)
}

// shared returns the part of a file's content that is the same in every encoding: the decoded text of a text file,
// otherwise the bytes.
func shared(c text.Content) string {
	if c.Mode.IsRegular() {
		if s, _, err := text.Decode(c.Data); err == nil {
			return s
		}
	}
	return c.Data
}

// A packer compresses contents, one after the other, as S2 streams. S2 is several times as fast as the fastest DEFLATE:
// with S2, applying a bundle of 50 MB takes a quarter less processor time.
type packer struct{ w *s2.Writer }

// newPacker returns a packer for contents of at most `largest` bytes. Its buffers have at most a megabyte, and less for
// small contents, because clearing them takes time.
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

// mostContent limits the size of unpacked content, in bytes, because somebody may have planted the history. No file
// that Aptix edits is so large.
const mostContent = 1 << 30

// unpack returns stored content. `size` is the size of the content in bytes. A delta is applied to the content
// `before`. The error is errDamaged if the content's hash is not `want`.
func unpack(packed []byte, size int64, want []byte, before string) (string, error) {
	if size > mostContent {
		return "", errDamaged
	}
	if len(packed) > 0 && packed[0] == deltaFirst {
		return unpackDelta(packed, before, want)
	}
	r := unpacker(packed)
	var out strings.Builder
	// One more byte shows whether the content is too long.
	if _, err := io.Copy(&out, io.LimitReader(r, size+1)); err != nil {
		return "", errors.Join(errDamaged, err)
	}
	if !bytes.Equal(sum(out.String()), want) {
		return "", errDamaged
	}
	return out.String(), nil
}

// unpacker returns a reader of packed data. Older programs packed with DEFLATE, newer programs with S2. The first byte
// of an S2 stream is not a valid type of a DEFLATE block. For empty content, the packed data may also be empty.
func unpacker(packed []byte) io.Reader {
	r := bytes.NewReader(packed)
	if len(packed) == 0 || packed[0] == s2First {
		// Without this option, the reader would clear a buffer of a megabyte for each content. The buffer grows as
		// needed.
		return s2.NewReader(r, s2.ReaderAllocBlock(4<<10))
	}
	return flate.NewReader(r)
}

const s2First = 0xff

// notKeptSize is the size of a blob whose contents are not kept ([File.NotKept]). Older programs treat a blob with this
// size as damaged, so they never write it to a file.
const notKeptSize = -1

// notKeptSum returns the hash under which the history records contents that it does not keep. It differs from the hash
// of the contents, because the same contents may also be stored for another file.
func notKeptSum(sum [sha256.Size]byte) [sha256.Size]byte {
	return sha256.Sum256(append([]byte("aptix: not kept\x00"), sum[:]...))
}

func notKeptBlob(sum [sha256.Size]byte) blob {
	return blob{sum: notKeptSum(sum), size: notKeptSize, packed: []byte{}}
}
