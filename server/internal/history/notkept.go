package history

import "crypto/sha256"

// notKeptSize is the size of a blob whose contents are not kept: see [File.NotKept]. To
// older programs such a blob is damaged, so that they write nothing of it.
const notKeptSize = -1

// notKeptSum names contents that are not kept. It is not their own sum: another file may
// have the same contents, and those are kept.
func notKeptSum(sum [sha256.Size]byte) [sha256.Size]byte {
	return sha256.Sum256(append([]byte("aptix: not kept\x00"), sum[:]...))
}

// notKeptBlob takes the place of contents with a sum that are not kept.
func notKeptBlob(sum [sha256.Size]byte) blob {
	return blob{sum: notKeptSum(sum), size: notKeptSize, packed: []byte{}}
}
