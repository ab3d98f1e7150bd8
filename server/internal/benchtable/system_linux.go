package main

import (
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// memoryFolder is a folder whose files are in memory and have room for the works, or ""
// where there is none. What syncs cost is left out there.
func memoryFolder() string {
	const folder, enough = "/dev/shm", 1 << 30
	var stat unix.Statfs_t
	if unix.Statfs(folder, &stat) != nil || int64(stat.Type) != unix.TMPFS_MAGIC || stat.Bavail*uint64(stat.Bsize) < enough {
		return ""
	}
	return folder
}

// totalMemory is in bytes.
func totalMemory() uint64 {
	var info unix.Sysinfo_t
	if unix.Sysinfo(&info) != nil {
		return 0
	}
	return uint64(info.Totalram) * uint64(info.Unit)
}

func peakMemory(state *os.ProcessState) int64 {
	usage, ok := state.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0
	}
	return int64(usage.Maxrss) << 10
}
