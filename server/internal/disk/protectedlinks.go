package disk

import (
	"context"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"unicode/utf8"

	"github.com/aptix-dev/aptix/server/internal/fspath"
	"github.com/aptix-dev/aptix/server/internal/git"
	"github.com/aptix-dev/aptix/server/internal/protect"
)

// mostListed is the most files of a tree, with the folders of its repositories, in which
// links are searched for.
const mostListed = 300_000

const tooManyFiles = "there are too many files to check which links with protected names lead to it"

// The purposes for which the files of a folder are sensitive, to follow "LINK leads to it".
const (
	isProtected = ", and is protected"
	gitObeys    = ", and git runs or reads that file"
)

// linked finds the targets of links with protected names: `.vscode -> cfg` makes cfg as
// sensitive as .vscode. Such a link may be anywhere, and its target does not reveal it. So
// the whole tree is listed: the working tree of git, or the root if there is none.
//
// The same holds for links in git's own folders, wherever these are. For example,
// people share hooks by .git/hooks/pre-commit -> ../../scripts/pre-commit, which makes git
// run scripts/pre-commit.
type linked struct {
	top  string   // absolute, without links
	more []string // protected names beyond the table
	left int      // the number of files that may still be listed; negative if there were too many
	// Maps targets of links, and links on the way to them, to reasons; paths are relative to top.
	reasons map[string]string
	above   map[string]string // maps the folders above those paths to reasons
	// repositories holds the repositories in the tree, and the other working trees of each, by
	// their top folders.
	repositories map[string]git.Repository
	searched     map[string]bool // git's own folders
	// twins are the sensitive files that have several names (hard links), and their
	// reasons. They are collected only if wantTwins is true.
	twins     map[fs.FileInfo]string
	wantTwins bool
}

// newLinked finds the targets of links with protected names in a tree, and in the folders of the
// repositories around it. It looks at no more than most files.
func newLinked(ctx context.Context, top string, more []string, around []git.Repository, wantTwins bool, most int) (*linked, error) {
	l := &linked{top: top, more: more, left: most, reasons: map[string]string{}, above: map[string]string{}, repositories: map[string]git.Repository{},
		searched: map[string]bool{}, twins: map[fs.FileInfo]string{}, wantTwins: wantTwins}
	for _, r := range around {
		if err := l.enter(ctx, r); err != nil {
			return nil, err
		}
	}
	return l, l.look(ctx, top, "")
}

// reason names the link that leads to a path from the top, or returns "". It also names a
// link that leads to something below the path, because the path may be a link on the way.
func (l *linked) reason(p string) string {
	p = git.Comparable(p)
	if reason := l.above[p]; reason != "" {
		return reason
	}
	for ; ; p = path.Dir(p) {
		if reason := l.reasons[p]; reason != "" {
			return reason
		}
		if p == "." {
			break
		}
	}
	if l.left < 0 {
		return tooManyFiles
	}
	return ""
}

// twin returns the reason if a file is a sensitive file under another name.
func (l *linked) twin(file fs.FileInfo) string {
	for twin, reason := range l.twins {
		if os.SameFile(twin, file) {
			return reason
		}
	}
	return ""
}

// enter records a repository, and searches its folders.
func (l *linked) enter(ctx context.Context, r git.Repository) error {
	if !git.IsRepository(r.Dir) {
		return nil // git finds no repository there
	}
	l.repositories[r.Top] = r
	if main := filepath.Dir(r.Common); filepath.Base(r.Common) == ".git" && main != r.Top {
		// R.Top is another working tree of the repository.
		l.repositories[main] = git.Repository{Top: main, Dir: r.Common, Common: r.Common}
	}
	for _, dir := range []string{r.Dir, r.Common} {
		if filepath.Dir(dir) != r.Top {
			l.lead(dir, l.shown(filepath.Join(r.Top, ".git"))+" leads to it"+gitObeys)
		}
		if found := fspath.Real(dir); !l.searched[found] {
			l.searched[found] = true
			if err := l.look(ctx, found, gitObeys); err != nil {
				return err
			}
		}
	}
	return nil
}

// contents lists folders at the top of a repository that may be large. Nothing in them is
// configuration or gets run.
var contents = map[string]bool{"objects": true, "refs": true, "logs": true, "lfs": true, "annex": true, "rr-cache": true}

