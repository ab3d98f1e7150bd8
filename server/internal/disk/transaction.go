package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/aptix-dev/aptix/server/internal/text"
)

// A Transaction changes several files on disk, all or none.
type Transaction struct {
	ID     string   // id of the change, as in the journal and in [Recovered] after a crash
	Ops    []Op     // in any order; at most one for each path
	Make   []string // directories that must exist afterwards, even if no op puts a file into them
	Remove []string // directories that must not exist afterwards: empty ones, or emptied by Ops and Remove
	// Prune lists directories to remove if the deletes among Ops leave them empty. Other
	// empty directories are kept, because they may exist for a reason.
	Prune []string
	// If it is not nil, Ready is called when everything is staged and no file has changed
	// yet. Its error refuses the transaction.
	Ready func() error `json:"-"`
	// If it is not nil, Rest makes the other changes of the transaction, such as those of
	// the texts that an editor holds. It is called once, after all files have changed. Its
	// error takes the files back. If the process dies during Rest, [Recover] takes them
	// back.
	Rest func() error `json:"-"`
	// Agreed are the protected files among Ops that a person agreed to change.
	Agreed map[string]bool `json:"-"`
	// Sums are the sums of Ops that are already known, by path.
	Sums map[string]text.Sums `json:"-"`
}

// An Op is the change of one file. The path is canonical (see [Root.Canonical]).
type Op struct {
	Path          string
	Before, After *File // nil if there is no file
}

func (tx Transaction) rest() error {
	if tx.Rest == nil {
		return nil
	}
	return tx.Rest()
}

// sumsOf returns the sums of an op's contents before and after.
func (tx Transaction) sumsOf(op Op) text.Sums {
	sums, known := tx.Sums[op.Path]
	if known {
		return sums
	}
	if op.Before != nil {
		sums.Before = text.Sum(op.Before.Data)
	}
	if op.After != nil {
		sums.After = text.Sum(op.After.Data)
	}
	return sums
}

// A File is the content of a regular file or a symbolic link.
type File struct {
	Data string // bytes as on disk; for a link its target, with '/' on every system
	// Mode is [fs.ModeSymlink] for a link, whose other bits do not count, because systems
	// disagree on them. For a regular file, it holds the permission bits. Zero in Before
	// matches any mode. Zero in After, or the same as in Before, keeps the file's mode. A
	// new file, or one that replaces a link, gets Mode less the umask, and 0644 if Mode is
	// zero.
	Mode fs.FileMode
}

func (f *File) isLink() bool { return f.Mode.Type() == fs.ModeSymlink }

const newFileMode fs.FileMode = 0o644

// Folders are the directories that a transaction created and removed, parents first.
type Folders struct{ Made, Removed []string }

// check refuses an invalid transaction.
func (tx Transaction) check() error {
	seen := make(map[string]bool, len(tx.Ops))
	for _, op := range tx.Ops {
		if err := op.check(); err != nil {
			return &fs.PathError{Op: "commit", Path: op.Path, Err: err}
		}
		if seen[op.Path] {
			return &fs.PathError{Op: "commit", Path: op.Path, Err: errors.New("two operations on one file")}
		}
		seen[op.Path] = true
	}
	for _, dir := range slices.Concat(tx.Make, tx.Remove, tx.Prune) {
		if !validPath(dir) || dir == "." {
			return &fs.PathError{Op: "commit", Path: dir, Err: fs.ErrInvalid}
		}
	}
	return nil
}

func (op Op) check() error {
	if !validPath(op.Path) || op.Path == "." {
		return fs.ErrInvalid
	}
	return errors.Join(op.Before.check(), op.After.check())
}

func (f *File) check() error {
	switch {
	case f == nil || f.Mode.IsRegular():
		return nil
	case !f.isLink():
		return errors.New("neither a regular file nor a symbolic link")
	case !canBeTarget(f.Data):
		return fmt.Errorf("a symbolic link cannot have the target %q", f.Data)
	}
	return nil
}
