package doubt

import (
	"encoding/json"
	"path"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/meter"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// lostMember finds a text for a file of settings that changes a member and lacks other members, which the reply does
// not mention. The text may show only the changed member: it is a valid file, so nothing else shows that it is a
// piece.
var lostMember = Rule{
	ID: "lost-member", existing: true,
	doubts: func(c *Change) *Doubt {
		if !c.Whole || !c.MayBePart || c.Marked || !c.Meter.Pay(meter.Line*(len(c.old)+len(c.new))) {
			return nil
		}
		name := c.lostMember(c.membersOf(c.old), c.membersOf(c.new))
		if name == "" {
			return nil
		}
		return warn(c.textAt(), diag.LinesLost, "`%s` would be lost from %s, and the reply does not mention it; write it if it should stay", name, c.Path)
	},
}

// A member is a setting with its value, or a section with its settings.
type member struct{ name, value string }

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
		if lost == "" {
			lost = m.name
		}
		if added--; partsOf([]string{m.name}).hasOneOf(c.Words) {
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

// membersOf returns the outermost members of a file of settings, or nil for another file.
func (c *Change) membersOf(lines []string) []member {
	switch {
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
		members = append(members, member{name.(string), text.WithoutSpace(string(value))})
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
			members = append(members, member{strings.Trim(m[2], `"'`), text.WithoutSpace(m[3])})
		case len(members) > 0:
			members[len(members)-1].value += "\n" + text.WithoutSpace(line)
		}
	}
	return members
}
