package history

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"slices"

	"github.com/aptix-dev/aptix/server/internal/diff"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// The content that an apply leaves in a file is stored as a delta if that is short. A delta
// holds the edits of the content before, which is always stored whole, in the same row of the
// table of files. Deltas save a sixth of the processor time of applying 500 hunks to a file
// of 200,000 lines (a row of make bench).
//
// A delta consists of deltaFirst and then, for each edit, of three varints (the lengths of
// the text that it keeps, removes and adds) and the added text. The content after the last
// edit is kept. [deltaSum] names a delta. Older programs take it for damaged content, so they
// do not write it to a file.

// deltaFirst is the first byte of a delta. No S2 stream begins with it, and no DEFLATE stream
// either, because it is no valid type of a DEFLATE block.
const deltaFirst = 0xfe

// deltaSum returns the hash by which a delta from one content to another is stored. It
// differs from the hash of the second content, which may be stored whole, too.
func deltaSum(sums text.Sums) [sha256.Size]byte {
	return sha256.Sum256(slices.Concat([]byte("aptix: delta\x00"), sums.Before[:], sums.After[:]))
}

// deltaOf returns the delta from before to after, or nil if the delta would not be short.
func deltaOf(before, after string) []byte {
	edits, ok := diff.Near(before, after)
	if !ok {
		return nil
	}
	delta, at := []byte{deltaFirst}, 0
	for _, e := range edits {
		delta = binary.AppendUvarint(delta, uint64(e.Span.Start-at))
		delta = binary.AppendUvarint(delta, uint64(e.Span.Len()))
		delta = binary.AppendUvarint(delta, uint64(len(e.New)))
		delta = append(delta, e.New...)
		if at = e.Span.End; len(delta) > len(after)/4 {
			return nil
		}
	}
	return delta
}

// unpackDelta applies a delta to before. It returns errDamaged if want is not the hash of the
// result.
func unpackDelta(delta []byte, before string, want []byte) (string, error) {
	edits, err := readDelta(delta)
	if err != nil {
		return "", err
	}
	after, err := text.Apply(before, edits)
	if err != nil {
		return "", errors.Join(errDamaged, err)
	}
	if name := deltaSum(text.Sums{Before: text.Sum(before), After: text.Sum(after)}); !bytes.Equal(name[:], want) {
		return "", errDamaged
	}
	return after, nil
}

func readDelta(delta []byte) (edits []text.Edit, err error) {
	next := func() int {
		n, size := binary.Uvarint(delta)
		if size <= 0 || n > 1<<62 {
			delta, err = nil, errDamaged
			return 0
		}
		delta = delta[size:]
		return int(n)
	}
	at := 0
	for delta = delta[1:]; len(delta) > 0; {
		at += next()
		span := text.Span{Start: at, End: at + next()}
		size := next()
		if err != nil || size > len(delta) {
			return nil, errDamaged
		}
		edits = append(edits, text.Edit{Span: span, New: string(delta[:size])})
		delta, at = delta[size:], span.End
	}
	return edits, nil
}
