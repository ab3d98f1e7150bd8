package place

import (
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/locate"
)

// A Block is a range of lines, from First up to, but not including, End.
type Block struct{ First, End int }

// Within reports whether a line is in one of some blocks.
func Within(blocks []Block, line int) bool {
	return slices.ContainsFunc(blocks, func(b Block) bool { return b.First <= line && line < b.End })
}

// BlocksOf returns the blocks that begin with a line similar to an anchor. It looks within the
// given blocks first, and otherwise below the first of them.
func BlocksOf(lines *locate.Lines, anchor string, within []Block) []Block {
	if found := begun(lines, anchor, within); len(found) > 0 {
		return found
	}
	return begun(lines, anchor, []Block{{within[0].First, lines.Count()}})
}

// begun returns the lines that equal the anchor. If there are none, it returns the lines that
// begin with it, or otherwise those that contain it.
func begun(lines *locate.Lines, anchor string, within []Block) []Block {
	anchor = strings.TrimSpace(anchor)
	lines.Meter().Pay(len(lines.Text()))
	for _, like := range []func(line string) bool{
		func(line string) bool { return line == anchor },
		func(line string) bool { return strings.HasPrefix(line, anchor) },
		func(line string) bool { return strings.Contains(line, anchor) },
	} {
		var found []Block
		for i := range lines.Count() {
			if Within(within, i) && like(strings.TrimSpace(lines.Line(i))) {
				found = append(found, Block{i, blockEnd(lines, i)})
			}
		}
		if len(found) > 0 {
			return found
		}
	}
	return nil
}

// blockEnd returns the line after the block that a line begins. To the block belong the lines
// that are indented more, and lines at the same indentation that open or close it.
func blockEnd(lines *locate.Lines, first int) int {
	own := len(locate.Indentation(lines.Line(first)))
	for i := first + 1; i < lines.Count(); i++ {
		line := strings.TrimRight(lines.Line(i), " \t\r\n")
		indent := len(locate.Indentation(line))
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
