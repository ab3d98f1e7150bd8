package git

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/fspath"
)

// A reply could change ignore rules so that files are no longer ignored, and a later reply could then change these
// files without a question. To prevent this, the rules of the last commit are applied, too.

const maxRules = 1 << 20

// ignoreRules has the .gitignore files of some folders of the working tree. The keys of the maps are folders.
type ignoreRules struct {
	head   map[string]string
	differ bool // whether the files on disk differ from the files in HEAD
	// onDiskOnly lists the folders whose rules on disk differ from their rules in HEAD. If a reply changes these rules,
	// the old rules are lost.
	onDiskOnly map[string]bool
}

// headRules reads the .gitignore files that HEAD has in `folders`, and compares them with the files on disk.
func headRules(ctx context.Context, r Repository, folders []string) (ignoreRules, error) {
	rules := ignoreRules{head: map[string]string{}, onDiskOnly: map[string]bool{}}
	var ask strings.Builder
	var asked []string
	for _, folder := range folders {
		if name := path.Join(folder, ".gitignore"); !strings.Contains(name, "\n") {
			fmt.Fprintf(&ask, "HEAD:%s\n", name)
			asked = append(asked, folder)
		}
	}
	out, err := run(ctx, r.Top, ask.String(), "cat-file", "--batch")
	if err != nil {
		return rules, err
	}
	for _, folder := range asked {
		kind, content, rest, ok := nextObject(out)
		if !ok {
			return rules, io.ErrUnexpectedEOF
		}
		out = rest
		has := kind == "blob"
		if has {
			rules.head[folder] = content
		}
		now, err := readFile(filepath.Join(r.Top, filepath.FromSlash(folder), ".gitignore"), maxRules)
		if (err == nil) != has || now != content {
			rules.differ = true
			rules.onDiskOnly[folder] = now != ""
		}
	}
	return rules, nil
}

// nextObject reads the output of `git cat-file --batch` for one object. `kind` is "" if git does not have the object.
// ok is false if the output is cut off.
func nextObject(out string) (kind, content, rest string, ok bool) {
	header, rest, ok := strings.Cut(out, "\n")
	var id string
	var size int
	if _, err := fmt.Sscanf(header, "%s %s %d", &id, &kind, &size); err != nil || strings.HasSuffix(header, " missing") {
		// git repeats the requested name, which may contain blanks and numbers.
		return "", "", rest, ok
	}
	if size < 0 || len(rest) <= size {
		return "", "", "", false
	}
	return kind, rest[:size], rest[size+1:], true
}

// decide reports whether a change to the file `name` could remove ignore rules that exist only on disk, so that a later
// reply could bypass them. Only a .gitignore file in the folder of these rules, or below, can do this. `name` is
// relative to the top.
func (r ignoreRules) decide(name string) bool {
	if fspath.Folded(path.Base(name)) != ".gitignore" {
		return false
	}
	return slices.ContainsFunc(foldersAbove([]string{name}), func(folder string) bool { return r.onDiskOnly[folder] })
}

// ignoredBy returns the names that git would ignore with other .gitignore files. `rules` has the content of these
// files, by folder. All names are relative to the top.
func ignoredBy(ctx context.Context, r Repository, settings []string, rules map[string]string, names []string) (map[string]bool, error) {
	tree, err := os.MkdirTemp("", "aptix-rules-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(tree)
	for folder, content := range rules {
		dir := filepath.Join(tree, filepath.FromSlash(folder))
		if err := errors.Join(os.MkdirAll(dir, 0o700), os.WriteFile(filepath.Join(dir, ".gitignore"), []byte(content), 0o600)); err != nil {
			return nil, err
		}
	}
	return checkIgnore(ctx, tree, append(settings, "--git-dir="+r.Dir, "--work-tree="+tree), names)
}
