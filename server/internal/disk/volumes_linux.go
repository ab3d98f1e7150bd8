package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"syscall"

	"golang.org/x/sys/unix"
)

// manyFiles is from how many files on whole file systems are synced. It takes a
// third of the time of one by one there, but waits also for what other programs
// wrote.
const manyFiles = 64

// Volumes are file systems that are each forced to disk as a whole, by an open
// directory of theirs.
type volumes []*os.File

// openVolumes is the file systems of dirs. It is nil where one of them cannot be
// trusted to be synced as a whole, and to tell of what failed: then files are to be
// synced one by one. A file system tells of failures since it was opened.
func (r *Root) openVolumes(dirs []string) (v volumes) {
	if !syncfsTells() {
		return nil
	}
	var seen []uint64
	for _, dir := range dirs {
		info, err := r.disk.Lstat(dir)
		if err != nil {
			return v.refuse()
		}
		device := deviceOf(info)
		if slices.Contains(seen, device) {
			continue
		}
		f, err := r.openDir(dir)
		if err != nil {
			return v.refuse()
		}
		v, seen = append(v, f), append(seen, device)
		if !syncsAll(f) {
			return v.refuse()
		}
	}
	return v
}

func deviceOf(info fs.FileInfo) uint64 {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(stat.Dev)
	}
	return 0
}

// syncfsTells reports whether syncfs(2) tells of contents that could not be
// written, which it does since Linux 5.8.
func syncfsTells() bool {
	var name unix.Utsname
	if unix.Uname(&name) != nil {
		return false
	}
	var major, minor int
	_, err := fmt.Sscanf(unix.ByteSliceToString(name.Release[:]), "%d.%d", &major, &minor)
	return err == nil && (major > 5 || major == 5 && minor >= 8)
}

// syncsAll tells the file systems that put all on the drive. Others, of networks
// and in user space, may do that only for a file that they are asked about; and one
// laid over others does not tell of their failures. What is in memory alone has no
// drive.
func syncsAll(f *os.File) bool {
	var stat unix.Statfs_t
	if unix.Fstatfs(int(f.Fd()), &stat) != nil {
		return false
	}
	switch int64(stat.Type) {
	case unix.EXT4_SUPER_MAGIC, unix.XFS_SUPER_MAGIC, unix.BTRFS_SUPER_MAGIC, unix.F2FS_SUPER_MAGIC, unix.TMPFS_MAGIC:
		return true
	}
	return false
}

func (v volumes) sync() error {
	var errs []error
	for _, f := range v {
		errs = append(errs, os.NewSyscallError("syncfs", unix.Syncfs(int(f.Fd()))))
	}
	return errors.Join(errs...)
}

func (v volumes) close() {
	for _, f := range v {
		_ = f.Close()
	}
}

func (v volumes) refuse() volumes {
	v.close()
	return nil
}
