package workspace

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"path"
	"slices"

	"github.com/aptix-dev/aptix/server/internal/fspath"
)

// A commit is a transaction whose ops were seen to fit the disk.
type commit struct {
	root    *Root
	journal journal
	writes  []write // those ops that change something; journal.Ops has their entries
}

type write struct {
	entry
	data string      // after
	seen fs.FileInfo // before; nil where there is no file
	done bool        // it was this op's turn
}

// prepare compares the disk with what tx expects, and decides on all names. It
// writes nothing.
func (r *Root) prepare(ctx context.Context, tx Transaction) (*commit, error) {
	s := newSurvey(r, tx)
	c := &commit{root: r, journal: journal{Version: journalVersion, ID: tx.ID, Root: r.dir}}
	suffix := rand.Text()[:16]
	var changed []Changed
	for i, op := range tx.Ops {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		seen, how, err := s.compare(op)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", op.Path, err)
		}
		if how != "" {
			changed = append(changed, Changed{op.Path, how})
			continue
		}
		if w, ok := newWrite(op, seen); ok {
			w.name(path.Join(s.holder(op.Path), fmt.Sprintf(".aptix-%s-%d", suffix, i)))
			c.writes = append(c.writes, w)
			c.journal.Ops = append(c.journal.Ops, w.entry)
		}
	}
	if changed != nil {
		return nil, &ChangedError{changed}
	}
	c.journal.Made, c.journal.Pruned = s.missing(), s.prunable()
	return c, nil
}

// newWrite is what op does to the file seen; not ok where that is nothing.
func newWrite(op Op, seen fs.FileInfo) (write, bool) {
	w := write{entry: entry{Path: op.Path}, seen: seen}
	if seen != nil {
		w.Before = &version{digest(op.Before.Data), seen.Mode()}
	}
	if op.After == nil {
		return w, seen != nil
	}
	w.data = op.After.Data
	w.After = &version{digest(w.data), op.After.Mode.Perm()}
	switch {
	case seen == nil && w.After.Mode == 0:
		w.After.Mode = newFileMode
	case seen != nil && (w.After.Mode == 0 || w.After.Mode == op.Before.Mode.Perm()):
		w.After.Mode = seen.Mode()
	}
	return w, !w.is(w.Before, w.After)
}

// name decides on the files beside the target. Their names do not grow with its
// own, which may be as long as the system takes.
func (w *write) name(prefix string) {
	if w.After != nil {
		w.Temp = prefix + ".new"
	}
	if w.Before != nil {
		w.Backup = prefix + ".old"
	}
}

func digest(data string) string {
	sum := sha256.Sum256([]byte(data))
	return hex.EncodeToString(sum[:])
}

// compare looks whether op fits the disk: how says why it does not. The info
// is nil where there is no file.
func (s *survey) compare(op Op) (seen fs.FileInfo, how string, err error) {
	switch d := s.dir(path.Dir(op.Path)); {
	case d.err != nil || d.how != "":
		return nil, d.how, d.err
	case !d.exists:
		return nil, gone(op), nil
	}
	info, err := s.root.disk.Lstat(op.Path)
	switch {
	case fspath.Missing(err):
		return nil, gone(op), nil
	case err != nil:
		return nil, "", err
	case op.Before == nil && info.IsDir() && s.prune[op.Path]:
		return nil, "", nil // it is gone when its turn comes, or the transaction fails
	case op.Before == nil:
		return nil, "there is " + kind(info) + " now", nil
	case !info.Mode().IsRegular():
		return nil, "it is " + kind(info) + " now", nil
	}
	how, err = s.compareContent(op, info)
	return info, how, err
}

func (s *survey) compareContent(op Op, info fs.FileInfo) (how string, err error) {
	if op.Before.Mode != 0 && !sameMode(op.Before.Mode.Perm(), info.Mode().Perm()) {
		return fmt.Sprintf("its mode is %v now", info.Mode().Perm()), nil
	}
	if info.Size() != int64(len(op.Before.Data)) {
		return "its content differs", nil
	}
	data, err := s.root.readFile(op.Path)
	if err != nil || data == op.Before.Data {
		return "", err
	}
	return "its content differs", nil
}

func gone(op Op) string {
	if op.Before != nil {
		return "it is gone"
	}
	return ""
}

func kind(info fs.FileInfo) string {
	switch info.Mode().Type() {
	case 0:
		return "a file"
	case fs.ModeDir:
		return "a directory"
	case fs.ModeSymlink:
		return "a symbolic link"
	case fs.ModeNamedPipe:
		return "a FIFO"
	case fs.ModeSocket:
		return "a socket"
	}
	return "a device"
}

// A survey knows the directories around the ops.
type survey struct {
	root    *Root
	deleted map[string]bool // files that go
	needed  map[string]bool // directories above files that are written
	prune   map[string]bool // directories that go if they are empty
	dirs    map[string]dirState
}

type dirState struct {
	exists bool // a real directory, now
	mode   fs.FileMode
	how    string // why neither is there a directory, nor can one be made
	err    error
}

func newSurvey(r *Root, tx Transaction) *survey {
	s := &survey{root: r, deleted: map[string]bool{}, needed: map[string]bool{}, prune: map[string]bool{},
		dirs: map[string]dirState{".": {exists: true}}}
	emptied := map[string]bool{}
	for _, op := range tx.Ops {
		above := s.needed
		if op.After == nil {
			s.deleted[op.Path] = true
			above = emptied
		}
		for dir := path.Dir(op.Path); dir != "." && !above[dir]; dir = path.Dir(dir) {
			above[dir] = true
		}
	}
	for _, dir := range tx.Prune {
		if emptied[dir] && !s.needed[dir] && s.dir(dir).exists {
			s.prune[dir] = true
		}
	}
	return s
}

// dir looks at a directory, once. A link in its path is not followed: paths
// are canonical, so it was not there when they were made.
func (s *survey) dir(name string) dirState {
	if d, ok := s.dirs[name]; ok {
		return d
	}
	d := s.dir(path.Dir(name))
	if d.exists {
		d = s.look(name)
	}
	s.dirs[name] = d
	return d
}

func (s *survey) look(name string) dirState {
	info, err := s.root.disk.Lstat(name)
	switch {
	case fspath.Missing(err):
		return dirState{}
	case err != nil:
		return dirState{err: err}
	case info.IsDir():
		return dirState{exists: true, mode: info.Mode()}
	case info.Mode().IsRegular() && s.deleted[name]:
		return dirState{} // deletes come first
	}
	return dirState{how: fmt.Sprintf("%s is %s now", name, kind(info))}
}

// holder is the directory for what is kept beside a file: the nearest one that is
// there before, after and in between. So it is on the same file system.
func (s *survey) holder(name string) string {
	dir := path.Dir(name)
	for dir != "." && (!s.dirs[dir].exists || s.prune[dir]) {
		dir = path.Dir(dir)
	}
	return dir
}

// missing is the directories to make, parents first.
func (s *survey) missing() []string {
	var dirs []string
	for dir := range s.needed {
		if !s.dir(dir).exists {
			dirs = append(dirs, dir)
		}
	}
	slices.Sort(dirs)
	return dirs
}

// prunable is the directories to remove, parents first.
func (s *survey) prunable() []folder {
	var dirs []folder
	for dir := range s.prune {
		dirs = append(dirs, folder{dir, s.dirs[dir].mode})
	}
	slices.SortFunc(dirs, func(a, b folder) int { return cmp.Compare(a.Path, b.Path) })
	return dirs
}
