package gitoracle_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
)

// A source generates everything for a round. It starts from the number of the round.
type source struct{ *rand.Rand }

func newSource(round, stream uint64) source {
	return source{rand.New(rand.NewPCG(round, stream))}
}

// one returns true in one of n cases.
func (r source) one(n int) bool { return r.IntN(n) == 0 }

func pick[T any](r source, from []T) T { return from[r.IntN(len(from))] }

// weighted draws an index with the given weights.
func (r source) weighted(weights ...int) int {
	total := 0
	for _, w := range weights {
		total += w
	}
	n := r.IntN(total)
	for i, w := range weights {
		if n -= w; n < 0 {
			return i
		}
	}
	panic("unreachable")
}

var (
	usualNames = []string{"a", "b", "main.go", "util.c", "README.md", "x.txt", "y.txt", "test", "lib.rs", "new", "old"}
	// Names that headers must quote, that could be misread in a header, or that look as if they had
	// a prefix.
	oddNames = []string{"two words", "a b/", "ü.txt", "日本語", "-dash", "--- a", "b.txt b", "dev", "null", "{x => y}", "it's", "#1", "a;b", "$HOME", "*",
		"a.orig", "%20", "a,b", "@@ -1 +1 @@", "with\u00a0nbsp", "😀", "c'", " x", "y ", "rename from x"}
	// Characters that our rules do not allow in a path, although git does.
	refusedNames = []string{"tab\there", "quo\"te", "new\nline", "back\\slash", "c:x", "\x01", "\xff\xfe.bin", "~"}
	usualDirs    = []string{"src", "a", "b", "doc", "src/deep/er"}
)

func (r source) name() string {
	var name string
	switch r.weighted(40, 12, 1) {
	case 0:
		name = pick(r, usualNames)
		if r.one(2) {
			name = fmt.Sprintf("f%d%s", r.IntN(30), pick(r, []string{".txt", ".go", ""}))
		}
	case 1:
		name = strings.TrimSuffix(pick(r, oddNames), "/")
	case 2:
		name = pick(r, refusedNames)
	}
	for r.one(2) {
		dir := pick(r, usualDirs)
		if r.one(12) {
			dir = pick(r, []string{"two words", "ü", "b ", "a b"})
		}
		name = dir + "/" + name
	}
	return name
}

// place returns a path at which t has nothing.
func (r source) place(t tree) string {
	for i := 0; ; i++ {
		name := r.name()
		if i > 20 {
			name = fmt.Sprintf("%s%d", name, i)
		}
		if t.free(name) {
			return name
		}
	}
}

// repository returns the first tree of a repository.
func (r source) repository() tree {
	t := tree{}
	for range 1 + r.IntN(9) {
		t[r.place(t)] = r.node(t)
	}
	return t
}

func (r source) node(t tree) node {
	n := node{kind: regular}
	switch r.weighted(30, 4, 2, 2) {
	case 0:
		n.data = r.text()
	case 1:
		n.data = r.binary()
	case 2:
		return node{r.target(t), link}
	case 3:
	}
	if r.one(8) {
		n.kind = executable
	}
	return n
}

// target returns the target of a link, which is usually an existing file.
func (r source) target(t tree) string {
	if len(t) > 0 && !r.one(4) {
		return pick(r, t.paths())
	}
	return pick(r, []string{"nowhere", "src", "../outside", "/etc/hostname", "a/../b", "two words", "link\nwith newline"})
}

func (r source) binary() string {
	b := make([]byte, pick(r, []int{1, 20, 300, 3000}))
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	b[r.IntN(len(b))] = 0
	return string(b)
}

var (
	words = strings.Fields("the file value of return if err nil func apply count line index match tree patch name path call open close read write test case for range len string int byte true false")
	// A few different lines, so that a hunk matches at many places.
	dull = [][]string{{"}", "", "\treturn nil", "\t}"}, {"a", "b"}, {"x"}, {"", "  end", "end"}}
	// Lines that look like lines of a patch.
	treacherous = []string{"-- a/x", "++ b/x", "@@ -1 +1 @@", "diff --git a/x b/x", "\\ No newline at end of file", "--- a/x", "+++ b/x", "-- ", "- ", "+", "-",
		" ", "\t", "index 123..456", "GIT binary patch", "From 0123456789012345678901234567890123456789 Mon Sep 17 00:00:00 2001", "trailing  ", "```", "~~~", "*** End Patch", "\x0c", "\u2028", "\ufeffx", "\xff\xfe", "new file mode 100644"}
)

// line returns one line without its ending.
func (r source) line() string {
	if r.one(14) {
		return pick(r, treacherous)
	}
	var b strings.Builder
	b.WriteString(strings.Repeat(pick(r, []string{"\t", "  "}), r.IntN(3)))
	for i := range 1 + r.IntN(6) {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(pick(r, words))
	}
	return b.String()
}

// text returns the text of a file. Most texts have different lines; some are long and repeat a
// few lines.
func (r source) text() string {
	n := []int{r.IntN(4), 3 + r.IntN(15), 20 + r.IntN(60), 200 + r.IntN(600)}[r.weighted(4, 10, 10, 2)]
	var few []string
	if r.one(4) {
		few = pick(r, dull)
	}
	lines := make([]string, n)
	for i := range lines {
		if few != nil && !r.one(30) {
			lines[i] = pick(r, few)
		} else {
			lines[i] = r.line()
		}
	}
	return r.endings(lines)
}

