package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// A past explains why the text in a tree is not the text for which a reply was made.
type past struct {
	kind string // one of the strings in the list pasts; "" if the tree has no past
	was  tree   // the files as they were when the reply was made
}

// pasts lists where the text for which a reply was made can be found.
var pasts = []string{"HEAD", "index", "commit", "folder", "history", "edited"}

// subfolder is the path of the tree's folder in its repository.
const subfolder = "packages/one"

// age writes a tree together with its past, and returns the root of the tree.
func (b *bench) age(dir string, s sample) (root string, err error) {
	root = dir
	if s.past.kind == "folder" {
		root = filepath.Join(dir, subfolder)
	}
	git := func(args ...string) error {
		cmd := exec.Command("git", append([]string{"-c", "user.name=a", "-c", "user.email=a@example.com", "-c", "core.autocrlf=false", "-c", "gc.auto=0"}, args...)...)
		cmd.Dir = dir
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("git %v: %w: %s", args, err, out)
		}
		return nil
	}
	write := func(t tree) func() error { return func() error { return t.write(root) } }
	run := func(args ...string) func() error { return func() error { return git(args...) } }
	begin, add, commit := run("init", "-q"), run("add", "-A", "-f"), run("commit", "-q", "--allow-empty", "-m", "a commit")
	become := func(t tree) func() error { return func() error { return b.applyWhole(root, t) } }
	was, now := write(s.past.was), write(s.before)
	steps := map[string][]func() error{
		"HEAD":    {was, begin, add, commit, now},
		"index":   {now, begin, add, commit, was, add, now},
		"commit":  {was, begin, add, commit, now, add, commit},
		"folder":  {was, begin, add, commit, now, add, commit},
		"history": {was, become(s.before)},
		"edited":  {write(marked(s.past.was)), become(s.past.was), now},
	}[s.past.kind]
	for _, step := range steps {
		if err := step(); err != nil {
			return "", err
		}
	}
	return root, nil
}

// marked returns the tree t with a different first line in each file.
func marked(t tree) tree {
	other := make(tree, len(t))
	for path, data := range t {
		other[path] = "a line\n" + data
	}
	return other
}

// applyWhole gives the files of a tree the contents in t, by an apply of whole files.
func (b *bench) applyWhole(root string, t tree) error {
	type file struct {
		Path      string `json:"path"`
		Operation string `json:"operation"`
		Content   string `json:"content"`
	}
	var files []file
	for _, path := range t.paths() {
		files = append(files, file{path, "replace", t[path]})
	}
	whole := filepath.Join(b.work, "whole.aptix.json")
	if err := os.WriteFile(whole, []byte(object("files", files)), 0o600); err != nil {
		return err
	}
	if !b.run(root, []string{b.aptix, "apply", "--yes", "--allow-protected", "--root", root, whole}) {
		return errors.New("a bundle of whole files was not applied")
	}
	return nil
}

