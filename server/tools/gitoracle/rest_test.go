package gitoracle_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/plan"
)

var mailStart = regexp.MustCompile(`(?m)^(From|commit) [0-9a-f]{40}\b`)

// mails splits a document into the parts that git applies one by one.
func (t *trial) mails() []string {
	if !t.manner.mails {
		return []string{t.text}
	}
	var out []string
	starts := mailStart.FindAllStringIndex(t.text, -1)
	for i, at := range starts {
		end := len(t.text)
		if i+1 < len(starts) {
			end = starts[i+1][0]
		}
		out = append(out, t.text[at[0]:end])
	}
	return out
}

// restAgrees reports whether git makes the engine's tree if it gets only the parts of the patch
// that the engine does not count as done.
func (s *script) restAgrees(t *trial, ours outcome) bool {
	return s.restAgreesWith(t, ours, "") || contextFree(t.text) && !t.zero() && s.restAgreesWith(t, ours, "--unidiff-zero")
}

func (s *script) restAgreesWith(t *trial, ours outcome, option string) bool {
	dir := filepath.Join(s.dir, "rest", t.name()+option)
	if err := t.target.write(dir); err != nil {
		return false
	}
	script, at := "cd "+dir+"\n", 0
	for i, mail := range t.mails() {
		rest := t.forGit(join(ours.undone(sections(mail), at)))
		at += len(mail)
		if err := os.WriteFile(fmt.Sprintf("%s.%d", dir, i), []byte(rest), 0o644); err != nil {
			return false
		}
		script += fmt.Sprintf("git apply --allow-empty %s %s %s.%d\n", strings.Join(t.options(), " "), option, dir, i)
	}
	if err := shell(s.dir, script, nil); err != nil {
		return false
	}
	tree, err := readTree(dir)
	return err == nil && differ("git", tree, "here", ours.tree) == ""
}

// undone returns the sections of a mail that are not done. The mail begins at an offset of the
// document.
func (o outcome) undone(all []section, at int) []section {
	var rest []section
	for i, s := range all {
		end := 1 << 30
		if i+1 < len(all) {
			end = all[i+1].at
		}
		had := len(s.hunks)
		s.hunks = slices.DeleteFunc(slices.Clone(s.hunks), func(h hunk) bool { return o.hunkDone(at + h.at) })
		if had > len(s.hunks) && len(s.hunks) == 0 || o.fileDone(at+s.at, at+end) {
			continue
		}
		rest = append(rest, s)
	}
	return rest
}

func (o outcome) hunkDone(at int) bool {
	for _, b := range o.result.Blocks {
		for _, p := range b.Places {
			if p.Done && p.At.Start == at {
				return true
			}
		}
	}
	return false
}

// fileDone reports whether a file counts as done. It is the file that the document names first
// between two offsets.
func (o outcome) fileDone(from, to int) bool {
	for _, b := range o.result.Blocks {
		for _, f := range b.Files {
			if f.State == plan.Done && from <= f.At.Start && f.At.Start < to {
				return true
			}
		}
	}
	return false
}

// takesBack reports whether git can revert the whole patch. If it can, the tree already has all
// of the change.
func (s *script) takesBack(t *trial) bool {
	for _, option := range []string{"", "--unidiff-zero"} {
		dir := filepath.Join(s.dir, "back", t.name()+option)
		if err := t.target.write(dir); err != nil {
			return false
		}
		script := "cd " + dir + "\n"
		mails := t.mails()
		for i, mail := range slices.Backward(mails) {
			if err := os.WriteFile(fmt.Sprintf("%s.%d", dir, i), []byte(t.forGit(mail)), 0o644); err != nil {
				return false
			}
			script += fmt.Sprintf("git apply -R %s %s %s.%d\n", strings.Join(t.options(), " "), option, dir, i)
		}
		if shell(s.dir, script, nil) == nil {
			return true
		}
	}
	return false
}
