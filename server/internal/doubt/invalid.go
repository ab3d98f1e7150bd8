package doubt

import (
	"cmp"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"go/parser"
	"go/scanner"
	"go/token"
	"io"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// invalid finds a change that breaks the syntax of a file: a parser accepts the file before the change but not
// afterwards. Nobody intends that.
var invalid = Rule{
	ID: "invalid", existing: true,
	doubts: func(c *Change) *Doubt {
		of := languages[c.ext()]
		if len(of) == 0 && c.mayHaveTags() && !c.isDocument() {
			of = []language{{nil, 50}}
		}
		return cmp.Or(c.breaks(of), c.endsEarly())
	},
}

// breaks returns a doubt if one of the languages accepts the file before the change but not afterwards.
func (c *Change) breaks(of []language) *Doubt {
	if len(of) == 0 || len(c.Runs) == 0 {
		return nil
	}
	lines := c.after()
	if lines == nil {
		return nil
	}
	now := text.Joined(lines)
	for _, l := range of {
		cost := l.each * max(len(now), len(c.Before()))
		if c.Meter != nil && c.Meter.Left() < 4*cost || !c.Meter.Pay(cost) {
			return nil // Parsing must not use up the meter, because then the reply would be refused.
		}
		if l.parse == nil {
			if name := unpairedTag(c.Before(), now, pages[c.ext()]); name != "" {
				return warn(c.textAt(), diag.InvalidSyntax, "%s would no longer be valid: it would not have as many `<%s>` as `</%s>`", c.Path, name, name)
			}
			return nil
		}
		// Parse the new text first: if it is valid, as most are, the old text need not be parsed.
		err := l.parse(now)
		if err == nil {
			return nil
		} else if l.parse(c.Before()) == nil {
			return warn(c.textAt(), diag.InvalidSyntax, "%s would no longer be valid: %s", c.Path, firstError(err))
		}
	}
	return nil
}

type language struct {
	parse func(string) error // returns the first syntax error; nil for a language of which only the tags are counted
	each  int                // the cost of parsing a byte, in units of the meter
}

var (
	yamlFile = []language{{parseYAML, 400}}
	xmlFile  = []language{{parseXML, 400}}
)

// languages maps the extension of a file to its languages, which are tried in order. Each parser needs only the file
// itself.
var languages = map[string][]language{
	".go":    {{parseGo, 50}},
	".json":  {{parseJSON, 50}, {parseJSONC, 100}},
	".jsonc": {{parseJSONC, 100}},
	".csv":   {{parseTable, 50}},
	".yml":   yamlFile, ".yaml": yamlFile,
	".xml": xmlFile, ".csproj": xmlFile, ".props": xmlFile, ".svg": xmlFile, ".plist": xmlFile, ".xaml": xmlFile,
}

func parseGo(s string) error {
	_, err := parser.ParseFile(token.NewFileSet(), "", s, parser.SkipObjectResolution)
	return err
}

func parseJSON(s string) error {
	var any json.RawMessage
	return json.Unmarshal([]byte(s), &any)
}

func parseJSONC(s string) error { return parseJSON(withoutComments(s)) }

// withoutComments removes comments and trailing commas from JSON.
func withoutComments(s string) string {
	return lastComma.ReplaceAllString(comment.ReplaceAllString(s, "$1"), "$1$2")
}

// comment and lastComma also match strings, so that the text in strings is kept.
var (
	comment   = lazyregexp.New(`("(?:[^"\\\n]|\\.)*")|//[^\n]*|(?s:/\*.*?\*/)`)
	lastComma = lazyregexp.New(`("(?:[^"\\\n]|\\.)*")|,(\s*[}\]])`)
)

// parseTable returns an error unless all rows have the same number of cells.
func parseTable(s string) error {
	r := csv.NewReader(strings.NewReader(s))
	r.Comma = separatorOf(firstText(linesOf(s)), ".csv")
	for {
		if _, err := r.Read(); err != nil {
			return unlessEnd(err)
		}
	}
}

func parseYAML(s string) error {
	if strings.Contains(s, "{%") {
		return nil // a template that generates YAML
	}
	s = inserted.ReplaceAllString(insertedEnd.ReplaceAllString(s, "$1"), "x")
	for d := yaml.NewDecoder(strings.NewReader(s)); ; {
		if err := d.Decode(new(yaml.Node)); err != nil {
			return unlessEnd(err)
		}
	}
}

// insertedEnd matches the part of a template that inserts text, perhaps several lines, at the end of a line. inserted
// matches a part that inserts text elsewhere.
var (
	insertedEnd = lazyregexp.New(`(?m)(^|[:-])[ \t]*\{\{.*\}\}[ \t]*$`)
	inserted    = lazyregexp.New(`\{\{.*?\}\}`)
)

func parseXML(s string) error {
	d := xml.NewDecoder(strings.NewReader(s))
	d.Entity = xml.HTMLEntity // The decoder does not read document types, which may define these entities.
	d.CharsetReader = func(_ string, r io.Reader) (io.Reader, error) { return r, nil }
	for {
		if _, err := d.Token(); err != nil {
			return unlessEnd(err)
		}
	}
}

func unlessEnd(err error) error {
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

func firstError(err error) string {
	if list, ok := err.(scanner.ErrorList); ok && len(list) > 0 {
		return fmt.Sprintf("line %d, %s", list[0].Pos.Line, list[0].Msg)
	}
	return strings.TrimPrefix(strings.ReplaceAll(err.Error(), "\n", " "), "yaml: ")
}

// after returns the lines of the file after the change. It returns nil if runs overlap and c.After
// has no text.
func (c *Change) after() []string {
	if c.Whole {
		return c.new
	}
	var lines []string
	old, next := c.oldLines(), 0
	for _, r := range c.Runs {
		at := min(r.Line-1, len(old))
		end := min(at+len(r.Old), len(old))
		if at < next || c.After != nil && !slices.Equal(old[at:end], r.Old) {
			if c.After == nil || c.After() == "" {
				return nil
			}
			return linesOf(c.After())
		}
		lines = append(append(lines, old[next:at]...), r.New...)
		next = end
	}
	return append(lines, old[next:]...)
}
