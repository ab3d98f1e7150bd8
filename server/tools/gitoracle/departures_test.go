package gitoracle_test

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/diff"
)

// departures maps each code by which Aptix may refuse a patch that git applies to the reason. The
// test checks each cause: in the trial, in git's output, and in the part of the patch at the
// diagnostic. docs/formats/git.md lists all of them.
var departures = map[diag.Code]struct {
	why string
	may func(*trial, answer, diag.Diagnostic) bool
}{
	"hunk-ambiguous": {"git takes the nearest of several places; without context it also looks for lines that are only taken away one line too high, and joins lines where the hunk ends without a newline",
		func(t *trial, git answer, d diag.Diagnostic) bool {
			h := t.hunkAt(d)
			return git.moved || t.zero() && t.isDisturbed() && (onlyRemoves.MatchString(h) || unfinished(h))
		}},
	"hunk-not-found": {"git puts an insertion without context behind the end of the file, or glues it to a last line without newline, or leaves out a line behind a finished hunk",
		func(t *trial, _ answer, d diag.Diagnostic) bool {
			return t.zero() && t.isDisturbed() && onlyAdds.MatchString(t.hunkAt(d)) || t.was(lineBehind)
		}},
	"hunk-differs": {"git takes a last line without newline for one that has it",
		func(t *trial, _ answer, d diag.Diagnostic) bool { return t.isDisturbed() && unfinished(t.hunkAt(d)) }},
	"hunk-newline": {"git joins an added line without newline with the next, or leaves out a line behind a finished hunk",
		func(t *trial, _ answer, d diag.Diagnostic) bool {
			return unfinished(t.hunkAt(d)) && (t.zero() && t.isDisturbed() || t.was(lineBehind))
		}},
	"hunk-needs-context": {"a hunk at line 1 without context must begin the file, as git has it without --unidiff-zero",
		func(t *trial, git answer, d diag.Diagnostic) bool {
			return t.zero() && git.moved && firstLine.MatchString(t.hunkAt(d))
		}},
	"hunk-counts":          {"git leaves out lines behind a finished hunk", behindHunk},
	"git-lines-after-hunk": {"git leaves out lines behind a finished hunk", behindHunk},
	"git-result-differs": {"git does not compare the result of hunks with the index line",
		func(t *trial, _ answer, _ diag.Diagnostic) bool { return t.isDisturbed() }},
	"git-binary": {"git deletes a binary file by its full id alone, and has contents in its object store",
		func(t *trial, _ answer, d diag.Diagnostic) bool {
			return !slices.Contains(t.manner.diff, "--binary") && strings.HasPrefix(d.Span.In(t.text), "Binary files ")
		}},
	"delete-after-change": {"git keeps a file that an earlier section changes and a later one deletes",
		func(t *trial, _ answer, d diag.Diagnostic) bool { return t.manner.joint && t.sectionsOf(d) > 1 }},
	"path-control":   {"the name holds a control character", named(`\\([abfnrtv]|0[0-3]\d|177)`)},
	"path-backslash": {"the name holds a backslash, which is another file elsewhere", named(`\\\\`)},
	"path-absolute":  {"the name is a drive's or a home's elsewhere", named(`(^|/|")(c:|~)`)},
	"path-unusable":  {"the name is not UTF-8", named(`\\[23]\d\d|[^\x00-\x7f]`)},
	"path-is-directory": {"git moves folders, too",
		func(t *trial, _ answer, _ diag.Diagnostic) bool { return t.was("is a folder") }},
	"link-outside-root": {"the link would lead out of the root, or to no path",
		func(t *trial, _ answer, _ diag.Diagnostic) bool {
			return strings.Contains(t.text, " 120000\n") || t.target.hasLink()
		}},
}

var newIDs = regexp.MustCompile(`(?m)^index [0-9a-f]+\.\.([0-9a-f]{4,})`)

// namesAll reports whether an `index` line of the patch gives the hash of each file that differs
// from git's result as that of its new content. Such a file is done, but git ignores the line and
// applies the hunks again.
func (t *trial) namesAll(git, here tree) bool {
	all := maps.Clone(git)
	maps.Copy(all, here)
	for p := range all {
		if git[p] != here[p] && !t.names(here[p].data) {
			return false
		}
	}
	return true
}

func (t *trial) names(data string) bool {
	return slices.ContainsFunc(newIDs.FindAllStringSubmatch(t.text, -1), func(m []string) bool {
		return strings.HasPrefix(diff.BlobID(m[1], data), m[1])
	})
}

const lineBehind = "a line behind the last hunk"

func behindHunk(t *trial, _ answer, _ diag.Diagnostic) bool { return t.was(lineBehind) }

// named returns a check that a name in the patch, as written there, matches a pattern.
func named(pattern string) func(*trial, answer, diag.Diagnostic) bool {
	match := regexp.MustCompile(pattern).MatchString
	return func(t *trial, _ answer, d diag.Diagnostic) bool { return match(d.Span.In(t.text)) }
}

// These patterns match headers of hunks without context that only remove or only add lines, and
// headers of any hunk at the first line.
var (
	onlyRemoves = regexp.MustCompile(`^@@ -\d+(,\d+)? \+\d+,0 @@`)
	onlyAdds    = regexp.MustCompile(`^@@ -\d+,0 `)
	firstLine   = regexp.MustCompile(`^@@ -1(,\d+)? `)
	behindOne   = regexp.MustCompile(`\n(@@ |diff )`)
)

// hunkAt returns the hunk of the patch at a diagnostic, or "" if there is none.
func (t *trial) hunkAt(d diag.Diagnostic) string {
	start := d.Span.Start
	if !strings.HasPrefix(t.text[start:], "@@ ") {
		start = strings.LastIndex("\n"+t.text[:start], "\n@@ ")
	}
	if start < 0 {
		return ""
	}
	hunk := t.text[start:]
	if end := behindOne.FindStringIndex(hunk); end != nil {
		hunk = hunk[:end[0]+1]
	}
	return hunk
}

// sectionsOf counts the sections that name the file of a diagnostic.
func (t *trial) sectionsOf(d diag.Diagnostic) int {
	_, name, _ := strings.Cut(strings.Trim(d.Span.In(t.text), `"`), "/")
	n := 0
	for line := range strings.Lines(t.text) {
		if strings.HasPrefix(line, "diff --git ") && strings.Contains(line, name) {
			n++
		}
	}
	return n
}

// zero reports whether the hunks have no context, so that git gets --unidiff-zero.
func (t *trial) zero() bool { return slices.Contains(t.manner.apply, "--unidiff-zero") }

func (t *trial) isDisturbed() bool { return len(t.disturbed) > 0 }

// unfinished reports whether a line of a hunk has no newline.
func unfinished(hunk string) bool { return strings.Contains(hunk, "\n\\ No newline") }

// was reports whether a trial was disturbed in a given way.
func (t *trial) was(how string) bool {
	return slices.ContainsFunc(t.disturbed, func(d string) bool { return strings.Contains(d, how) })
}
