package apply

import (
	"context"

	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/disk"
	"github.com/aptix-dev/aptix/server/internal/docpath"
	"github.com/aptix-dev/aptix/server/internal/plan"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A Writer changes the files of one folder: [Disk], or an editor that has it open.
type Writer interface {
	// Root is the folder on disk.
	Root() *disk.Root
	// Folder is the folder as it is now, with open documents over the disk.
	Folder() docpath.Folder
	// Guards are the state folder, which no change may touch, and what is protected here.
	Guards() (stateDir string, protected check.ProtectedFunc)
	// Write makes p true, all of it or nothing, and verifies that. id names the change,
	// for a start after a crash. ready is called before the first file changes; its error
	// ends the change. An error is one where nothing was changed, [disk.RollbackError] or [UnknownError].
	Write(ctx context.Context, id string, p Cleared, ready func() error) (Written, error)
}

// Written is what a [Writer] did.
type Written struct {
	Applied    bool     // false: nothing was changed, or all of it was taken back; Message says why
	Verified   bool     // every file was seen to be as planned
	RolledBack bool     // a part was made, and taken back
	Left       []string // paths of files that are not as planned, as another program or the person changed them
	Lasting    string   // what an undo in the editor does not take back, for people; "" for nothing
	Message    string   // for people; "" for the usual one
	Folders    disk.Folders
}

// An UnknownError is a change of which nobody knows whether it was made, as the editor ended before it said so. The record
// stays pending, and the next start looks at the files.
type UnknownError struct{ Message string }

func (e *UnknownError) Error() string { return e.Message }

// Disk writes to a folder on disk.
type Disk struct {
	Dir      *disk.Root
	Names    []string // what docPaths call the folder; the first is the one to use
	StateDir string   // holds the journal that a crash is recovered from
}

// Root is the folder.
func (d Disk) Root() *disk.Root { return d.Dir }

// Folder is the folder without any open document.
func (d Disk) Folder() docpath.Folder { return docpath.Folder{Names: d.Names, Tree: d.Dir.Tree(nil)} }

// Guards are those of the command line and of agents.
func (d Disk) Guards() (string, check.ProtectedFunc) { return d.StateDir, check.Protected(d.Dir, nil) }

// Write is one disk transaction: it compares every file with the plan under the lock of
// the folder, and its renames put what it staged in place, so that there is nothing left
// to verify. ready may be nil.
func (d Disk) Write(ctx context.Context, id string, p Cleared, ready func() error) (Written, error) {
	tx := p.Transaction(id, p.Plan)
	tx.Ready = ready
	folders, err := d.Dir.Commit(ctx, d.StateDir, tx)
	if err != nil {
		return Written{}, err
	}
	return Written{Applied: true, Verified: true, Folders: folders}, nil
}

// Transaction is what the disk has to do for a part of the plan.
func (c Cleared) Transaction(id string, part plan.Plan) disk.Transaction {
	tx := transaction(id, part)
	tx.Agreed = c.agreed
	return tx
}

func transaction(id string, p plan.Plan) disk.Transaction {
	tx := disk.Transaction{ID: id, Prune: p.Prune, Sums: map[string]text.Sums{}}
	for i, f := range plan.Paths(p.Files) {
		switch {
		case f.After.Mode.IsDir():
			tx.Make = append(tx.Make, f.Path)
		case f.Before.Mode.IsDir() && !f.After.Exists:
			tx.Remove = append(tx.Remove, f.Path)
		case f.Before.Mode.IsDir():
			tx.Prune = append(tx.Prune, f.Path) // a file takes its place
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

// onDisk is the content as the disk transaction takes it, a link as one; nil for a
// folder, which the transaction makes and removes by name.
func onDisk(c text.Content) *disk.File {
	if !c.Exists || c.Mode.IsDir() {
		return nil
	}
	return &disk.File{Data: c.Data, Mode: c.Mode}
}
