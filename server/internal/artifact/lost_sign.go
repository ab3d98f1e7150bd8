package artifact

import (
	"strings"

	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
)

// LostSign describes a text that lost all of its signs of one kind, because a program gave these signs a meaning. For
// example, a web page takes `<b>` for a tag, Markdown takes `*` for emphasis, and a shell takes `$x` for a variable.
var LostSign = Artifact{
	Lost:    `\*_$<",;`,
	Name:    "lost special characters",
	Differs: "only special characters are missing",
	Fix:     "Write the special characters of the file",
	Restore: func(s string, old []string) (string, bool) {
		for _, of := range lostSigns {
			if out, ok := of.restore(s, old); ok {
				return out, true
			}
		}
		return s, false
	},
}

// A lostKind is one kind of signs that a program may remove.
type lostKind struct {
	sign  string             // a text that every match of `signs` contains, for a quick test
	signs *lazyregexp.Regexp // matches one sign
	least int                // the smallest number of lines that must have lost signs
	meant bool               // a person may also remove all such signs, but makes no other edit at the same time
}

var lostSigns = []lostKind{
	{`\`, lazyregexp.New(`\\`), 1, false},
	{"__", lazyregexp.New(`__`), 1, false},
	{"${", lazyregexp.New(`\$\{[^{}]*\}`), fewestLost, true},
	{"$", lazyregexp.New(`\$`), fewestLost, true},
	{"$", lazyregexp.New(`\$(?:\w+|\(\w+\)|[@*#?!<^$])`), fewestLost, true},
	{",", lazyregexp.New(`(?m),$`), fewestLost, true},
	{";", lazyregexp.New(`(?m);$`), fewestLost, true},
	{"*", lazyregexp.New(`\*`), fewestLost, true},
	{"<", lazyregexp.New(`</?[A-Za-z][^<>]*>`), fewestLost, true},
	{`"`, lazyregexp.New(`"`), fewestLost, true},
}

// fewestLost is the smallest number of lines that must have lost their signs. A person is unlikely to remove the signs
// of so many lines together with another edit.
const fewestLost = 2

// restore replaces each line by the old line that differs from it only by signs of this kind.
func (k lostKind) restore(s string, old []string) (string, bool) {
	had, known := 0, map[string]bool{}
	for _, line := range old {
		if strings.Contains(line, k.sign) {
			had++
		}
	}
	if had < k.least || strings.Contains(s, k.sign) && k.signs.MatchString(s) {
		// If signs of this kind are left, no program removed them: it would have removed all.
		return s, false
	}
	for _, line := range old {
		known[line] = true
	}
	without := func(line string) string {
		if !strings.Contains(line, k.sign) {
			return line
		}
		return k.signs.ReplaceAllString(line, "")
	}
	lost := 0
	out, ok := restoring(without, func(was, _ string) bool { return without(was) != was })(s, old)
	if !ok {
		return s, false
	}
	is, _ := lines(s)
	was, _ := lines(out)
	edited := false
	for i, line := range is {
		switch {
		case was[i] != line:
			lost++
		case !isBlank(line) && !known[line]:
			edited = true
		}
	}
	return out, lost >= k.least && (edited || !k.meant)
}
