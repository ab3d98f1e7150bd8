package main

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// memoryFolder returns a folder whose files are in memory, if it has enough space for the works,
// and otherwise "". Measurements in such a folder do not include the time for syncs.
func memoryFolder() string {
	const folder, enough = "/dev/shm", 1 << 30
	var stat unix.Statfs_t
	if unix.Statfs(folder, &stat) != nil || int64(stat.Type) != unix.TMPFS_MAGIC || stat.Bavail*uint64(stat.Bsize) < enough {
		return ""
	}
	return folder
}

// totalMemory returns the memory of the machine in bytes.
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

// processorTime returns the time that a process has used so far, in whole hundredths of a
// second.
func processorTime(pid int) (time.Duration, error) {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, err
	}
	var user, system time.Duration // the times are fields 14 and 15; field 2 is a name that may contain spaces
	fields := strings.Fields(string(data[bytes.LastIndexByte(data, ')')+1:]))
	_, err = fmt.Sscan(fields[11]+" "+fields[12], &user, &system)
	return (user + system) * time.Second / 100, err
}
