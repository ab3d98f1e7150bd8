package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/fspath"
	"github.com/aptix-dev/aptix/server/internal/git"
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A JournalError means that a journal was ignored because no transaction of this program could have written it.
type JournalError struct {
	File  string // the new path of the journal, where no program reads it
	Cause error
}

func (e *JournalError) Error() string {
	return fmt.Sprintf("another program wrote or changed the journal of an interrupted change: %v. The journal was ignored and moved to %s", e.Cause, e.File)
}

func (e *JournalError) Unwrap() error { return e.Cause }

const refused = ".refused"

// check refuses a journal that no transaction of its root could have written.
func (l *ledger) check(j *journal, p phase) error {
	if err := j.check(l.key); err != nil {
		return l.refuse(p, err)
	}
	return nil
}

// refuse renames the journal of phase `p`, so that it is not used again, and returns a [JournalError].
func (l *ledger) refuse(p phase, cause error) error {
	aside := l.file(p) + refused
	if err := os.Rename(l.file(p), aside); err != nil {
		return errors.Join(cause, err)
	}
	return &JournalError{aside, cause}
}

func (j *journal) check(key string) error {
	if !filepath.IsAbs(j.Root) || ledgerKey(j.Root) != key {
		return fmt.Errorf("its name does not match its root %q", j.Root)
	}
	for _, name := range j.inverse().names() {
		if !mayChange(name) {
			return fmt.Errorf("it contains the path %q, which must not be changed", name)
		}
	}
	for _, e := range j.Ops {
		if err := e.check(); err != nil {
			return err
		}
	}
	return nil
}

// mayFollow reports whether to end the transaction of the journal. In every phase but [applying], it returns true. In
// the phase [applying], the change of the journal would be undone, so mayFollow returns a [JournalError] if:
//
//   - undoing would write files that no apply may change
//   - undoing would write protected files, and somebody else may have written the state folder, so that perhaps no
//     person agreed to the change (R17)
//   - `root` is outside of the repository that contains the state folder, and has no temp files of the change; the
//     journal may then have come with that repository
//
// It returns false if `root` is outside the folders `asked` and has no temp files of the change.
func (l *ledger) mayFollow(root *Root, j *journal, p phase, asked []string) (bool, error) {
	if p != applying {
		return true, nil
	}
	state := filepath.Dir(l.dir)
	if repo, err := git.RepositoryOf(state); err == nil && !fspath.Contains(repo.Top, root.dir) && !root.hasStaged(j) {
		return false, l.refuse(p, fmt.Errorf("it would change %s, which is outside of the repository %s. The journal itself is in that repository, so it may be one of the repository's files and not written by Aptix", root.dir, repo.Top))
	}
	isAsked := slices.ContainsFunc(asked, func(dir string) bool {
		dir, err := filepath.Abs(dir)
		return err == nil && fspath.Contains(dir, root.dir)
	})
	if !isAsked && !root.hasStaged(j) {
		return false, nil
	}
	err := root.barsNow(state, j.inverse())
	if err == nil && root.MayBring(state) {
		err = root.checkProtected(j.inverse())
	}
	if _, barred := errors.AsType[*BarredError](err); barred {
		return false, l.refuse(p, err)
	}
	return err == nil, err
}

func (r *Root) hasStaged(j *journal) bool {
	return slices.ContainsFunc(j.staged(), func(name string) bool {
		_, err := r.disk.Lstat(name)
		return err == nil
	})
}

// inverse returns the transaction that would undo the journal's transaction, without the contents of files.
func (j *journal) inverse() Transaction {
	tx := Transaction{Remove: j.Made}
	tx.Ops = text.Each(j.Ops, func(e entry) Op { return Op{e.Path, e.After.shape(), e.Before.shape()} })
	tx.Make = text.Each(j.Pruned, func(dir folder) string { return dir.Path })
	return tx
}

func (v *version) shape() *File {
	if v == nil {
		return nil
	}
	return &File{Mode: v.Mode}
}

// mayChange reports whether a transaction may change a path. It returns false for paths in git's folders.
func mayChange(name string) bool {
	return validPath(name) && name != "." && !fspath.IsGit(name)
}

var stagedName = lazyregexp.New(`^\.aptix-[A-Z2-7]{16}-[0-9]+\.(new|old)$`)

// check returns an error if no transaction could have written the entry. It does not check the entry's path.
func (e *entry) check() error {
	for name, kind := range map[string]string{e.Temp: ".new", e.Backup: ".old"} {
		if name != "" && !(mayChange(name) && stagedName.MatchString(path.Base(name)) && path.Ext(name) == kind && above(path.Dir(name), e.Path)) {
			return fmt.Errorf("%q is not a valid name for the copy of %s", name, e.Path)
		}
	}
	for _, v := range []*version{e.Before, e.After} {
		if v != nil && v.Mode.Type() != 0 && v.Mode.Type() != fs.ModeSymlink {
			return fmt.Errorf("%s is neither a file nor a link in it", e.Path)
		}
	}
	if e.Before != nil && e.Backup == "" || e.After != nil && e.Temp == "" {
		return fmt.Errorf("it does not name the copy of %s", e.Path)
	}
	return nil
}

func above(dir, file string) bool { return dir == "." || strings.HasPrefix(file, dir+"/") }
