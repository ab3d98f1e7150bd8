package check_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"pgregory.net/rapid"

	"github.com/aptix-dev/aptix/server/internal/check"
)

// A draft is an edit as its author means it. Its lines are lines of the file after the edits above, with context.
type draft struct {
	at, removed  int
	added        []string
	above, below int
	before       []string
	origin       []int // for each line of before, its number in the file before the reply, from 1; 0 for a line of an earlier edit
}

// isApart reports whether each edit is apart from the lines that earlier edits wrote, and from the lines around those
// that they removed.
func isApart(ds []draft) bool {
	for _, d := range ds {
		last := 0
		for _, line := range d.origin[d.at-d.above : d.at+d.removed+d.below] {
			if line == 0 || last > 0 && line != last+1 {
				return false
			}
			last = line
		}
	}
	return true
}

// inOrder reports whether edits go from the top of the file to its bottom, and do not overlap.
func inOrder(ds []draft) bool {
	end := 0
	for _, d := range ds {
		if d.at-d.above < end {
			return false
		}
		end = d.at + len(d.added) + d.below
	}
	return isApart(ds)
}

func (d draft) context() (old, new []string) {
	above, below := d.before[d.at-d.above:d.at], d.before[d.at+d.removed:d.at+d.removed+d.below]
	return d.before[d.at-d.above : d.at+d.removed+d.below], slices.Concat(above, d.added, below)
}

// literal returns the texts of an edit without a final newline, unless nothing is left.
func (d draft) literal() (find, replace string) {
	old, new := d.context()
	if find = strings.Join(old, "\n"); len(new) == 0 {
		find += "\n"
	}
	return find, strings.Join(new, "\n")
}

// stands reports whether the edit can still be made in a text: the text has its old lines. Old lines inside the edit's
// result do not count, except for git, which then makes the edit again.
func (d draft) stands(s string, notation string) bool {
	old, new := d.context()
	if notation != "git" && strings.Contains(joinLines(new), joinLines(old)) {
		s = strings.ReplaceAll(s, joinLines(new), "|\n")
	}
	return strings.Contains("\n"+s, "\n"+joinLines(old))
}

// isThere reports whether the file has the result of an edit before the edit is made, or before all edits are made. The
// reply may then have been applied before.
func (d draft) isThere(file []string) bool {
	_, new := d.context()
	has := func(lines []string) bool { return strings.Contains("\n"+joinLines(lines), "\n"+joinLines(new)) }
	return len(new) > 0 && (has(d.before) || has(file))
}

// same reports whether two edits have the same texts. Nobody sends an edit twice on purpose.
func (d draft) same(o draft) bool {
	old, new := d.context()
	otherOld, otherNew := o.context()
	return slices.Equal(old, otherOld) && slices.Equal(new, otherNew)
}

func (d draft) after() []string {
	return slices.Concat(d.before[:d.at], d.added, d.before[d.at+d.removed:])
}

func (d draft) hunk(header string) string {
	lines := []string{header}
	sign := func(sign string, of []string) {
		for _, l := range of {
			lines = append(lines, sign+l)
		}
	}
	sign(" ", d.before[d.at-d.above:d.at])
	sign("-", d.before[d.at:d.at+d.removed])
	sign("+", d.added)
	sign(" ", d.before[d.at+d.removed:d.at+d.removed+d.below])
	return strings.Join(lines, "\n") + "\n"
}

func inJSON(v any) string {
	s, _ := json.MarshalIndent(v, "", "  ")
	return "```json\n" + string(s) + "\n```\n"
}

// notationsOfDrafts writes drafts as a reply. It returns "" if the notation cannot say them.
var notationsOfDrafts = map[string]func([]draft) string{
	"search-replace": func(ds []draft) string {
		s := "a.txt\n```\n"
		for _, d := range ds {
			old, new := d.context()
			s += "<<<<<<< SEARCH\n" + strings.Join(append(old[:len(old):len(old)], "======="), "\n") + "\n" + strings.Join(append(new, ">>>>>>> REPLACE"), "\n") + "\n"
		}
		return s + "```\n"
	},
	"structured": func(ds []draft) string {
		var all []map[string]string
		for _, d := range ds {
			old, new := d.literal()
			all = append(all, map[string]string{"path": "a.txt", "find": old, "replace": new, "limit": "once"})
		}
		return inJSON(map[string]any{"root": ".", "patches": all})
	},
	"str_replace": func(ds []draft) string {
		s := ""
		for _, d := range ds {
			old, new := d.literal()
			s += inJSON(map[string]string{"command": "str_replace", "path": "a.txt", "old_str": old, "new_str": new})
		}
		return s
	},
	"apply-patch": func(ds []draft) string {
		if !inOrder(ds) {
			return ""
		}
		s := "*** Begin Patch\n*** Update File: a.txt\n"
		for _, d := range ds {
			s += d.hunk("@@")
		}
		return s + "*** End Patch\n"
	},
	"bare": func(ds []draft) string {
		if !inOrder(ds) {
			return ""
		}
		s := "```diff\n--- a/a.txt\n+++ b/a.txt\n"
		for _, d := range ds {
			s += d.hunk("@@ @@")
		}
		return s + "```\n"
	},
	"git": func(ds []draft) string {
		if !inOrder(ds) {
			return ""
		}
		s := "```diff\n--- a/a.txt\n+++ b/a.txt\n"
		for _, d := range ds {
			first := d.at - d.above
			old, new := d.context()
			s += d.hunk(fmt.Sprintf("@@ -%d,%d +%d,%d @@", d.origin[first], len(old), first+1, len(new)))
		}
		return s + "```\n"
	},
	"ap": func(ds []draft) string {
		finds := map[string]bool{}
		for _, d := range ds {
			old, _ := d.context()
			finds[joinLines(old)] = true
		}
		if !inOrder(ds) || len(finds) < len(ds) {
			// Modifications go from top to bottom, and equal snippets take one place each.
			return ""
		}
		s := "```ap\na1b2c3d4 AP 3.2\n"
		for _, d := range ds {
			old, new := d.context()
			action := "REPLACE"
			if len(new) == 0 {
				action = "DELETE"
			}
			s += "a1b2c3d4 FILE\na.txt\na1b2c3d4 " + action + "\na1b2c3d4 snippet\n" + strings.Join(old, "\n") + "\n"
			if len(new) > 0 {
				s += "a1b2c3d4 content\n" + strings.Join(new, "\n") + "\n"
			}
		}
		return s + "a1b2c3d4 END\n```\n"
	},
}

