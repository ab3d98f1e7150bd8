package fileset

import (
	"encoding/binary"
	"errors"
	"io"
)

// maxStatuses is how many bytes of parameters a server may report on one connection, which
// keeps them all. An honest one reports a dozen short ones.
const maxStatuses = 1 << 20

var errStatuses = errors.New("the server reports parameters without end")

// A statusReader reads the messages of a server, and fails if those that report parameters have
// more than maxStatuses.
type statusReader struct {
	io.Reader
	header   [5]byte // of a message: its type, and its length without the type
	known    int     // bytes of the header
	body     int     // bytes of the message that are not read yet
	statuses int     // bytes
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
			if r.statuses += r.body + 64; r.statuses > maxStatuses { // with what it takes to keep one
				return 0, errStatuses
			}
		}
	}
	return n, err
}
