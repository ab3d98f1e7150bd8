package searchreplace

import (
	"strings"

	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/searchblock"
)

// outline returns an outline of the blocks. Each is shown by the first line that it replaces.
func outline(r *format.Region, set intent.Set) format.Outline {
	files := format.Parts(r.Body, set, func(block string) (name, detail string) {
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
	})
	return format.Outline{Name: "SEARCH/REPLACE", Detail: format.Count(len(files), "edit"), Files: files}
}
