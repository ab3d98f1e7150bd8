package convert

import (
	"slices"

	"github.com/aptix-dev/aptix/server/internal/text"
)

// anchored completes a modification whose snippet is the range [from, to) of nonblank lines. If these lines are not
// unique, it adds an anchor directly above them. It returns false if the snippet is not unique even with an anchor.
func (p *apPlace) anchored(m apMod, from, to int) (apMod, bool) {
	if _, _, ok := unique(p.meter, p.marks, from, to, 0, 0); ok {
		return m, m.sound()
	}
	above, _, ok := unique(p.meter, p.marks, from, from, p.above(from), 0)
	if !ok {
		return m, false
	}
	m.anchor = p.lines(p.row(from-above), p.row(from-1)+1)
	return m, m.sound()
}

// replacement returns the modification that replaces old lines with new lines, with as few unchanged lines as possible.
func (p *apPlace) replacement() (apMod, bool) {
	extents := p.extents()
	for _, e := range extents {
		if p.style.extra > 0 {
			break
		}
		if m, ok := p.replace(e); ok {
			if m, ok := p.anchored(m, p.solidAbove(e.from), p.solidAbove(e.to)); ok {
				return m, true
			}
		}
	}
	for _, e := range extents {
		if f, ok := p.extended(e); ok {
			return f, true
		}
	}
	return apMod{}, false
}

// An extent is the range of a hunk's lines, perhaps with some lines around them. Its first and last lines are nonblank,
// both before and after the change.
type extent struct{ from, to int }

// extents returns the extents of the hunk that have at most one unchanged line above and one below.
func (p *apPlace) extents() []extent {
	up, down := []int{p.from}, []int{p.to}
	if i := p.solidAbove(p.from); i > p.solidAbove(p.cursor) {
		up = append(up, p.row(i-1))
	}
	if i := p.solidAbove(p.to); i < p.marks.len() {
		down = append(down, p.row(i)+1)
	}
	var out []extent
	for _, from := range up {
		for _, to := range down {
			if e := (extent{from, to}); p.isSolid(p.lines(from, to)) && p.isSolid(p.content(e)) {
				out = append(out, e)
			}
		}
	}
	if len(out) == 0 {
		p.why = "its content would have to begin or end with blank lines, which an ap patch ignores"
	}
	return out
}

func (p *apPlace) isSolid(lines []string) bool {
	return len(lines) > 0 && !text.IsBlank(lines[0]) && !text.IsBlank(lines[len(lines)-1])
}

func (p *apPlace) content(e extent) []string {
	p.meter.Pay(eachLine * (e.to - e.from + len(p.fresh)))
	return slices.Concat(p.lines(e.from, p.from), p.fresh, p.lines(p.to, e.to))
}

// replace returns the modification that replaces an extent. It returns false if the lines cannot be written.
func (p *apPlace) replace(e extent) (apMod, bool) {
	content := p.content(e)
	if why := inexpressible(content); why != "" {
		p.why = why
		return apMod{}, false
	}
	return apMod{action: "REPLACE", snippet: p.lines(e.from, e.to), content: content, cursor: e.from + len(content)}, true
}

// extended returns the modification that replaces an extent, with enough lines around to make the snippet unique.
func (p *apPlace) extended(e extent) (apMod, bool) {
	from, to := p.solidAbove(e.from), p.solidAbove(e.to)
	up, down := p.above(from), p.below(to)
	above, below, ok := unique(p.meter, p.marks, from, to, up, down)
	if !ok {
		return apMod{}, false
	}
	wide := p.widened(e, min(above+p.style.extra, up), min(below+p.style.extra, down))
	m, ok := p.replace(wide)
	return m, ok && m.sound()
}

// widened adds the given numbers of nonblank lines above and below an extent.
func (p *apPlace) widened(e extent, above, below int) extent {
	from, to := p.solidAbove(e.from), p.solidAbove(e.to)
	if above > 0 {
		e.from = p.row(from - above)
	}
	if below > 0 {
		e.to = p.row(to+below-1) + 1
	}
	return e
}
