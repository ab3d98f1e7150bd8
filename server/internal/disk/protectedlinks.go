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

// mostListed limits how many files the search for links lists, in the tree and in the folders of its repositories
// together.
const mostListed = 300_000

const tooManyFiles = "there are too many files to check which links with protected names point to it"

// These are ends of a message that begins with "LINK leads to it". They say why the target of the link is sensitive.
const (
	isProtected = ", and is protected"
	gitObeys    = ", and git runs or reads that file"
)

// The type linked finds the targets of all links with protected names. For example, the link `.vscode -> cfg`
// makes cfg as sensitive as .vscode. The link may be anywhere, and nothing at its target shows that it exists.
// Therefore the whole tree is listed: the git working tree, or the root if there is none.
//
// Links in git's folders, wherever these are, count as well. For example, people share hooks with a link
// .git/hooks/pre-commit -> ../../scripts/pre-commit. Because of that link, git runs scripts/pre-commit.
type linked struct {
	top  string   // the absolute path of the tree, with links resolved
	more []string // the protected names that are not in the table
	left int      // how many files may still be listed; negative if there were too many
	// reasons maps the targets of links, and links on the way to these targets, to the reason why they are sensitive.
	// The keys are paths from `top`.
	reasons map[string]string
	above   map[string]string // like `reasons`, for the folders above the paths in `reasons`
	// repositories has the repositories in the tree, by the top folder of their working trees. It includes working
	// trees elsewhere.
	repositories map[string]git.Repository
	searched     map[string]bool // the git directories that were already searched
	// twins maps sensitive files that have several names (hard links) to the reason why they are sensitive. It is
	// filled only if wantTwins is true.
	twins     map[fs.FileInfo]string
	wantTwins bool
}

// newLinked searches the tree below `top`, and the folders of the repositories `around`, for links with protected
// names. It lists at most `most` files.
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

// reason names the link that makes the path `p` (relative to `top`) sensitive, or returns "". If a link leads to
// something below `p`, then `p` is sensitive, too, because `p` may be a link on the way to it.
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

func (l *linked) twin(file fs.FileInfo) string {
	for twin, reason := range l.twins {
		if os.SameFile(twin, file) {
			return reason
		}
	}
	return ""
}

func (l *linked) enter(ctx context.Context, r git.Repository) error {
	if !git.IsRepository(r.Dir) {
		return nil
	}
	l.repositories[r.Top] = r
	if main := filepath.Dir(r.Common); filepath.Base(r.Common) == ".git" && main != r.Top {
		// r.Top is an additional working tree of the repository; `main` is the main working tree.
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

// contents lists folders that git makes in a git directory. They may be large, but are not searched, because git runs
// nothing and reads no configuration in them.
var contents = map[string]bool{"objects": true, "refs": true, "logs": true, "lfs": true, "annex": true, "rr-cache": true}

// look searches the folder `dir` and everything below. If `why` is not "", the folder is protected or belongs to git,
// and every link in it makes its target sensitive.
func (l *linked) look(ctx context.Context, dir, why string) error {
	f, err := os.OpenFile(dir, os.O_RDONLY|syscall.O_NONBLOCK, 0) // does not block if `dir` has become a FIFO
	if err != nil {
		// Skip a folder that cannot be listed: other programs of this user cannot list it either.
		return nil
	}
	entries, _ := f.ReadDir(max(l.left, 0) + 1)
	_ = f.Close()
	l.left -= len(entries)
	isRepository := slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return strings.EqualFold(e.Name(), "HEAD") }) && git.IsRepository(dir)
	if isRepository {
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

// mayBeGit is a quick test: if it returns false, [fspath.IsGit] returns false, too.
func mayBeGit(name string) bool { return name[0] == '.' || name[0] >= utf8.RuneSelf }

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
	// The file gitdir names the folder of another working tree.
	case inRepository && e.Name() == "gitdir":
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

// shown returns a path relative to `top`, or an absolute path for a file that is not below `top`.
func (l *linked) shown(name string) string {
	if fspath.IsUnder(l.top, name) {
		name = strings.TrimPrefix(name[len(l.top):], string(filepath.Separator))
	}
	return filepath.ToSlash(name)
}

// follow records each path to which `link` leads, and each link on the way.
func (l *linked) follow(link, why string) {
	reason := l.shown(link) + " leads to it" + why
	at := link
	l.lead(fspath.Real(at), reason)
	for range 40 { // the system also follows at most 40 links
		target, err := os.Readlink(at)
		if err != nil {
			return
		}
		at = git.LeadsTo(fspath.Real(filepath.Dir(at)), target)
		l.lead(at, reason)
	}
}

// lead records the target `to` of a link if it is in the tree or contains the tree. It records both the path in the
// link and the path with links resolved.
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
