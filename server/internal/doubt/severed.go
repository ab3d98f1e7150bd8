package doubt

import (
	"path"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/locate"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// severed finds new lines that lost a part without which no program accepts them: the name that a file
// includes, the rest of a string, or the backslash at the end. Even a new file shows this.
var severed = Rule{
	ID: "severed", program: true,
	doubts: func(c *Change) *Doubt {
		for i, r := range c.Runs {
			for k, line := range r.New {
				why := ""
				switch {
				case bareInclude.MatchString(line):
					why = "names no file"
				case slices.Contains(singleLine, c.ext()) && k+1 < len(r.New) && opensQuote(line) && r.New[k+1][:min(1, len(r.New[k+1]))] == `"`:
					why = "ends with a quote, and the rest of the string is on the next line"
				case c.isScript() && continued(slices.Concat(r.New[k:], c.below(i, 1))) > text.Habit:
					why = "and lines below it end in a space, and seem to have lost the backslash behind it"
				}
				if why != "" && !c.has(line) {
					return warn(c.at(r), diag.TextArtifact, "%s, %q, %s; write the complete line", c.lineOf(r, k), cut(strings.TrimSpace(line), 60), why)
				}
			}
		}
		return nil
	},
}

// bareInclude matches a line that includes a file without its name, because a page took `<name>` for a tag.
var bareInclude = lazyregexp.New(`^\s*#\s*include\s*$`)

// singleLine holds the extensions of languages in which a string in double quotes ends on its own line.
var singleLine = []string{".py", ".go", ".java", ".js", ".mjs", ".ts", ".c", ".cc", ".cpp", ".h", ".hpp", ".kt", ".swift", ".scala", ".dart", ".json"}

// opensQuote reports whether a line ends with the opening quote of a string.
func opensQuote(line string) bool {
	rest, found := strings.CutSuffix(line, `"`)
	return found && leavesString(line) && !leavesString(rest)
}

// isScript reports whether a backslash continues a line of the file.
func (c *Change) isScript() bool {
	name := path.Base(c.Path)
	return slices.Contains([]string{".sh", ".bash", ".mk", ".dockerfile"}, c.ext()) || strings.HasPrefix(name, "Dockerfile") || name == "Makefile"
}

// continued counts the first lines that seem to be one command: each except the last ends in a space, and
// all below the first are indented more.
func continued(lines []string) int {
	for i, line := range lines {
		if i > 0 && len(locate.Indentation(line)) <= len(locate.Indentation(lines[0])) {
			return i
		}
		if isRemark(line) || locate.IsBlank(line) || !strings.HasSuffix(line, " ") {
			return i + 1
		}
	}
	return len(lines)
}
