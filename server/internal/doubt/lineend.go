package doubt

import (
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/artifact"
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// halved returns a trace if an added line ends with one backslash but several lines of the file with two, as the rows of
// a table in LaTeX do, and none with one.
func (p piece) halved(c *Change) (t artifact.Trace, ok bool) {
	endsWith := func(n int) func(string) bool {
		return func(line string) bool { return len(line)-len(strings.TrimRight(line, `\`)) == n }
	}
	i := slices.IndexFunc(p.all, endsWith(1))
	if i < 0 || text.Count(c.oldLines(), endsWith(2)) < text.Habit || slices.ContainsFunc(c.oldLines(), endsWith(1)) {
		return t, false
	}
	return artifact.Trace{Artifact: &artifact.LostBackslash, Line: i, Is: p.all[i], Was: p.all[i] + `\`}, true
}

// unjoined returns a trace if a new line ends with a backslash and white space, so that it no longer joins the line
// below. The file must have lines that end with a backslash, and none with white space after it. A new file must have
// several such lines and no other line that ends with a backslash.
func (c *Change) unjoined(lines []string) (t artifact.Trace, ok bool) {
	spaced := func(line string) bool { return strings.TrimRight(line, " \t") != line && unjoined.MatchString(line) }
	joins := func(line string) bool { return strings.HasSuffix(line, `\`) }
	i := slices.IndexFunc(lines, spaced)
	if i < 0 || slices.ContainsFunc(c.oldLines(), spaced) {
		return t, false
	}
	if !slices.ContainsFunc(c.oldLines(), joins) && (text.Count(lines, spaced) < 2 || slices.ContainsFunc(lines, joins) || i == len(lines)-1 || len(text.Indentation(lines[i+1])) <= len(text.Indentation(lines[i]))) {
		return t, false
	}
	return artifact.Trace{Artifact: &artifact.Unjoined, Line: i, Is: lines[i], Was: strings.TrimRight(lines[i], " \t")}, true
}

var unjoined = lazyregexp.New(`(?:^|[^\\])\\[ \t]+$`)
