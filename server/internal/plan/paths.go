package plan

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/fspath"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// eachFolder is the cost of looking at a folder on the way to a file, in units.
const eachFolder = 1000

// resolve turns a path as written into the key of a file: relative to the tree's root,
// clean, with symbolic links resolved. If that fails, the diagnostic says why.
func (b *builder) resolve(d *draft, g *group, c intent.Change) (string, *diag.Diagnostic, error) {
	b.Meter.Pay(eachFolder * strings.Count(c.Path, "/"))
	if c.DocPath {
		return b.resolveDocPath(c)
	}
	if c.Kind == intent.MakeDir || c.Kind == intent.DeleteAll || c.Kind == intent.Rename && !c.Raw {
		c.Path = strings.TrimSuffix(c.Path, "/")
	}
	if p := b.lexical(c.Path, c.PathAt, c.Raw); p != nil {
		if p.Severity == diag.Error {
			return "", p, nil
		}
		d.report(at(c, *p))
	}
	if p := b.repeatsRoot(d.set, g.root, c); p != nil {
		return "", p, nil
	}
	written := path.Join(g.root, c.Path)
	if why := b.names.Refuses(written); why != "" {
		return "", pathProblem(diag.PathUnusable, fmt.Sprintf("%s is not a possible file name here: %s; use another name", c.Path, why)), nil
	}
	if c.Raw {
		return b.resolveRaw(g, written, c)
	}
	if link := b.changedLink(written); link != "" {
		return "", pathProblem(diag.PathSymlink, fmt.Sprintf("%s leads through the symbolic link %s, which an earlier block of the reply changes; name the file itself", c.Path, link)), nil
	}
	key, err := fspath.Canonical(b.tree, written)
	if err != nil {
		if p := unresolved(c.Path, err); p != nil {
			return "", p, nil
		}
		return "", nil, fmt.Errorf("%s: %w", c.Path, err)
	}
	if fspath.IsGit(key) {
		return "", gitPath(c.Path), nil
	}
	if (c.Kind == intent.Delete || c.Kind == intent.DeleteAll || c.Kind == intent.Rename) && b.isLink(written) {
		return "", pathProblem(diag.PathSymlink,
			c.Path+" is a symbolic link; only files are deleted or renamed: name the file that it points to"), nil
	}
	return key, nil, nil
}

// resolveDocPath looks up a key (rules R27 and R28). If two files have the key, it refuses,
// because any choice would be a guess.
func (b *builder) resolveDocPath(c intent.Change) (string, *diag.Diagnostic, error) {
	if b.DocPath == nil {
		return "", pathProblem(diag.DocPathUnknown, fmt.Sprintf("the docPath %q has no meaning here, because there is no workspace", c.Path)), nil
	}
	found, err := b.DocPath(b.Meter, c.Path, b.made()...)
	found = slices.DeleteFunc(found, func(key string) bool { return b.files[key] != nil && !b.files[key].now.Exists })
	switch {
	case err != nil:
		return "", nil, fmt.Errorf("docPath %q: %w", c.Path, err)
	case len(found) == 0:
		return "", pathProblem(diag.DocPathUnknown, fmt.Sprintf("no file of this workspace has the docPath %q", c.Path)), nil
	case len(found) > 1:
		return "", pathProblem(diag.DocPathAmbiguous, fmt.Sprintf("the docPath %q belongs to %s; rename one of these files", c.Path, strings.Join(found, " and "))), nil
	}
	if fspath.IsGit(found[0]) {
		return "", gitPath(found[0]), nil
	}
	return found[0], nil, nil
}

// made returns the files that the blocks created so far.
func (b *builder) made() (keys []string) {
	for _, key := range b.order {
		if e := b.files[key]; e.now.Exists && !e.base.Exists && e.now.Mode.IsRegular() {
			keys = append(keys, key)
		}
	}
	return keys
}