// look goes through a folder and everything in it. If why is not "", the folder is protected, or a folder of
// git's own, and each link in it counts.
func (l *linked) look(ctx context.Context, dir, why string) error {
	f, err := os.OpenFile(dir, os.O_RDONLY|syscall.O_NONBLOCK, 0) // dir may have become a FIFO in the meantime
	if err != nil {
		return nil // other programs cannot list the folder, either
	}
	entries, _ := f.ReadDir(max(l.left, 0) + 1)
	_ = f.Close()
	l.left -= len(entries)
	isRepository := slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return strings.EqualFold(e.Name(), "HEAD") }) && git.IsRepository(dir)
	if isRepository { // a bare repository, or the repository of a submodule, which may have no working tree at present
		why = gitObeys
		if !l.searched[dir] && !git.Has(dir, "commondir") {
			l.repositories[dir] = git.Repository{Top: dir, Dir: dir, Common: dir}
		}
		l.searched[dir] = true
	}
	for _, e := range entries {
		if l.left < 0 || ctx.Err() != nil {
			return ctx.Err()
		}
		if e.Type().IsRegular() && !l.wantTwins && !isRepository && !mayBeGit(e.Name()) {
			continue
		}
		if err := l.entry(ctx, filepath.Join(dir, e.Name()), e, why, isRepository); err != nil {
			return err
		}
	}
	return nil
}

// mayBeGit is a quick test before [fspath.IsGit].
func mayBeGit(name string) bool { return name[0] == '.' || name[0] >= utf8.RuneSelf }

// entry looks at one entry of a folder.
func (l *linked) entry(ctx context.Context, name string, e fs.DirEntry, why string, inRepository bool) error {
	isLink := e.Type()&fs.ModeSymlink != 0
	isGit := why != gitObeys && fspath.IsGit(e.Name())
	if !isGit && why == "" && (isLink || e.IsDir() || l.wantTwins) {
		if shown := l.shown(name); protect.Reason(shown, l.more) != "" || isLink && protect.Leads(shown) {
			why = isProtected
		}
	}
	switch {
	case isGit:
		if isLink {
			l.follow(name, gitObeys)
		}
		if r, err := git.Open(filepath.Dir(name), name); err == nil {
			return l.enter(ctx, r)
		}
	case e.IsDir() && inRepository && contents[e.Name()]:
	case e.IsDir():
		return l.look(ctx, name, why)
	case why == "":
	case isLink:
		l.follow(name, why)
	case inRepository && e.Name() == "gitdir": // gitdir names the folder of a working tree elsewhere
		if line, err := git.FirstLine(name); err == nil {
			tree := git.LeadsTo(filepath.Dir(name), line)
			if r, err := git.Open(filepath.Dir(tree), tree); err == nil {
				return l.enter(ctx, r)
			}
		}
	case l.wantTwins && e.Type().IsRegular():
		if info, err := os.Lstat(name); err == nil && hasTwins(name, info) {
			l.twins[info] = l.shown(name) + " is the same file" + why
		}
	}
	return nil
}

// shown returns a path from the top, or an absolute one if it is elsewhere.
func (l *linked) shown(name string) string {
	if fspath.IsUnder(l.top, name) {
		name = strings.TrimPrefix(name[len(l.top):], string(filepath.Separator))
	}
	return filepath.ToSlash(name)
}

// follow adds each path that a link leads to or passes through.
func (l *linked) follow(link, why string) {
	reason := l.shown(link) + " leads to it" + why
	at := link
	l.lead(fspath.Real(at), reason)
	for range 40 { // the system follows as many links
		target, err := os.Readlink(at)
		if err != nil {
			return
		}
		at = git.LeadsTo(fspath.Real(filepath.Dir(at)), target)
		l.lead(at, reason)
	}
}

// lead adds the target of a link if the target is in the tree or contains the tree. It adds the target both as
// written and with its own links resolved.
func (l *linked) lead(to, reason string) {
	for _, to := range []string{to, fspath.Real(to)} {
		rel, err := filepath.Rel(l.top, to)
		switch {
		case err == nil && filepath.IsLocal(rel):
		case fspath.IsUnder(to, l.top):
			rel = "."
		default:
			continue
		}
		p := git.Comparable(rel)
		l.reasons[p] = reason
		for dir := path.Dir(p); dir != "."; dir = path.Dir(dir) {
			l.above[dir] = reason
		}
	}
}
