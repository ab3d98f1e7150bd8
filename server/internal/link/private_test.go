//go:build unix

package link

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"go.uber.org/zap"

	"github.com/aptix-dev/aptix/server/tools/needs"
)

func init() { roles["stranger"] = strangerRole }

func TestPermissions(t *testing.T) {
	state := folder(t)
	l := listen(t, state, echo, folder(t))
	for path, want := range map[string]os.FileMode{runDir(state): 0o700, l.record.Socket: 0o600, l.record.name + recordFile: 0o600, l.record.name + lockFile: 0o600} {
		info, err := os.Lstat(path)
		must(t, err)
		if info.Mode().Perm() != want {
			t.Errorf("%s has mode %v, want %v", path, info.Mode().Perm(), want)
		}
	}
}

// Dial and Listen refuse a run folder that others can enter or have created.
func TestNotPrivate(t *testing.T) {
	for _, c := range []struct {
		name, want string
		make       func(t *testing.T, dir string) error
	}{
		{"open to others", "open to other users (mode -rwxr-x---)", func(_ *testing.T, dir string) error {
			if err := os.Mkdir(dir, 0o750); err != nil {
				return err
			}
			return os.Chmod(dir, 0o750)
		}},
		{"a link", "is not a folder", func(_ *testing.T, dir string) error { return os.Symlink(filepath.Dir(dir), dir) }},
		{"a file", "", func(_ *testing.T, dir string) error { return os.WriteFile(dir, nil, 0o600) }},
		{"another user's", "belongs to another user", func(t *testing.T, dir string) error {
			needs.Root(t)
			if err := os.Mkdir(dir, 0o700); err != nil {
				return err
			}
			return os.Chown(dir, 65534, 65534)
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			state := folder(t)
			must(t, c.make(t, runDir(state)))
			needs.Sockets(t)
			l, err := Listen(t.Context(), state, "1", zap.NewNop(), echo)
			if err == nil {
				l.Close()
			}
			_, dialed := Dial(t.Context(), state, "test", state)
			for _, err := range []error{err, dialed} {
				if err == nil || err == ErrNone || !strings.Contains(err.Error(), c.want) {
					t.Errorf("the error is %v", err)
				}
			}
		})
	}
}

// strangerRole connects as another user, and prints how that ends.
func strangerRole(args []string) error {
	if err := syscall.Setuid(65534); err != nil {
		return err
	}
	conn, err := net.Dial("unix", args[0])
	if err != nil {
		return err
	}
	defer conn.Close()
	// If the server ends the connection before it has read everything, the read returns an
	// error.
	n, err := conn.Read(make([]byte, 1))
	fmt.Println(n, err)
	return nil
}

// The server also checks the user at the other end, whatever the permissions.
func TestAnotherUserIsRefused(t *testing.T) {
	needs.Root(t)
	state := folder(t)
	l := listen(t, state, func(t2 ctx, c Call) result { t.Error("a stranger was answered"); return echo(t2, c) }, state)
	for dir := l.record.Socket; dir != filepath.Dir(dir) && dir != os.TempDir(); dir = filepath.Dir(dir) {
		must(t, os.Chmod(dir, 0o777))
	}
	out, err := inRole(t, "stranger", l.record.Socket).Output()
	must(t, err)
	if !strings.HasPrefix(string(out), "0 EOF") {
		t.Errorf("the stranger got %s", out)
	}
}
