// Package paths interprets the paths in a reply: which spellings name a file below the root, how a `root` changes a
// path, and which folders no reply may write (docs/formats/README.md, rules R13 to R16, R24 and R25).
//
// It also finds the file of a docPath (rule R27): the name of a workspace folder and the path of a file in this folder,
// in lower case. Lower case is defined by [strings.ToLower]: Unicode, each character by itself, without the rules of a
// language and without normalization. A name that is not UTF-8 has no docPath.
package paths

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

// A Workspace is the folder to which paths refer.
type Workspace struct {
	Tree fs.FS
	Base string // the absolute path of the folder, with slashes; "" if the folder is not on disk
	Own  string // the path of the folder for this program's own state, relative to Base; "" if it is outside
}

var (
	// Drive matches a path that begins with a Windows drive letter.
	Drive  = lazyregexp.New(`^[A-Za-z]:`)
	scheme = lazyregexp.New(`^[A-Za-z][A-Za-z0-9+.-]+://`)
)

// The limits of a path, in bytes and in folders. They are far above what people use. They exist because systems accept
// different paths, and because checking a path folder by folder takes time.
const (
	maxPath  = 4096
	maxDepth = 256
)

// Check checks the characters of a path (rules R13 and R14). It returns nil or a problem. If the problem is only a
// warning, the path is still valid after path.Clean. If `raw` is true, the path may contain characters that git would
// quote.
func (w Workspace) Check(p string, at intent.Literal, raw bool) *diag.Diagnostic {
	switch slashed := Slashed(p); {
	case strings.TrimSpace(p) == "" && !(raw && p != ""):
		return diag.Unplaced(diag.PathEmpty, "the path is empty; name a file below the root")
	case strings.ContainsFunc(p, func(r rune) bool { return (r < 0x20 || r == 0x7f) && !raw }), strings.ContainsRune(p, 0):
		return diag.Unplaced(diag.PathControl, fmt.Sprintf("the path %q has a control character; perhaps a backslash was read as an escape", p))
	case IsAbsolute(slashed), scheme.MatchString(p):
		d := diag.Unplaced(diag.PathAbsolute, fmt.Sprintf("%s is not relative; write the path relative to the root", p))
		return withFix(d, at, w.below(slashed))
	case strings.Contains(p, `\`):
		d := diag.Unplaced(diag.PathBackslash, fmt.Sprintf("%s has backslashes; use / as the separator", p))
		if climbs(slashed) || at.Quoted {
			slashed = ""
		}
		return withFix(d, at, slashed)
	case len(p) > maxPath, strings.Count(p, "/") > maxDepth:
		return diag.Unplaced(diag.PathUnusable, fmt.Sprintf("%s… is a path of %d bytes in %d folders; the limits are %d bytes and %d folders", strings.ToValidUTF8(p[:32], ""), len(p), strings.Count(p, "/"), maxPath, maxDepth))
	case climbs(p):
		d := diag.Unplaced(diag.PathParent, fmt.Sprintf("%s goes up with ..; a path must stay below the root", p))
		return withFix(d, at, cleanInside(p))
	case fspath.IsGit(p):
		return InGit(p)
	case strings.HasSuffix(p, "/"):
		return diag.Unplaced(diag.PathDirectory, fmt.Sprintf("%s names a folder; name a file", p))
	case path.Clean(p) != p:
		d := diag.Unplaced(diag.PathNotClean, fmt.Sprintf("%s is a longer spelling of the path %s; write the shorter one", p, path.Clean(p)))
		return withFix(d, at, path.Clean(p))
	case lineNumbers.MatchString(p) && !raw:
		d := diag.Unplaced(diag.PathUnusable, p+" ends with line numbers; write only the path of the file")
		return withFix(d, at, p[:lineNumbers.FindStringIndex(p)[0]+1])
	case quoted.MatchString(p) && !raw:
		d := diag.Unplaced(diag.PathUnusable, p+" has quotes around it; write only the path of the file")
		return withFix(d, at, quoted.FindStringSubmatch(p)[1])
	case strings.TrimSpace(p) != p && !raw:
		d := diag.Unplaced(diag.PathBlanks, fmt.Sprintf("the path %q begins or ends with a space", p))
		return withFix(d, at, strings.TrimSpace(p))
	}
	return nil
}

// lineNumbers matches line numbers after a path, as in `src/a.py:12-14`.
var lineNumbers = lazyregexp.New(`[\w)\]](?::|#L)\d+(?:[-:]L?\d+)*$`)

// quoted matches a path between quotes.
var quoted = lazyregexp.New("^[\"'`“”„‘’‚«»‹›]([^\"'`“”„‘’‚«»‹›]+)[\"'`“”‘’«»‹›]$")

// withFix adds a fix that replaces the path with `better`, unless `better` is "".
func withFix(d *diag.Diagnostic, at intent.Literal, better string) *diag.Diagnostic {
	if better == "" || better == "." || at.Span == (text.Span{}) {
		return d
	}
	d.Fixes = []diag.Fix{{Title: fmt.Sprintf("Write the path %q", better), Edits: []text.Edit{at.Set(better)}, Preferred: d.Code != diag.PathBlanks && d.Code != diag.PathUnusable}}
	return d
}

func climbs(p string) bool {
	return slices.Contains(strings.Split(p, "/"), "..")
}

// cleanInside returns a path in clean form, or "" if the path leads out of the root or into .git.
func cleanInside(p string) string {
	clean := path.Clean(p)
	if clean == ".." || strings.HasPrefix(clean, "../") || fspath.IsGit(clean) {
		return ""
	}
	return clean
}

// below converts an absolute path to one relative to the workspace root. It returns "" if the path is outside the root.
func (w Workspace) below(p string) string {
	base := strings.TrimSuffix(w.Base, "/") + "/"
	rest, found := strings.CutPrefix(p, base)
	if w.Base == "" || !found || climbs(rest) || fspath.IsGit(rest) {
		return ""
	}
	return path.Clean(rest)
}

// OwnState refuses a path in the folder of this program's state. A file in it could make this program change other
// files at its next start.
func (w Workspace) OwnState(key string) *diag.Diagnostic {
	if w.Own == "" || !fspath.IsBelow(w.Own, key) {
		return nil
	}
	return diag.Unplaced(diag.PathOutside, key+" lies in the folder of Aptix's own state, which no reply may read or change")
}

// InGit refuses a path in the `.git` folder of a repository.
func InGit(p string) *diag.Diagnostic {
	return diag.Unplaced(diag.PathGit, p+" lies in a repository's .git folder, to which Aptix never writes")
}

// IsAbsent reports whether an error means that no file exists at a path, or that the path goes through a file as if it
// were a folder.
func IsAbsent(err error) bool { return errors.Is(err, fspath.ErrNotDir) || fspath.Missing(err) }

// Unresolved describes the problem with the path `p`, for which [fspath.Canonical] returned `err`. It returns nil if
// the error is not about the path, for example if the disk failed.
func Unresolved(p string, err error) *diag.Diagnostic {
	switch {
	case errors.Is(err, fspath.ErrEscapes):
		return diag.Unplaced(diag.PathOutside, p+" leads out of the root through a symbolic link")
	case errors.Is(err, fspath.ErrNotDir):
		return diag.Unplaced(diag.PathParentFile, p+" leads through a file as if it were a folder; correct the path")
	case errors.Is(err, fspath.ErrLoop), fspath.Unusable(err), fspath.Missing(err):
		return diag.Unplaced(diag.PathUnusable, fmt.Sprintf("%s cannot be used as a path here: %v", p, err))
	}
	return nil
}
