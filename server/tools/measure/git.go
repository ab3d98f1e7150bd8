package main

import (
	"bytes"
	"fmt"
	"iter"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// A repository is the path of a clone, with or without a work tree.
type repository string

func (r repository) git(args ...string) ([]byte, error) { return r.gitReading("", args...) }

// gitReading runs git with an input.
func (r repository) gitReading(input string, args ...string) ([]byte, error) {
	dir := string(r)
	if info, err := os.Stat(filepath.Join(dir, ".git")); err == nil && info.IsDir() {
		dir = filepath.Join(dir, ".git")
	}
	cmd := exec.Command("git", append([]string{"--git-dir=" + dir}, args...)...)
	cmd.Stdin = strings.NewReader(input)
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

// changed returns the files that differ between two commits. The tree `was` has their contents in the first commit, and
// the tree `is` has those in the second.
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

// A library reads the files of many commits of a repository. It keeps their contents, because commits have most of them
// in common.
type library struct {
	repository
	texts map[string]string // the contents by the name of the object
}

// An entry is a file of a commit.
type entry struct{ name, object string }

// files returns the files of a commit of at most `most` bytes.
func (l library) files(commit string, most int) ([]entry, error) {
	list, err := l.git("ls-tree", "-r", "-l", "-z", commit)
	if err != nil {
		return nil, err
	}
	var files []entry
	for line := range strings.SplitSeq(strings.TrimRight(string(list), "\x00"), "\x00") {
		about, name, _ := strings.Cut(line, "\t")
		fields := strings.Fields(about) // the mode, the type, the object and the size
		if len(fields) < 4 {
			continue
		}
		if size, err := strconv.Atoi(fields[3]); err == nil && size <= most {
			files = append(files, entry{name, fields[2]})
		}
	}
	return files, nil
}

// read yields the names and contents of the wanted files.
func (l library) read(files []entry, wanted func(name string) bool) iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		files := slices.DeleteFunc(slices.Clone(files), func(e entry) bool { return !wanted(e.name) })
		if l.load(files) != nil {
			return
		}
		for _, e := range files {
			if !yield(e.name, l.texts[e.object]) {
				return
			}
		}
	}
}

// load reads the contents of files that are not known yet.
func (l library) load(files []entry) error {
	var objects []string
	for _, e := range files {
		if _, known := l.texts[e.object]; !known {
			objects = append(objects, e.object)
		}
	}
	if len(objects) == 0 {
		return nil
	}
	out, err := l.gitReading(strings.Join(objects, "\n"), "cat-file", "--batch")
	if err != nil {
		return err
	}
	for _, object := range objects {
		head, rest, _ := bytes.Cut(out, []byte("\n"))
		size, err := strconv.Atoi(string(head[bytes.LastIndexByte(head, ' ')+1:]))
		if err != nil || size >= len(rest) {
			return fmt.Errorf("git cat-file: unexpected answer %q", head)
		}
		l.texts[object], out = string(rest[:size]), rest[size+1:]
	}
	return nil
}
