package disk

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
)

// A Transaction changes several files on disk, all or none.
type Transaction struct {
	ID  string // of the change, for whoever reads the journal after a crash
	Ops []Op   // in any order; one for each path at most
	// Directories that are to be there, also when no op puts a file into them.
	Make []string
	// Directories that are to go. They are empty, or emptied by Ops and Remove.
	Remove []string
	// Directories that go if the deletes among Ops leave them empty. Others stay
	// as they are: an empty directory may have been there for a reason.
	Prune []string
	// Ready, where it is not nil, is called when all is staged and before the first
	// file changes. Its error refuses the transaction.
	Ready func() error `json:"-"`
}

// An Op is the change of one file. The path is canonical (see [Root.Canonical]).
type Op struct {
	Path          string
	Before, After *File // nil where there is no file
}

// A File is the content of one, which may be a symbolic link.
type File struct {
	Data string // bytes as on disk; of a link its target, with '/' on every system
	// [fs.ModeSymlink] makes it a link, and no other bit counts then: systems do not
	// agree on what else a link has. Of a regular file, permission bits. Zero in
	// Before is any mode. Zero in After, or the same as in Before, keeps the file's
	// mode; a new file, and one in the place of a link, gets it less the umask, 0644
	// for zero.
	Mode fs.FileMode
}

func (f *File) isLink() bool { return f.Mode.Type() == fs.ModeSymlink }

const newFileMode fs.FileMode = 0o644

// A ChangedError says that files no longer are what the ops were made for.
// Nothing was written.
type ChangedError struct{ Files []Changed }

// Changed is a file that another program changed.
type Changed struct {
	Path string
	How  string // "it is gone", "its content differs"
}

func (e *ChangedError) Error() string {
	var b strings.Builder
	b.WriteString("changed by another program meanwhile: ")
	for i, f := range e.Files {
		if i == 10 {
			fmt.Fprintf(&b, ", and %d more", len(e.Files)-i)
			break
		}
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%s (%s)", f.Path, f.How)
	}
	return b.String()
}

// ErrInterrupted refuses a transaction on a root where an earlier one was cut
// off in the middle. [Recover] restores the tree.
var ErrInterrupted = errors.New("an earlier change of this workspace was cut off and is not restored yet")

// A RollbackError is a transaction that failed and left a trace.
type RollbackError struct {
	Cause error  // what made it fail
	Left  []Left // files that another program changed in the middle of it
	// Why the tree could not be brought back to what it was; nil where only the
	// files in Left are not. The next [Recover] tries again.
	Undo error
}

func (e *RollbackError) Error() string {
	var b strings.Builder
	b.WriteString(e.Cause.Error())
	if e.Undo != nil {
		fmt.Fprintf(&b, "; the files could not all be put back, the next start tries again: %v", e.Undo)
	}
	for _, l := range e.Left {
		fmt.Fprintf(&b, "; %s", l)
	}
	return b.String()
}

func (e *RollbackError) Unwrap() []error { return []error{e.Cause, e.Undo} }

// Left is a file that was not put back: what stands there is neither its old
// content nor its new one, so somebody else wrote it.
type Left struct {
	Path   string
	Backup string // file that holds the old content; "" where there was none, or it is lost
}

func (l Left) String() string {
	if l.Backup == "" {
		return l.Path + " was changed by another program and is left as it is"
	}
	return fmt.Sprintf("%s was changed by another program and is left as it is; its old content is in %s", l.Path, l.Backup)
}

// Folders are the directories that a transaction made and removed, parents first.
type Folders struct{ Made, Removed []string }

