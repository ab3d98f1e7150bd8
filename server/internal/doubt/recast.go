package doubt

import (
	"encoding/csv"
	"slices"
	"strconv"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/meter"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// recast finds numbers of a table or a JSON file in a different form, as a spreadsheet writes them: `417` for
// `00417`, or `1,250` for `1250.00`. It finds a table with another separator, too. It also finds dates in another order. If nothing else changes, the person
// probably asked for the new form.
var recast = Rule{
	ID: "recast", existing: true,
	doubts: func(c *Change) *Doubt {
		if r, was, is := c.redated(); r != nil {
			return warn(c.at(*r), diag.TextArtifact, "the new text has the date %s in place of %s, with the same numbers in another order; write it as in the file", is, was)
		}
		if c.ext() != ".csv" && c.ext() != ".tsv" && c.ext() != ".json" {
			return nil
		}
		var at Run
		var was, is string // the old and the new form of the first cell that is written differently
		cells, edited := 0, false
		for _, r := range c.Runs {
			edited = edited || len(r.Old) != len(r.New)
			next := 0
			for _, line := range r.New[:min(len(r.New), mostLaid)] {
				row, found := cellsOf(line, c.ext()), false
				for i := next; i < min(len(r.Old), next+mostAside) && !found; i++ {
					if !c.Meter.Pay(meter.Line + len(line)) {
						return nil
					}
					old := cellsOf(r.Old[i], c.ext())
					same, other, first := compare(old, row)
					if found = 2*same >= len(row); !found {
						continue
					}
					next = i + 1
					edited = edited || same < len(row)
					from, to := old[first], row[first]
					if a, b := separatorOf(r.Old[i], c.ext()), separatorOf(line, c.ext()); a != b {
						other, from, to = len(row), string(a), string(b)
					}
					if other > 0 && cells == 0 {
						at, was, is = r, from, to
					}
					cells += other
				}
				edited = edited || !found
			}
		}
		if cells < text.Habit || !edited {
			return nil
		}
		return warn(c.at(at), diag.TextArtifact, "the new text writes %d cells of %s differently, for example %q instead of %q; write them as in the file", cells, c.Path, is, was)
	},
}

// redated returns the first run with a date whose numbers only change their order, and the old and the new date. It
// returns nil if no other line changes.
func (c *Change) redated() (found *Run, was, is string) {
	edited := false
	for i := range c.Runs {
		r := &c.Runs[i]
		edited = edited || len(r.Old) != len(r.New)
		for k, line := range r.New[:min(len(r.New), len(r.Old))] {
			switch old, new := date.FindString(r.Old[k]), date.FindString(line); {
			case old == new || date.ReplaceAllString(r.Old[k], "") != date.ReplaceAllString(line, "") || !slices.Equal(numbersOf(old), numbersOf(new)):
				edited = true
			case found == nil:
				found, was, is = r, old, new
			}
		}
	}
	if !edited {
		return nil, "", ""
	}
	return found, was, is
}

var date = lazyregexp.New(`\b(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{4})\b`)

// numbersOf returns the sorted numbers of a date, without leading zeros.
func numbersOf(date string) []string {
	parts := text.Each(strings.FieldsFunc(date, func(r rune) bool { return strings.ContainsRune("-/.", r) }), func(part string) string { return strings.TrimLeft(part, "0") })
	slices.Sort(parts)
	return parts
}

// mostAside limits the number of old lines that are compared with a new line.
const mostAside = 20

// cellsOf returns the cells of a table row, or the names and values on a line of JSON. It returns nil for a malformed
// row.
func cellsOf(line, ext string) []string {
	if ext == ".json" {
		return strings.FieldsFunc(line, func(r rune) bool { return strings.ContainsRune(" \t:,[]{}", r) })
	}
	if ext == ".tsv" && !strings.Contains(line, "\t") {
		return strings.Fields(line) // Split at spaces, because a chat may have written them instead of the tabs.
	}
	r := csv.NewReader(strings.NewReader(line))
	r.Comma = separatorOf(line, ext)
	cells, err := r.Read()
	if err != nil {
		return nil
	}
	return cells
}

func separatorOf(row, ext string) rune {
	if ext != ".csv" {
		return '\t'
	}
	most := ','
	for _, sign := range ";\t" {
		if strings.Count(row, string(sign)) > strings.Count(row, string(most)) {
			most = sign
		}
	}
	return most
}

// compare counts the cells that have the same value in two rows (`same`), and those of them that have the same number
// in a different form (`other`). `first` is the index of the first such cell. If the rows cannot be compared, `same`
// is -1.
func compare(old, new []string) (same, other, first int) {
	if len(old) != len(new) || len(new) < 2 {
		return -1, 0, 0
	}
	for i := range new {
		if old[i] == new[i] {
			same++
		} else if a, ok := numberOf(old[i]); ok {
			if b, ok := numberOf(new[i]); ok && a == b {
				if other == 0 {
					first = i
				}
				same, other = same+1, other+1
			}
		}
	}
	return same, other, first
}

// numberOf returns the number in a cell, which may have commas between its thousands.
func numberOf(cell string) (float64, bool) {
	parts := strings.Split(strings.TrimSpace(cell), ",")
	if slices.ContainsFunc(parts[1:], func(p string) bool { return len(p) < 3 || len(p) > 3 && p[3] != '.' }) || strings.Trim(cell, "0123456789.,-+eE ") != "" {
		return 0, false
	}
	n, err := strconv.ParseFloat(strings.Join(parts, ""), 64)
	return n, err == nil
}
