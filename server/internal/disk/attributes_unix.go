//go:build darwin || linux

package disk

import (
	"errors"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// keepAttributes copies the extended attributes of old to f. macOS marks a downloaded file by
// com.apple.quarantine, and the mark must survive, because the new content is just as
// foreign. Attributes that cannot be set, such as the system's own, are skipped.
func keepAttributes(f, old *os.File) error {
	names, err := attributeNames(old)
	if err != nil {
		return err
	}
	for _, name := range names {
		if value, err := attribute(old, name); err == nil {
			_ = unix.Fsetxattr(int(f.Fd()), name, value, 0)
		}
	}
	return nil
}

// attributeNames lists the attributes of f. If the file system does not support attributes,
// the list is empty.
func attributeNames(f *os.File) ([]string, error) {
	list, err := sized(func(buf []byte) (int, error) { return unix.Flistxattr(int(f.Fd()), buf) })
	if errors.Is(err, unix.ENOTSUP) {
		return nil, nil
	}
	return strings.FieldsFunc(string(list), func(r rune) bool { return r == 0 }), err
}

func attribute(f *os.File, name string) ([]byte, error) {
	return sized(func(buf []byte) (int, error) { return unix.Fgetxattr(int(f.Fd()), name, buf) })
}

// sized calls read once for the size of the data, and again for the data.
func sized(read func([]byte) (int, error)) ([]byte, error) {
	size, err := read(nil)
	if err != nil || size == 0 {
		return nil, err
	}
	buf := make([]byte, size)
	size, err = read(buf)
	return buf[:max(size, 0)], err
}
