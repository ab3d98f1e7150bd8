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

// The content of a file after an apply is stored as a delta if the delta is short. A delta has the edits that turn the
// content before the apply into the content after it. The content before the apply is in the same row of the table of
// files, and is always stored as a whole. With deltas, applying 500 hunks to a file of 200,000 lines takes a sixth less
// processor time (a row of make bench).
//
// A delta begins with deltaFirst. For each edit, three varints (the lengths of the kept, the removed and the added
// text) and the added text follow. The content after the last edit is kept. A delta is stored under [deltaSum], so that
// older programs treat it as damaged and never write it to a file.

// deltaFirst is the first byte of a delta. No S2 or DEFLATE stream begins with this byte, because it is not a valid
// type of a DEFLATE block.
const deltaFirst = 0xfe

// deltaSum returns the hash under which a delta is stored. It differs from the hash of the second content, because that
// content may also be stored as a whole.
func deltaSum(sums text.Sums) [sha256.Size]byte {
	return sha256.Sum256(slices.Concat([]byte("aptix: delta\x00"), sums.Before[:], sums.After[:]))
}

// deltaOf returns the delta between two contents, or nil if the delta would be longer than a quarter of the second
// content.
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

// unpackDelta applies a delta to the content `before`. The error is errDamaged if [deltaSum] of the two contents is not
// `want`.
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
