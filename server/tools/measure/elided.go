package main

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	linediff "znkr.io/diff"
)

// An editedFile is a file that a commit changes. Replies are made from it by leaving out lines.
type editedFile struct {
	name, path    string
	before, after []string // lines without their endings
	hunks         []changedLines
	comment       [2]string // how a comment begins and ends in the file's language
}

// changedLines is a range of changed lines in the old file, and the range of lines that replace
// them in the new file.
type changedLines struct{ from, to, newFrom, newTo int }

// comments maps extensions to the marks around a comment. Files with other extensions are not
// measured.
var comments = map[string][2]string{
	".go": {"// "}, ".js": {"// "}, ".ts": {"// "}, ".tsx": {"// "}, ".java": {"// "}, ".kt": {"// "}, ".swift": {"// "}, ".rs": {"// "}, ".cs": {"// "},
	".c": {"// "}, ".h": {"// "}, ".cc": {"// "}, ".cpp": {"// "}, ".php": {"// "}, ".py": {"# "}, ".rb": {"# "}, ".sh": {"# "}, ".tcl": {"# "}, ".yml": {"# "}, ".toml": {"# "},
	".css": {"/* ", " */"}, ".vue": {"<!-- ", " -->"}, ".html": {"<!-- ", " -->"}, ".md": {"<!-- ", " -->"}, ".hs": {"-- "}, ".lua": {"-- "},
}

// Limits for the measured files: the number of lines in a file, and in how many places a commit
// changes the file.
const (
	fewestLines = 20
	mostLines   = 4000
	mostRuns    = 8
	filesPerOne = 2 // the largest number of files from one commit

	editedPerPeer = 12 // the largest number of files from one repository
)

// editedFiles returns files that commits change in the repositories in a folder. For each
// repository, it returns at most `most` files, evenly spread over the history. Each seed selects
// other commits.
func editedFiles(peers string, most, seed int) ([]editedFile, error) {
	entries, err := os.ReadDir(peers)
	if err != nil {
		return nil, err
	}
	var out []editedFile
	for _, e := range entries {
		repo := repository(filepath.Join(peers, e.Name()))
		log, err := repo.git("log", "--no-merges", "--min-parents=1", "--format=%H")
		if err != nil {
			return nil, err
		}
		commits := strings.Fields(string(log))
		step := max(len(commits)/(2*most), 1)
		n := 0
		for i := seed * step / 2; i < len(commits) && n < most; i += step {
			found, err := repo.editedIn(commits[i], e.Name())
			if err != nil {
				return nil, err
			}
			n += len(found)
			out = append(out, found...)
		}
	}
	return out, nil
}

func (r repository) editedIn(commit, name string) ([]editedFile, error) {
	names, err := r.git("diff", "--no-renames", "--name-only", "--diff-filter=M", "-z", commit+"^", commit)
	if err != nil {
		return nil, err
	}
	var out []editedFile
	for file := range strings.SplitSeq(strings.TrimRight(string(names), "\x00"), "\x00") {
		comment, known := comments[path.Ext(file)]
		if !known || len(out) == filesPerOne {
			continue
		}
		was, is := tree{}, tree{}
		r.add(was, commit+"^", file)
		r.add(is, commit, file)
		if !plainText(was[file]) || !plainText(is[file]) {
			continue
		}
		f := editedFile{name: fmt.Sprintf("%s-%.7s-%d", name, commit, len(out)), path: file, comment: comment,
			before: strings.Split(strings.TrimSuffix(was[file], "\n"), "\n"), after: strings.Split(strings.TrimSuffix(is[file], "\n"), "\n")}
		f.hunks = runsOf(f.before, f.after)
		if len(f.before) >= fewestLines && len(f.before) <= mostLines && len(f.hunks) > 0 && len(f.hunks) <= mostRuns {
			out = append(out, f)
		}
	}
	return out, nil
}

// plainText reports whether a fence can contain a text unchanged.
func plainText(s string) bool {
	return strings.HasSuffix(s, "\n") && !strings.HasSuffix(s, "\n\n") && !strings.HasPrefix(s, "\n") && !strings.ContainsAny(s, "\r\x00\ufeff") && !strings.Contains(s, "```")
}

// onlyGo reports whether lines are removed without a replacement.
func (c changedLines) onlyGo() bool { return c.newFrom == c.newTo }

