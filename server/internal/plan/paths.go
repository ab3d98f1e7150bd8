package plan

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/change"
	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/fspath"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// resolve turns a path as written into the key of a file: relative to the tree's
// root, clean, with symbolic links resolved. The diagnostic says why it cannot.
func (b *builder) resolve(d *draft, root string, c change.Change) (string, *diag.Diagnostic, error) {
	if p := b.lexical(c.Path, c.PathAt); p != nil {
		if p.Severity == diag.Error {
			return "", p, nil
		}
		d.report(at(c, *p))
	}
	if p := b.repeatsRoot(d.set, root, c); p != nil {
		return "", p, nil
	}
	written := path.Join(root, c.Path)
	key, err := fspath.Canonical(b.tree, written)
	if err != nil {
		if p := unresolved(c.Path, err); p != nil {
			return "", p, nil
		}
		return "", nil, fmt.Errorf("%s: %w", c.Path, err)
	}
	if isGit(key) {
		return "", gitPath(c.Path), nil
	}
	if c.Kind == change.Delete && b.isLink(written) {
		return "", pathError(diag.PathSymlink,
			c.Path+" is a symbolic link; only files are deleted: name the file that it points to"), nil
	}
	return key, nil, nil
}

func (b *builder) isLink(name string) bool {
	info, err := fs.Lstat(b.tree, name)
	return err == nil && info.Mode()&fs.ModeSymlink != 0
}

var (
	drive  = regexp.MustCompile(`^[A-Za-z]:`)
	scheme = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9+.-]+://`)
)

// lexical checks a path by its letters alone (SYS-004 §5.2). What it lets pass
// with a warning means the same as path.Clean of it.
func (b *builder) lexical(p string, at change.Literal) *diag.Diagnostic {
	switch slashed := strings.ReplaceAll(p, `\`, "/"); {
	case strings.TrimSpace(p) == "":
		return pathError(diag.PathEmpty, "the path is empty; name a file below the root")
	case strings.ContainsFunc(p, func(r rune) bool { return r < 0x20 || r == 0x7f }):
		return pathError(diag.PathControl, fmt.Sprintf("the path %q holds a control character; a backslash may have been read as an escape", p))
	case strings.HasPrefix(slashed, "/"), p == "~", strings.HasPrefix(slashed, "~/"), drive.MatchString(p), scheme.MatchString(p):
		d := pathError(diag.PathAbsolute, fmt.Sprintf("%s is not relative; write it as seen from the root", p))
		return withFix(d, at, b.belowBase(slashed))
	case strings.Contains(p, `\`):
		d := pathError(diag.PathBackslash, fmt.Sprintf("%s has backslashes; write / between names", p))
		if climbs(slashed) {
			slashed = ""
		}
		return withFix(d, at, slashed)
	case climbs(p):
		d := pathError(diag.PathParent, fmt.Sprintf("%s goes up with ..; a path must stay below the root", p))
		return withFix(d, at, cleanInside(p))
	case isGit(p):
		return gitPath(p)
	case strings.HasSuffix(p, "/"):
		return pathError(diag.PathDirectory, fmt.Sprintf("%s names a folder; name a file", p))
	case path.Clean(p) != p:
		d := pathWarning(diag.PathNotClean, fmt.Sprintf("%s is a roundabout way to write %s", p, path.Clean(p)))
		return withFix(d, at, path.Clean(p))
	case strings.TrimSpace(p) != p:
		d := pathWarning(diag.PathBlanks, fmt.Sprintf("the path %q begins or ends with a blank", p))
		return withFix(d, at, strings.TrimSpace(p))
	}
	return nil
}

func pathError(code diag.Code, message string) *diag.Diagnostic {
	return &diag.Diagnostic{Severity: diag.Error, Code: code, Message: message}
}

func pathWarning(code diag.Code, message string) *diag.Diagnostic {
	return &diag.Diagnostic{Severity: diag.Warning, Code: code, Message: message}
}

// withFix offers to write better in the path's place; "" is no offer.
func withFix(d *diag.Diagnostic, at change.Literal, better string) *diag.Diagnostic {
	if better == "" || better == "." || at.Span == (text.Span{}) {
		return d
	}
	d.Fixes = []diag.Fix{{Title: fmt.Sprintf("Write %q", better), Edits: []text.Edit{at.Set(better)}, Preferred: d.Code != diag.PathBlanks}}
	return d
}

// climbs reports whether a path has .. between its slashes.
func climbs(p string) bool {
	for name := range strings.SplitSeq(p, "/") {
		if name == ".." {
			return true
		}
	}
	return false
}

// cleanInside is p without its .. where that is still below the root.
func cleanInside(p string) string {
	clean := path.Clean(p)
	if clean == ".." || strings.HasPrefix(clean, "../") || isGit(clean) {
		return ""
	}
	return clean
}

// belowBase is an absolute path as seen from the tree's root; "" where it lies
// elsewhere.
func (b *builder) belowBase(p string) string {
	base := strings.TrimSuffix(b.base, "/") + "/"
	rest, found := strings.CutPrefix(p, base)
	if b.base == "" || !found || climbs(rest) || isGit(rest) {
		return ""
	}
	return path.Clean(rest)
}

// isGit reports whether a path leads into a repository's own folder, in any
// spelling that some file system takes for `.git`: git itself refuses these.
func isGit(p string) bool {
	for name := range strings.SplitSeq(p, "/") {
		name, _, _ = strings.Cut(name, ":") // an NTFS stream of the folder
		name = strings.ToLower(strings.TrimRight(strings.Map(visible, name), " ."))
		if name == ".git" || name == "git~1" {
			return true
		}
	}
	return false
}

// visible drops the characters that HFS+ ignores in names.
func visible(r rune) rune {
	if (r >= 0x200c && r <= 0x200f) || (r >= 0x202a && r <= 0x202e) || (r >= 0x206a && r <= 0x206f) || r == 0xfeff {
		return -1
	}
	return r
}

func gitPath(p string) *diag.Diagnostic {
	return pathError(diag.PathGit, p+" lies in a repository's .git folder, which is never written")
}

func pathTwice(p string) diag.Diagnostic {
	return *pathWarning(diag.PathTwice, p+" comes twice in this block; its entries apply in order")
}

// unresolved says what is wrong with a path; nil where it is the disk that failed.
func unresolved(p string, err error) *diag.Diagnostic {
	switch {
	case errors.Is(err, fspath.ErrEscapes):
		return pathError(diag.PathOutside, p+" leads out of the root through a symbolic link")
	case errors.Is(err, fspath.ErrNotDir):
		return pathError(diag.PathParentFile, p+" has a file where a folder would have to be")
	case errors.Is(err, fspath.ErrLoop), fspath.Unusable(err), fspath.Missing(err):
		return pathError(diag.PathUnusable, fmt.Sprintf("%s cannot be used as a path here: %v", p, err))
	}
	return nil
}
