package disk

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"syscall"

	"golang.org/x/sync/errgroup"

	"github.com/aptix-dev/aptix/server/internal/fspath"
)

// syncDir syncs the entries of a directory. Windows has no such call: NTFS logs them
// itself.
func syncDir(dir string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	return syncOpenDir(f)
}

// syncOpenDir syncs and closes f. Some file systems (network ones, those in user
// space) report that they cannot sync a directory; that does not fail the transaction.
func syncOpenDir(f *os.File) error {
	err := f.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, errors.ErrUnsupported) {
		err = nil
	}
	return errors.Join(err, f.Close())
}

// syncDirs syncs directories of the root. One that is gone, or was replaced by a file
// or a link, has nothing to lose.
func (r *Root) syncDirs(dirs []string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	var group errgroup.Group
	group.SetLimit(syncers)
	for _, dir := range dirs {
		group.Go(func() error {
			f, err := r.openDir(dir)
			if fspath.Missing(err) {
				return nil
			}
			if err != nil {
				return err
			}
			return syncOpenDir(f)
		})
	}
	return group.Wait()
}

func writeSynced(name string, data []byte) error {
	f, err := os.OpenFile(name, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Sync(), f.Close())
}

// makeDirSynced makes dir and its parents, and syncs each: the journal in it must not
// be lost while changes of the files that it names are not.
func makeDirSynced(dir string) error {
	if info, err := os.Stat(dir); err == nil && info.IsDir() {
		return nil
	}
	parent := filepath.Dir(dir)
	if parent != dir {
		if err := makeDirSynced(parent); err != nil {
			return err
		}
	}
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return syncDir(parent)
}
