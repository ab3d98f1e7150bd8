package history

import "crypto/sha256"

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