func (t tree) paths() []string {
	var paths []string
	for path := range t {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	return paths
}

// distances is the number of commits before the commit of a reply, and of commits after it, in
// which another text of the reply's files is looked for.
const distances = 40

var indexLine = regexp.MustCompile(`(?m)^index .*\n`)

const olderName = "older text"

// olderSets returns replies and diffs for an older text of their files. If git can merge the change
// with the difference between this text and the current one, the result of the merge is right.
// Otherwise only a refusal is right.
func olderSets(peers string, replies []reply, diffs []sample) []set {
	aider := repository(filepath.Join(peers, "aider"))
	var sets []set
	for _, kind := range []string{"structured", "ap 3.2", "git", "real diffs", "conflicts"} {
		sets = append(sets, set{name: olderName + ", " + kind})
	}
	add := func(i int, s sample) {
		if s.refuse {
			i = len(sets) - 1
		}
		s.past.kind = pasts[len(sets[i].samples)%len(pasts)]
		s.name = fmt.Sprintf("%s-%s", s.name, s.past.kind)
		sets[i].samples = append(sets[i].samples, s)
	}
	for _, r := range replies {
		after := toTheLetter(r.before, r.blocks)
		if after == nil || !r.known || after.equal(r.before) {
			continue
		}
		for _, one := range aged(aider, r.commit, sample{name: r.commit, file: "reply.md", before: r.before, after: after}, r.blocks) {
			for i, write := range []func([]block) string{asStructured, asAP, asGit} {
				one := one.withText(write(r.blocks))
				one.loose = i == 1
				add(i, one)
			}
		}
	}
	for _, d := range diffs {
		name, commit := d.name[:len(d.name)-8], d.name[len(d.name)-7:]
		d.text = indexLine.ReplaceAllString(d.text, "") // a model does not know the ids on this line
		for _, one := range aged(repository(filepath.Join(peers, name)), commit, d, hunksOf(d.text)) {
			add(3, one)
		}
	}
	return sets
}

// hunksOf returns the hunks of a diff as blocks. It leaves out a hunk at the end of a file
// without a final newline.
func hunksOf(diff string) []block {
	var all []block
	for _, section := range splitBefore(diff, "diff --git ") {
		path := ""
		for _, hunk := range splitBefore(section, "@@ ") {
			head, body, _ := strings.Cut(hunk, "\n")
			if !strings.HasPrefix(head, "@@ ") {
				_, path, _ = strings.Cut(hunk, "\n--- a/")
				path, _, _ = strings.Cut(path, "\n")
			} else if path != "" && !strings.Contains(body, "\n\\ ") {
				all = append(all, sides(path, body))
			}
		}
	}
	return all
}

// sides returns the old and the new lines of a hunk.
func sides(path, hunk string) block {
	b := block{path: path}
	for _, line := range lines(hunk) {
		if line[0] != '+' {
			b.search += line[1:]
		}
		if line[0] != '-' {
			b.replace += line[1:]
		}
	}
	return b
}

// lacks returns the files of a tree that contain neither the old text of one of the blocks nor
// its new text. White space does not count.
func (t tree) lacks(blocks []block) []string {
	var paths []string
	for _, b := range blocks {
		s := squeezed(t[b.path])
		if b.search != "" && !strings.Contains(s, squeezed(b.search)) && !strings.Contains(s, squeezed(b.replace)) {
			paths = append(paths, b.path)
		}
	}
	return paths
}

// squeezed returns s without white space.
func squeezed(s string) string { return strings.Join(strings.Fields(s), "") }

// aged returns a sample with each of two other trees. One is from before the commit of the sample.
// The other is from after the commit, without the change of the sample. In both trees, the old text
// of one of the blocks is missing.
func aged(repo repository, commit string, s sample, blocks []block) []sample {
	var samples []sample
	for _, way := range []func(int) tree{
		func(i int) tree { return repo.files(fmt.Sprintf("%s~%d", commit, i+2), s.before.paths()) },
		laterBy(repo, commit, s),
	} {
		for i := range distances {
			now := way(i)
			if now == nil {
				break
			}
			lacking := now.lacks(blocks)
			if now.equal(s.before) || len(lacking) == 0 {
				continue
			}
			one := s
			one.before, one.letter, one.past.was = now, nil, s.before
			one.after = mergeTrees(now, s.before, s.after)
			one.refuse = one.after == nil
			if one.refuse && !slices.ContainsFunc(lacking, func(path string) bool { return conflicts(path, now, s.before, s.after) }) {
				// The files with conflicts contain the text that the reply looks for, but at
				// another place.
				continue
			}
			one.name = fmt.Sprintf("%s-%d", s.name, len(samples)+1)
			samples = append(samples, one)
			break
		}
	}
	return samples
}

// laterBy returns a function for the trees of the commits after a commit, without the change of a
// sample. The parameter of the function is the number of commits in between.
func laterBy(repo repository, commit string, s sample) func(int) tree {
	out, err := repo.git("rev-list", "--first-parent", "--reverse", commit+"..HEAD")
	later := strings.Fields(string(out))
	return func(i int) tree {
		if err != nil || i >= len(later) {
			return nil
		}
		now := repo.files(later[i], s.after.paths())
		if now == nil {
			return nil
		}
		if without := mergeTrees(now, s.after, s.before); without != nil {
			return without
		}
		// git cannot remove the sample's change from this commit.
		return s.before
	}
}

// files returns files of a commit. It returns nil if the commit lacks one of the files, or if no
// path is given.
func (r repository) files(commit string, paths []string) tree {
	t := tree{}
	for _, path := range paths {
		r.add(t, commit, path)
	}
	if len(t) == 0 || len(t) != len(paths) {
		return nil
	}
	return t
}

// mergeTrees merges the files of three trees, as git does. It returns nil if there is a conflict,
// or if a tree lacks a file that differs between the other trees.
func mergeTrees(ours, base, theirs tree) tree {
	merged := tree{}
	all := append(append(ours.paths(), base.paths()...), theirs.paths()...)
	slices.Sort(all)
	for _, path := range slices.Compact(all) {
		a, inOurs := ours[path]
		o, inBase := base[path]
		b, inTheirs := theirs[path]
		switch {
		case inOurs == inBase && a == o && inTheirs:
			merged[path] = b
		case inOurs == inBase && a == o: // one side deleted the file
		case inTheirs == inBase && b == o && inOurs:
			merged[path] = a
		case inTheirs == inBase && b == o:
		case inOurs && inBase && inTheirs:
			data, clean := mergeFile(a, o, b)
			if !clean {
				return nil
			}
			merged[path] = data
		default:
			return nil
		}
	}
	return merged
}

// conflicts reports whether git cannot merge a file that all three trees contain.
func conflicts(path string, ours, base, theirs tree) bool {
	_, clean := mergeFile(ours[path], base[path], theirs[path])
	return !clean
}

func mergeFile(ours, base, theirs string) (merged string, clean bool) {
	dir, err := os.MkdirTemp(memory(), "aptix-merge-")
	if err != nil {
		panic(err) // the temporary folder could not be made
	}
	defer os.RemoveAll(dir)
	args := []string{"merge-file", "-p", "-q"}
	for i, data := range []string{ours, base, theirs} {
		name := filepath.Join(dir, fmt.Sprint(i))
		if err := os.WriteFile(name, []byte(data), 0o600); err != nil {
			panic(err)
		}
		args = append(args, name)
	}
	out, err := exec.Command("git", args...).Output()
	return string(out), err == nil
}
