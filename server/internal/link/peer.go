//go:build linux || darwin

package link

import (
	"fmt"
	"net"
	"os"
)

// sameUser returns an error if the other end of a connection belongs to another user.
func sameUser(conn *net.UnixConn) error {
	uid, err := peerUser(conn)
	if err != nil {
		return fmt.Errorf("the user who opened the other end of the socket is unknown: %w", err)
	}
	if uid != os.Geteuid() {
		return fmt.Errorf("user %d opened the other end of the socket, but user %d was expected", uid, os.Geteuid())
	}
	return nil
}

func peerUser(conn *net.UnixConn) (uid int, err error) {
	raw, err := conn.SyscallConn()
	if err != nil {
		return 0, err
	}
	var failed error
	if err := raw.Control(func(fd uintptr) { uid, failed = peerOf(fd) }); err != nil {
		return 0, err
	}
	return uid, failed
}
