package gitdiff

import (
	"bytes"
	"cmp"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/diff"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/text"
)

const gitBinary = "GIT binary patch"

// maxBinary limits the output of binary patches, in bytes, because a few bytes can otherwise decompress to fill all
// memory.
const maxBinary = 256 << 20

// A BinaryPatch is the step of a binary patch: the file's new content, or a delta that turns the old content into
// it. A person can leave out only the whole patch.
type BinaryPatch struct {
	At           text.Span // of the whole patch in the body
	Delta        bool      // whether Data is a delta in git's format
	Data         string
	OldID, NewID string // in full length, as git requires
	OldIDAt      text.Span
	Head         text.Span // of the first line of the patch
}

func (b *BinaryPatch) Span() text.Span { return b.At }

func (b *BinaryPatch) Parts() []text.Span { return []text.Span{b.At} }

// readBinary reads a binary patch. git writes the reverse patch below it, which is only checked for completeness.
func (s *section) readBinary() {
	first := s.at
	s.at++
	forward, ok := s.readBinaryHunk(true)
	if !ok {
		return
	}
	if forward == nil {
		s.corrupt(s.at, "it must begin with `literal SIZE` or `delta SIZE`")
		return
	}
	if _, ok := s.readBinaryHunk(false); !ok {
		return
	}
	forward.At = s.lines(first, s.at)
	forward.OldID, forward.NewID, forward.OldIDAt, forward.Head = s.oldID, s.newID, s.oldIDAt, s.line(first)
	s.binary = forward
}

// readBinaryHunk reads the data of the patch or of the reverse patch. It returns nil if no data begin at the current
// line. ok is false if the data are broken. If `keep` is false, it returns no data.
func (s *section) readBinaryHunk(keep bool) (b *BinaryPatch, ok bool) {
	head := s.at
	word, digits, _ := strings.Cut(s.text(head), " ")
	if word != "literal" && word != "delta" {
		return nil, true
	}
	size, err := strconv.Atoi(strings.TrimSpace(digits))
	if err != nil || size < 0 || size > maxBinary {
		return nil, s.corrupt(head, "a size in bytes is expected here")
	}
	s.at++
	var packed []byte
	for ; s.at < s.count() && s.text(s.at) != ""; s.at++ {
		if packed, err = decodeLine(packed, s.text(s.at)); err != nil {
			return nil, s.corrupt(s.at, err.Error())
		}
	}
	s.at = min(s.at+1, s.count())
	if *s.room -= size; *s.room < 0 {
		s.fail(diag.ReplyTooLarge, s.line(head), "the binary patches of the reply are too large together, so the rest is not checked; send them in several replies")
		return nil, s.skipSection()
	}
	data, err := inflate(packed, size, keep)
	if err != nil {
		return nil, s.corrupt(head, err.Error())
	}
	return &BinaryPatch{Delta: word == "delta", Data: data}, true
}

func (s *section) corrupt(i int, why string) bool {
	s.fail(diag.GitBinary, s.line(i), "the data of the binary patch is damaged: "+why+"; make the patch again")
	return s.skipSection()
}

func (p *parser) skipSection() bool {
	for p.at < p.count() && !p.kind(p.at).beginsFile() && p.kind(p.at) != commitLine {
		p.at++
	}
	return false
}

// decodeLine appends the bytes that a line encodes. The first letter gives the number of bytes, at most 52. After
// it, five characters stand for four bytes.
func decodeLine(data []byte, line string) ([]byte, error) {
	n := 0
	switch c := line[0]; {
	case 'A' <= c && c <= 'Z':
		n = int(c-'A') + 1
	case 'a' <= c && c <= 'z':
		n = int(c-'a') + 27
	}
	digits := line[1:]
	if n == 0 || len(digits) != (n+3)/4*5 {
		return nil, fmt.Errorf("the first letter of the line gives its length, but the line is longer or shorter")
	}
	for ; n > 0; digits, n = digits[5:], n-4 {
		word := uint64(0)
		for i := range 5 {
			v := strings.IndexByte(diff.Base85, digits[i])
			if v < 0 {
				return nil, fmt.Errorf("%q is not one of the 85 characters", digits[i])
			}
			word = word*85 + uint64(v)
		}
		if word > 1<<32-1 {
			return nil, fmt.Errorf("the five characters %q stand for a number that is too large for four bytes", digits[:5])
		}
		var group [4]byte
		binary.BigEndian.PutUint32(group[:], uint32(word))
		data = append(data, group[:min(n, 4)]...)
	}
	return data, nil
}

