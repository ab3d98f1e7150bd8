package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// A repository is the path of a clone, with or without a work tree.
type repository string

func (r repository) git(args ...string) ([]byte, error) {
	dir := string(r)
	if info, err := os.Stat(filepath.Join(dir, ".git")); err == nil && info.IsDir() {
		dir = filepath.Join(dir, ".git")
	}
	cmd := exec.Command("git", append([]string{"--git-dir=" + dir}, args...)...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("git %s: %w: %s", strings.Join(args, " "), err, stderr.String())
	}
	return out, nil
}

// A tree maps the paths of files to their contents.
type tree map[string]string

// changed returns the files that differ between two commits. The tree was has their contents in the
// first commit, and the tree is has those in the second.
func (r repository) changed(before, after string) (was, is tree, err error) {
	names, err := r.git("diff", "--no-renames", "--name-only", "-z", before, after)
	if err != nil {
		return nil, nil, err
	}
	was, is = tree{}, tree{}
	for name := range strings.SplitSeq(strings.TrimRight(string(names), "\x00"), "\x00") {
		r.add(was, before, name)
		r.add(is, after, name)
	}
	return was, is, nil
}

// add adds a file of a commit to a tree. It adds nothing if the commit does not have the file.
func (r repository) add(t tree, commit, name string) {
	if data, err := r.git("cat-file", "blob", commit+":"+name); err == nil {
		t[name] = string(data)
	}
}
