package disk

import (
	"os"
	"syscall"
)

// syncData hands the data of f to the drive. The [os.File.Sync] of the directory then
// flushes the drive's own cache once for all files, because that takes milliseconds each
// time.
func syncData(f *os.File) error { return os.NewSyscallError("fsync", syscall.Fsync(int(f.Fd()))) }
