package doubt

import (
	"strings"

	"github.com/aptix-dev/aptix/server/internal/text"
)

// nameCounts holds how often each name is in the lines that stay and in the new lines, and whether it is in the removed
// lines.
type nameCounts struct {
	kept, added map[string]int
	removed     map[string]bool
}

// of returns how often a name is in the text after the change.
func (n *nameCounts) of(name string) int { return n.kept[name] + n.added[name] }

// mayHave reports whether the text after the change may have a name. A name with other characters, such as `a-b`, is
// not counted.
func (n *nameCounts) mayHave(name string) bool {
	return n.of(name) > 0 || strings.ContainsFunc(name, func(r rune) bool { return !text.InName(r) })
}

// had reports whether a name is in the file before the change.
func (n *nameCounts) had(name string) bool { return n.kept[name] > 0 || n.removed[name] }

// nameCounts counts the names of the file once.
func (c *Change) nameCounts() *nameCounts {
	if c.names != nil {
		return c.names
	}
	c.names = &nameCounts{map[string]int{}, map[string]int{}, map[string]bool{}}
	if !c.Meter.Pay(eachSearch * len(c.Before())) {
		return c.names
	}
	for line := range c.kept() {
		for _, name := range text.Names(line) {
			c.names.kept[name]++
		}
	}
	for _, r := range c.Runs {
		for _, line := range r.New {
			for _, name := range text.Names(line) {
				c.names.added[name]++
			}
		}
		for _, line := range r.Old {
			for _, name := range text.Names(line) {
				c.names.removed[name] = true
			}
		}
	}
	return c.names
}
