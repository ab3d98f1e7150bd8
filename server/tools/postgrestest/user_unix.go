//go:build unix

package postgrestest

import (
	"os"
	"os/exec"
	"os/user"
	"strconv"
	"syscall"
)

// unprivileged makes a command run as Debian's user postgres if the tests run as root.
func unprivileged(cmd *exec.Cmd) *exec.Cmd {
	if uid, gid, ok := postgresUser(); ok {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uid, Gid: gid}}
		cmd.Dir = "/"
	}
	return cmd
}

func giveAway(dir string) error {
	if uid, gid, ok := postgresUser(); ok {
		return os.Chown(dir, int(uid), int(gid))
	}
	return nil
}

func postgresUser() (uid, gid uint32, ok bool) {
	if os.Getuid() != 0 {
		return 0, 0, false
	}
	found, err := user.Lookup("postgres")
	if err != nil {
		// PostgreSQL itself reports that it refuses to run as root.
		return 0, 0, false
	}
	u, err := strconv.ParseUint(found.Uid, 10, 32)
	g, err2 := strconv.ParseUint(found.Gid, 10, 32)
	return uint32(u), uint32(g), err == nil && err2 == nil
}
