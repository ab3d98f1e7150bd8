package apply

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"time"
	"unicode/utf8"

	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/fileset"
	"github.com/aptix-dev/aptix/server/internal/paths"
	"github.com/aptix-dev/aptix/server/internal/plan"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// FileSetAt returns the location of the file set. `setting` may name it. It returns "" if no set is needed: neither the
// setting nor the environment names one, no file was ever uploaded on this machine, and the change names no file by
// docPath (`named`). `asked` is true if the setting or the environment names a set.
//
// If `asked` is true and the set cannot be opened, the change must not be made, because it is unknown which version of
// a file is the right one.
func FileSetAt(setting, stateDir string, named bool) (where string, asked bool) {
	asked = setting != "" || os.Getenv(fileset.Env) != ""
	where = fileset.Where(setting, stateDir)
	if _, err := os.Stat(where); !asked && !named && errors.Is(err, fs.ErrNotExist) {
		return "", false
	}
	return where, asked
}

// differsFromSet returns the reason why files must not be changed, or "": the shared set failed, or its text of a file
// differs from the disk (rule R29). Two changes are allowed nevertheless: a change that makes the file equal to the
// set, and a change in an open document, which is newer than any set.
//
// A set of this machine first stores the texts on disk. It does not store the text of a file that the change makes equal
// to the set: if the change is interrupted, only the set has the new text. If storing fails, the upload after the change
// reports it.
//
// `set` may be nil. The only possible error is the error of `ctx`.
func differsFromSet(ctx context.Context, set *fileset.Set, source string, folder paths.Folder, files []plan.File) (why string, err error) {
	closed := slices.DeleteFunc(slices.Clone(files), func(f plan.File) bool { return slices.Contains(folder.Open, f.Path) })
	if files = keyed(folder, closed); set == nil || len(files) == 0 {
		return "", nil
	}
	if !set.Shared() {
		if files = unheld(ctx, set, folder, files); len(files) == 0 {
			return "", ctx.Err()
		}
	}
	truths, err := set.Authority(ctx, source, copies(folder, files, func(f plan.File) (text.Content, error) { return f.Before, nil }))
	if ctx.Err() != nil || !set.Shared() {
		return "", ctx.Err()
	}
	if err != nil {
		return fmt.Sprintf("the shared file set failed, so it is unknown whether the texts on disk are current: %v", err), nil
	}
	for i, t := range truths {
		after := files[i].After
		if t.Refused != "" && !(after.Exists && after.Data == t.Content) {
			return t.Refused, nil
		}
	}
	return "", nil
}

// unheld returns `files` without the files for which the set already has the content after the change.
func unheld(ctx context.Context, set *fileset.Set, folder paths.Folder, files []plan.File) []plan.File {
	key := func(f plan.File) string { return paths.DocPath(folder.Names[0], f.Path) }
	known, _ := set.Known(ctx, text.Each(files, key))
	return slices.DeleteFunc(slices.Clone(files), func(f plan.File) bool {
		e := known[key(f)]
		return e.Holds() && f.After.Exists && e.SHA256 == text.SumHex(f.After.Data)
	})
}

// copies returns files in the form that a file set compares. `read` returns the content of a file on disk.
func copies(folder paths.Folder, files []plan.File, read func(plan.File) (text.Content, error)) []fileset.Copies {
	return text.Each(files, func(f plan.File) fileset.Copies {
		return fileset.Copies{DocPath: paths.DocPath(folder.Names[0], f.Path), ReadDisk: func() (text.Content, error) { return read(f) }}
	})
}

// uploadable returns the files that may be uploaded to the set. No set gets files that git ignores. A shared set gets
// no protected files at all.
func (p *Proposal) uploadable(set *fileset.Set) []plan.File {
	if set == nil || len(p.Protected) == 0 {
		return p.Plan.Files
	}
	return slices.DeleteFunc(slices.Clone(p.Plan.Files), func(f plan.File) bool {
		_, from := p.Protected[f.Path]
		_, to := p.Protected[f.To]
		return p.ignored(f) || (from || to) && set.Shared()
	})
}

