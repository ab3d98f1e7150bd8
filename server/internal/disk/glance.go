package disk

import (
	"io/fs"
	"sync"
)

// A glance is a [Tree] while one plan is made. What stands under a name is asked of
// the disk once: a plan asks again and again what the folders above its files are.
// And the directory stays open in which it looked last (see [hand]). What it says is
// as old as the glance; a transaction compares all with the disk again.
type glance struct {
	*Tree
	mu   sync.Mutex
	hand hand
	seen map[string]sight // by name, without following a link; nil when it is over
}

// A sight is what Lstat answered.
type sight struct {
	info fs.FileInfo
	err  error
}

// Glance is the tree for the time of one plan. From end on it is like the tree
// again.
func (t *Tree) Glance() (tree fs.FS, end func()) {
	g := &glance{Tree: t, hand: hand{root: t.root}, seen: map[string]sight{}}
	return g, g.end
}

func (g *glance) end() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.hand.drop()
	g.seen = nil
}

func (g *glance) Lstat(name string) (fs.FileInfo, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.seen == nil || !validPath(name) {
		return g.Tree.Lstat(name)
	}
	s, ok := g.seen[name]
	if !ok {
		info, err := g.hand.lstat(name)
		if err != nil { // where a link leads there, only the tree finds it
			info, err = g.root.disk.Lstat(name)
		}
		s.info, s.err = g.above(name, info, err)
		g.seen[name] = s
	}
	return s.info, s.err
}

func (g *glance) ReadString(name string) (string, error) {
	if _, open, err := g.lookUp("read", name); !open && err == nil {
		if data, err := g.read(name); err == nil {
			return data, nil
		}
	}
	return g.Tree.ReadString(name) // which knows what to say
}

// read reads the file that was seen under a name, or fails.
func (g *glance) read(name string) (string, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.seen == nil {
		return "", fs.ErrClosed
	}
	dir, base, err := g.hand.at(name)
	if err != nil {
		return "", err
	}
	s := g.seen[name]
	if s.info == nil || !s.info.Mode().IsRegular() {
		return "", errNotRegular
	}
	f, err := openSeen(dir, base, s.info, errNotRegular)
	if err != nil {
		return "", err
	}
	defer f.Close()
	return readAll(f)
}
