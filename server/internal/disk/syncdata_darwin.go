package disk

import (
	"os"
	"syscall"
)

// syncData hands the data of f to the drive. The drive's own cache is flushed later, once for all files, by
// [os.File.Sync] of the directory, because each flush takes milliseconds.
func syncData(f *os.File) error { return os.NewSyscallError("fsync", syscall.Fsync(int(f.Fd()))) }
