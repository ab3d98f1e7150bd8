package disk

import (
	"cmp"
	"io/fs"
	"os"
	"path"
	"runtime"
	"slices"
)

// A hand holds the directory open in which it worked last: most files of a
// transaction lie beside others of it, and [os.Root] would come down from the root
// for each step on each of them. Should another program move the directory
// meanwhile, it is as if that happened a moment later. A hand is for one goroutine,
// and for one pass over the files.
type hand struct {
	root *Root
	path string   // of dir
	dir  *os.Root // nil before the first file
}

// at is the directory of a file, to which no link leads, and its name there.
// Without such a directory the error is one of [Root.openFolder].
func (h *hand) at(name string) (dir *os.Root, base string, err error) {
	base = path.Base(name)
	if h.dir != nil && h.path == path.Dir(name) {
		return h.dir, base, nil
	}
	next, err := h.root.openFolder(path.Dir(name))
	if err != nil {
		return nil, "", err
	}
	h.drop()
	h.path, h.dir = path.Dir(name), next
	return h.dir, base, nil
}

// both is a directory from which two files can be reached, and their names from
// there.
func (h *hand) both(a, b string) (dir *os.Root, fromA, fromB string, err error) {
	if path.Dir(a) == path.Dir(b) {
		dir, fromA, err = h.at(a)
		return dir, fromA, path.Base(b), err
	}
	for _, name := range []string{a, b} {
		if err := h.root.straight(name); err != nil {
			return nil, "", "", err
		}
	}
	return h.root.disk, a, b, nil
}

func (h *hand) lstat(name string) (fs.FileInfo, error) {
	dir, base, err := h.at(name)
	if err != nil {
		return nil, err
	}
	return dir.Lstat(base)
}

func (h *hand) remove(name string) error {
	dir, base, err := h.at(name)
	if err != nil {
		return err
	}
	return dir.Remove(base)
}

func (h *hand) drop() {
	closeRoot(h.dir)
	h.dir = nil
}

// byFolder orders files so that those of one directory are side by side.
func byFolder(a, b string) int {
	return cmp.Or(cmp.Compare(path.Dir(a), path.Dir(b)), cmp.Compare(a, b))
}

// handful is how many files in a row a goroutine takes: enough to find many of
// them in one directory, and to leave that to it alone, as the system changes a
// directory for one at a time.
const handful = 64

// inHand calls f for 0 to n-1, several at a time, and answers with the first error.
// After one it starts no more. The numbers are those of files ordered by folder.
func (r *Root) inHand(n, workers int, f func(h *hand, i int) error) error {
	hands := make(chan *hand, workers)
	for range workers {
		hands <- &hand{root: r}
	}
	size := min(handful, max(1, n/workers))
	err := parallel((n+size-1)/size, workers, func(k int) error {
		h := <-hands
		defer func() { hands <- h }()
		for i := k * size; i < min(n, (k+1)*size); i++ {
			if err := f(h, i); err != nil {
				return err
			}
		}
		return nil
	})
	close(hands)
	for h := range hands {
		h.drop()
	}
	return err
}

// workers is how many files are worked on at once where the processor is what
// there is to wait for.
func workers() int { return runtime.GOMAXPROCS(0) }

// sorted is the ops, those of one directory side by side.
func sorted(ops []Op) []Op {
	ops = slices.Clone(ops)
	slices.SortFunc(ops, func(a, b Op) int { return byFolder(a.Path, b.Path) })
	return ops
}
