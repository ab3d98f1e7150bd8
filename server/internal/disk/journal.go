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

// A journal contains everything that is needed to undo an interrupted transaction. It is written before the first file
// changes, and its content does not change afterwards.
type journal struct {
	Version int      `json:"version"`
	ID      string   `json:"id"`
	Root    string   `json:"root"` // an absolute path
	Ops     []entry  `json:"ops"`
	Made    []string `json:"made,omitempty"`   // the directories to create, parents first
	Pruned  []folder `json:"pruned,omitempty"` // the directories to remove if they are empty, parents first
}

// journalVersion is 2 because files in the journal may be symbolic links. A program for version 1 would blame another
// program for the link. A journal of version 1 means the same in version 2.
const journalVersion = 2

// An entry is one op in a journal.
type entry struct {
	Path   string   `json:"path"`
	Before *version `json:"before"` // nil if the file did not exist before
	After  *version `json:"after"`
	Temp   string   `json:"temp,omitempty"`   // the file with the new content, until it is moved to Path
	Backup string   `json:"backup,omitempty"` // the file with the old content
}

type folder struct {
	Path string      `json:"path"`
	Mode fs.FileMode `json:"mode"`
}

// is reports whether `now`, the current version of the file, equals `want`. A nil version means that nothing exists.
// Modes are compared only if the entry changes nothing but the mode, because the umask and Windows change modes.
func (e *entry) is(now, want *version) bool {
	if now == nil || want == nil {
		return now == want
	}
	modeOnly := e.Before != nil && e.After != nil && e.Before.sameContent(e.After)
	return now.sameContent(want) && (!modeOnly || sameMode(now.Mode, want.Mode))
}

func (j *journal) staged() []string {
	var staged []string
	for _, e := range j.Ops {
		staged = append(staged, e.Temp, e.Backup)
	}
	return slices.DeleteFunc(staged, func(name string) bool { return name == "" })
}

func (j *journal) changedDirs() []string {
	return dirsOf(slices.Concat(j.staged(), j.inverse().names()))
}

func dirsOf(files []string) []string {
	var dirs []string
	seen := map[string]bool{}
	for _, file := range files {
		if dir := path.Dir(file); !seen[dir] {
			seen[dir] = true
			dirs = append(dirs, dir)
		}
	}
	return dirs
}

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
