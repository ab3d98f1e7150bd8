package fileset

import (
	"encoding/binary"
	"errors"
	"io"
)

// maxStatuses is the most bytes of parameters that a server may report on one connection,
// because the driver keeps them all. An honest server reports a dozen short ones.
const maxStatuses = 1 << 20

var errStatuses = errors.New("the server sends parameters without end")

// A statusReader passes on the messages from a server. It fails if their reports of
// parameters exceed maxStatuses.
type statusReader struct {
	io.Reader
	header   [5]byte // header of a message: its type, and its length without the type
	known    int     // bytes of the header read so far
	body     int     // unread bytes of the message
	statuses int     // bytes of all reports so far
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
			if r.statuses += r.body + 64; r.statuses > maxStatuses { // 64 for the memory of each report
				return 0, errStatuses
			}
		}
	}
	return n, err
}