// resolveRaw resolves the path without following links, because git does not write beyond a
// link. The last name may be that of a link.
func (b *builder) resolveRaw(g *group, written string, c intent.Change) (string, *diag.Diagnostic, error) {
	for _, dir := range parents(written) {
		if !g.deletes[dir] && b.isLinkNow(dir) {
			return "", pathProblem(diag.PathSymlink, fmt.Sprintf("%s is behind the symbolic link %s; name the file itself", c.Path, dir)), nil
		}
	}
	if b.files[written] != nil || slices.ContainsFunc(parents(written), b.isLink) {
		return written, nil, nil // the tree is out of date: changes so far removed links
	}
	name, links := written, b.isLinkNow(written)
	if links {
		name = path.Dir(written)
	}
	key, err := fspath.Canonical(b.tree, name)
	if links {
		key = path.Join(key, path.Base(written))
	}
	switch {
	case errors.Is(err, fspath.ErrNotDir) || g.vacatesAbove(written):
		return written, nil, nil // either the file in the way is removed, or settle refuses the path
	case err == nil:
		return key, nil, nil
	}
	if p := unresolved(c.Path, err); p != nil {
		return "", p, nil
	}
	return "", nil, fmt.Errorf("%s: %w", c.Path, err)
}

func (g *group) vacatesAbove(key string) bool {
	return slices.ContainsFunc(parents(key), func(dir string) bool { return g.vacates[dir] })
}

// changedLink returns a link on the way to a path, or at its end, that the tree has but that
// the changes so far removed or replaced; it returns "" if there is none.
func (b *builder) changedLink(written string) string {
	for _, at := range append(parents(written), written) {
		if e := b.files[at]; e != nil && e.base.Mode.Type() == fs.ModeSymlink && !e.now.same(e.base) {
			return at
		}
	}
	return ""
}

// isLinkNow reports whether a path is a symbolic link after the changes so far.
func (b *builder) isLinkNow(key string) bool {
	if e, ok := b.files[key]; ok {
		return e.now.Exists && e.now.Mode.Type() == fs.ModeSymlink
	}
	return b.isLink(key)
}

func (b *builder) isLink(name string) bool {
	info, err := fs.Lstat(b.tree, name)
	return err == nil && info.Mode()&fs.ModeSymlink != 0
}

var (
	drive  = lazyregexp.New(`^[A-Za-z]:`)
	scheme = lazyregexp.New(`^[A-Za-z][A-Za-z0-9+.-]+://`)
)

// The limits of a path, in bytes and folders; no path that a person uses reaches them.
// Systems have different limits, and checking a path folder by folder takes time.
const (
	maxPath  = 4096
	maxDepth = 256
)

