package doubt

import (
	"slices"
	"strconv"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// listed returns the keys of the rows and entries of a file that occur only once.
func (c *Change) listed() (found []keys) {
	if c.New || c.isDocument() {
		return nil
	}
	if key := c.rowNumber(); key != nil && countsUp(c.oldLines(), key) {
		found = append(found, keys{name: key, twice: twiceInFile, says: "%q has the number of another row of %s, whose rows count up; use another number, or change that row"})
	}
	return append(found, keys{name: entryOf, twice: twiceListed, says: "%q is in its list in %s already; leave out one of the two lines"})
}

// rowNumber returns the function that returns the number at the beginning of a row, or "". It returns nil if the file
// has no rows.
func (c *Change) rowNumber() func(line string) string {
	switch c.ext() {
	case ".csv", ".tsv":
		return func(line string) string {
			cell, _, _ := strings.Cut(line, string(separatorOf(line, c.ext())))
			return digitsOf(strings.Trim(cell, `"`))
		}
	case ".sql":
		return func(line string) string { return digitsOf(groupOf(sqlRow, line)) }
	}
	return nil
}

var sqlRow = lazyregexp.New(`^\s*(?i:insert into [^()]+(?:\([^()]*\))? values )?\((\d+),`)

func digitsOf(s string) string {
	if _, err := strconv.Atoi(s); err != nil {
		return ""
	}
	return s
}

// countsUp reports whether the numbers of a file's rows increase from row to row.
func countsUp(lines []string, number func(line string) string) bool {
	n, last := 0, 0
	for _, line := range lines {
		if s := number(line); s != "" {
			at, _ := strconv.Atoi(s)
			if n > 0 && at <= last {
				return false
			}
			n, last = n+1, at
		}
	}
	return n >= text.Habit
}

// entry matches a line with only a string in quotes, as in a list, or an item of a YAML list. An option such as "-v" may
// occur several times.
var entry = lazyregexp.New(`^([ \t]+(?:"[^"\\-][^"\\]*"|'[^'\\-][^'\\]*')|[ \t]*- [A-Za-z][\w./@:-]*),?[ \t]*$`)

func entryOf(line string) string { return groupOf(entry, line) }

// twiceListed returns the entries that are the only ones to be twice in their lists. A list consists of consecutive
// entries with the same indentation.
func twiceListed(lines []string, name func(string) string) map[string]bool {
	again := map[string]bool{}
	var list []string
	end := func() {
		had, twice := map[string]bool{}, []string(nil)
		for _, is := range list {
			if had[is] {
				twice = append(twice, is)
			}
			had[is] = true
		}
		if len(twice) == 1 && len(had) >= text.Habit {
			again[twice[0]] = true
		}
		list = nil
	}
	for _, line := range slices.Concat(lines, []string{""}) {
		is := name(line)
		if is == "" || len(list) > 0 && text.Indentation(is) != text.Indentation(list[0]) {
			end()
		}
		if is != "" {
			list = append(list, is)
		}
	}
	return again
}

// twiceByPath returns the keys of YAML with dots that are also there as keys in keys: `a.b:` beside `a:` with `b:`.
func twiceByPath(lines []string, name func(string) string) map[string]bool {
	type block struct {
		depth int
		path  string
	}
	again, first, around := map[string]bool{}, map[string]string{}, []block(nil)
	for i, line := range lines {
		if text.IsBlank(line) {
			continue
		}
		depth := len(text.Indentation(line))
		for n := len(around); n > 0 && (around[n-1].depth >= depth || strings.HasPrefix(line, "---")); n-- {
			around = around[:n-1]
		}
		path := ""
		if n := len(around); n > 0 {
			path = around[n-1].path
		}
		is := name(line)
		switch {
		case is != "":
			path += "." + strings.TrimSpace(is)
			path = strings.TrimSuffix(path, ":")
			if other := first[path]; other != "" && strings.TrimSpace(other) != strings.TrimSpace(is) {
				again[is], again[other] = true, true
			}
			first[path] = is
		case isBullet(line):
			path += "." + strconv.Itoa(i)
		case strings.HasPrefix(line, "---"):
			first = map[string]string{}
		}
		around = append(around, block{depth, path})
	}
	return again
}
