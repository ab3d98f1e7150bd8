package searchreplace

import (
	"strings"

	"github.com/aptix-dev/aptix/server/internal/searchblock"
)

// describe returns the operation of a block, and the first line that it replaces.
func describe(block string) (name, detail string) {
	l := searchblock.Split(block)
	p := searchblock.ReadPair(l, 0)
	if p.Problem != "" || p.Dividers[0] == p.From {
		return "create", ""
	}
	for i := p.From; i < p.Dividers[0]; i++ {
		if !l.Blank(i) {
			return "replace", strings.TrimSpace(l.Text(i))
		}
	}
	return "replace", ""
}
