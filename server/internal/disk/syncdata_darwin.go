package disk

import (
	"os"
	"syscall"
)

// syncData hands the data of f to the drive, but leaves it in the drive's cache. One [os.File.Sync] of the directory
// later flushes the cache for all files, because each flush takes milliseconds.
func syncData(f *os.File) error { return os.NewSyscallError("fsync", syscall.Fsync(int(f.Fd()))) }
