//go:build !linux

package main

import (
	"errors"
	"fmt"
	"os"
	"time"
)

func memoryFolder() string                { return "" }
func totalMemory() uint64                 { return 0 }
func peakMemory(_ *os.ProcessState) int64 { return 0 }

func processorTime(_ int) (time.Duration, error) {
	return 0, fmt.Errorf("the processor time of a process that runs: %w", errors.ErrUnsupported)
}
