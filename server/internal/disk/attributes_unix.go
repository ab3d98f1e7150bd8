//go:build darwin || linux

package disk

import (
	"errors"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// keepAttributes copies the extended attributes of the old file to f. For example, the com.apple.quarantine of macOS
// must stay, because the new content is no more trustworthy than the old. Attributes that cannot be set, such as those
// of the system, are skipped.
func keepAttributes(f, old *os.File) error {
	names, err := attributeNames(old)
	if err != nil {
		return err
	}
	for _, name := range names {
		if value, err := sized(func(buf []byte) (int, error) { return unix.Fgetxattr(int(old.Fd()), name, buf) }); err == nil {
			_ = unix.Fsetxattr(int(f.Fd()), name, value, 0)
		}
	}
	return nil
}

// attributeNames lists the extended attributes of f. The list is empty if the file system has no attributes.
func attributeNames(f *os.File) ([]string, error) {
	list, err := sized(func(buf []byte) (int, error) { return unix.Flistxattr(int(f.Fd()), buf) })
	if errors.Is(err, unix.ENOTSUP) {
		return nil, nil
	}
	return strings.FieldsFunc(string(list), func(r rune) bool { return r == 0 }), err
}

// sized calls read twice: first for the size of the data, then for the data itself.
func sized(read func([]byte) (int, error)) ([]byte, error) {
	size, err := read(nil)
	if err != nil || size == 0 {
		return nil, err
	}
	buf := make([]byte, size)
	size, err = read(buf)
	return buf[:max(size, 0)], err
}
