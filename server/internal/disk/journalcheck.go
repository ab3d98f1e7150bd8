package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/fspath"
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
)

// A JournalError is a journal that no transaction of this program can have left. Nothing
// in it was followed.
type JournalError struct {
	File  string // where it is now; it is not read again
	Cause error
}

func (e *JournalError) Error() string {
	return fmt.Sprintf("a journal of an interrupted change is not one that this program wrote: %v; nothing in it was followed, and it was moved to %s", e.Cause, e.File)
}

func (e *JournalError) Unwrap() error { return e.Cause }

const refused = ".refused"

// check refuses the journal unless it is one that a transaction of its root writes.
func (l *ledger) check(j *journal, p phase) error {
	if err := j.check(l.key); err != nil {
		return l.refuse(p, err)
	}
	return nil
}

// refuse sets the journal of phase p aside.
func (l *ledger) refuse(p phase, cause error) error {
	aside := l.file(p) + refused
	if err := os.Rename(l.file(p), aside); err != nil {
		return errors.Join(cause, err)
	}
	return &JournalError{aside, cause}
}

func (j *journal) check(key string) error {
	if !filepath.IsAbs(j.Root) || ledgerKey(j.Root) != key {
		return fmt.Errorf("its name is not that of the root %q", j.Root)
	}
	for _, e := range j.Ops {
		if err := e.check(); err != nil {
			return err
		}
	}
	for _, dir := range j.Made {
		if !mayChange(dir) {
			return fmt.Errorf("it has the path %q", dir)
		}
	}
	for _, dir := range j.Pruned {
		if !mayChange(dir.Path) {
			return fmt.Errorf("it has the path %q", dir.Path)
		}
	}
	return nil
}

// mayChange is what a transaction may be asked to change, and no folder of git's: the
// same as for an apply.
func mayChange(name string) bool {
	return validPath(name) && name != "." && !fspath.IsGit(name)
}

var stagedName = lazyregexp.New(`^\.aptix-[A-Z2-7]{16}-[0-9]+\.(new|old)$`)

func (e *entry) check() error {
	if !mayChange(e.Path) {
		return fmt.Errorf("it has the path %q", e.Path)
	}
	for name, kind := range map[string]string{e.Temp: ".new", e.Backup: ".old"} {
		if name != "" && !(mayChange(name) && stagedName.MatchString(path.Base(name)) && path.Ext(name) == kind && above(path.Dir(name), e.Path)) {
			return fmt.Errorf("%q is no name for what is kept of %s", name, e.Path)
		}
	}
	for _, v := range []*version{e.Before, e.After} {
		if v != nil && v.Mode.Type() != 0 && v.Mode.Type() != fs.ModeSymlink {
			return fmt.Errorf("%s is neither a file nor a link in it", e.Path)
		}
	}
	if e.Before != nil && e.Backup == "" || e.After != nil && e.Temp == "" {
		return fmt.Errorf("it does not say what is kept of %s", e.Path)
	}
	return nil
}

// above reports whether dir is a folder above a file.
func above(dir, file string) bool { return dir == "." || strings.HasPrefix(file, dir+"/") }