// Commit makes tx on disk, or nothing.
//
// However it ends, kill -9 and a loss of power included, the tree is the old one
// or the new one, at once or after [Recover]. In between, other programs may see
// some files new and some old, but never half a file. One transaction runs in a
// root at a time, over all processes that share stateDir.
//
// A file that is replaced is a new file with the mode of the old one and, as far
// as the system lets us, its owner: hard links to it keep the old content. A link
// is replaced itself; nothing is written through one. Where the system lets us
// make none, as Windows may, that is an error before anything was changed.
//
// Errors, with the tree as it was: [ChangedError]; [ErrInterrupted]; ctx's, which
// stops waiting and staging but not a change under way; that of tx.Ready; and those
// of input and output. [RollbackError] is the one where it is not.
func (r *Root) Commit(ctx context.Context, stateDir string, tx Transaction) (Folders, error) {
	if err := checkOps(tx); err != nil {
		return Folders{}, err
	}
	l, err := openLedger(ctx, stateDir, r)
	if err != nil {
		return Folders{}, err
	}
	defer l.close()
	if err := r.settle(l); err != nil {
		return Folders{}, err
	}
	c, err := r.prepare(ctx, tx)
	if err != nil || c.empty() {
		return Folders{}, err
	}
	if err := c.run(ctx, l, tx.Ready); err != nil {
		return Folders{}, c.rollBack(l, err)
	}
	// From here on the change is made. What cannot be cleaned up now, the next
	// transaction or start does: the journal stays until then.
	for i, w := range c.writes {
		if w.Before != nil {
			c.journal.Ops[i].Temp = "" // it took the old one's place
		}
	}
	if c.root.clean(&c.journal, nil) == nil {
		_ = l.remove()
	}
	return Folders{Made: c.journal.Made, Removed: c.removed}, nil
}

func checkOps(tx Transaction) error {
	seen := make(map[string]bool, len(tx.Ops))
	for _, op := range tx.Ops {
		if !validPath(op.Path) || op.Path == "." {
			return &fs.PathError{Op: "commit", Path: op.Path, Err: fs.ErrInvalid}
		}
		if seen[op.Path] {
			return &fs.PathError{Op: "commit", Path: op.Path, Err: errors.New("two operations on one file")}
		}
		seen[op.Path] = true
		for _, f := range []*File{op.Before, op.After} {
			if err := f.check(); err != nil {
				return &fs.PathError{Op: "commit", Path: op.Path, Err: err}
			}
		}
	}
	for _, dir := range slices.Concat(tx.Make, tx.Remove) {
		if !validPath(dir) || dir == "." {
			return &fs.PathError{Op: "commit", Path: dir, Err: fs.ErrInvalid}
		}
	}
	return nil
}

func (f *File) check() error {
	switch {
	case f == nil || f.Mode.IsRegular():
		return nil
	case !f.isLink():
		return errors.New("neither a regular file nor a symbolic link")
	case !canBeTarget(f.Data):
		return errors.New("no symbolic link can have this target")
	}
	return nil
}

// settle finishes what an earlier transaction left where that changes no file
// of the person's.
func (r *Root) settle(l *ledger) error {
	j, p, err := l.find()
	switch {
	case err != nil || p == none:
		return err
	case p == applying:
		return fmt.Errorf("%s: %w", r.dir, ErrInterrupted)
	}
	if err := r.clean(j, nil); err != nil {
		return err
	}
	return l.remove()
}

// run does everything up to the point of no return.
func (c *commit) run(ctx context.Context, l *ledger, ready func() error) error {
	if err := l.create(&c.journal); err != nil {
		return err
	}
	if err := c.stage(ctx); err != nil {
		return err
	}
	if ready != nil {
		if err := ready(); err != nil {
			return err
		}
	}
	if err := l.advance(applying); err != nil {
		return err
	}
	if err := c.apply(); err != nil {
		return err
	}
	return l.advance(applied)
}

// rollBack puts the old tree back and answers with why that was needed.
func (c *commit) rollBack(l *ledger, cause error) error {
	done, err := c.root.finish(&c.journal, l.phase)
	if err == nil {
		err = l.remove()
	}
	left := slices.DeleteFunc(done.Left, c.neverOurs)
	if err == nil && len(left) == 0 {
		return cause
	}
	return &RollbackError{Cause: cause, Left: left, Undo: err}
}

// neverOurs tells a file that somebody made just before its turn came.
func (c *commit) neverOurs(l Left) bool {
	return l.Backup == "" && slices.ContainsFunc(c.writes, func(w write) bool { return w.Path == l.Path && !w.done })
}
