package doubt

import (
	"fmt"
	"slices"

	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// slip looks at the only change of a whole text that the prose does not explain. If it is a typical mistake of models,
// slip returns its place and a description: the same lines are in another order, the same digits are in another order,
// or a key has another name.
func (c *Change) slip() (r *Run, what string) {
	if !c.Whole || c.Marked || len(c.Words) == 0 || c.isDocument() {
		return nil, ""
	}
	left, known := c.unexplained()
	if !known || len(left) != 1 || importing.MatchString(firstText(left[0].Old)) {
		return nil, ""
	}
	r = &left[0]
	if c.reorders(*r) {
		return r, "lines in another order"
	}
	old, new := text.Only(r.Old, text.HasWord), text.Only(r.New, text.HasWord)
	if len(old) != 1 || len(new) != 1 {
		return nil, ""
	}
	if was, is := differentNumber(old[0], new[0]); was != "" && sorted(was) == sorted(is) {
		return r, fmt.Sprintf("%s for %s", is, was)
	}
	was, is := keyed.FindStringSubmatch(old[0]), keyed.FindStringSubmatch(new[0])
	if was != nil && is != nil && was[1] == is[1] && was[3] == is[3] && was[2] != is[2] && !c.mentions(is[2], new[0]) {
		return r, fmt.Sprintf("the name `%s` for `%s`", is[2], was[2])
	}
	return nil, ""
}

// keyed matches a line with a key and its value.
var keyed = lazyregexp.New(`^(\s*(?:- )?["']?)([A-Za-z_][\w.-]*)(["']?\s*[:=]\s*[^\s=>].*)$`)

func sorted(s string) string {
	digits := []byte(s)
	slices.Sort(digits)
	return string(digits)
}

// reorders reports whether the runs around a place only put lines in another order.
func (c *Change) reorders(place Run) bool {
	near := func(i int) bool { return c.Runs[i].Line <= c.Runs[i-1].Line+len(c.Runs[i-1].Old)+oneTogether }
	first := slices.IndexFunc(c.Runs, func(r Run) bool { return r.Line >= place.Line })
	if first < 0 {
		return false
	}
	end := first + 1
	for first > 0 && near(first) {
		first--
	}
	for end < len(c.Runs) && near(end) {
		end++
	}
	was, is := c.window(first, end)
	return len(was) <= mostLaid && text.Reorders(was, is)
}
