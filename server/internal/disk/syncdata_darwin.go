package disk

import (
	"os"
	"syscall"
)

// syncData hands the data of f to the drive. The drive's own cache is emptied once
// for all files, by the [os.File.Sync] of their directory: it takes some
// milliseconds each time.
func syncData(f *os.File) error { return os.NewSyscallError("fsync", syscall.Fsync(int(f.Fd()))) }
