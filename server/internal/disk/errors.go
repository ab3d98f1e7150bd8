package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
)

// ErrInterrupted means that a transaction was refused because an earlier one in the same root
// was interrupted. [Recover] restores the tree.
var ErrInterrupted = errors.New("an earlier change to this workspace was interrupted and its files are not restored yet")

// A ChangedError lists files that differ from what the ops expect. Nothing was written.
type ChangedError struct{ Files []Changed }

// A Changed is a file that another program changed.
type Changed struct {
	Path string
	How  string // "it is gone", "its content differs"
}

func (e *ChangedError) Error() string {
	var names []string
	for _, f := range e.Files {
		names = append(names, fmt.Sprintf("%s (%s)", f.Path, f.How))
	}
	return "changed by another program in the meantime: " + some(names)
}

// A ReadOnlyError lists files that the system does not let anybody replace. Nothing was
// written.
type ReadOnlyError struct{ Paths []string }

func (e *ReadOnlyError) Error() string {
	is := "is"
	if len(e.Paths) > 1 {
		is = "are"
	}
	return fmt.Sprintf("%s %s read-only: allow writing in the properties of the file, or with attrib -r, and apply again", some(e.Paths), is)
}

func (e *ReadOnlyError) Unwrap() error { return fs.ErrPermission }

// some lists only the first of names, because there can be thousands.
func some(names []string) string {
	const most = 10
	if len(names) > most {
		names = append(names[:most:most], fmt.Sprintf("and %d more", len(names)-most))
	}
	return strings.Join(names, ", ")
}

// A RollbackError means that a transaction failed and that some of its changes remain.
type RollbackError struct {
	Cause error  // reason why the transaction failed
	Left  []Left // files that another program changed while it ran
	// Undo is the reason why the tree could not be restored. It is nil if only the files in
	// Left were not restored. The next [Recover] tries again.
	Undo error
}

func (e *RollbackError) Error() string {
	var b strings.Builder
	b.WriteString(e.Cause.Error())
	if e.Undo != nil {
		fmt.Fprintf(&b, "; not all files could be restored, and the next start tries again: %v", e.Undo)
	}
	for _, l := range e.Left {
		fmt.Fprintf(&b, "; %s", l)
	}
	return b.String()
}

func (e *RollbackError) Unwrap() []error { return []error{e.Cause, e.Undo} }

// A Left is a file that was not restored, because it has neither its old content nor its new
// one: another program must have written it.
type Left struct {
	Path   string
	Backup string // file with the old content; "" if there was none, or it is lost
}

func (l Left) String() string {
	if l.Backup == "" {
		return l.Path + " was changed by another program and is left as it is"
	}
	return fmt.Sprintf("%s was changed by another program and is left as it is; its old content is in %s", l.Path, l.Backup)
}
