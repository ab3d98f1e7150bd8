package doubt

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/text"
)

// regroups reports whether a change moves lines into another block in a language with significant indentation. There
// must be another change, the lines that begin blocks must be the same as before, and the prose must name nothing in
// the moved lines.
func (c *Change) regroups() bool {
	if !slices.Contains([]string{".py", ".pyi", ".yaml", ".yml"}, c.ext()) {
		return false
	}
	old := map[string]string{} // the indentation of each old line
	for _, r := range c.Runs {
		for _, line := range r.Old {
			old[strings.TrimSpace(line)] = text.Indentation(line)
		}
	}
	begins := func(line string) bool { return strings.HasSuffix(line, ":") }
	var moved []string
	comes := false
	for _, r := range c.Runs {
		for _, line := range r.New {
			trimmed := strings.TrimSpace(line)
			was, ok := old[trimmed]
			if delete(old, trimmed); ok && trimmed != "" && was != text.Indentation(line) {
				moved = append(moved, line)
			} else if !ok && begins(trimmed) {
				return false
			}
			comes = comes || !ok && text.HasWord(line)
		}
	}
	if slices.ContainsFunc(slices.Collect(maps.Keys(old)), begins) {
		return false
	}
	opens := slices.ContainsFunc(moved, func(line string) bool { return Defines(line) != "" })
	return comes && (len(moved) > 1 || opens) && !partsOf(moved).hasOneOf(c.Words)
}

// leavesRules reports whether several lines of a Makefile lose the tab that makes them commands of a rule, while other
// lines change.
func (c *Change) leavesRules() bool {
	if c.ext() != ".mk" && !strings.EqualFold(path.Base(c.Path), "Makefile") {
		return false
	}
	lost, comes := 0, false
	for _, r := range c.Runs {
		for _, line := range r.New {
			if slices.Contains(r.Old, "\t"+line) {
				lost++
			} else {
				comes = comes || text.HasWord(line)
			}
		}
	}
	return lost > 1 && comes
}

// takesOver returns a run that inserts a section with settings in the middle of another section, the title of the new
// section, and the setting directly below it. That setting stays where it is, so it would belong to the new section. A
// title without settings of its own is ignored, because its purpose may be to divide a section.
func (c *Change) takesOver() (found *Run, title, line string) {
	for i := range c.Runs {
		r, own, above := &c.Runs[i], 0, map[string]bool{} // own counts the settings below the title
		title = ""
		for _, line := range r.New {
			switch name := settingOf(line); {
			case isTitle(line):
				title, own = line, 0
			case name != "" && title == "":
				above[name] = true
			case name != "":
				own++
			}
		}
		if own == 0 || slices.ContainsFunc(r.Old, isTitle) {
			continue
		}
		below := strings.Join(c.below(i, 1), "")
		if name := settingOf(below); name == "" || above[name] {
			continue
		}
		old := c.oldLines()[max(0, r.Line-1-mostRepeated) : r.Line-1]
		if in := lastTitle(old); in != "" && in != title && in == lastTitle(c.above(i, mostRepeated)) {
			return r, title, below
		}
	}
	return nil, "", ""
}

func isTitle(line string) bool { return strings.HasPrefix(line, "[") && isSection(line) }

// lastTitle returns the last title of a section, or "".
func lastTitle(lines []string) string {
	for _, line := range slices.Backward(lines) {
		if isTitle(line) {
			return line
		}
	}
	return ""
}
