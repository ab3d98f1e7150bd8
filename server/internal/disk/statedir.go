package disk

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
)

// StateDir returns the folder for the history and the journals of transactions, which
// outlive a run. It is never inside a workspace, and need not exist.
//
// It is $XDG_STATE_HOME/aptix on every system where that is set to an absolute path
// (XDG Base Directory Specification 0.8 ignores a relative one); else ~/.local/state/aptix, on macOS ~/Library/Application Support/aptix, on
// Windows %LocalAppData%\aptix.
func StateDir() (string, error) {
	if dir := os.Getenv("XDG_STATE_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "aptix"), nil
	}
	base, err := systemStateDir()
	if err != nil {
		return "", fmt.Errorf("state folder: %w", err)
	}
	return filepath.Join(base, "aptix"), nil
}

func systemStateDir() (string, error) {
	if runtime.GOOS == "windows" {
		if dir := os.Getenv("LocalAppData"); dir != "" {
			return dir, nil
		}
		return "", errors.New("%LocalAppData% is not set")
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", err
	}
	if runtime.GOOS == "darwin" {
		return filepath.Join(home, "Library", "Application Support"), nil
	}
	return filepath.Join(home, ".local", "state"), nil
}
