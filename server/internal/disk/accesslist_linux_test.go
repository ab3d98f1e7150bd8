package disk

import (
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/aptix-dev/aptix/server/tools/gittest"
)

// An access list turns the group's bits of the mode into a limit for everyone in the list. Without the list, these bits
// would be rights of the group.
func TestAccessListsAreKept(t *testing.T) {
	const list = "system.posix_acl_access"
	onlyUser1001 := accessList(4, 0)
	for name, backup := range map[string]func(*Root){
		"hard links":    func(*Root) {},
		"no hard links": func(r *Root) { r.link = func(*os.Root, string, string) error { return unix.EPERM } },
	} {
		t.Run(name, func(t *testing.T) {
			dir, state := t.TempDir(), t.TempDir()
			gittest.Lay(t, dir, map[string]string{"listed.txt": "old", "plain.txt": "old", "undone.txt": "old", "from.txt": "moved", "edited.txt": "old"})
			for _, name := range []string{"listed.txt", "undone.txt", "from.txt", "edited.txt"} {
				must(t, os.Chmod(filepath.Join(dir, name), 0o600))
				if err := unix.Setxattr(filepath.Join(dir, name), list, onlyUser1001, 0); errors.Is(err, unix.ENOTSUP) {
					t.Skip("this file system has no access lists")
				} else if err != nil {
					t.Fatal(err)
				}
			}
			// A new file gets this list from its folder. It would give user 1001 the rights of plain.txt's group.
			must(t, unix.Setxattr(dir, "system.posix_acl_default", accessList(6, 4), 0))
			r := open(t, dir)
			backup(r)
			must(t, commit1(r, state, Op{"listed.txt", regular("old"), regular("new")}))
			must(t, commit1(r, state, Op{"plain.txt", regular("old"), regular("new")}))
			moved := &File{Data: "moved", Mode: 0o640}
			must(t, commit1(r, state, Op{"from.txt", moved, nil}, Op{"new/to.txt", nil, moved}))
			_, err := r.Commit(t.Context(), state, Transaction{ID: "2", Ops: []Op{{"edited.txt", &File{Data: "old", Mode: 0o640}, nil}, {"new/edited.txt", nil, moved}},
				Moved: map[string]string{"new/edited.txt": "edited.txt"}})
			must(t, err)
			_, err = r.Commit(t.Context(), state, Transaction{ID: "1", Ops: []Op{{"undone.txt", regular("old"), nil}}, Rest: func() error { return os.ErrInvalid }})
			if !errors.Is(err, os.ErrInvalid) {
				t.Fatal(err)
			}
			for name, want := range map[string]string{"listed.txt": string(onlyUser1001), "plain.txt": "", "undone.txt": string(onlyUser1001), "new/to.txt": string(onlyUser1001), "new/edited.txt": string(onlyUser1001)} {
				buf := make([]byte, 100)
				n, _ := unix.Getxattr(filepath.Join(dir, name), list, buf)
				if string(buf[:max(n, 0)]) != want {
					t.Errorf("the access list of %s is %x, want %x", name, buf[:max(n, 0)], want)
				}
			}
		})
	}
}

// accessList returns an access list in Linux's format that gives user 1001 the rights `user`, and the group the rights
// `group`.
func accessList(user, group uint16) []byte {
	list := binary.LittleEndian.AppendUint32(nil, 2)
	const none = ^uint32(0)
	for _, e := range []struct {
		tag, rights uint16
		id          uint32
	}{{1, 6, none}, {2, user, 1001}, {4, group, none}, {0x10, user | group, none}, {0x20, 0, none}} {
		list = binary.LittleEndian.AppendUint16(list, e.tag)
		list = binary.LittleEndian.AppendUint16(list, e.rights)
		list = binary.LittleEndian.AppendUint32(list, e.id)
	}
	return list
}
