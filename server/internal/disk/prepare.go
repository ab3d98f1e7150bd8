package disk

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"

	"github.com/aptix-dev/aptix/server/internal/fspath"
)

// A commit is a transaction whose ops were seen to fit the disk.
type commit struct {
	root    *Root
	journal journal
	writes  []write         // those ops that change something; journal.Ops has their entries
	must    map[string]bool // directories that are to go, not only if they are empty
	removed []string        // directories that went, parents first
}

func (c *commit) empty() bool {
	return len(c.writes) == 0 && len(c.journal.Made) == 0 && len(c.journal.Pruned) == 0
}

type write struct {
	entry
	old  string      // content before
	data string      // content after
	seen fs.FileInfo // before; nil where there is no file
	done bool        // it was this op's turn
}

// prepare compares the disk with what tx expects, and decides on all names. It
// writes nothing.
func (r *Root) prepare(ctx context.Context, tx Transaction) (*commit, error) {
	s := newSurvey(r, tx)
	c := &commit{root: r, journal: journal{Version: journalVersion, ID: tx.ID, Root: r.dir}, must: s.remove}
	suffix := rand.Text()[:16]
	changed, err := s.compareDirs(tx)
	if err != nil {
		return nil, err
	}
	found, err := s.compareAll(ctx, sorted(tx.Ops))
	if err != nil {
		return nil, err
	}
	for i, f := range found {
		switch {
		case f.how != "":
			changed = append(changed, Changed{f.Path, f.how})
		case f.differs:
			f.name(path.Join(s.holder(f.Path), fmt.Sprintf(".aptix-%s-%d", suffix, i)))
			c.writes = append(c.writes, f.write)
			c.journal.Ops = append(c.journal.Ops, f.entry)
		}
	}
	if changed != nil {
		return nil, &ChangedError{changed}
	}
	c.digest()
	c.journal.Made, c.journal.Pruned = s.missing(), s.prunable()
	return c, nil
}

// A finding is what an op does to the file that stands there.
type finding struct {
	write
	differs bool   // it does something
	how     string // why the op does not fit; then the rest does not matter
}

// compareAll looks whether the ops fit the disk; they are ordered by folder.
func (s *survey) compareAll(ctx context.Context, ops []Op) ([]finding, error) {
	for _, op := range ops {
		s.dir(path.Dir(op.Path)) // not from several goroutines
	}
	found := make([]finding, len(ops))
	err := s.root.inHand(len(ops), workers(), func(h *hand, i int) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		op, f := ops[i], &found[i]
		seen, how, err := s.compare(h, op)
		if err != nil {
			return fmt.Errorf("%s: %w", op.Path, err)
		}
		if f.how = how; how == "" {
			f.write, f.differs = newWrite(op, seen)
		}
		f.Path = op.Path
		return nil
	})
	return found, err
}

// newWrite is what op does to the file seen, but for the digests; not ok where that
// is nothing.
func newWrite(op Op, seen fs.FileInfo) (w write, ok bool) {
	w = write{entry: entry{Path: op.Path}, seen: seen}
	if seen != nil {
		w.old, w.Before = op.Before.Data, versionOf(seen.Mode())
	}
	if op.After == nil {
		return w, seen != nil
	}
	w.data, w.After = op.After.Data, versionOf(w.mode(op))
	same := w.Before != nil && w.old == w.data && w.Before.Mode.Type() == w.After.Mode.Type() && sameMode(w.Before.Mode, w.After.Mode)
	return w, !same
}

// digest tells all contents apart. The two of one file can be large.
func (c *commit) digest() {
	_ = parallel(2*len(c.writes), workers(), func(i int) error {
		switch w := &c.writes[i/2]; {
		case i%2 == 0 && w.Before != nil:
			w.Before.SHA256 = digest(w.old)
		case i%2 == 1 && w.After != nil:
			w.After.SHA256 = digest(w.data)
		}
		return nil
	})
}

