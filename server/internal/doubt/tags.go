package doubt

import (
	"maps"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// unpairedTag returns the name of an element whose tags are paired in `before` but not in `now`, or "" if there is
// none. `pages` is true if all tags of the file are elements of a page.
func unpairedTag(before, now string, pages bool) string {
	was, closes := elementsOf(before)
	is, _ := elementsOf(now)
	for _, name := range slices.Sorted(maps.Keys(is)) {
		// Skip an element that a program never closes: it may only be mentioned, or be the parameter of a type.
		if is[name] != 0 && was[name] == 0 && (closes[name] || pages && !unclosed[name]) {
			return name
		}
	}
	return ""
}

// elementsOf counts, for each name, how many more elements a text opens than it closes. `closes` has the names of the
// elements that the text closes.
func elementsOf(s string) (open map[string]int, closes map[string]bool) {
	open, closes = map[string]int{}, map[string]bool{}
	typed := map[string]bool{} // the parameters of types, such as `string` in `Array<string>`
	for _, m := range tag.FindAllStringSubmatchIndex(s, -1) {
		if m[4] < 0 {
			continue // a comment
		}
		switch name := strings.ToLower(s[m[4]:m[5]]); {
		case m[3] > m[2]:
			open[name]--
			closes[name] = true
		case isWordEnd(s[:m[0]]):
			typed[name] = true
		case s[m[1]-2] != '/' && !void[name]:
			open[name]++
		}
	}
	maps.DeleteFunc(open, func(name string, _ int) bool { return typed[name] })
	return open, closes
}

// tag matches a comment, or a tag whose attributes may have a `>` in quotes or curly brackets.
var tag = lazyregexp.New(`(?s)<!--.*?-->|<(/?)([A-Za-z][\w.:-]*)(?:[\s/](?:[^<>"'{}]|"[^"]*"|'[^']*'|\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\})*)?>`)

// void holds the elements without an end tag.
var void = text.WordSet("area base br col embed hr img input link meta param source track wbr")

// unclosed holds the elements whose end tag HTML allows to leave out.
var unclosed = text.WordSet("html head body p li dt dd tr td th thead tbody tfoot colgroup option optgroup rt rp")

// pages holds the extensions of files with HTML, in which a name between angle brackets cannot be a type.
var pages = text.WordSet(".html .htm .twig .njk .liquid .hbs .mustache .ejs .erb .heex")
