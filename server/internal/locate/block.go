package locate

import (
	"strings"

	"github.com/aptix-dev/aptix/server/internal/meter"
)

// BlockEnd returns the line after the block that begins at a line. The other lines of the block are
// indented more, or open or close the block at the same indentation.
func BlockEnd(lines *Lines, first int) int {
	own := len(Indentation(lines.Line(first)))
	for i := first + 1; i < lines.Count() && lines.Meter().Pay(meter.Line); i++ {
		line := strings.TrimRight(lines.Line(i), " \t\r\n")
		indent := len(Indentation(line))
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