// mode is what the new file gets.
func (w *write) mode(op Op) fs.FileMode {
	perm := op.After.Mode.Perm()
	switch {
	case op.After.isLink():
		return fs.ModeSymlink
	case w.replaces() && (perm == 0 || perm == op.Before.Mode.Perm()):
		return w.seen.Mode()
	case perm == 0:
		return newFileMode
	}
	return perm
}

// replaces reports whether a regular file stands there, whose mode the new one may
// take over.
func (w *write) replaces() bool { return w.seen != nil && w.seen.Mode().IsRegular() }

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

// digest copies a piece at a time: a hash takes no strings, and a file can be large.
func digest(data string) string {
	h := sha256.New()
	buf := make([]byte, min(len(data), 32<<10))
	for len(data) > 0 {
		n := copy(buf, data)
		h.Write(buf[:n])
		data = data[n:]
	}
	return hex.EncodeToString(h.Sum(nil))
}

// compareDirs looks whether the directories fit that tx makes and removes.
func (s *survey) compareDirs(tx Transaction) (changed []Changed, err error) {
	for i, dir := range slices.Concat(tx.Make, tx.Remove) {
		d := s.dir(dir)
		switch {
		case d.err != nil:
			return nil, fmt.Errorf("%s: %w", dir, d.err)
		case d.how != "":
			changed = append(changed, Changed{dir, d.how})
		case i < len(tx.Make):
		case !d.exists:
			changed = append(changed, Changed{dir, "it is gone"})
		case s.needed[dir]:
			return nil, &fs.PathError{Op: "remove", Path: dir, Err: errors.New("something is to be put into it")}
		}
	}
	return changed, nil
}

// compare looks whether op fits the disk: how says why it does not. The info
// is nil where there is no file.
func (s *survey) compare(h *hand, op Op) (seen fs.FileInfo, how string, err error) {
	switch d := s.dir(path.Dir(op.Path)); {
	case d.err != nil || d.how != "":
		return nil, d.how, d.err
	case !d.exists:
		return nil, gone(op), nil
	}
	info, err := h.lstat(op.Path)
	switch {
	case fspath.Missing(err):
		return nil, gone(op), nil
	case err != nil:
		return nil, "", err
	case op.Before == nil && info.IsDir() && s.prune[op.Path]:
		return nil, "", nil // it is gone when its turn comes, or the transaction fails
	case op.Before == nil:
		return nil, "there is " + kind(info) + " now", nil
	case info.Mode().Type() != op.Before.Mode.Type():
		return nil, "it is " + kind(info) + " now", nil
	}
	how, err = compareContent(h, op, info)
	return info, how, err
}

func compareContent(h *hand, op Op, info fs.FileInfo) (how string, err error) {
	dir, base, err := h.at(op.Path)
	if err != nil {
		return "", err
	}
	if op.Before.isLink() {
		target, err := readLink(dir, base)
		if err != nil || target == op.Before.Data {
			return "", err
		}
		return "it leads somewhere else", nil
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
	if same, err := holds(f, op.Before.Data); err != nil || same {
		return "", err
	}
	return "its content differs", nil
}

// holds reports whether all that is to be read from f is data.
func holds(f io.Reader, data string) (bool, error) {
	buf := make([]byte, min(len(data)+1, 256<<10))
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
	remove  map[string]bool // those of prune that must
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
		remove: map[string]bool{}, dirs: map[string]dirState{".": {exists: true}}}
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
	for _, made := range tx.Make {
		for dir := made; dir != "." && !s.needed[dir]; dir = path.Dir(dir) {
			s.needed[dir] = true
		}
	}
	for _, dir := range tx.Prune {
		if emptied[dir] && !s.needed[dir] && s.dir(dir).exists {
			s.prune[dir] = true
		}
	}
	for _, dir := range tx.Remove {
		if s.dir(dir).exists {
			s.prune[dir], s.remove[dir] = true, true
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
	case (info.Mode().IsRegular() || info.Mode().Type() == fs.ModeSymlink) && s.deleted[name]:
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
