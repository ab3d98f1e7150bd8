package disk

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"sync"

	"github.com/aptix-dev/aptix/server/internal/fspath"
	"github.com/aptix-dev/aptix/server/internal/git"
	"github.com/aptix-dev/aptix/server/internal/paths"
	"github.com/aptix-dev/aptix/server/internal/protect"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A BarredError means that a transaction was refused before it wrote anything. The transaction would make a change that
// is forbidden even if a person agrees (rules R15 and R16), or change a protected file without a person's agreement
// (R17).
type BarredError struct{ Path, Why string }

func (e *BarredError) Error() string { return e.Path + " " + e.Why }

// Bars returns a [BarredError] if `tx` would change something outside the root, in the state folder, or in a git
// directory (such as .git) that exists before or after `tx`. `tree` has the files before `tx`. If an editor makes a
// part of the change, `tree` must include the editor's open documents. Any other error comes from reading `tree`.
//
// Package apply calls Bars for every change, and [Root.Commit] calls it again under the lock.
func (r *Root) Bars(tree fs.FS, stateDir string, tx Transaction) error {
	g := gate{own: r.PathOf(stateDir), tree: tree, real: map[string]string{}, after: tx.after(),
		links: map[string]bool{}}
	for _, op := range tx.Ops {
		if op.Before != nil && op.Before.isLink() {
			g.links[op.Path] = true
		}
	}
	g.repositories = git.Finder{Tree: tree, Names: r.names(), Base: filepath.ToSlash(r.dir), After: func(dir, name string) (exists, isFile bool) {
		isFile, exists = g.after[path.Join(dir, name)]
		return exists, isFile
	}}
	for _, name := range tx.names() {
		if err := g.check(name); err != nil {
			return err
		}
	}
	return r.barLinks(tree, stateDir, tx)
}

// barLinks returns a [BarredError] if `tx` makes a link that no reply may make. It makes two exceptions:
//
//   - Every link is allowed if nobody else can have written the history. Only a revert can then make a link that no
//     reply may make, and it restores a link that the person had.
//   - The links of a journal are not checked: a journal does not have their targets, because the backups of the links are
//     already in the root.
func (r *Root) barLinks(tree fs.FS, stateDir string, tx Transaction) error {
	foreign := sync.OnceValue(func() bool { return r.MayBring(stateDir) })
	for _, op := range tx.Ops {
		if op.After == nil || !op.After.isLink() || op.After.Data == "" || !foreign() {
			continue
		}
		_, why := paths.LinkTarget(op.Path, op.After.Data, func(at string) (string, error) { return fspath.Canonical(tree, at) })
		if why != nil {
			return &BarredError{op.Path, "must not be made: " + why.Message}
		}
	}
	return nil
}

func (r *Root) barsNow(stateDir string, tx Transaction) error {
	tree, end := r.Tree(nil).Cached()
	defer end()
	return r.Bars(tree, stateDir, tx)
}

func (tx Transaction) names() []string {
	return append(slices.Concat(tx.Make, tx.Remove, tx.Prune), text.Each(tx.Ops, func(op Op) string { return op.Path })...)
}

// after returns the files and folders that exist after `tx` and may mark a git directory, such as HEAD. A key is a path
// whose last element is folded. Its value is true for a file and false for a folder (see [git.Finder]).
func (tx Transaction) after() map[string]bool {
	all := map[string]bool{}
	add := func(name string, isFile bool) {
		for ; name != "."; name, isFile = path.Dir(name), false {
			if folded := fspath.Folded(path.Base(name)); git.IsMark(folded) {
				at := path.Join(path.Dir(name), folded)
				all[at] = all[at] || isFile
			}
		}
	}
	for _, op := range tx.Ops {
		if op.After != nil && validPath(op.Path) {
			add(op.Path, true)
		}
	}
	for _, dir := range tx.Make {
		if validPath(dir) {
			add(dir, false)
		}
	}
	return all
}

type gate struct {
	tree         fs.FS
	own          string            // the path of the state folder: see [Root.PathOf]
	after        map[string]bool   // see [Transaction.after]
	links        map[string]bool   // the links that the transaction removes or replaces
	real         map[string]string // real[dir] is the path of the folder `dir` with links resolved, spelled as on disk
	repositories git.Finder
}

func (g *gate) check(name string) error {
	if !validPath(name) || name == "." {
		return &BarredError{name, "is not a path below the root"}
	}
	if why := g.repositories.Names.Refuses(name); why != "" {
		return &BarredError{name, "is not a possible file name here: " + why}
	}
	names := []string{name}
	if real, err := g.resolve(name); err != nil {
		return &BarredError{name, fmt.Sprintf("is outside of the root: %v", err)}
	} else if real != name {
		names = append(names, real)
	}
	for _, name := range names {
		switch how, err := g.repositories.Holds(name); {
		case err != nil:
			return err
		case fspath.IsGit(name):
			return &BarredError{name, "lies in a repository's .git folder, to which Aptix never writes"}
		case g.own != "" && fspath.IsBelow(g.own, name):
			return &BarredError{name, "lies in the folder of Aptix's own state, to which no change may write"}
		case how != "":
			return &BarredError{name, "lies in " + how + "; Aptix never writes into a git directory, because git runs programs that its configuration names"}
		}
	}
	return nil
}

// resolve returns the path `name` with the links in its folder resolved, and the folder spelled as on disk. It returns
// an error if a link leads out of the root.
func (g *gate) resolve(name string) (string, error) {
	dir := path.Dir(name)
	real, known := g.real[dir]
	if !known {
		var err error
		real, err = fspath.Canonical(g.tree, dir)
		if err != nil && g.replaces(dir) || err != nil && !errors.Is(err, fspath.ErrEscapes) {
			// Before the transaction, `dir` is not a folder and has nothing below it, so its path needs no resolving.
			real, err = dir, nil
		}
		if err != nil {
			return "", err
		}
		g.real[dir] = real
	}
	return path.Join(real, path.Base(name)), nil
}

// replaces reports whether the transaction removes or replaces a link at `dir` or above.
func (g *gate) replaces(dir string) bool {
	return slices.ContainsFunc(append(fspath.Parents(dir), dir), func(dir string) bool { return g.links[dir] })
}

// checkProtected returns a [BarredError] if `tx` changes a protected file without a person's agreement. It checks only
// the table of protected names, because package apply checks the other protected files.
func (r *Root) checkProtected(tx Transaction) error {
	above, _, _ := r.belowTop()
	for _, op := range tx.Ops {
		if reason := protect.Reason(path.Join(above, op.Path), nil); reason != "" && !tx.Agreed[op.Path] {
			return &BarredError{op.Path, "is protected: " + reason}
		}
	}
	return nil
}
