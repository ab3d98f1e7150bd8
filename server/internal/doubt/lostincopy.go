package doubt

import (
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/meter"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// lostInCopy finds a block that moves to another place or file and lacks lines there, although the rest of the block is
// equal and the prose does not mention the missing lines.
var lostInCopy = Rule{
	ID: "lost-in-copy", existing: true,
	doubts: func(c *Change) *Doubt {
		if len(c.Words) == 0 {
			return nil
		}
		var copied []string // the lines to which a block may move, if any run removes a block
		for _, r := range c.Runs {
			if countWithWords(r.Old) < fewestCopied {
				continue
			}
			if copied == nil {
				copied = c.written()
			}
			if !c.Meter.Pay(meter.Line * (len(r.Old) + len(copied))) {
				return nil
			}
			lost := lostBetween(trimmed(r.Old), copied)
			if len(lost) > 0 && !partsOf(lost).without(partsOf(copied)).hasOneOf(c.Words) {
				return warn(c.at(r), diag.LinesLost, "lines of %s would move, but %d of them would be lost between the others, beginning with %q; write these lines, too, if they should stay", c.Path, len(lost), text.Cut(lost[0], 60))
			}
		}
		return nil
	},
}

const (
	fewestCopied = 6  // the least number of equal lines that show that a block moves
	mostLost     = 20 // the largest number of lines that may be missing in its copy
	fewestBeside = 2  // the least number of equal lines above the missing lines, and below them
)

// written returns the new lines of the file, and the lines that the reply writes to other files, trimmed and without
// blank lines.
func (c *Change) written() (lines []string) {
	for _, r := range c.Runs {
		lines = append(append(lines, trimmed(r.New)...), "")
	}
	if c.Others != nil {
		lines = append(lines, c.Others()...)
	}
	return lines
}

func trimmed(lines []string) []string {
	return text.Only(text.Each(lines, strings.TrimSpace), func(line string) bool { return line != "" })
}

// lostBetween returns the lines of code that are missing in a copy of `old`, if the copy is equal above and below them.
// It returns nil if there is no such copy, if other lines of `old` are missing, too, or if a missing line is at another
// place of `copied`.
func lostBetween(old, copied []string) []string {
	at, times := map[string]int{}, map[string]int{}
	for i, line := range copied {
		at[line] = i
		times[line]++
	}
	for i := 0; i+fewestCopied < len(old); {
		j := at[old[i]]
		n := 0
		if times[old[i]] == 1 {
			n = equalLines(old[i:], copied[j:])
		}
		if n < fewestBeside {
			i++
			continue
		}
		rest := old[i+n:]
		for lost := 1; lost <= mostLost && lost < len(rest); lost++ {
			below := equalLines(rest[lost:], copied[j+n:])
			if below >= fewestBeside && n+below >= fewestCopied && slices.ContainsFunc(rest[:lost], saysCode) {
				isLost := func(line string) bool { return text.HasWord(line) && times[line] == 0 }
				if all := text.Count(old, isLost); all == countWithWords(rest[:lost]) && all == text.Count(rest[:lost], isLost) {
					return rest[:lost]
				}
				return nil
			}
		}
		i += n
	}
	return nil
}

// equalLines returns the number of equal lines at the beginning of a and b.
func equalLines(a, b []string) (n int) {
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}
