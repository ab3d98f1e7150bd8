package plan

import (
	"github.com/aptix-dev/aptix/server/internal/diff"
	"github.com/aptix-dev/aptix/server/internal/locate"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A BlockFile is one file's part in a block. The fields are those of [File]. Its contents are
// put together each time they are asked for.
type BlockFile struct {
	Path, To  string
	Operation Operation
	State     State
	At        text.Span
	Whole     bool

	before, after version
}

// Files are files of a block with their contents, at this moment all in memory.
func Files(of []BlockFile) []File {
	var files []File
	for _, f := range of {
		files = append(files, f.file())
	}
	return files
}

func (f BlockFile) file() File {
	return File{Path: f.Path, To: f.To, Operation: f.Operation, State: f.State, At: f.At, Whole: f.Whole, Before: f.Before(), After: f.After()}
}

// Before is the file as the block meets it.
func (f BlockFile) Before() text.Content { return f.before.kept().content() }

// After is the file as the block leaves it.
func (f BlockFile) After() text.Content { return f.after.kept().content() }

// Existed reports whether the file is there before the block.
func (f BlockFile) Existed() bool { return f.before.Exists }

// Exists reports whether the file is there after the block.
func (f BlockFile) Exists() bool { return f.after.Exists }

// Paths are the file's path, and of a rename the new one after it.
func (f BlockFile) Paths() []string {
	if f.Operation == Rename {
		return []string{f.Path, f.To}
	}
	return []string{f.Path}
}

// Target is the path of After.
func (f BlockFile) Target() string {
	all := f.Paths()
	return all[len(all)-1]
}

// Settle makes the file done, as it was before the block.
func (f *BlockFile) Settle() { f.State, f.after = Done, f.before }

// Changes implements [Counted].
func (f BlockFile) Changes() bool { return f.State == Change }

// Stat implements [Counted].
func (f BlockFile) Stat() (added, removed int) {
	if d, ok := f.differing(); ok {
		return diff.Stat(d.Old, d.New)
	}
	return File{Before: f.Before(), After: f.After()}.Stat()
}

// Runs are the lines that differ before and after the block. A file that is not text counts as
// lines, too.
func (f BlockFile) Runs() []diff.Run {
	d, ok := f.differing()
	if !ok {
		d = locate.Difference{Old: lines(f.Before()), New: lines(f.After())}
	}
	runs := diff.Runs(d.Old, d.New)
	for i := range runs {
		r := &runs[i]
		r.OldStart, r.OldEnd, r.NewStart, r.NewEnd = r.OldStart+d.Line, r.OldEnd+d.Line, r.NewStart+d.Line, r.NewEnd+d.Line
	}
	return runs
}

// differing is where two texts differ that share the rest. It is not ok where the bytes may say
// something else, and where nothing is shared.
func (f BlockFile) differing() (d locate.Difference, ok bool) {
	if !f.before.plain || !f.after.plain {
		return d, false
	}
	return f.before.text.Differing(f.after.text), true
}

// lines is a content as lines: the bytes of what is no text.
func lines(c text.Content) string {
	if s, err := c.Text(); err == nil {
		return s
	}
	return c.Data
}
