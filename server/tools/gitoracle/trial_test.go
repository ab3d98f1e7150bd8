package gitoracle_test

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// A manner is a way to write a difference, together with the options with which git reads it.
type manner struct {
	diff  []string // options of git diff
	apply []string // options of git apply
	mails bool     // one mail or section for each commit
	log   bool     // git log writes them
	joint bool     // git reads the commits as one patch, in which they follow each other
	plain bool     // diff -ruN writes the patch, not git
}

func (m manner) String() string {
	name := "git diff"
	switch {
	case m.log:
		name = "git log -p"
	case m.mails:
		name = "git format-patch"
	case m.plain:
		name = "diff -ruN"
	case m.joint:
		name = "several git diff"
	}
	return name + " " + strings.Join(m.diff, " ") + ", git apply " + strings.Join(m.apply, " ")
}

func (r source) manner() manner {
	var m manner
	switch r.weighted(14, 3, 2, 1, 1) {
	case 1:
		m.mails = true
	case 2:
		m.mails, m.log = true, true
	case 4:
		m.joint = true
	case 3:
		return manner{plain: true, diff: []string{pick(r, []string{"-U3", "-U1"})}}
	}
	if !r.one(6) {
		m.diff = append(m.diff, "--binary")
	}
	n := r.weighted(2, 2, 3, 16, 2, 2)
	switch {
	case n == 0:
		m.diff, m.apply = append(m.diff, "-U0"), append(m.apply, "--unidiff-zero")
	case n != 3:
		m.diff = append(m.diff, fmt.Sprintf("-U%d", n))
	}
	switch r.weighted(12, 2, 1, 1) {
	case 1:
		m.diff, m.apply = append(m.diff, "--no-prefix"), append(m.apply, "-p0")
	case 2:
		m.diff = append(m.diff, "--src-prefix=old/", "--dst-prefix=new/")
	case 3:
		m.diff, m.apply = append(m.diff, "--src-prefix=x/old/", "--dst-prefix=x/new/"), append(m.apply, "-p2")
	}
	for _, option := range []string{"--full-index", "--patience", "--minimal", "--histogram", "-M", "-M20%", "-C", "-C -C", "-B", "--no-renames", "--function-context", "--inter-hunk-context=3"} {
		if r.one(6) && (n > 0 || !strings.Contains(option, "context")) {
			m.diff = append(m.diff, strings.Fields(option)...)
		}
	}
	return m
}

// A trial is a patch, and the tree to which it is applied.
type trial struct {
	round     uint64
	number    int
	manner    manner
	disturbed []string // the ways in which patch and tree were disturbed

	texts  []string // the texts that git applies one after the other
	text   string   // the same texts as one document
	target tree
	truth  tree // the correct result for a patch that git refuses and Aptix applies; nil if it is unknown
}

func (t *trial) name() string { return fmt.Sprintf("%d.%d", t.round, t.number) }

func (t *trial) String() string {
	return fmt.Sprintf("round %s (%v), disturbed: %s", t.name(), t.manner, strings.Join(t.disturbed, ", "))
}

// trials returns trials with the patch, unchanged and disturbed, each on trees that are unchanged
// or disturbed.
func (r source) trials(h commitHistory, m manner, texts []string, text string) []*trial {
	base := trial{round: h.round, manner: m, texts: texts, text: text, target: h.trees[0], truth: h.trees[len(h.trees)-1]}
	out := []*trial{&base}
	for range 3 {
		t := base
		t.number = len(out)
		r.disturb(&t, h)
		out = append(out, &t)
	}
	return out
}

func (r source) disturb(t *trial, h commitHistory) {
	t.target = t.target.clone()
	if r.one(5) { // the tree already has a part of the change, or all of it
		t.note(r.doInPart(t.target, h))
		t.truth = h.finish(t.target, t.manner.mails)
		return
	}
	for range 1 + r.IntN(2) {
		if r.one(3) && !t.manner.mails {
			t.note(r.disturbPatch(t))
		} else {
			t.note(r.disturbTree(t.target, h))
			t.truth = nil
		}
	}
}

// finish returns t with the final contents of all files that the patch names. The mails of a
// history also name files that exist only between its first and its last tree.
func (h commitHistory) finish(t tree, mails bool) tree {
	first, last := h.trees[0], h.trees[len(h.trees)-1]
	if mails {
		return last
	}
	out := t.clone()
	for _, p := range h.everyPath() {
		after, there := last[p]
		switch was, stood := first[p]; {
		case there == stood && was == after:
		case there:
			out[p] = after
		default:
			delete(out, p)
		}
	}
	return out
}

func (r source) doInPart(t tree, h commitHistory) string {
	last := h.trees[len(h.trees)-1]
	if i := 1 + r.IntN(len(h.trees)-1); r.one(2) {
		clear(t)
		maps.Copy(t, h.trees[i])
		return fmt.Sprintf("the tree is that of commit %d", i)
	}
	done := 0
	for _, p := range h.everyPath() {
		after, there := last[p]
		_, stood := t[p]
		switch {
		case !r.one(2):
			continue
		case !there:
			delete(t, p)
		case stood || t.free(p):
			t[p] = after
		}
		done++
	}
	return fmt.Sprintf("%d files as they will be", done)
}

// everyPath returns all paths of the first and the last tree.
func (h commitHistory) everyPath() []string {
	all := h.trees[0].clone()
	maps.Copy(all, h.trees[len(h.trees)-1])
	return all.paths()
}

func (t *trial) note(how string) { t.disturbed = append(t.disturbed, how) }

