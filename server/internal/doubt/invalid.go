package doubt

import (
	"encoding/json"
	"fmt"
	"go/parser"
	"go/scanner"
	"go/token"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
)

// invalid finds a change that breaks the syntax of a file: a parser accepts the file before the change but not
// afterwards. Nobody intends that.
var invalid = Rule{
	ID: "invalid", existing: true,
	doubts: func(c *Change) *Doubt {
		parse := parsers[c.ext()]
		if parse == nil || c.Raw || len(c.Runs) == 0 || !c.Meter.Pay(eachParsed*len(c.Before())) {
			return nil
		}
		// Parse the new text first, because most changes are valid, and the old text then need not be parsed.
		lines := c.after()
		err := parse(joined(lines))
		if lines == nil || err == nil || parse(c.Before()) != nil {
			return nil
		}
		return warn(c.textAt(), diag.InvalidSyntax, "%s would no longer be valid: %s", c.Path, firstError(err))
	},
}

// eachParsed is the cost of parsing a byte, in units of the meter.
const eachParsed = 50

// parsers maps the extension of a file to a function that returns the first syntax error in a text. It uses only
// parsers of the standard library, because only these are exact enough. No parser needs another file.
var parsers = map[string]func(string) error{
	".go": func(s string) error {
		_, err := parser.ParseFile(token.NewFileSet(), "", s, parser.SkipObjectResolution)
		return err
	},
	".json": func(s string) error {
		var any json.RawMessage
		return json.Unmarshal([]byte(s), &any)
	},
}

func firstError(err error) string {
	if list, ok := err.(scanner.ErrorList); ok && len(list) > 0 {
		return fmt.Sprintf("line %d, %s", list[0].Pos.Line, list[0].Msg)
	}
	return strings.ReplaceAll(err.Error(), "\n", " ")
}

// after returns the lines of the file after the change. It returns nil if several steps change the same lines in turn.
func (c *Change) after() []string {
	if c.Whole {
		return c.new
	}
	var lines []string
	old, next := c.oldLines(), 0
	for _, r := range c.Runs {
		at := min(r.Line-1, len(old))
		if at < next {
			return nil
		}
		lines = append(append(lines, old[next:at]...), r.New...)
		next = min(at+len(r.Old), len(old))
	}
	return append(lines, old[next:]...)
}
