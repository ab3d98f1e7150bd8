package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
)

// StateDir returns the folder for the history and the journals. It is never inside a workspace, and need not exist.
//
// If XDG_STATE_HOME is an absolute path, the folder is $XDG_STATE_HOME/aptix on every system (XDG Base Directory
// Specification 0.8 ignores a relative path). Otherwise it is ~/Library/Application Support/aptix on macOS,
// %LocalAppData%\aptix on Windows, and ~/.local/state/aptix elsewhere.
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

// plain returns an error if the folder of the journals is not a folder, or if a file in it is not a regular file. With
// any other file, this program could write through a symbolic link, or wait for a FIFO. The state folder itself may be
// a link.
func plain(stateDir string) error {
	if info, err := os.Lstat(journalDir(stateDir)); err == nil && !info.IsDir() {
		return fmt.Errorf("state folder: %s is not a folder; remove it", journalDir(stateDir))
	}
	files, err := os.ReadDir(journalDir(stateDir))
	for _, f := range files {
		if !f.Type().IsRegular() {
			return fmt.Errorf("state folder: %s is not a regular file; remove it", filepath.Join(journalDir(stateDir), f.Name()))
		}
	}
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
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