// disturbTree changes a tree at some place, most often in a file of the patch.
func (r source) disturbTree(t tree, h commitHistory) string {
	last := h.trees[len(h.trees)-1]
	var touched []string
	for _, p := range t.paths() {
		if n, there := last[p]; !there || n != t[p] {
			touched = append(touched, p)
		}
	}
	if len(touched) == 0 {
		return "not at all"
	}
	p := pick(r, touched)
	n := t[p]
	switch r.weighted(8, 4, 6, 5, 1, 2, 1, 1, 2, 1) {
	case 0:
		n.data = strings.Repeat(r.line()+"\n", 1+r.IntN(3)) + n.data
		t[p] = n
		return fmt.Sprintf("lines in front of %q", p)
	case 1:
		lines := strings.SplitAfter(n.data, "\n")
		n.data = strings.Join(lines[min(1+r.IntN(3), len(lines)-1):], "")
		t[p] = n.orText(r)
		return fmt.Sprintf("no first lines in %q", p)
	case 2:
		t[p] = r.edited(n, t).orText(r)
		return fmt.Sprintf("%q edited", p)
	case 3:
		lines := strings.SplitAfter(n.data, "\n")
		from := r.IntN(len(lines))
		chunk := lines[from:min(from+3+r.IntN(12), len(lines))]
		at := r.IntN(len(lines) + 1)
		n.data = strings.Join(slices.Concat(lines[:at], chunk, lines[at:]), "")
		t[p] = n.orText(r)
		return fmt.Sprintf("a chunk of %q doubled", p)
	case 4:
		if _, stays := last[p]; !stays {
			return "not at all" // without this file, its deletion would count as done
		}
		delete(t, p)
		return fmt.Sprintf("%q missing", p)
	case 5: // put something where the patch creates a file
		return r.occupy(t, last)
	case 6:
		t[p] = node{n.data, n.kind.flipped()}
		return fmt.Sprintf("%q with another mode", p)
	case 7:
		delete(t, p)
		t[p+"/x"] = n
		return fmt.Sprintf("%q is a folder", p)
	case 8: // add or remove the newline at the end
		if strings.HasSuffix(n.data, "\n") {
			n.data = strings.TrimSuffix(n.data, "\n")
		} else {
			n.data += "\n"
		}
		t[p] = n.orText(r)
		return fmt.Sprintf("the end of %q", p)
	default:
		t[p] = node{pick(r, []string{"nowhere", "src", "README.md"}), link}
		return fmt.Sprintf("%q is a link", p)
	}
}

// orText returns n. If n is a link to a missing file, it returns a link to an existing file
// instead.
func (n node) orText(r source) node {
	if n.kind == link {
		n.data = strings.TrimRight(n.data, "\n\r\x00")
		if n.data == "" || strings.Contains(n.data, "\x00") || len(n.data) > 200 {
			n.data = "somewhere"
		}
	}
	return n
}

func (r source) occupy(t, last tree) string {
	var created []string
	for _, p := range last.paths() {
		if t.free(p) {
			created = append(created, p)
		}
	}
	if len(created) == 0 {
		return "not at all"
	}
	p := pick(r, created)
	t[p] = node{r.line() + "\n", regular}
	return fmt.Sprintf("%q exists with different content", p)
}

// With -p2, git also removes a folder from the names in `rename from` and `copy from`, which have
// no prefixes. A patch with such lines is therefore given to git with the default prefixes, and
// is otherwise unchanged.
var (
	movesFile   = regexp.MustCompile(`(?m)^(rename|copy) from `)
	longHeaders = regexp.MustCompile(`(?m)^(diff --git |--- |\+\+\+ )"?x/(old|new)/.*`)
	shortNames  = strings.NewReplacer("x/old/", "a/", "x/new/", "b/")
)

func (t *trial) shortened() bool {
	return slices.Contains(t.manner.apply, "-p2") && movesFile.MatchString(t.text)
}

// forGit returns a text of the trial as git gets it.
func (t *trial) forGit(patch string) string {
	if !t.shortened() {
		return patch
	}
	return longHeaders.ReplaceAllStringFunc(patch, shortNames.Replace)
}

// options returns the options of `git apply`. If all names of a patch without prefixes begin
// with `a/` or `b/`, nothing shows that these are not prefixes, so git's default is used.
func (t *trial) options() []string {
	if t.shortened() {
		return without(t.manner.apply, "-p2")
	}
	if !slices.Contains(t.manner.apply, "-p0") || t.bare() {
		return t.manner.apply
	}
	return without(t.manner.apply, "-p0")
}

func without(options []string, one string) []string {
	return slices.DeleteFunc(slices.Clone(options), func(o string) bool { return o == one })
}

// bareName matches a header whose names have no prefixes. bareMove matches the lines of a rename
// or a copy, whose names never have any.
var (
	bareName = regexp.MustCompile(`(?m)^diff --git "?([^ab"]|[ab][^/])`)
	bareMove = regexp.MustCompile(`(?m)^diff --git (.+)\n(?:(?:old|new) mode .*\n)*similarity index .*\n(?:rename|copy) from (.+)\n(?:rename|copy) to (.+)\n`)
)

// bare reports whether the patch shows that its names have no prefixes.
func (t *trial) bare() bool {
	return bareName.MatchString(t.text) || slices.ContainsFunc(bareMove.FindAllStringSubmatch(t.text, -1), func(m []string) bool {
		return m[1] == m[2]+" "+m[3] && !(strings.HasPrefix(m[2], "a/") && strings.HasPrefix(m[3], "b/"))
	})
}
