package doubt

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
)

// A notation of changes is recognized by a line that occurs nowhere else.
type notation struct {
	name string
	mark *lazyregexp.Regexp
}

var notations = []notation{
	{"a conflict or of SEARCH/REPLACE", lazyregexp.New(`^\s*(?:<{5,9} ?(?:HEAD|[A-Z]{3,}|[\w./-]*)|>{5,9} ?[\w./-]+|\|{7} [\w./-]+)\s*$`)},
	{"a diff", lazyregexp.New(`^\s*(?:diff --git a/.* b/.*|@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@.*|index [0-9a-f]{7,40}\.\.[0-9a-f]{7,40}.*)$`)},
	{"a diff", lazyregexp.New(`^(?:--- a/\S.*|\+\+\+ b/\S.*|@@ \.\.\. @@)$`)},
	{"a patch", lazyregexp.New(`^\s*\*\*\* (?:Begin Patch|End Patch|(?:Update|Add|Delete) File: .*|End of File|Move to: .*)\s*$`)},
	{"SEARCH/REPLACE", lazyregexp.New(`^\s*(?:[-+]{3,9} (?:SEARCH|REPLACE)|\[?/?(?:SEARCH|REPLACE)\]?:?)\s*$`)},
}

// aboutChanges lists the extensions of files that are changes, or that show changes to
// people.
var aboutChanges = []string{".diff", ".patch", ".rej", ".orig", ".md", ".mdx", ".markdown", ".rst", ".adoc", ".txt"}

// foreignMarks finds marks of a notation of changes in the new lines. It ignores a file
// that has such a mark already, and documents, because they may be about changes.
var foreignMarks = Rule{
	ID: "foreign-marks",
	Doubts: func(c *Change) *Doubt {
		about := slices.Contains(aboutChanges, strings.ToLower(path.Ext(c.Path)))
		for _, r := range c.Runs {
			for i, line := range r.New {
				n := notationOf(line)
				if n < 0 || about || c.hasMark(notations[n]) {
					continue
				}
				return &Doubt{At: c.at(r), Verdict: diag.Warning, Code: diag.ForeignMarks,
					Message: fmt.Sprintf("%s, %q, is a mark of %s, and %s has no such line; write only the lines of the file", c.lineOf(r, i), strings.TrimSpace(line), notations[n].name, c.Path)}
			}
		}
		return nil
	},
	Examples: []Example{
		{Name: "conflict", Before: "a\nport = 80\nz\n", After: "a\n<<<<<<< HEAD\nport = 80\n=======\nport = 81\n>>>>>>> main\nz\n", Want: diag.Warning, Code: diag.ForeignMarks},
		{Name: "search", Before: "a\nport = 80\nz\n", After: "a\n<<<<<<< SEARCH\nport = 80\n=======\nport = 81\n>>>>>>> REPLACE\nz\n", Facts: Facts{Whole: true}, Want: diag.Warning, Code: diag.ForeignMarks},
		{Name: "diff", Before: "a\nport = 80\n", After: "a\n@@ -1,2 +1,2 @@\n-port = 80\n+port = 81\n", Facts: Facts{Whole: true}, Want: diag.Warning, Code: diag.ForeignMarks},
		{Name: "patch", After: "*** Begin Patch\n*** Update File: a.go\n@@\n-a\n+b\n*** End Patch\n", Facts: Facts{New: true}, Want: diag.Warning, Code: diag.ForeignMarks},
		{Name: "title", Before: "Title\n", After: "Title\n=======\n"},
		{Name: "about conflicts", Before: "s := `\n<<<<<<< HEAD\n`\n", After: "s := `\n<<<<<<< HEAD\n=======\n>>>>>>> main\n`\n"},
		{Name: "shift and arrows", Before: "x\n", After: "x\ny <<= 7\n>>> f(1)\n<<EOF\n@@instance\n@@@\n"},
	},
}

// notationOf returns the index of the notation that a line is a mark of, or a negative
// number.
func notationOf(line string) int {
	rest := strings.TrimLeft(line, " \t")
	if rest == "" || strings.IndexByte("<>|di@-+*[SR/", rest[0]) < 0 {
		return -1
	}
	return slices.IndexFunc(notations, func(n notation) bool { return n.mark.MatchString(line) })
}

// hasMark reports whether the file has a mark of a notation before the change.
func (c *Change) hasMark(n notation) bool {
	return slices.ContainsFunc(linesOf(c.Before()), n.mark.MatchString)
}
