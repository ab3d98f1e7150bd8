//go:build !linux

package main

import "os"

func memoryFolder() string                { return "" }
func totalMemory() uint64                 { return 0 }
func peakMemory(_ *os.ProcessState) int64 { return 0 }
