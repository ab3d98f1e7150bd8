package disk

import (
	"context"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"syscall"

	"github.com/aptix-dev/aptix/server/internal/fspath"
	"github.com/aptix-dev/aptix/server/internal/protect"
)

// mostListed is the most files of a tree in which links are searched for.
const mostListed = 300_000

const tooManyFiles = "there are too many files to check which links with protected names lead to it"

// linked finds the targets of links with protected names: `.vscode -> cfg` makes cfg as
// sensitive as .vscode. Such a link may be anywhere, and its target does not reveal it. So
// the whole tree is listed: the working tree of git, or the root if there is none.
type linked struct {
	top     string            // absolute, without links
	more    []string          // protected names beyond the table
	left    int               // files that may still be listed; negative if there were too many
	reasons map[string]string // maps targets, and links on the way to them, to reasons; paths are from the top
	above   map[string]string // maps the folders above those paths to reasons
}

func newLinked(ctx context.Context, top string, more []string, most int) (*linked, error) {
	l := &linked{top: top, more: more, left: most, reasons: map[string]string{}, above: map[string]string{}}
	return l, l.look(ctx, "", false)
}

// reason names the link that leads to a path from the top, or returns "". It also names a
// link that leads to something below the path, because the path may be a link on the way.
func (l *linked) reason(p string) string {
	p = comparable(p)
	if reason := l.above[p]; reason != "" {
		return reason
	}
	for ; p != "."; p = path.Dir(p) {
		if reason := l.reasons[p]; reason != "" {
			return reason
		}
	}
	if l.left < 0 {
		return tooManyFiles
	}
	return ""
}

// look lists a folder with everything in it. If counts is true, each link in it counts,
// because the folder is protected or may contain protected names.
func (l *linked) look(ctx context.Context, dir string, counts bool) error {
	f, err := os.OpenFile(filepath.Join(l.top, filepath.FromSlash(dir)), os.O_RDONLY|syscall.O_NONBLOCK, 0) // it may have become a FIFO
	if err != nil {
		return nil // other programs cannot list it, either
	}
	entries, _ := f.ReadDir(max(l.left, 0) + 1)
	_ = f.Close()
	l.left -= len(entries)
	for _, e := range entries {
		if l.left < 0 || ctx.Err() != nil {
			return ctx.Err()
		}
		isLink := e.Type()&fs.ModeSymlink != 0
		if !isLink && !e.IsDir() || fspath.IsGit(e.Name()) {
			continue
		}
		name := path.Join(dir, e.Name())
		counts := counts || protect.Reason(name, l.more) != ""
		if !isLink {
			if err := l.look(ctx, name, counts); err != nil {
				return err
			}
		} else if counts || protect.Leads(name) {
			l.follow(name)
		}
	}
	return nil
}

// follow adds each path that a link leads to or passes through.
func (l *linked) follow(link string) {
	reason := link + " leads to it, and is protected"
	at := filepath.Join(l.top, filepath.FromSlash(link))
	l.lead(real(at), reason)
	for range 40 { // as many as the system follows
		target, err := os.Readlink(at)
		if err != nil {
			return
		}
		if !filepath.IsAbs(target) {
			target = filepath.Join(real(filepath.Dir(at)), target)
		}
		at = filepath.Clean(target)
		l.lead(at, reason)
		l.lead(real(at), reason)
	}
}

// lead adds the target of a link if it is in the tree.
func (l *linked) lead(to, reason string) {
	rel, err := filepath.Rel(l.top, to)
	if err != nil || !filepath.IsLocal(rel) {
		return
	}
	p := comparable(rel)
	l.reasons[p] = reason
	for dir := path.Dir(p); dir != "."; dir = path.Dir(dir) {
		l.above[dir] = reason
	}
}
