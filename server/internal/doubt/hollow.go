package doubt

import (
	"slices"
	"strings"
	"sync"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/elision"
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// hollow finds a line that opens a block although the line below is not indented more, and a line that cannot follow
// the line above. It ignores such lines if the old file has one, too.
var hollow = Rule{
	ID: "hollow", existing: true, program: true,
	doubts: func(c *Change) *Doubt {
		if slices.Contains(outlines, c.ext()) {
			return nil
		}
		ofFile := sync.OnceValue(func() bool { return opensNothing(c.oldLines()) != "" })
		for i, r := range c.Runs {
			if len(r.New) == 0 || r.staysInside() {
				continue
			}
			lines := slices.Concat(c.above(i, aroundRun), r.New, c.below(i, aroundRun))
			if line, why := c.followsNothing(lines); line != "" {
				if had, _ := c.followsNothing(c.oldLines()); had == "" {
					return warn(c.at(r), diag.TextArtifact, "%q %s; the new text may have both the old and the new version of a line: keep only one of them", text.Cut(strings.TrimSpace(line), 60), why)
				}
			}
			if at := opensNothing(lines); at != "" && !ofFile() {
				return warn(c.at(r), diag.TextArtifact,
					"%q opens a block, but the line below it is not indented more; restore the indentation if it was lost, or remove the line if it is the old version of another line", text.Cut(strings.TrimSpace(at), 60))
			}
		}
		return nil
	},
}

// followsNothing returns the first line that cannot follow the line above, and the reason.
func (c *Change) followsNothing(lines []string) (found, why string) {
	if !slices.Contains(withSemicolons, c.ext()) {
		return "", ""
	}
	above := ""
	for _, line := range lines {
		was := above
		if above = line; text.IsBlank(line) || isRemark(line) {
			above = ""
		}
		if above == "" || !strings.HasSuffix(was, ";") || text.Indentation(was) != text.Indentation(line) {
			continue
		}
		switch {
		case continuing.MatchString(line):
			why = "continues a statement that ends on the line above"
		case returning.MatchString(line) && returning.MatchString(was):
			why = "comes directly after another `return`"
		case c.ext() != ".rs" && definesAgain(was, line):
			why = "repeats the definition of the variable in the line above"
		default:
			continue
		}
		if opened([]string{was})[0] <= 0 {
			return line, why
		}
	}
	return "", ""
}

func definesAgain(above, line string) bool {
	second := constant.FindStringSubmatch(line)
	if second == nil {
		return false
	}
	first := constant.FindStringSubmatch(above)
	return first != nil && first[1] == second[1]
}

var (
	withSemicolons = []string{".cs", ".java", ".ts", ".tsx", ".js", ".jsx", ".mjs", ".php", ".dart", ".c", ".cc", ".cpp", ".h", ".hpp", ".rs"}
	continuing     = lazyregexp.New(`^\s*(?:\??\.[A-Za-z_]\w*\s*[(<]|->\w|&&|\|\|)`)
	returning      = lazyregexp.New(`^\s*return\b`)
	constant       = lazyregexp.New(`^\s*(?:const|let|var|val|final|auto)\s+(?:\w+\s+)?(\w+)\s*(?::[^=]+)?=`)
)

// staysInside reports whether the lines around the run need not be read: the run has only one new line, which opens
// no block and is indented at least as much as the first old line.
func (r Run) staysInside() bool {
	return len(r.Old) > 0 && len(text.Indentation(r.New[0])) >= len(text.Indentation(r.Old[0])) &&
		len(r.New) == 1 && !opensBlock(r.New[0])
}

// aroundRun is the number of lines that are read above and below a run.
const aroundRun = 2

// opensNothing returns the first line that opens an empty block, or "" if there is none.
func opensNothing(lines []string) string {
	var above, line string
	for _, below := range lines {
		if text.IsBlank(below) {
			continue
		}
		if opensBlock(line) && text.HasWord(line) && !label.MatchString(line) && !flat.MatchString(line) && !continuesAbove(above, line) && isBody(below) && strings.HasPrefix(text.Indentation(line), text.Indentation(below)) {
			return line
		}
		if !isRemark(line) {
			above = line
		}
		line = below
	}
	return ""
}

func opensBlock(line string) bool {
	line = strings.TrimRight(line, " \t")
	if strings.HasSuffix(line, ":") {
		line, _, _ = strings.Cut(line, " #") // a comment may end with the colon, so it is cut: `class Error #:nodoc:`
		return strings.HasSuffix(line, ":") && beginsCode[firstWord(line)] && elision.SortOf(line) == elision.Text
	}
	return strings.HasSuffix(line, "{") && !strings.HasSuffix(line, "{{") && elision.SortOf(line) == elision.Text
}

// continuesAbove reports whether `line` continues the statement of `above`, which is "" if unknown. The evidence is
// an operator between the two, `throws`, a bracket of an earlier line that `line` closes, or more indentation.
func continuesAbove(above, line string) bool {
	above, body := strings.TrimRight(above, " \t"), strings.TrimLeft(line, " \t")
	switch {
	case strings.IndexByte("|&+-?.):", body[0]) >= 0, opened([]string{line})[0] < 0, strings.HasPrefix(body, "throws "):
		return true
	case above == "":
		return body != line
	}
	return strings.IndexByte("|&,+-*/=?(\\", above[len(above)-1]) >= 0 || !opensBlock(above) && len(text.Indentation(above)) < len(text.Indentation(line))
}

// isBody reports whether the line can be the first in a block. It returns false for a closing bracket, a label, an
// item of a list, and a comment.
func isBody(line string) bool {
	line = strings.TrimSpace(line)
	return strings.IndexByte("})]#/*<-", line[0]) < 0 && !label.MatchString(line) && elision.SortOf(line) == elision.Text
}

// label matches a line with only a label, such as `case 1:`.
var label = lazyregexp.New(`^\s*(?:case\b.*|\w+|(?:public|private|protected) \w+):\s*\{?\s*(?://.*)?$`)

// flat matches a line that opens a block of C++ whose body is often not indented.
var flat = lazyregexp.New(`^\s*(?:(?:inline\s+)?namespace\b|extern\s+"C")`)