// lexical checks a path by its characters alone (rules R13 and R14). If it accepts a path
// with a warning, path.Clean does not change the path's meaning. A raw path may hold
// characters that git would quote.
func (b *builder) lexical(p string, at intent.Literal, raw bool) *diag.Diagnostic {
	switch slashed := strings.ReplaceAll(p, `\`, "/"); {
	case strings.TrimSpace(p) == "" && !(raw && p != ""):
		return pathProblem(diag.PathEmpty, "the path is empty; name a file below the root")
	case strings.ContainsFunc(p, func(r rune) bool { return (r < 0x20 || r == 0x7f) && !raw }), strings.ContainsRune(p, 0):
		return pathProblem(diag.PathControl, fmt.Sprintf("the path %q has a control character; perhaps a backslash was read as an escape", p))
	case strings.HasPrefix(slashed, "/"), p == "~", strings.HasPrefix(slashed, "~/"), drive.MatchString(p), scheme.MatchString(p):
		d := pathProblem(diag.PathAbsolute, fmt.Sprintf("%s is not relative; write the path relative to the root", p))
		return withFix(d, at, b.belowBase(slashed))
	case strings.Contains(p, `\`):
		d := pathProblem(diag.PathBackslash, fmt.Sprintf("%s has backslashes; write / between names", p))
		if climbs(slashed) || at.Quoted {
			slashed = ""
		}
		return withFix(d, at, slashed)
	case len(p) > maxPath, strings.Count(p, "/") > maxDepth:
		return pathProblem(diag.PathUnusable, fmt.Sprintf("%s… is a path of %d bytes in %d folders; the limits are %d bytes and %d folders", strings.ToValidUTF8(p[:32], ""), len(p), strings.Count(p, "/"), maxPath, maxDepth))
	case climbs(p):
		d := pathProblem(diag.PathParent, fmt.Sprintf("%s goes up with ..; a path must stay below the root", p))
		return withFix(d, at, cleanInside(p))
	case fspath.IsGit(p):
		return gitPath(p)
	case strings.HasSuffix(p, "/"):
		return pathProblem(diag.PathDirectory, fmt.Sprintf("%s names a folder; name a file", p))
	case path.Clean(p) != p:
		d := pathProblem(diag.PathNotClean, fmt.Sprintf("%s is a roundabout way to write %s", p, path.Clean(p)))
		return withFix(d, at, path.Clean(p))
	case strings.TrimSpace(p) != p && !raw:
		d := pathProblem(diag.PathBlanks, fmt.Sprintf("the path %q begins or ends with a space", p))
		return withFix(d, at, strings.TrimSpace(p))
	}
	return nil
}

func pathProblem(code diag.Code, message string) *diag.Diagnostic {
	return new(diag.New(code, text.Span{}, message))
}

// withFix adds a fix that writes better in place of the path, unless better is "".
func withFix(d *diag.Diagnostic, at intent.Literal, better string) *diag.Diagnostic {
	if better == "" || better == "." || at.Span == (text.Span{}) {
		return d
	}
	d.Fixes = []diag.Fix{{Title: fmt.Sprintf("Write %q", better), Edits: []text.Edit{at.Set(better)}, Preferred: d.Code != diag.PathBlanks}}
	return d
}

// climbs reports whether a path has a name "..".
func climbs(p string) bool {
	for name := range strings.SplitSeq(p, "/") {
		if name == ".." {
			return true
		}
	}
	return false
}

// cleanInside returns p without its "..", or "" if the result leaves the root.
func cleanInside(p string) string {
	clean := path.Clean(p)
	if clean == ".." || strings.HasPrefix(clean, "../") || fspath.IsGit(clean) {
		return ""
	}
	return clean
}

// belowBase returns an absolute path relative to the tree's root, or "" if it lies outside.
func (b *builder) belowBase(p string) string {
	base := strings.TrimSuffix(b.Base, "/") + "/"
	rest, found := strings.CutPrefix(p, base)
	if b.Base == "" || !found || climbs(rest) || fspath.IsGit(rest) {
		return ""
	}
	return path.Clean(rest)
}

// ownState refuses a path in the folder of this program's state, because a file written
// there could make the next start change files elsewhere.
func (b *builder) ownState(key string) *diag.Diagnostic {
	if b.Own == "" || !fspath.IsBelow(b.Own, key) {
		return nil
	}
	return pathProblem(diag.PathOutside, key+" lies in the folder in which Aptix keeps its own state, which no reply may read or change")
}

func gitPath(p string) *diag.Diagnostic {
	return pathProblem(diag.PathGit, p+" lies in a repository's .git folder, which is never written")
}

func pathTwice(p string) diag.Diagnostic {
	return *pathProblem(diag.PathTwice, p+" occurs twice in this block; its entries are applied in order")
}

// isAbsent reports whether err means that no file exists at a path, or that a file is in the
// place of one of its folders.
func isAbsent(err error) bool { return errors.Is(err, fspath.ErrNotDir) || fspath.Missing(err) }

// unresolved describes the problem with a path, or returns nil if the disk failed.
func unresolved(p string, err error) *diag.Diagnostic {
	switch {
	case errors.Is(err, fspath.ErrEscapes):
		return pathProblem(diag.PathOutside, p+" leads out of the root through a symbolic link")
	case errors.Is(err, fspath.ErrNotDir):
		return pathProblem(diag.PathParentFile, p+" leads through a file as if it were a folder")
	case errors.Is(err, fspath.ErrLoop), fspath.Unusable(err), fspath.Missing(err):
		return pathProblem(diag.PathUnusable, fmt.Sprintf("%s cannot be used as a path here: %v", p, err))
	}
	return nil
}
