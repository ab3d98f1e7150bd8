package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/text"
)

// A Transaction changes several files on disk, either all or none.
type Transaction struct {
	ID     string   // the id of the change in the journal and in [Recovered]
	Ops    []Op     // in any order; at most one op for each path
	Make   []string // the directories that must exist afterwards, even if no op writes a file in them
	Remove []string // the directories that must not exist afterwards; they are empty, or Ops and Remove empty them
	// Prune lists directories to remove if the deletions in Ops leave them empty. Directories that were empty before
	// stay.
	Prune []string
	// Ready is called when everything is staged and no file has changed yet. It may be nil. If it returns an error,
	// nothing is changed.
	Ready func() error `json:"-"`
	// Rest makes the changes of the transaction that are not on disk, such as changes of texts in an editor. It may be
	// nil. It is called once, after all files have changed. If it returns an error, the files are restored. If the
	// process dies during the call, [Recover] restores the files.
	Rest func() error `json:"-"`
	// Agreed has the paths of the protected files that a person agreed to change.
	Agreed map[string]bool `json:"-"`
	// Moved maps the new path of each moved file to its old path. The ops delete the file at the old path, and create
	// it with any content at the new path. The file keeps its owner and its access list.
	Moved map[string]string `json:"-"`
	// Sums has the checksums of the contents before and after each op, by path, if they are already known.
	Sums map[string]text.Sums `json:"-"`
}

// An Op is the change of one file. Its path must be canonical (see [Root.Canonical]).
type Op struct {
	Path          string
	Before, After *File // nil if the file does not exist before the op, or after it
}

func (tx Transaction) rest() error {
	if tx.Rest == nil {
		return nil
	}
	return tx.Rest()
}

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
	Data string // the bytes on disk; for a link, its target with '/' on every system
	// Mode is [fs.ModeSymlink] for a link; other bits of a link are ignored, because systems disagree on them. For a
	// regular file, Mode has the permission bits:
	//
	//  - In Before, zero matches any mode.
	//  - If After has zero, or the same mode as Before, the file keeps its mode.
	//  - A new file, or a file that replaces a link, gets the mode in After less the umask, or 0644 if that mode is zero.
	Mode fs.FileMode
}

func (f *File) isLink() bool { return f.Mode.Type() == fs.ModeSymlink }

const newFileMode fs.FileMode = 0o644

// Folders are the directories that a transaction created and removed, parents first.
type Folders struct{ Made, Removed []string }

func (tx Transaction) check() error {
	seen := make(map[string]bool, len(tx.Ops))
	for _, op := range tx.Ops {
		if err := op.check(); err != nil {
			return &fs.PathError{Op: "commit", Path: op.Path, Err: err}
		}
		if seen[op.Path] {
			return &fs.PathError{Op: "commit", Path: op.Path, Err: errors.New("a change has two operations on one file")}
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
	case f.Data == "" || strings.Contains(f.Data, "\x00"):
		return fmt.Errorf("a symbolic link cannot have the target %q", f.Data)
	}
	return nil
}
