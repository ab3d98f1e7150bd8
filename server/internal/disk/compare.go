package disk

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"

	"github.com/aptix-dev/aptix/server/internal/fspath"
)

// prepare compares the disk with the files that `tx` expects, and names all temp files and backups. It writes nothing.
func (r *Root) prepare(ctx context.Context, tx Transaction) (*commit, error) {
	dirs := newDirectories(r, tx)
	changed, err := dirs.compare(tx)
	if err != nil {
		return nil, err
	}
	writes, changedFiles, err := dirs.compareFiles(ctx, tx)
	if err != nil {
		return nil, err
	}
	if changed = append(changed, changedFiles...); changed != nil {
		return nil, &ChangedError{changed}
	}
	if files := r.notReplaceable(writes); files != nil {
		return nil, &ReadOnlyError{files}
	}
	findLikes(writes, tx.Moved)
	c := &commit{root: r, writes: writes, mustRemove: dirs.remove,
		journal: journal{Version: journalVersion, ID: tx.ID, Root: r.dir, Made: dirs.missing(), Pruned: dirs.prunable()}}
	suffix := rand.Text()[:16]
	for i := range c.writes {
		w := &c.writes[i]
		w.nameStaged(path.Join(dirs.staging(w.Path), fmt.Sprintf(".aptix-%s-%d", suffix, i)))
		c.journal.Ops = append(c.journal.Ops, w.entry)
	}
	return c, nil
}

// notReplaceable returns the read-only files that the writes would replace, if this system does not allow that.
// Read-only files may be deleted.
func (r *Root) notReplaceable(writes []write) (paths []string) {
	for _, w := range writes {
		if r.sparesReadOnly && w.After != nil && w.replacesFile() && w.seen.Mode()&0o200 == 0 {
			paths = append(paths, w.Path)
		}
	}
	return paths
}

// compareFiles returns a write for each op that changes something, sorted by directory. `changed` lists the files that
// differ from the state in their op.
func (d *directories) compareFiles(ctx context.Context, tx Transaction) (writes []write, changed []Changed, err error) {
	last := lastDir{root: d.root}
	defer last.close()
	for _, op := range byFolder(tx.Ops) {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		seen, how, err := d.compareFile(&last, op)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: %w", op.Path, err)
		}
		if how != "" {
			changed = append(changed, Changed{op.Path, how})
		} else if w, differs := newWrite(op, tx.sumsOf(op), seen); differs {
			writes = append(writes, w)
		}
	}
	return writes, changed, nil
}

func byFolder(ops []Op) []Op {
	return slices.SortedFunc(slices.Values(ops), func(a, b Op) int {
		return cmp.Or(cmp.Compare(path.Dir(a.Path), path.Dir(b.Path)), cmp.Compare(a.Path, b.Path))
	})
}

// compareFile compares a file with the state that `op` expects. `how` describes the difference, or is "" if there is
// none. `seen` is nil if there is no file.
func (d *directories) compareFile(last *lastDir, op Op) (seen fs.FileInfo, how string, err error) {
	switch dir := d.state(path.Dir(op.Path)); {
	case dir.err != nil || dir.how != "":
		return nil, dir.how, dir.err
	case !dir.exists:
		return nil, missingFile(op), nil
	}
	info, err := last.lstat(op.Path)
	switch {
	case fspath.Missing(err):
		return nil, missingFile(op), nil
	case err != nil:
		return nil, "", err
	case op.Before == nil && info.IsDir() && d.prune[op.Path]:
		// The transaction removes this directory before it writes the file, or fails.
		return nil, "", nil
	case op.Before == nil:
		return nil, "there is " + fspath.Kind(info) + " now", nil
	case info.Mode().Type() != op.Before.Mode.Type():
		return nil, "it is " + fspath.Kind(info) + " now", nil
	}
	how, err = d.compareContent(last, op, info)
	return info, how, err
}

func missingFile(op Op) (how string) {
	if op.Before != nil {
		return "it is gone"
	}
	return ""
}

func (d *directories) compareContent(last *lastDir, op Op, info fs.FileInfo) (how string, err error) {
	dir, base, err := last.open(op.Path)
	if err != nil {
		return "", err
	}
	if op.Before.isLink() {
		target, err := readLink(dir, base)
		if err != nil || target == op.Before.Data {
			return "", err
		}
		return "it points somewhere else", nil
	}
	if op.Before.Mode != 0 && !sameMode(op.Before.Mode.Perm(), info.Mode().Perm()) {
		return fmt.Sprintf("its mode is %v now", info.Mode().Perm()), nil
	}
	if info.Size() != int64(len(op.Before.Data)) {
		return "its content differs", nil
	}
	f, err := openSeen(dir, base, info, errNotRegular)
	if err != nil {
		return "", err
	}
	defer f.Close()
	if same, err := hasContent(f, op.Before.Data, d.buf); err != nil || same {
		return "", err
	}
	return "its content differs", nil
}

// hasContent reports whether the rest of `f` equals `data`. It reads into `buf`.
func hasContent(f io.Reader, data string, buf []byte) (bool, error) {
	for {
		n, err := f.Read(buf)
		if n > len(data) || string(buf[:n]) != data[:n] {
			return false, nil
		}
		data = data[n:]
		if err == io.EOF {
			return data == "", nil
		}
		if err != nil {
			return false, err
		}
	}
}
