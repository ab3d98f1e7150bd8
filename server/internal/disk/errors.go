package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/text"
)

// ErrInterrupted means that a transaction was refused because an earlier one in the same root was interrupted.
// [Recover] must restore the tree first.
var ErrInterrupted = errors.New("an earlier change to this workspace was interrupted, and its files have not been restored yet")

// A ChangedError lists the files that differ from the state that a transaction expects. Nothing was written.
type ChangedError struct{ Files []Changed }

// A Changed is a file or directory that another program has changed.
type Changed struct {
	Path string
	How  string // for example "it is gone" or "its content differs"
}

func (e *ChangedError) Error() string {
	names := text.Each(e.Files, func(f Changed) string { return fmt.Sprintf("%s (%s)", f.Path, f.How) })
	return "changed by another program in the meantime: " + some(names)
}

// A ReadOnlyError lists the read-only files that a transaction would replace. This system does not allow that. Nothing
// was written.
type ReadOnlyError struct{ Paths []string }

func (e *ReadOnlyError) Error() string {
	is := "is"
	if len(e.Paths) > 1 {
		is = "are"
	}
	return fmt.Sprintf("%s %s read-only: allow writing in the properties of the file, or with attrib -r, and apply again", some(e.Paths), is)
}

func (e *ReadOnlyError) Unwrap() error { return fs.ErrPermission }

func some(names []string) string {
	const most = 10
	return strings.Join(text.AtMost(names, most, "and %d more"), ", ")
}

// A RollbackError means that a transaction failed and that some of its changes remain.
type RollbackError struct {
	Cause error
	Left  []Left // the files that another program changed in the meantime
	// Undo is the reason why the tree could not be restored; the next [Recover] then tries again. Undo is nil if
	// everything was restored except the files in Left.
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

// A Left is a file that was not restored, because another program has written it: its content is neither old nor new.
type Left struct {
	Path   string
	Backup string // the file with the old content; "" if nothing existed before or the old content is lost
}

func (l Left) String() string {
	if l.Backup == "" {
		return l.Path + " was changed by another program and is left as it is"
	}
	return fmt.Sprintf("%s was changed by another program and is left as it is; its old content is in %s", l.Path, l.Backup)
}
