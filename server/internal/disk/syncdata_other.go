//go:build !darwin

package disk

import "os"

// syncData syncs the data of f to disk.
func syncData(f *os.File) error { return f.Sync() }