func runsOf(before, after []string) (out []changedLines) {
	i, j, open := 0, 0, false
	for _, e := range linediff.Edits(before, after) {
		if e.Op == linediff.Match {
			i, j, open = i+1, j+1, false
			continue
		}
		if !open {
			out, open = append(out, changedLines{i, i, j, j}), true
		}
		if e.Op == linediff.Delete {
			i++
		} else {
			j++
		}
		out[len(out)-1].to, out[len(out)-1].newTo = i, j
	}
	return out
}

// A style is a way in which models leave out lines. The function write returns the text for a file.
// If the style does not suit the change, it returns "".
type style struct {
	name  string
	write func(r *rand.Rand, f editedFile) string
}

func elidedSample(f editedFile, s style) (sample, bool) {
	h := fnv.New64a()
	h.Write([]byte(f.name + s.name))
	text := s.write(rand.New(rand.NewPCG(h.Sum64(), 1)), f)
	if text == "" {
		return sample{}, false
	}
	return sample{name: f.name, file: "reply.md", text: "Here is the change:\n\n`" + f.path + "`\n\n```\n" + text + "```\n",
		before: tree{f.path: asText(f.before)}, after: tree{f.path: asText(f.after)}, loose: true}, true
}

func asText(lines []string) string { return strings.Join(lines, "\n") + "\n" }

// elidedName is the beginning of the name of each set with replies that leave out lines.
const elidedName = "left out, "

// elidedSets returns one set for each style. The replies show files of commits and leave out
// lines.
func elidedSets(peers string) ([]set, error) {
	files, err := editedFiles(peers, editedPerPeer, 0)
	if err != nil {
		return nil, err
	}
	var sets []set
	for _, s := range styles {
		one := set{name: elidedName + s.name}
		for _, f := range files {
			if sample, ok := elidedSample(f, s); ok {
				one.samples = append(one.samples, sample)
			}
		}
		sets = append(sets, one)
	}
	return sets, nil
}

// A stretch is a range of lines of the old file. A text shows these lines with the changes of the
// commit.
type stretch struct{ from, to int }

// around returns a stretch for each change, with some lines above and below the change. Stretches
// that touch are joined.
func (f editedFile) around(above, below int) []stretch {
	var out []stretch
	for _, h := range f.hunks {
		out = append(out, stretch{f.step(h.from, -above), f.step(h.to, below)})
	}
	return f.merge(out)
}

// step returns the index of a line that is n nonblank lines below the given line. If n is negative,
// it is above the given line.
func (f editedFile) step(at, n int) int {
	for ; n < 0 && at > 0; at-- {
		if f.before[at-1] != "" {
			n++
		}
	}
	for ; n > 0 && at < len(f.before); at++ {
		if f.before[at] != "" {
			n--
		}
	}
	return at
}

// merge joins stretches if no line between them has enough text.
func (f editedFile) merge(all []stretch) []stretch {
	slices.SortFunc(all, func(a, b stretch) int { return a.from - b.from })
	var out []stretch
	for _, s := range all {
		if n := len(out); n > 0 && (s.from <= out[n-1].to || blank(f.before[out[n-1].to:s.from])) {
			out[n-1].to = max(out[n-1].to, s.to)
			continue
		}
		out = append(out, s)
	}
	if n := len(out); n > 0 {
		if blank(f.before[:out[0].from]) {
			out[0].from = 0
		}
		if blank(f.before[out[n-1].to:]) {
			out[n-1].to = len(f.before)
		}
	}
	return out
}

func blank(lines []string) bool { return strings.TrimSpace(strings.Join(lines, "")) == "" }

// shows returns the lines of the new file that replace a stretch of the old file.
func (f editedFile) shows(s stretch) []string {
	var out []string
	at := s.from
	for _, h := range f.hunks {
		if h.from < s.from || h.to > s.to {
			continue
		}
		out = append(append(out, f.before[at:h.from]...), f.after[h.newFrom:h.newTo]...)
		at = h.to
	}
	return append(out, f.before[at:s.to]...)
}

// text returns the text of stretches. Each part between them is replaced by an elision.
func (f editedFile) text(all []stretch, elision func(i int) string) string {
	if len(all) == 0 || len(all) == 1 && all[0] == (stretch{0, len(f.before)}) {
		return ""
	}
	var out []string
	at := 0
	for i, s := range all {
		if s.from > at {
			out = append(out, elision(i))
		}
		out = append(out, f.shows(s)...)
		at = s.to
	}
	if at < len(f.before) {
		out = append(out, elision(len(all)))
	}
	return asText(out)
}

func (f editedFile) existing(int) string {
	return f.comment[0] + "... existing code ..." + f.comment[1]
}
