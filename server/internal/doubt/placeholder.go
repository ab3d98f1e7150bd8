package doubt

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// placeholders compares a new file with another file of its folder that has the same keys, such as the same texts in
// another language. It finds different placeholders, which a translator may have translated, and a text without
// placeholders, which a program may have filled in.
var placeholders = Rule{
	ID: "placeholders", program: true,
	doubts: func(c *Change) *Doubt {
		if !c.New || c.Siblings == nil || !c.Whole || len(c.Content) > mostBytesSeen || !slices.Contains(keyFiles, c.ext()) {
			return nil
		}
		keys := valuesOf(c.Content)
		if len(keys) < text.Habit {
			return nil
		}
		for file, other := range c.Siblings {
			if strings.Contains(file, "/") {
				break // The files of the same folder come first.
			}
			if path.Ext(file) != path.Ext(c.Path) || !placeholder.MatchString(other) {
				continue
			}
			theirs := valuesOf(other)
			lost, same, missing, differs := 0, 0, 0, ""
			for _, key := range slices.Sorted(maps.Keys(keys)) {
				had, ok := theirs[key]
				if !ok {
					missing++
					continue
				}
				was, is := placeholdersIn(had), placeholdersIn(keys[key])
				switch {
				case len(was) > 0 && slices.Equal(was, is):
					same++
				case !slices.Equal(was, is) && differs == "":
					differs = key
				}
				if len(was) > 0 && len(is) == 0 {
					lost++
				}
			}
			switch {
			case missing < 2 && len(keys) == len(theirs) && same > 0 && differs != "": // One key may differ: the name of the language, as in `{"en": {…}}`.
				return warn(c.textAt(), diag.TextArtifact, "for the same key, %s has %q but %s has %q; use the same placeholders", c.Path, text.Cut(strings.TrimSpace(keys[differs]), 60), file, text.Cut(strings.TrimSpace(theirs[differs]), 60))
			case lost >= text.Habit && !placeholder.MatchString(c.Content):
				return warn(c.textAt(), diag.TextArtifact, "%s has no placeholders, but %s has some for %d of the same keys; a program may have filled them in", c.Path, file, lost)
			}
		}
		return nil
	},
}

// keyFiles lists the extensions of files that consist of keys and values.
var keyFiles = []string{".json", ".jsonc", ".yaml", ".yml", ".properties", ".toml", ".ini", ".cfg", ".conf", ".env", ".strings", ".arb", ".ftl"}

var keyAndValue = lazyregexp.New(`(?m)^(\s*(?:- )?["']?[A-Za-z_][\w.-]*["']?\s*[:=])(.*)$`)

// placeholder matches a place in a text or a template that a program fills in.
var placeholder = lazyregexp.New(`\{\{[^{}]*\}\}|<%[^%]*%>|[$%]?\{\w+\}|%\(\w+\)[a-z]|%(?:\d+\$)?[sd@]`)

// valuesOf maps each key, with its indentation, to its value. It leaves out keys that occur several times.
func valuesOf(content string) map[string]string {
	values, again := map[string]string{}, map[string]bool{}
	for _, m := range keyAndValue.FindAllStringSubmatch(content, -1) {
		_, again[m[1]] = values[m[1]]
		values[m[1]] = m[2]
	}
	maps.DeleteFunc(values, func(key, _ string) bool { return again[key] })
	return values
}

func placeholdersIn(value string) []string {
	all := text.Each(placeholder.FindAllStringIndex(value, -1), func(at []int) string { return value[at[0]:at[1]] })
	slices.Sort(all)
	return slices.Compact(all)
}
