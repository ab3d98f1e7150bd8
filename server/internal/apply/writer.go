package apply

import (
	"context"

	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/disk"
	"github.com/aptix-dev/aptix/server/internal/paths"
	"github.com/aptix-dev/aptix/server/internal/plan"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A Writer changes the files of one folder, either on disk ([Disk]) or in an editor that has the folder open.
type Writer interface {
	Root() *disk.Root
	// Folder returns the current folder, with open documents over the files on disk.
	Folder() paths.Folder
	// Guards returns the state folder, which no change may touch, and a function that finds protected files.
	Guards() (stateDir string, protected check.ProtectedFunc)
	// Write makes all changes of `p` or none, and verifies them. `id` names the change for the recovery after a crash.
	// `ready` is called before the first file changes. If it returns an error, nothing is changed. If Write returns an
	// error, nothing was changed, unless the error is a [disk.RollbackError] or an [UnknownError].
	Write(ctx context.Context, id string, p Cleared, ready func() error) (Written, error)
}

// Written is the report of a [Writer].
type Written struct {
	Applied    bool     // false if nothing was changed, or if everything was undone; Message says why
	Verified   bool     // whether every file was found to be as planned
	RolledBack bool     // whether a part of the change was made and then undone
	Left       []string // the files that are not as planned, because another program or a person changed them
	Lasting    string   // a text for people about the changes that an undo in the editor does not reverse, or ""
	Message    string   // a text for people; "" for the usual text
	Folders    disk.Folders
}

// An UnknownError means that it is unknown whether a change was made, because the editor exited before it answered. The
// record stays pending, and the next start decides from the files.
type UnknownError struct{ Message string }

func (e *UnknownError) Error() string { return e.Message }

// Disk writes to a folder on disk.
type Disk struct {
	Dir      *disk.Root
	Names    []string // the names of the folder in docPaths; new docPaths use the first name
	StateDir string   // the folder with the journal, for recovery after a crash
}

// Root returns the folder.
func (d Disk) Root() *disk.Root { return d.Dir }

// Folder returns the folder without open documents.
func (d Disk) Folder() paths.Folder { return paths.Folder{Names: d.Names, Tree: d.Dir.Tree(nil)} }

// Guards returns the state folder, and a function that finds protected files without the settings of an editor.
func (d Disk) Guards() (string, check.ProtectedFunc) { return d.StateDir, check.Protected(d.Dir, nil) }

// Write makes one disk transaction. The result counts as verified, because the transaction compares every file with the
// plan before it renames prepared files into place. `ready` may be nil.
func (d Disk) Write(ctx context.Context, id string, p Cleared, ready func() error) (Written, error) {
	tx := p.Transaction(id, p.Plan)
	tx.Ready = ready
	folders, err := d.Dir.Commit(ctx, d.StateDir, tx)
	if err != nil {
		return Written{}, err
	}
	return Written{Applied: true, Verified: true, Folders: folders}, nil
}

// Transaction returns the disk transaction for a part of the plan.
func (c Cleared) Transaction(id string, part plan.Plan) disk.Transaction {
	tx := transaction(id, part)
	tx.Agreed = c.agreed
	return tx
}

func transaction(id string, p plan.Plan) disk.Transaction {
	tx := disk.Transaction{ID: id, Prune: p.Prune, Sums: map[string]text.Sums{}, Moved: map[string]string{}}
	for _, f := range p.Files {
		if f.Operation == plan.Rename {
			tx.Moved[f.To] = f.Path
		}
	}
	for i, f := range plan.Paths(p.Files) {
		switch {
		case f.After.Mode.IsDir():
			tx.Make = append(tx.Make, f.Path)
		case f.Before.Mode.IsDir() && !f.After.Exists:
			tx.Remove = append(tx.Remove, f.Path)
		case f.Before.Mode.IsDir():
			// A file replaces this folder.
			tx.Prune = append(tx.Prune, f.Path)
		}
		if before, after := onDisk(f.Before), onDisk(f.After); before != nil || after != nil {
			tx.Ops = append(tx.Ops, disk.Op{Path: f.Path, Before: before, After: after})
			if p.Sums != nil {
				tx.Sums[f.Path] = p.Sums[i]
			}
		}
	}
	return tx
}

// onDisk converts the content of a file for a disk transaction. It returns nil for a folder, which a transaction only
// names.
func onDisk(c text.Content) *disk.File {
	if !c.Exists || c.Mode.IsDir() {
		return nil
	}
	return &disk.File{Data: c.Data, Mode: c.Mode}
}
