package store

import (
	"bytes"
	"compress/flate"
	"crypto/sha256"
	"errors"
	"io"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/text"
)

// errDamaged is content that is not what was recorded. It must not reach a file.
var errDamaged = errors.New("recorded content is damaged")

// sum names raw bytes. It copies a piece at a time: a hash takes no strings, and a
// file can be large.
func sum(data string) []byte {
	h := sha256.New()
	buf := make([]byte, min(len(data), 32<<10))
	for len(data) > 0 {
		n := copy(buf, data)
		h.Write(buf[:n])
		data = data[n:]
	}
	return h.Sum(nil)
}

// textSum names content whichever front end reads it: an editor's buffer is the
// decoded text, the disk has its bytes with BOM or in UTF-16. Content that is
// not text is named by its bytes, and so is the target of a link, which no editor
// decodes. It is nil where there is no file.
func textSum(c Content) []byte { return textName(c, sum) }

func textName(c Content, sum func(string) []byte) []byte {
	if !c.Exists {
		return nil
	}
	if c.Mode.IsRegular() {
		if s, _, err := text.Decode(c.Data); err == nil {
			return sum(s)
		}
	}
	return sum(c.Data)
}

// A packer compresses contents one after the other. The fastest level: a person
// waits for it, and text still shrinks to a fourth.
type packer struct{ w *flate.Writer }

func newPacker() packer {
	w, err := flate.NewWriter(io.Discard, flate.BestSpeed)
	if err != nil {
		panic("flate refuses its own level: " + err.Error())
	}
	return packer{w}
}

func (p packer) pack(data string) ([]byte, error) {
	var out bytes.Buffer
	p.w.Reset(&out)
	if _, err := io.WriteString(p.w, data); err != nil {
		return nil, err
	}
	if err := p.w.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

// unpack gives the content back, or errDamaged where it is not the one that want
// names. size is in bytes.
func unpack(packed []byte, size int64, want []byte) (string, error) {
	r := flate.NewReader(bytes.NewReader(packed))
	var out strings.Builder
	// One byte more than there should be is enough to see that it is too long.
	if _, err := io.Copy(&out, io.LimitReader(r, size+1)); err != nil {
		return "", errors.Join(errDamaged, err)
	}
	if !bytes.Equal(sum(out.String()), want) {
		return "", errDamaged
	}
	return out.String(), nil
}
