package git

import (
	"strings"

	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
)

const mostPlain = 64 << 10

// plainSection and plainEntry match the plain lines of a configuration, which every version of git reads in the same
// way. These lines have no quotes, escapes, tabs or double blanks in a value, and no comment after it.
var (
	plainSection = lazyregexp.New(`^\[([A-Za-z0-9-]+)(?: "([^"\\]+)")?\]$`)
	plainEntry   = lazyregexp.New(`^([A-Za-z][A-Za-z0-9-]*) *= *((?:[^ \t"\\#;]| [^ \t"\\#;])*)$`)
)

// An entry is a setting in a configuration. `from` is the absolute path of its file, or "" if the setting is in no
// file.
type entry struct{ key, value, from string }

// plainEntries reads a configuration that has only plain lines, without running git: in a folder with many clones,
// running git for each of them would take too long. ok is false if only git can read the configuration.
func plainEntries(name string) (entries []entry, ok bool) {
	data, err := readFile(name, mostPlain)
	if err != nil || len(data) == mostPlain || strings.ContainsAny(data, "\r\x00\v\f") {
		return nil, false
	}
	section := ""
	for line := range strings.Lines(data) {
		line = strings.Trim(line, " \t\n")
		if line == "" || line[0] == '#' || line[0] == ';' {
			continue
		}
		if m := plainSection.FindStringSubmatch(line); m != nil {
			if section = strings.ToLower(m[1]) + "."; m[2] != "" {
				section += m[2] + "."
			}
			continue
		}
		m := plainEntry.FindStringSubmatch(line)
		if m == nil || section == "" {
			return nil, false
		}
		entries = append(entries, entry{section + strings.ToLower(m[1]), m[2], name})
	}
	return entries, true
}
