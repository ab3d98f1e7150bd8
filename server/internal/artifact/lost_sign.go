package artifact

import (
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// LostSign describes a text that lost all characters of one kind, because a program gave these characters a meaning.
// For example, a web page treats `<b>` as a tag, Markdown treats `*` as emphasis, and a shell treats `$x` as a
// variable.
var LostSign = Artifact{
	Lost:    "\\*_$<\",;{`^[",
	Name:    "lost special characters",
	Differs: "only special characters are missing",
	Fix:     "Use the special characters of the file",
	Restore: func(s string, old []string) (string, bool) {
		for _, of := range lostSigns {
			if out, ok := of.restore(s, old); ok {
				return out, true
			}
		}
		return s, false
	},
	Asked: true,
}

// LostBreak describes a Markdown text whose lines lost their two final spaces, which break a line.
var LostBreak = Artifact{
	Lost:    " ",
	Name:    "lost Markdown line breaks",
	Differs: "with two spaces at the ends of lines",
	Fix:     "Write the two spaces at the ends of lines",
	Restore: lostKind{[]string{"  \n"}, lazyregexp.New(`(?m) {2,}$`), fewestLost, true, false, ""}.restore,
	Asked:   true,
}

// A lostKind is a kind of special character or tag that a program may remove.
type lostKind struct {
	needs []string           // texts that must all occur in the old lines; for a quick test
	signs *lazyregexp.Regexp // matches one such character or tag
	least int                // the smallest number of lines that must have lost one
	// a person may remove all of these characters, too, so there must also be another edit
	meant bool
	lists bool   // the character separates items, so it disappears together with the item below
	left  string // what replaces each match of `signs`; "" if nothing remains
}

var lostSigns = []lostKind{
	{[]string{`\`}, lazyregexp.New(`\\`), 1, false, false, ""},
	{[]string{"__"}, lazyregexp.New(`__`), 1, false, false, ""},
	{[]string{"${"}, lazyregexp.New(`\$\{[^{}]*\}`), fewestLost, true, false, ""},
	{[]string{"{{"}, lazyregexp.New(`\{\{[^{}]*\}\}`), fewestLost, true, false, ""},
	{[]string{"$"}, lazyregexp.New(`\$`), fewestLost, true, false, ""},
	{[]string{"$"}, lazyregexp.New(`\$(?:\w+|\(\w+\)|[@*#?!<^$])`), fewestLost, true, false, ""},
	{[]string{",\n"}, lazyregexp.New(`(?m),$`), fewestLost, true, true, ""},
	{[]string{";\n"}, lazyregexp.New(`(?m);$`), fewestLost, true, false, ""},
	{[]string{"*"}, lazyregexp.New(`\*`), fewestLost, true, false, ""},
	{[]string{"*", "__"}, lazyregexp.New(`\*|__`), fewestLost, true, false, ""}, // both marks of emphasis
	{[]string{"<", ">"}, lazyregexp.New(`</?[A-Za-z][^<>]*>`), fewestLost, true, false, ""},
	{[]string{"^"}, lazyregexp.New(`([\w)\]])\^`), fewestLost, true, false, "$1"}, // of a power,
	{[]string{"["}, lazyregexp.New(`\[[1-9]\d?\]`), fewestLost, true, false, ""},  // an index, removed as the number of a source
	{[]string{"$$"}, lazyregexp.New(`\$\$`), 1, true, false, "$$"},
	{[]string{"%%"}, lazyregexp.New(`%%`), 1, true, false, "%"},
	{[]string{"``"}, lazyregexp.New("``"), fewestLost, true, false, "`"},
	{[]string{`"`}, lazyregexp.New(`"`), fewestLost, true, false, ""},
}

// fewestLost is the smallest number of lines that prove that a program removed their special characters.
const fewestLost = 2

// restore replaces each line with the old line that differs from it only by characters or tags of this kind.
func (k lostKind) restore(s string, old []string) (string, bool) {
	had := 0
	for _, sign := range k.needs {
		n := text.Count(old, func(line string) bool { return contains(line, sign) })
		if n == 0 {
			return s, false
		}
		had += n
	}
	if had < k.least || k.signs.MatchString(s) {
		// A program would have removed all characters or tags of this kind, but some are left.
		return s, false
	}
	known := text.Set(old)
	without := func(line string) string {
		if !slices.ContainsFunc(k.needs, func(sign string) bool { return contains(line, sign) }) {
			return line
		}
		return k.signs.ReplaceAllString(line, k.left)
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
		case was[i] != line && k.lists && !keepsNext(was[i], old, is):
			// The next item is gone, so this line may now be the last line of a list.
		case was[i] != line:
			lost++
		case !text.IsBlank(line) && !known[line]:
			edited = true
		}
	}
	return out, lost >= k.least && (edited || !k.meant)
}

// contains reports whether a line contains a text, in which a final "\n" stands for the end of the line.
func contains(line, s string) bool {
	if end, ok := strings.CutSuffix(s, "\n"); ok {
		return strings.HasSuffix(line, end)
	}
	return strings.Contains(line, s)
}

// keepsNext reports whether the new lines seem to keep the line below an old line, possibly without its comma.
func keepsNext(was string, old, new []string) bool {
	i := slices.Index(old, was) + 1
	return len(new) == len(old) ||
		i == len(old) ||
		slices.ContainsFunc(new, func(line string) bool { return strings.TrimRight(line, ",") == strings.TrimRight(old[i], ",") })
}
