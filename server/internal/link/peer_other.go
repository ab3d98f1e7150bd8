//go:build !linux && !darwin

package link

import "net"

// sameUser checks nothing, because systems differ in the information about the peer, and
// the folder of the socket is closed to others.
func sameUser(*net.UnixConn) error { return nil }
