package doubt

import (
	"cmp"
	"encoding/json"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/meter"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// lostMember finds a text for a file of settings or a table that changes a member and lacks other members, which the
// reply does not mention. The text may show only the changed member: it is a valid file, so nothing else shows that it
// is a piece.
var lostMember = Rule{
	ID: "lost-member", existing: true,
	doubts: func(c *Change) *Doubt {
		if !c.Whole || !c.MayBePart || c.Marked || !c.Meter.Pay(meter.Line*(len(c.old)+len(c.new))) {
			return nil
		}
		old, now := c.membersOf(c.old), c.membersOf(c.new)
		if c.isTable() && !lostAtRandom(old, now) {
			return nil
		}
		name := c.lostMember(old, now)
		if name == "" {
			return nil
		}
		return warn(c.textAt(), diag.LinesLost, "`%s` would be lost from %s, and the reply does not mention it; write it if it should stay", name, c.Path)
	},
}

// A member is a setting with its value, a section with its settings, or a row of a table with its first cell as its
// name.
type member struct {
	name, value string
	cells       []string // the cells of a row
}

// words returns the words by which a reply may mention the member. The numbers in a row do not count, because other
// rows may have the same ones.
func (m member) words() vocabulary {
	return partsOf(append([]string{m.name}, text.Only(m.cells, func(cell string) bool { _, isNumber := numberOf(cell); return !isNumber })...))
}

// lostMember returns the name of the first lost member. It returns "" in these cases:
//   - The reply mentions a lost member, so the others may be meant as well.
//   - No member stays, or no value changes.
//   - The text adds as many members as it loses, so they may be renamed.
func (c *Change) lostMember(old, now []member) string {
	if len(old) < 2 || len(now) == 0 {
		return ""
	}
	was, is := byName(old), byName(now)
	lost, kept, changed, added := "", 0, 0, 0
	for _, m := range now {
		if value, ok := was[m.name]; !ok {
			added++
		} else if kept++; value != m.value {
			changed++
		}
	}
	for _, m := range old {
		if _, ok := is[m.name]; ok {
			continue
		}
		lost = cmp.Or(lost, m.name)
		if added--; m.words().hasOneOf(c.Words) {
			return ""
		}
	}
	if kept == 0 || added >= 0 || changed == 0 {
		return ""
	}
	return lost
}

func byName(members []member) map[string]string {
	values := map[string]string{}
	for _, m := range members {
		values[m.name] += m.value
	}
	return values
}

// membersOf returns the outermost members of a file of settings or the rows of a table, or nil for another file.
func (c *Change) membersOf(lines []string) []member {
	switch {
	case c.isTable():
		return rowsOf(lines, c.ext())
	case !slices.Contains(keyFiles, c.ext()) && !strings.HasPrefix(path.Base(c.Path), ".env"):
		return nil
	case strings.HasPrefix(strings.TrimSpace(firstText(lines)), "{"):
		return membersOfJSON(withoutComments(text.Joined(lines)))
	}
	return membersOfLines(lines)
}

func membersOfJSON(s string) []member {
	var members []member
	d := json.NewDecoder(strings.NewReader(s))
	if open, err := d.Token(); err != nil || open != json.Delim('{') {
		return nil
	}
	for d.More() {
		name, err := d.Token()
		var value json.RawMessage
		if err != nil || d.Decode(&value) != nil {
			return nil
		}
		members = append(members, member{name: name.(string), value: text.WithoutSpace(string(value))})
	}
	return members
}

// settingLine matches a line without indentation that begins a member: the title of a section, or a name and its value.
var settingLine = lazyregexp.New(`^(?:\[+\s*([^\]]+?)\s*\]+\s*(?:[#;].*)?$|(?:export\s+)?("[^"]+"|'[^']+'|[\w./@-]+)\s*[:=](.*))`)

func membersOfLines(lines []string) []member {
	var members []member
	section := false
	for _, line := range lines {
		m := settingLine.FindStringSubmatch(line)
		switch {
		case text.IsBlank(line), isRemark(line):
		case m != nil && m[1] != "":
			section = true
			members = append(members, member{name: m[1]})
		case m != nil && !section:
			members = append(members, member{name: strings.Trim(m[2], `"'`), value: text.WithoutSpace(m[3])})
		case len(members) > 0:
			members[len(members)-1].value += "\n" + text.WithoutSpace(line)
		}
	}
	return members
}

func (c *Change) isTable() bool { return c.ext() == ".csv" || c.ext() == ".tsv" }

func rowsOf(lines []string, ext string) (rows []member) {
	for _, line := range lines {
		if cells := cellsOf(line, ext); len(cells) > 1 {
			rows = append(rows, member{cells[0], line, cells})
		}
	}
	return rows
}

// lostAtRandom reports whether the lost rows are at several places, and no value is in a column of all lost rows but of
// no other row. Otherwise, a person may have asked to remove these rows.
func lostAtRandom(old, now []member) bool {
	is := byName(now)
	var lost []member
	kept := map[string]bool{} // the cells of the other rows, with their columns
	key := func(column int, cell string) string { return strconv.Itoa(column) + " " + cell }
	places, above := 0, true
	for _, m := range old {
		_, stays := is[m.name]
		if !stays {
			lost = append(lost, m)
		}
		if !stays && above {
			places++
		}
		for i := 0; stays && i < len(m.cells); i++ {
			kept[key(i, m.cells[i])] = true
		}
		above = stays
	}
	if places < 2 {
		return false
	}
	for i, cell := range lost[0].cells {
		if !kept[key(i, cell)] && !slices.ContainsFunc(lost, func(m member) bool { return i >= len(m.cells) || m.cells[i] != cell }) {
			return false
		}
	}
	return true
}
