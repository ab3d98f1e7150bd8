package disk

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// A reply that changes ignore rules must not unprotect what a later one writes: so the
// rules of the last commit count as well.

// maxRules is how many bytes of a .gitignore are read.
const maxRules = 1 << 20

// headRules are the .gitignore files that HEAD has in some folders of the working tree,
// by folder; nil where all of them are as on disk.
func headRules(ctx context.Context, r repository, folders []string) (map[string]string, error) {
	var ask strings.Builder
	var asked []string
	for _, folder := range folders {
		if name := path.Join(folder, ".gitignore"); !strings.Contains(name, "\n") {
			fmt.Fprintf(&ask, "HEAD:%s\n", name)
			asked = append(asked, folder)
		}
	}
	out, err := runGit(ctx, r.top, ask.String(), "cat-file", "--batch")
	if err != nil {
		return nil, err
	}
	rules, differ := map[string]string{}, false
	contents := bufio.NewReader(strings.NewReader(out))
	for _, folder := range asked {
		content, has, err := nextBlob(contents)
		if err != nil {
			return nil, err
		}
		if has {
			rules[folder] = content
		}
		now, err := readGitFile(filepath.Join(r.top, filepath.FromSlash(folder), ".gitignore"), maxRules)
		differ = differ || (err == nil) != has || now != content
	}
	if !differ {
		return nil, nil
	}
	return rules, nil
}

// nextBlob reads what `git cat-file --batch` prints for one object.
func nextBlob(r *bufio.Reader) (content string, has bool, err error) {
	header, err := r.ReadString('\n')
	if err != nil {
		return "", false, err
	}
	var id, kind string
	var size int64
	if _, err := fmt.Sscanf(header, "%s %s %d", &id, &kind, &size); err != nil {
		return "", false, nil // missing
	}
	var b strings.Builder
	if _, err := io.CopyN(&b, r, size); err != nil {
		return "", false, err
	}
	_, err = r.Discard(1)
	return b.String(), kind == "blob", err
}

// ignoredBy asks git again, with other .gitignore files: names are from the top.
func ignoredBy(ctx context.Context, r repository, settings []string, rules map[string]string, names []string) (map[string]bool, error) {
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
	return checkIgnore(ctx, tree, append(settings, "--git-dir="+r.dir, "--work-tree="+tree), names)
}
