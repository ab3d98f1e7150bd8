package disk

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"syscall"

	"github.com/aptix-dev/aptix/server/internal/fspath"
	"github.com/aptix-dev/aptix/server/internal/parallel"
)

// syncDir syncs the entries of a directory. On Windows it does nothing, because there is no such call, and NTFS logs
// changes to directories.
func (r *Root) syncDir(dir string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	return r.syncOpenDir(f)
}

// syncOpenDir syncs the directory `f` and closes it. It ignores the error of a file system that cannot sync directories
// (on networks, in user space).
func (r *Root) syncOpenDir(f *os.File) error {
	err := r.do(operation{kind: opSync, path: f.Name()}, f.Sync)
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, errors.ErrUnsupported) {
		err = nil
	}
	return errors.Join(err, f.Close())
}

// syncDirs skips a directory that is missing or was replaced by a file or a link, because nothing in it could be lost.
func (r *Root) syncDirs(dirs []string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	group := parallel.New(syncers)
	for _, dir := range dirs {
		group.Go(func() error {
			f, err := r.openItself(dir, fs.ModeDir, syscall.ENOTDIR)
			if fspath.Missing(err) {
				return nil
			}
			if err != nil {
				return err
			}
			return r.syncOpenDir(f)
		})
	}
	return group.Wait()
}

// writeSynced writes and syncs a file of the state folder. It overwrites the file of an earlier attempt.
func (r *Root) writeSynced(name, data string) error {
	var f *os.File
	err := r.do(operation{kind: opCreate, path: name}, func() (err error) {
		f, err = os.OpenFile(name, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
		return err
	})
	if err != nil {
		return err
	}
	if err = r.write(f, data); err == nil {
		err = r.do(operation{kind: opSync, path: name}, f.Sync)
	}
	return errors.Join(err, f.Close())
}

// makeDirSynced creates `dir` and its parents, and syncs each of them. Without the syncs, a loss of power could lose
// the journal in `dir` but keep the changed files that the journal describes.
func (r *Root) makeDirSynced(dir string) error {
	if info, err := os.Stat(dir); err == nil && info.IsDir() {
		return nil
	}
	parent := filepath.Dir(dir)
	if parent != dir {
		if err := r.makeDirSynced(parent); err != nil {
			return err
		}
	}
	err := r.do(operation{kind: opMkdir, path: dir}, func() error { return os.Mkdir(dir, 0o700) })
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return r.syncDir(parent)
}
