//go:build darwin || linux

package disk

import (
	"errors"
	"os"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

const hasAttributes = true

// keepAttributes gives `f` the extended attributes of the old file, and no others. Attributes that cannot be set, such
// as system attributes, are skipped. Reasons:
//
//   - com.apple.quarantine of macOS must stay, because the new content is no more trustworthy than the old content.
//   - The access list of Linux (system.posix_acl_access) must stay, because it turns the group's bits of the mode into a
//     limit. Without the list, these bits would be rights of the group.
//   - An access list that `f` inherited from its folder must go.
func keepAttributes(f, old *os.File) error {
	names, err := attributeNames(old)
	if err != nil {
		return err
	}
	news, err := attributeNames(f)
	if err != nil {
		return err
	}
	for _, name := range news {
		if !slices.Contains(names, name) {
			_ = unix.Fremovexattr(int(f.Fd()), name)
		}
	}
	for _, name := range names {
		if value, err := sized(func(buf []byte) (int, error) { return unix.Fgetxattr(int(old.Fd()), name, buf) }); err == nil {
			_ = unix.Fsetxattr(int(f.Fd()), name, value, 0)
		}
	}
	return nil
}

// ofContent reports whether the attribute `name` is about the content of a file: a checksum, or rights of a program.
// New content must not get these rights.
func ofContent(name string) bool {
	return name == "security.capability" || name == "security.ima" || name == "security.evm"
}

// attributeNames lists the extended attributes of `f` that keepAttributes keeps. The list is empty if the file system
// has no attributes.
func attributeNames(f *os.File) ([]string, error) {
	list, err := sized(func(buf []byte) (int, error) { return unix.Flistxattr(int(f.Fd()), buf) })
	if errors.Is(err, unix.ENOTSUP) {
		return nil, nil
	}
	names := strings.FieldsFunc(string(list), func(r rune) bool { return r == 0 })
	return slices.DeleteFunc(names, ofContent), err
}

// sized calls `read` twice: first for the size of the data, then for the data itself.
func sized(read func([]byte) (int, error)) ([]byte, error) {
	size, err := read(nil)
	if err != nil || size == 0 {
		return nil, err
	}
	buf := make([]byte, size)
	size, err = read(buf)
	return buf[:max(size, 0)], err
}