// endings joins lines with line endings, as one of several kinds of files has them.
func (r source) endings(lines []string) string {
	way := r.weighted(14, 4, 2, 1, 1)
	var b strings.Builder
	if r.one(25) {
		b.WriteString("\ufeff")
	}
	for i, line := range lines {
		b.WriteString(line)
		if i == len(lines)-1 && r.one(4) {
			break
		}
		b.WriteString(r.ending(way))
	}
	return b.String()
}

func (r source) ending(way int) string {
	switch way {
	case 1:
		return "\r\n"
	case 2:
		return pick(r, []string{"\n", "\r\n"})
	case 3:
		return pick(r, []string{"\n", "\r", "\r\n"})
	case 4:
		return "\r"
	}
	return "\n"
}

// edit changes some lines of a text, or some bytes of other content.
func (r source) edit(s string) string {
	if strings.Contains(s, "\x00") {
		return r.editBytes(s)
	}
	lines := strings.SplitAfter(s, "\n")
	eol := "\n"
	if strings.HasSuffix(lines[0], "\r\n") {
		eol = "\r\n"
	}
	for range 1 + r.IntN(4) {
		lines = r.editLines(lines, eol)
	}
	return strings.Join(lines, "")
}

func (r source) editLines(lines []string, eol string) []string {
	at := r.IntN(len(lines) + 1)
	end := min(at+1+r.IntN(3), len(lines))
	some := func() (out []string) {
		for range 1 + r.IntN(3) {
			out = append(out, r.line()+eol)
		}
		return out
	}
	switch r.weighted(6, 5, 4, 2, 1, 1, 1) {
	case 0: // replace lines
		return slices.Concat(lines[:at], some(), lines[end:])
	case 1: // insert lines
		return slices.Concat(lines[:at], some(), lines[at:])
	case 2: // delete lines
		return slices.Concat(lines[:at], lines[end:])
	case 3: // repeat lines
		return slices.Concat(lines[:end], lines[at:end], lines[end:])
	case 4: // move lines
		rest := slices.Concat(lines[:at], lines[end:])
		to := r.IntN(len(rest) + 1)
		return slices.Concat(rest[:to], lines[at:end], rest[to:])
	case 5: // add or remove the final newline
		all := strings.Join(lines, "")
		if strings.HasSuffix(all, "\n") {
			return []string{strings.TrimSuffix(all, "\n")}
		}
		return strings.SplitAfter(all+"\n", "\n")
	case 6: // change a line ending
		if len(lines) == 0 {
			return some()
		}
		out := slices.Clone(lines)
		if i := r.IntN(len(out)); strings.HasSuffix(out[i], "\r\n") {
			out[i] = strings.TrimSuffix(out[i], "\r\n") + "\n"
		} else if strings.HasSuffix(out[i], "\n") {
			out[i] = strings.TrimSuffix(out[i], "\n") + "\r\n"
		}
		return out
	}
	panic("unreachable")
}

func (r source) editBytes(s string) string {
	at := r.IntN(len(s) + 1)
	end := min(at+r.IntN(10), len(s))
	return s[:at] + r.binary() + s[end:]
}

// commit returns a tree with the changes of a commit.
func (r source) commit(t tree) tree {
	out := t.clone()
	for i := 0; i < 1+r.IntN(5) || same(t, out); i++ {
		r.change(out)
	}
	return out
}

func same(a, b tree) bool { return differ("", a, "", b) == "" }

func (r source) change(t tree) {
	if len(t) == 0 {
		t[r.place(t)] = r.node(t)
		return
	}
	p := pick(r, t.paths())
	n := t[p]
	switch r.weighted(30, 5, 5, 5, 4, 4, 3, 3, 2, 2, 2) {
	case 0:
		t[p] = r.edited(n, t)
	case 1:
		t[r.place(t)] = r.node(t)
	case 2:
		delete(t, p)
	case 3: // rename a file
		delete(t, p)
		t[r.place(t)] = n
	case 4: // rename and edit a file
		delete(t, p)
		t[r.place(t)] = r.edited(n, t)
	case 5: // copy a file, and perhaps edit one of the two
		t[r.place(t)] = n
		if r.one(2) {
			t[p] = r.edited(n, t)
		}
	case 6: // swap two names
		q := pick(r, t.paths())
		t[p], t[q] = t[q], n
	case 7:
		t[p] = node{n.data, n.kind.flipped()}
	case 8: // change the type of a file
		if n.kind == link {
			t[p] = node{r.text(), regular}
		} else {
			t[p] = node{r.target(t), link}
		}
	case 9: // replace a file with a folder, or a folder with a file
		r.swapFolder(t, p)
	case 10:
		t[r.place(t)] = node{"", regular}
	}
}

// flipped exchanges executable and regular. A link has no permissions.
func (k kind) flipped() kind {
	switch k {
	case regular:
		return executable
	case executable:
		return regular
	}
	return k
}

func (r source) edited(n node, t tree) node {
	if n.kind == link {
		return node{r.target(t), link}
	}
	return node{r.edit(n.data), n.kind}
}

func (r source) swapFolder(t tree, p string) {
	n := t[p]
	dir, _, below := strings.Cut(p, "/")
	if !below {
		delete(t, p)
		t[p+"/"+pick(r, usualNames)] = n
		return
	}
	for _, other := range t.paths() {
		if strings.HasPrefix(other, dir+"/") {
			delete(t, other)
		}
	}
	t[dir] = n
}
