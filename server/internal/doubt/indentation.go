package doubt

import (
	"fmt"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/text"
)

// indentation finds a change after which Python cannot load the file because of its indentation.
var indentation = Rule{
	ID: "indentation", existing: true,
	doubts: func(c *Change) *Doubt {
		if c.ext() != ".py" && c.ext() != ".pyi" {
			return nil
		}
		return c.breaks([]language{{parsePython, 20}})
	},
}

// parsePython returns an error for the first statement of a Python file whose indentation is not valid. It reads
// strings, brackets and comments only to find where statements begin.
func parsePython(s string) error {
	blocks := []int{0} // the indentations of the blocks around the statement, outermost first
	var c pythonCode
	for i, line := range linesOf(s) {
		if body := strings.TrimSpace(line); c.inside() || body == "" || body[0] == '#' {
			c.read(line)
			continue
		}
		depth, last := column(line), blocks[len(blocks)-1]
		switch opens := c.last == ':'; {
		case opens && depth <= last:
			return fmt.Errorf("line %d is not indented, although the statement above it opens a block", i+1)
		case opens:
			blocks = append(blocks, depth)
		case depth > last:
			return fmt.Errorf("line %d is indented more than the statement above it, which opens no block", i+1)
		}
		for depth < blocks[len(blocks)-1] {
			blocks = blocks[:len(blocks)-1]
		}
		if depth != blocks[len(blocks)-1] {
			return fmt.Errorf("line %d has an indentation that no block around it has", i+1)
		}
		c.read(line)
	}
	return nil
}

// A pythonCode is the state between two lines of Python.
type pythonCode struct {
	quote     string // the quotes of the long string that is open, or ""
	brackets  int    // the number of open brackets
	continued bool   // whether the line ended with a backslash
	last      byte   // the last character outside of white space and comments
}

// inside reports whether the next line continues a statement.
func (c *pythonCode) inside() bool { return c.quote != "" || c.brackets > 0 || c.continued }

func (c *pythonCode) read(line string) {
	c.continued = false
	for i := 0; i < len(line); i++ {
		switch b := line[i]; {
		case c.quote != "":
			if b == '\\' {
				i++
			} else if strings.HasPrefix(line[i:], c.quote) {
				i += len(c.quote) - 1
				c.quote, c.last = "", b
			}
		case b == ' ' || b == '\t':
		case b == '#':
			return
		case b == '\\' && i == len(line)-1:
			c.continued = true
		case b == '"' || b == '\'':
			if c.last = b; strings.HasPrefix(line[i:], strings.Repeat(line[i:i+1], 3)) {
				c.quote = line[i : i+3]
				i += 2
			} else if end := text.ClosingQuote(line[i:]); end > 0 {
				i += end
			} else {
				// The string is not closed on its line. A backslash at the end of the line may continue it.
				c.continued = strings.HasSuffix(line, `\`)
				return
			}
		default:
			if i := strings.IndexByte("()[]{}", b); i >= 0 {
				c.brackets += 1 - 2*(i%2)
			}
			c.last = b
		}
	}
}

// column returns the number of columns of a line's indentation. As in Python, a tab ends at a multiple of 8.
func column(line string) (n int) {
	for _, r := range text.Indentation(line) {
		if n++; r == '\t' {
			n = (n + 7) / 8 * 8
		}
	}
	return n
}
