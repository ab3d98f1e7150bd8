package doubt

import (
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
)

// endsEarly finds a comment that ends before its last line, because a comment inside it has an end of its own: the last
// `*/` is left over. A model that comments out code may not see the comments in that code.
func (c *Change) endsEarly() *Doubt {
	if !slices.Contains(flatComments, c.ext()) || !c.adds(func(line string) bool { return strings.Contains(line, "*/") }) || !c.Meter.Pay(len(c.Before())/4) {
		return nil
	}
	lines := c.after()
	is := leftOver(lines)
	if len(is) == 0 || len(is) <= len(leftOver(c.oldLines())) {
		return nil
	}
	return warn(c.textAt(), diag.InvalidSyntax, "%s would no longer be valid: the `*/` on line %d would be left over, because the comment ends at another `*/` above it", c.Path, is[0]+1)
}

// flatComments lists the extensions of languages in which a comment ends at the first `*/`, even inside another comment.
var flatComments = []string{".c", ".h", ".cc", ".cpp", ".cxx", ".hpp", ".hh", ".m", ".cs", ".java", ".groovy", ".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx", ".php", ".css", ".scss", ".less", ".proto", ".glsl"}

// leftOver returns the indexes of the lines that consist of `*/` although the sign above them is `*/`, too. Between a
// `*/` that ends a comment and the beginning of the comment there are no other signs, whatever strings the file has.
func leftOver(lines []string) (all []int) {
	ended := false // whether the last sign above is `*/`
	for i, line := range lines {
		begin, end := strings.LastIndex(line, "/*"), strings.LastIndex(line, "*/")
		if ended && strings.TrimSpace(line) == "*/" {
			all = append(all, i)
		}
		if begin >= 0 || end >= 0 {
			ended = end > begin+1 // The `*/` of `/*/` is no end.
		}
	}
	return all
}
