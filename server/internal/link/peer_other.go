//go:build !linux && !darwin

package link

import "net"

// sameUser looks at nobody: what a system tells of the other end differs, and the
// folder of the socket is closed to others.
func sameUser(*net.UnixConn) error { return nil }
