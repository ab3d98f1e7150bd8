package disk

import (
	"os"
	"syscall"
)

// syncData passes the data of `f` to the drive, which may keep it in its cache. Flushing the cache takes milliseconds,
// so one later [os.File.Sync] of the directory flushes it for all files.
func syncData(f *os.File) error { return os.NewSyscallError("fsync", syscall.Fsync(int(f.Fd()))) }
