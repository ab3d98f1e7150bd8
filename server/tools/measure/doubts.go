package main

import (
	"fmt"
	"iter"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/aptix-dev/aptix/server/internal/diff"
	"github.com/aptix-dev/aptix/server/internal/doubt"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/place"
	prose "github.com/aptix-dev/aptix/server/internal/reply"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// doubtSet is the name of the table of doubts about commits. All of these commits were intended, so each doubt is a
// false alarm.
const doubtSet = "doubts of commits"

// commitsOfPeer is the number of commits of a repository that are examined.
const commitsOfPeer = 150

// filesOfReply is the number of files that a reply hardly ever exceeds.
const filesOfReply = 10

// writings lists the ways in which a reply can write a commit's change to a file.
var writings = []struct {
	name  string
	facts doubt.Facts
}{
	{"whole file", doubt.Facts{Whole: true}},
	{"may be a part", doubt.Facts{Whole: true, MayBePart: true}},
	{"piece", doubt.Facts{}},
	{"diff", doubt.Facts{Marked: true}},
}

// A ledger counts, for each writing, the commits about which a rule asks. Every commit was
// intended, so every doubt is wrong.
type ledger struct {
	commits int
	any     []int
	small   int   // number of commits with at most filesOfReply files
	asked   []int // the number of these commits about which the rule asks
	rules   map[string][]int
	shown   []string
}

// doubtsOf runs all rules on commits of the repositories in a folder.
func doubtsOf(peers string) (ledger, error) {
	l := ledger{rules: map[string][]int{}, any: make([]int, len(writings)), asked: make([]int, len(writings))}
	entries, err := os.ReadDir(peers)
	if err != nil {
		return l, err
	}
	for _, e := range entries {
		repo := library{repository(filepath.Join(peers, e.Name())), map[string]string{}}
		out, err := repo.git("log", "--no-merges", "--min-parents=1", "--format=%H")
		if err != nil {
			return l, err
		}
		commits := strings.Fields(string(out))
		step := max(len(commits)/commitsOfPeer, 1)
		for i := 0; i < len(commits); i += step {
			before, after, err := repo.changed(commits[i]+"^", commits[i])
			if err != nil {
				return l, err
			}
			files, err := repo.files(commits[i]+"^", mostSibling)
			if err != nil {
				return l, err
			}
			message, err := repo.git("log", "-1", "--format=%B", commits[i])
			if err != nil {
				return l, err
			}
			l.add(fmt.Sprintf("%s %.7s", e.Name(), commits[i]), claimsOf(string(message)), before, after, func(wanted func(string) bool) iter.Seq2[string, string] {
				return repo.read(files, wanted)
			})
		}
	}
	return l, nil
}

// mostSibling is the size of the largest file that a rule reads in addition to a changed file.
const mostSibling = 64 << 10

// add counts the doubts about a commit. `said` has the statements of its message, and `rest` yields the paths and texts
// of the wanted files in the tree before the commit.
func (l *ledger) add(commit string, said intent.Claims, before, after tree, rest func(wanted func(name string) bool) iter.Seq2[string, string]) {
	l.commits++
	small := len(after) <= filesOfReply
	if small {
		l.small++
	}
	for i, w := range writings {
		fired := map[string]bool{}
		for name, now := range after {
			was, now := strings.TrimPrefix(before[name], "\ufeff"), strings.TrimPrefix(now, "\ufeff")
			if was == now || len(now)+len(was) > 1<<20 || !utf8.ValidString(was+now) || strings.Contains(was+now, "\x00") {
				continue
			}
			others := func() []string { return linesElsewhere(name, before, after) }
			facts := w.facts
			facts.Claims = said
			c := changeOf(name, was, now, facts)
			c.Users = rest(func(other string) bool {
				return before[other] == after[other] && path.Ext(other) == path.Ext(name) && (was != "" || path.Dir(other) == path.Dir(name))
			})
			if c.Others = others; w.facts.Whole {
				c.Siblings = rest(func(other string) bool {
					return before[other] == after[other] && (path.Dir(other) == path.Dir(name) || was == "" && path.Ext(other) == path.Ext(name))
				})
			}
			for _, d := range doubt.Of(c) {
				fired[d.Rule] = true
				l.shown = append(l.shown, fmt.Sprintf("%s: %s %s %s: %s", w.name, d.Rule, commit, name, d.Message))
			}
		}
		for rule := range fired {
			if l.rules[rule] == nil {
				l.rules[rule] = make([]int, len(writings))
			}
			l.rules[rule][i]++
		}
		if len(fired) > 0 {
			l.any[i]++
			if small {
				l.asked[i]++
			}
		}
	}
}

// claimsOf reads the message of a commit like the prose of a reply.
func claimsOf(message string) intent.Claims {
	c := intent.Claims{Words: prose.Words(message, nil), Numbers: prose.Numbers(message, nil), Kept: prose.Kept(message, nil), RestStays: !prose.Says(message, nil, prose.RestStays).Empty()}
	c.Named, c.Everywhere = prose.Places(message, text.Span{End: len(message)})
	return c
}

// linesElsewhere returns the trimmed lines, after a commit, of all changed files except one.
func linesElsewhere(but string, before, after tree) (lines []string) {
	for _, path := range slices.Sorted(maps.Keys(after)) {
		if path == but || before[path] == after[path] {
			continue
		}
		for line := range strings.Lines(after[path]) {
			if line = strings.TrimSpace(line); line != "" {
				lines = append(lines, line)
			}
		}
	}
	return lines
}

func changeOf(path, before, after string, facts doubt.Facts) *doubt.Change {
	facts.New = before == ""
	if facts.New || facts.Whole {
		return doubt.Whole(path, before, after, facts)
	}
	t := place.NewText(before)
	return &doubt.Change{Path: path, Facts: facts, Before: func() string { return before }, Runs: doubt.Runs(t, diff.Edits(before, after), text.Span{}, intent.Written{})}
}

// render returns the table. Its numbers are percentages of the commits.
func (l ledger) render() string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n| Rule, of %d commits that were meant |", l.commits)
	for _, w := range writings {
		fmt.Fprintf(&b, " %s |", w.name)
	}
	b.WriteString("\n| --- |" + strings.Repeat(" ---: |", len(writings)) + "\n")
	rules := slices.Sorted(func(yield func(string) bool) {
		for rule := range l.rules {
			if !yield(rule) {
				return
			}
		}
	})
	line := func(name string, counts []int, total int) {
		fmt.Fprintf(&b, "| %s |", name)
		for _, n := range counts {
			fmt.Fprintf(&b, " %.2f %% |", 100*float64(n)/float64(max(total, 1)))
		}
		b.WriteString("\n")
	}
	for _, rule := range rules {
		line("`"+rule+"`", l.rules[rule], l.commits)
	}
	line("any", l.any, l.commits)
	line(fmt.Sprintf("any, of the %d commits with at most %d files", l.small, filesOfReply), l.asked, l.small)
	return b.String()
}
