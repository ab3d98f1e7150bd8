package doubt

import (
	"strings"

	"github.com/aptix-dev/aptix/server/internal/text"
)

// nameCounts holds how often each name is in the text after the change, and which names are in the file before it.
type nameCounts struct {
	after  map[string]int
	before map[string]bool
}

func (n *nameCounts) of(name string) int { return n.after[name] }

// mayHave reports whether the text after the change may have the name. Names with other characters, such as `a-b`,
// are not counted, so it returns true for them.
func (n *nameCounts) mayHave(name string) bool {
	return n.of(name) > 0 || strings.ContainsFunc(name, func(r rune) bool { return !text.InName(r) })
}

func (n *nameCounts) had(name string) bool { return n.before[name] }

func (c *Change) nameCounts() *nameCounts {
	if c.names != nil {
		return c.names
	}
	c.names = &nameCounts{map[string]int{}, map[string]bool{}}
	if !c.Meter.Pay(eachSearch * len(c.Before())) {
		return c.names
	}
	count := func(line string, before, after bool) {
		for _, name := range text.Names(line) {
			if before {
				c.names.before[name] = true
			}
			if after {
				c.names.after[name]++
			}
		}
	}
	for line := range c.kept() {
		count(line, true, true)
	}
	for _, r := range c.Runs {
		for _, line := range r.New {
			count(line, false, true)
		}
		for _, line := range r.Old {
			count(line, true, false)
		}
	}
	return c.names
}
