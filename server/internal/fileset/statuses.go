package fileset

import (
	"encoding/binary"
	"errors"
	"io"
)

// maxStatuses limits the parameters that a server may report on one connection, in bytes, because the driver keeps all
// of them. An honest server reports about a dozen short parameters.
const maxStatuses = 1 << 20

var errStatuses = errors.New("the server sends too many parameters")

// A statusReader passes on the messages of a server. It fails if the server reports more than maxStatuses bytes of
// parameters.
type statusReader struct {
	io.Reader
	header   [5]byte // the type of a message, and its length without the type
	known    int     // the bytes of the header that were read so far
	body     int     // the bytes of the message that are still to be read
	statuses int     // the bytes of all reports so far
}

func (r *statusReader) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	for rest := p[:n]; len(rest) > 0; {
		if r.body > 0 {
			skipped := min(r.body, len(rest))
			r.body -= skipped
			rest = rest[skipped:]
			continue
		}
		copied := copy(r.header[r.known:], rest)
		r.known += copied
		rest = rest[copied:]
		if r.known < len(r.header) {
			continue
		}
		r.known = 0
		r.body = max(0, int(int32(binary.BigEndian.Uint32(r.header[1:])))-4)
		if r.header[0] == 'S' {
			// The 64 bytes stand for the memory that each report needs.
			if r.statuses += r.body + 64; r.statuses > maxStatuses {
				return 0, errStatuses
			}
		}
	}
	return n, err
}
