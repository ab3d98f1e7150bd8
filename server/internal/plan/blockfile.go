package plan

import (
	"github.com/aptix-dev/aptix/server/internal/diff"
	"github.com/aptix-dev/aptix/server/internal/place"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A BlockFile is the effect of a block on one file. Its fields are like the fields of [File], but Before and After
// build the contents again on each call. Whole is true if a change replaced the whole content.
type BlockFile struct {
	Path, To  string
	Operation Operation
	State     State
	At        text.Span
	Whole     bool

	before, after version
}

// Files returns the files with their contents, all of which are then in memory at the same time.
func Files(all []BlockFile) []File {
	return text.Each(all, func(f BlockFile) File {
		return File{Path: f.Path, To: f.To, Operation: f.Operation, State: f.State, At: f.At, Before: f.Before(), After: f.After()}
	})
}

// Before returns the file as it is before the block.
func (f BlockFile) Before() text.Content { return f.before.kept().content() }

// After returns the file as it is after the block.
func (f BlockFile) After() text.Content { return f.after.kept().content() }

// Existed reports whether the file exists before the block.
func (f BlockFile) Existed() bool { return f.before.Exists }

// Exists reports whether the file exists after the block.
func (f BlockFile) Exists() bool { return f.after.Exists }

// Paths returns the path of the file. If the file is renamed, the new path follows.
func (f BlockFile) Paths() []string {
	if f.Operation == Rename {
		return []string{f.Path, f.To}
	}
	return []string{f.Path}
}

// Target returns the path that the file has once the block is applied.
func (f BlockFile) Target() string {
	all := f.Paths()
	return all[len(all)-1]
}

// Settle marks the file as done, so that the block no longer changes it.
func (f *BlockFile) Settle() { f.State, f.after = Done, f.before }

// Changes implements [Counted].
func (f BlockFile) Changes() bool { return f.State == Change }

// Stat implements [Counted].
func (f BlockFile) Stat() (added, removed int) {
	all, ok := f.differences()
	if !ok {
		return File{Before: f.Before(), After: f.After()}.Stat()
	}
	for _, d := range all {
		more, less := diff.Stat(d.Old, d.New)
		added, removed = added+more, removed+less
	}
	return added, removed
}

// Runs returns the lines that differ between the texts before and after the block. It also compares binary files line
// by line.
func (f BlockFile) Runs() []diff.Run {
	all, ok := f.differences()
	if !ok {
		all = []place.Difference{{Old: lines(f.Before()), New: lines(f.After())}}
	}
	var runs []diff.Run
	for _, d := range all {
		for _, r := range diff.Runs(d.Old, d.New) {
			runs = append(runs, diff.Run{OldStart: d.OldLine + r.OldStart, OldEnd: d.OldLine + r.OldEnd, NewStart: d.NewLine + r.NewStart, NewEnd: d.NewLine + r.NewEnd})
		}
	}
	return runs
}

// differences returns the places at which the texts before and after may differ. Apart from these places, the two texts
// share memory. ok is true only if both texts are known to be plain UTF-8.
func (f BlockFile) differences() (all []place.Difference, ok bool) {
	if !f.before.plain || !f.after.plain {
		return nil, false
	}
	return f.before.text.Differences(f.after.text), true
}

// lines returns the text of the content, or its bytes if it is not text.
func lines(c text.Content) string {
	if s, err := c.Text(); err == nil {
		return s
	}
	return c.Data
}
