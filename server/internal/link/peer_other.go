//go:build !linux && !darwin

package link

import "net"

// sameUser checks nothing: systems differ in what they say of the peer, and the
// folder of the socket is closed to others.
func sameUser(*net.UnixConn) error { return nil }
