package disk

import (
	"io/fs"
	"path"

	"github.com/aptix-dev/aptix/server/internal/fspath"
	"github.com/aptix-dev/aptix/server/internal/protect"
)

// Bounds of the search for links, for one reply.
const (
	mostListed = 20_000 // names
	mostLinks  = 1_000
)

// linked finds what links with protected names lead to: `.vscode -> cfg` makes cfg as
// good as .vscode. The links are looked for beside the paths that are asked about and in
// the folders above them, where a program that reads such a name would.
type linked struct {
	root   *Root
	more   []string // protected names beyond the table
	looked map[string]bool
	listed int
	links  int
	leads  []lead
}

// A lead is that a protected link goes through, or ends at, a path from the root.
type lead struct{ to, reason string }

func newLinked(r *Root, paths, more []string) *linked {
	l := &linked{root: r, more: more, looked: map[string]bool{}}
	for _, p := range paths {
		for _, dir := range foldersOf(p) {
			l.look(dir, false)
		}
	}
	return l
}

// reason says which link leads to a path; "" for none. A path above what the link leads to
// decides too: it may be a link on the way.
func (l *linked) reason(p string) string {
	for _, lead := range l.leads {
		if fspath.IsBelow(lead.to, p) || fspath.IsBelow(p, lead.to) {
			return lead.reason
		}
	}
	return ""
}

// look lists a folder once, and goes into those that are protected, or may have protected
// names below them.
func (l *linked) look(dir string, protected bool) {
	if l.looked[dir] || l.listed > mostListed {
		return
	}
	l.looked[dir] = true
	entries, err := l.root.readDir(dir)
	if err != nil {
		return
	}
	l.listed += len(entries)
	for _, e := range entries {
		if !e.IsDir() && e.Type()&fs.ModeSymlink == 0 {
			continue
		}
		name := path.Join(dir, e.Name())
		reason := protect.Reason(name, l.more)
		switch leads := protect.Leads(name); {
		case reason == "" && !protected && !leads || fspath.IsGit(name):
		case e.Type()&fs.ModeSymlink != 0:
			l.follow(name)
		case e.IsDir():
			l.look(name, protected || reason != "")
		}
	}
}

// follow adds each path that a link goes through.
func (l *linked) follow(link string) {
	if l.links++; l.links > mostLinks {
		return
	}
	reason := link + " leads to it, and is protected"
	if to, err := l.root.Canonical(link); err == nil && to != link {
		l.leads = append(l.leads, lead{to, reason})
	}
	at := link
	for range 40 { // as many as the system follows
		target, err := readLink(l.root.disk, at)
		if err != nil {
			return
		}
		at = path.Join(path.Dir(at), target)
		if path.IsAbs(target) || !fs.ValidPath(at) {
			return
		}
		l.leads = append(l.leads, lead{at, reason})
	}
}