func (p *Proposal) ignored(f plan.File) bool {
	return p.Protected[f.Path].Ignored || p.Protected[f.To].Ignored
}

// copySaved returns the contents on disk of open documents, by path, or nil if there is no set to upload to. A document
// whose file cannot be read counts as not saved.
func copySaved(set *fileset.Set, w Writer, files []plan.File) map[string]text.Content {
	if set == nil {
		return nil
	}
	saved, disk := map[string]text.Content{}, w.Root().Tree(nil)
	open := w.Folder().Open
	for _, f := range plan.Paths(files) {
		if !slices.Contains(open, f.Path) {
			continue
		}
		if now, err := check.Current(disk, f.Path); err == nil {
			saved[f.Path] = now
		}
	}
	return saved
}

const uploadTime = 20 * time.Second

// uploadTo updates a file set after files of a folder have changed (rule R32). `set` may be nil. In a shared set, a
// revision from another program is never overwritten. The error names the files that the set now lacks.
func uploadTo(ctx context.Context, set *fileset.Set, source string, folder paths.Folder, files []plan.File, named map[string]bool, saved map[string]text.Content) error {
	if set == nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, uploadTime)
	defer cancel()
	wanted, err := wanted(ctx, set, folder, files, named)
	if err != nil || len(wanted) == 0 {
		return err
	}
	var changes []fileset.Change
	for _, f := range wanted {
		key := paths.DocPath(folder.Names[0], f.Path)
		same, err := folder.Lookup(nil, key)
		if err != nil {
			return err
		}
		if len(same) > 1 {
			return fmt.Errorf("%q is the docPath of several files, %q; rename all but one of them", key, same)
		}
		changes = append(changes, fileset.Change{DocPath: key, Before: f.Before, After: f.After, Saved: saved[f.Path]})
	}
	err = set.Upload(ctx, source, changes)
	if conflict := (*fileset.ConflictError)(nil); errors.As(err, &conflict) && !set.Shared() {
		// Another program has changed a file in the set of this machine. The set follows the disk, so it gets the texts
		// on disk.
		_, err = set.Authority(ctx, source, copies(folder, wanted, func(f plan.File) (text.Content, error) { return check.Current(folder.Tree, f.Path) }))
	}
	return err
}

// wanted returns the files that a set should get. A shared set gets all files. A set of this machine gets the files
// that it already has, and the files that were named by docPath.
func wanted(ctx context.Context, set *fileset.Set, folder paths.Folder, files []plan.File, named map[string]bool) ([]plan.File, error) {
	files = keyed(folder, files)
	if set.Shared() || len(files) == 0 {
		return files, nil
	}
	keys := text.Each(files, func(f plan.File) string { return paths.DocPath(folder.Names[0], f.Path) })
	known, err := set.Known(ctx, keys)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(files, func(f plan.File) bool {
		_, held := known[paths.DocPath(folder.Names[0], f.Path)]
		return !held && !named[f.Path]
	}), nil
}

// keyed returns the files with a docPath. A rename that changes only the case of a name becomes a change of one file.
func keyed(folder paths.Folder, files []plan.File) []plan.File {
	var all []plan.File
	at := map[string]int{}
	for _, f := range plan.Paths(files) {
		if !isFile(f) {
			continue
		}
		key := paths.DocPath(folder.Names[0], f.Path)
		switch i, again := at[key]; {
		case again && !all[i].After.Exists:
			all[i].Path, all[i].After = f.Path, f.After
		case again && !all[i].Before.Exists:
			all[i].Before = f.Before
		default:
			at[key] = len(all)
			all = append(all, f)
		}
	}
	return all
}

// isFile reports whether a file set can contain `f`. A set contains no folders, no symbolic links, and no paths that
// are not valid UTF-8.
func isFile(f plan.File) bool {
	return utf8.ValidString(f.Path) && (f.Before.Mode|f.After.Mode)&(fs.ModeDir|fs.ModeSymlink) == 0
}
