package doubt

import (
	"slices"
	"strings"
	"sync"

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
		var copied *copies // nil until a run removes a block
		for _, r := range c.Runs {
			if countWithWords(r.Old) < fewestCopied {
				continue
			}
			if copied == nil {
				if copied = c.written(); !c.Meter.Pay(meter.Line * len(copied.lines)) {
					return nil
				}
			}
			if !c.Meter.Pay(meter.Line * len(r.Old)) {
				return nil
			}
			lost := copied.lostBetween(trimmed(r.Old))
			if len(lost) > 0 && !partsOf(lost).without(copied.parts()).hasOneOf(c.Words) {
				return warn(c.at(r), diag.LinesLost, "lines of %s would move, but %d of the lines between them would be lost, beginning with %q; write these lines, too, if they should stay", c.Path, len(lost), text.Cut(lost[0], 60))
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

// A copies holds the lines to which a block may move.
type copies struct {
	lines []string          // trimmed, and without blank lines
	at    map[string]int    // the index of each line; the last one, if there are several
	times map[string]int    // the number of times that a line occurs
	parts func() vocabulary // returns the words of the lines
}

// written returns the new lines of the file, and the lines that the reply writes to other files.
func (c *Change) written() *copies {
	var lines []string
	for _, r := range c.Runs {
		lines = append(append(lines, trimmed(r.New)...), "")
	}
	if c.Others != nil {
		lines = append(lines, c.Others()...)
	}
	all := &copies{lines, map[string]int{}, map[string]int{}, sync.OnceValue(func() vocabulary { return partsOf(lines) })}
	for i, line := range lines {
		all.at[line] = i
		all.times[line]++
	}
	return all
}

func trimmed(lines []string) []string {
	return text.Only(text.Each(lines, strings.TrimSpace), func(line string) bool { return line != "" })
}

// lostBetween returns the lines of code that are missing in a copy of `old`, if the copy is equal above and below them.
// It returns nil if there is no such copy, if other lines of `old` are missing, too, or if a missing line is at another
// place.
func (c *copies) lostBetween(old []string) []string {
	for i := 0; i+fewestCopied < len(old); {
		j := c.at[old[i]]
		n := 0
		if c.times[old[i]] == 1 {
			n = text.CommonStart(old[i:], c.lines[j:])
		}
		if n < fewestBeside {
			i++
			continue
		}
		rest := old[i+n:]
		for lost := 1; lost <= mostLost && lost < len(rest); lost++ {
			below := text.CommonStart(rest[lost:], c.lines[j+n:])
			if below >= fewestBeside && n+below >= fewestCopied && slices.ContainsFunc(rest[:lost], saysCode) {
				isLost := func(line string) bool { return text.HasWord(line) && c.times[line] == 0 }
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