// drafts returns a file, and edits of it.
func drafts(t *rapid.T) (file []string, ds []draft) {
	words := []string{"open the file", "close(file)", "x = 1", "x = 2", "}", "read(file, all)", "return value", "log(value, file)", "stop"}
	line := rapid.SampledFrom(words[:rapid.IntRange(3, len(words)).Draw(t, "words")])
	file = rapid.SliceOfN(line, 2, 9).Draw(t, "file")
	now := file
	origin := make([]int, len(file)) // the line of the file, from 1; 0 for a new line
	for i := range origin {
		origin[i] = i + 1
	}
	for range rapid.IntRange(1, 3).Draw(t, "steps") {
		if len(now) == 0 {
			break
		}
		d := draft{before: now, origin: origin}
		d.at = rapid.IntRange(0, len(now)-1).Draw(t, "at")
		d.removed = rapid.IntRange(0, min(2, len(now)-d.at)).Draw(t, "removed")
		d.added = rapid.SliceOfN(line, 0, 2).Draw(t, "added")
		d.above = rapid.IntRange(0, min(2, d.at)).Draw(t, "above")
		d.below = rapid.IntRange(0, min(2, len(now)-d.at-d.removed)).Draw(t, "below")
		if d.above+d.removed+d.below == 0 || d.removed+len(d.added) == 0 || slices.Equal(d.after(), now) || slices.ContainsFunc(ds, d.same) {
			continue
		}
		now = d.after()
		origin = slices.Concat(origin[:d.at], make([]int, len(d.added)), origin[d.at+d.removed:])
		ds = append(ds, d)
	}
	return file, ds
}

func joinLines(lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	return strings.Join(lines, "\n") + "\n"
}

// applied returns the file after a reply, and whether the reply applies without a question.
func applied(t *rapid.T, file, reply string) (after string, silent bool) {
	where := check.Where{Tree: fstest.MapFS{"a.txt": {Data: []byte(file), Mode: 0o644}}}
	r, err := check.Repair(t.Context(), []check.Document{{Name: "reply.md", Text: reply}}, where)
	if err != nil {
		t.Fatal(err)
	}
	after = file
	for _, f := range r.Plan.Files {
		after = f.After.Data
	}
	return after, len(r.Blocks) > 0 && r.Applicable() && len(r.Doubts()) == 0
}

// A reply either gives the file that its author means, or asks, or is refused. If it is applied again without a
// history, it changes nothing, or asks, or is refused.
func TestAppliedTwice(t *testing.T) {
	for name, write := range notationsOfDrafts {
		t.Run(name, func(t *testing.T) {
			applies, all := 0, 0
			rapid.Check(t, func(t *rapid.T) {
				file, ds := drafts(t)
				if len(ds) == 0 {
					return
				}
				reply := write(ds)
				if reply == "" {
					return
				}
				all++
				before, want := joinLines(file), joinLines(ds[len(ds)-1].after())
				got, silent := applied(t, before, reply)
				if !silent {
					return
				}
				applies++
				if slices.ContainsFunc(ds, func(d draft) bool { return d.isThere(file) }) {
					return // an edit looks as if it had been made
				}
				if got != want {
					t.Fatalf("got\n%swant\n%sbefore\n%sreply\n%s", got, want, before, reply)
				}
				if again, silent := applied(t, got, reply); silent && again != got && isApart(ds) && !slices.ContainsFunc(ds, func(d draft) bool { return d.stands(got, name) }) {
					t.Fatalf("again\n%sonce\n%sbefore\n%sreply\n%s", again, got, before, reply)
				}
			})
			if t.Logf("%d of %d apply", applies, all); applies < all/2 {
				t.Error("too few replies apply")
			}
		})
	}
}