// inflate decompresses packed. It first checks the size of the result without keeping it, so that it never allocates
// more than `size` bytes.
func inflate(packed []byte, size int, keep bool) (string, error) {
	n, err := inflateTo(io.Discard, packed, size)
	if err != nil {
		return "", fmt.Errorf("it cannot be decompressed")
	}
	if n != int64(size) {
		return "", fmt.Errorf("it does not decompress to %d bytes", size)
	}
	if !keep {
		return "", nil
	}
	var b strings.Builder
	b.Grow(size)
	_, err = inflateTo(&b, packed, size)
	return b.String(), err
}

func inflateTo(w io.Writer, packed []byte, size int) (int64, error) {
	r, err := zlib.NewReader(bytes.NewReader(packed))
	if err != nil {
		return 0, err
	}
	return io.Copy(w, io.LimitReader(r, int64(size)+1))
}

// fill makes the binary patch the content or the step of a change. Like git, it requires the complete ids of both
// sides, which show whether the file is the right one.
func (b *BinaryPatch) fill(c *intent.Change, s *section) bool {
	if len(b.NewID) != 40 && len(b.NewID) != 64 || len(b.OldID) != len(b.NewID) {
		s.fail(diag.GitBinary, s.header(), "git accepts a binary patch only with an `index` line that has the full ids of the file before and after; make it with `git diff --binary --full-index`")
		return false
	}
	if strings.Trim(b.NewID, "0") == "" && c.Kind != intent.Delete {
		s.fail(diag.GitHeaderMissing, s.header(), "the `index` line says that the file is deleted, but git leaves an empty file unless the header has a line `deleted file mode`",
			diag.Fix{Title: "Add the line `deleted file mode 100644`", Edits: []text.Edit{s.insert(s.git+1, "deleted file mode 100644")}, Preferred: true})
		return false
	}
	if c.Kind != intent.Create {
		c.Steps = []intent.Step{b}
		return true
	}
	content, err := b.apply("")
	if err != nil || diff.BlobID(b.NewID, content) != b.NewID {
		s.fail(diag.GitBinary, s.line(s.head), "the data of the binary patch is damaged: it does not make the file that the `index` line names")
		return false
	}
	c.Content = content
	c.ContentAt = intent.Literal{Span: b.At, As: verbatim(b.At.In(s.body))}
	return true
}

// Resolve implements [intent.Step]. It replaces the whole file, which must be the file that the patch was made from.
func (b *BinaryPatch) Resolve(on intent.Target) intent.Outcome {
	before := on.Text.String()
	all := text.Span{End: len(before)}
	out := intent.Outcome{Places: []intent.Place{{At: b.At, Target: all}}}
	id := diff.BlobID(b.NewID, before)
	if id == b.NewID {
		out.Done, out.Places[0].Done = true, true
		return out
	}
	if id != b.OldID {
		out.Problems = b.problem(b.OldIDAt, "the binary patch was made for a different version of the file: the current version has the id %s, but the `index` line says %s", id, b.OldID)
		return out
	}
	// The patch deletes the file.
	if strings.Trim(b.NewID, "0") == "" {
		out.Edits = []text.Edit{{Span: all}}
		return out
	}
	content, err := b.apply(before)
	if err != nil || diff.BlobID(b.NewID, content) != b.NewID {
		out.Problems = b.problem(b.Head, "the data of the binary patch is damaged: it does not make the file with the id %s that the `index` line names", b.NewID)
		return out
	}
	out.Edits = []text.Edit{{Span: all, New: content}}
	return out
}

func (b *BinaryPatch) problem(at text.Span, format string, args ...any) []diag.Diagnostic {
	return []diag.Diagnostic{diag.New(diag.GitBinaryMismatch, at, fmt.Sprintf(format, args...)+"; make the patch again")}
}

func (b *BinaryPatch) apply(old string) (string, error) {
	if !b.Delta {
		return b.Data, nil
	}
	return applyDelta(old, b.Data)
}

var errDelta = errors.New("the delta is damaged")

// applyDelta applies a delta in git's pack format to the old content. The delta begins with the sizes of both
// contents. Then come instructions that copy a part of the old content or insert bytes of the delta.
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

// deltaSize reads a number of seven bits in each byte, the lowest bits first.
func deltaSize(delta string) (size int, rest string, ok bool) {
	for i := range min(len(delta), 5) {
		size |= int(delta[i]&0x7f) << (7 * i)
		if delta[i] < 0x80 {
			return size, delta[i+1:], true
		}
	}
	return 0, "", false
}

// deltaOrder reads one instruction, and returns the bytes that it adds to the new content.
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
	var words [2]int // the offset and the size of the copied part
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
	size = cmp.Or(size, 0x10000)
	if offset > len(old) || size > len(old)-offset {
		return "", "", false
	}
	return old[offset : offset+size], rest, true
}
