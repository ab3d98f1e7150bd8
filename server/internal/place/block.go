package place

import (
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/meter"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A Block is a range of lines. It begins at First and ends before End.
type Block struct{ First, End int }

// Within reports whether any of the blocks contains the line. The blocks must come from [Join].
func Within(blocks []Block, line int) bool {
	i, found := slices.BinarySearchFunc(blocks, line, func(b Block, line int) int { return b.First - line })
	return found || i > 0 && line < blocks[i-1].End
}

// Join merges blocks that overlap or touch. The blocks must be sorted.
func Join(blocks []Block) []Block {
	joined := blocks[:0:0]
	for _, b := range blocks {
		if last := len(joined) - 1; last >= 0 && b.First <= joined[last].End {
			joined[last].End = max(joined[last].End, b.End)
			continue
		}
		joined = append(joined, b)
	}
	return joined
}

// BlocksOf returns the blocks that begin with a line similar to an anchor. If no such line is in the blocks
// `within`, it looks everywhere below the start of the first of them.
func BlocksOf(lines *Lines, anchor string, within []Block) []Block {
	if found := begun(lines, anchor, Join(within)); len(found) > 0 {
		return found
	}
	return begun(lines, anchor, []Block{{within[0].First, lines.Count()}})
}

// eachBegun is the cost of a block that begins with an anchor, in units of the meter.
const eachBegun = 6 * meter.Line

// begun returns the blocks whose first line equals the anchor. If there are none, it returns those whose first line
// begins with the anchor, or else those whose first line contains it.
func begun(lines *Lines, anchor string, within []Block) (found []Block) {
	anchor = strings.TrimSpace(anchor)
	least, m := 2, lines.Meter()
	for _, b := range within {
		end := lines.Start(b.End)
		for at := lines.Start(b.First); at < end; {
			next := strings.Index(lines.Text()[at:end], anchor)
			if next < 0 {
				m.Pay((end - at) / 2)
				break
			}
			if !m.Pay(eachBegun + next/2) {
				return nil
			}
			first, unlike := lines.At(at+next), 2
			switch line := strings.TrimSpace(lines.Line(first)); {
			case line == anchor:
				unlike = 0
			case strings.HasPrefix(line, anchor):
				unlike = 1
			}
			if unlike < least {
				least, found = unlike, nil
			}
			if unlike == least {
				found = append(found, Block{first, BlockEnd(lines, first)})
			}
			at = lines.Start(first + 1)
		}
	}
	return found
}

// BlockEnd returns the line after the block that begins at the line `first`. The other lines of the block are
// indented more, or open or close the block at the same indentation.
func BlockEnd(lines *Lines, first int) int {
	own := len(text.Indentation(lines.Line(first)))
	for i := first + 1; i < lines.Count() && lines.Meter().Pay(meter.Line); i++ {
		line := strings.TrimRight(lines.Line(i), " \t\r\n")
		indent := len(text.Indentation(line))
		switch {
		case line == "" || indent > own:
		case indent < own:
			return i
		case strings.ContainsRune("{)]", rune(line[indent])):
		case line[indent] == '}' || strings.HasPrefix(line[indent:], "end"):
			return i + 1
		default:
			return i
		}
	}
	return lines.Count()
}
