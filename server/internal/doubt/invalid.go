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
	"maps"
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
		return cmp.Or(c.breaks(of), c.endsEarly(), c.unended(), c.uneven())
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

// endsEarly finds a comment that ends before its last line, because a comment inside it has an end of its own: the last
// `*/` is left over. A model that comments out code may not see the comments in that code.
func (c *Change) endsEarly() *Doubt {
	if !slices.Contains(flatComments, c.ext()) || !c.adds(func(line string) bool { return strings.Contains(line, "*/") }) || !c.Meter.Pay(len(c.Before())/4) {
		return nil
	}
	lines := c.after()
	is := leftOver(lines)
	if len(is) == 0 || len(is) <= len(leftOver(c.oldLines())) {
		return nil
	}
	return warn(c.textAt(), diag.InvalidSyntax, "%s would no longer be valid: the `*/` on line %d would be left over, because the comment ends at another `*/` above it", c.Path, is[0]+1)
}

// flatComments lists the extensions of languages in which a comment ends at the first `*/`, even inside another comment.
var flatComments = []string{".c", ".h", ".cc", ".cpp", ".cxx", ".hpp", ".hh", ".m", ".cs", ".java", ".groovy", ".js", ".mjs", ".cjs", ".jsx", ".ts", ".mts", ".cts", ".tsx", ".php", ".css", ".scss", ".less", ".proto", ".glsl"}

// leftOver returns the indexes of the lines that consist of `*/` although the sign above them is `*/`, too. Between a
// `*/` that ends a comment and the beginning of the comment there are no other signs, whatever strings the file has.
func leftOver(lines []string) (all []int) {
	ended := false // whether the last sign above is `*/`
	for i, line := range lines {
		begin, end := strings.LastIndex(line, "/*"), strings.LastIndex(line, "*/")
		if ended && strings.TrimSpace(line) == "*/" {
			all = append(all, i)
		}
		if begin >= 0 || end >= 0 {
			ended = end > begin+1 // The `*/` of `/*/` is no end.
		}
	}
	return all
}

// unpairedTag returns the name of an element whose tags are paired in `before` but not in `now`, or "" if there is
// none. `pages` is true if all tags of the file are elements of a page.
func unpairedTag(before, now string, pages bool) string {
	was, closes := elementsOf(before)
	is, _ := elementsOf(now)
	for _, name := range slices.Sorted(maps.Keys(is)) {
		// Skip an element that a program never closes: it may only be mentioned, or be the parameter of a type.
		if is[name] != 0 && was[name] == 0 && (closes[name] || pages && !unclosed[name]) {
			return name
		}
	}
	return ""
}

// elementsOf counts, for each name, how many more elements a text opens than it closes. `closes` has the names of the
// elements that the text closes.
func elementsOf(s string) (open map[string]int, closes map[string]bool) {
	open, closes = map[string]int{}, map[string]bool{}
	typed := map[string]bool{} // the parameters of types, such as `string` in `Array<string>`
	for _, m := range tag.FindAllStringSubmatchIndex(s, -1) {
		if m[4] < 0 {
			continue // a comment
		}
		switch name := strings.ToLower(s[m[4]:m[5]]); {
		case m[3] > m[2]:
			open[name]--
			closes[name] = true
		case isWordEnd(s[:m[0]]):
			typed[name] = true
		case s[m[1]-2] != '/' && !void[name]:
			open[name]++
		}
	}
	maps.DeleteFunc(open, func(name string, _ int) bool { return typed[name] })
	return open, closes
}

// tag matches a comment, or a tag whose attributes may have a `>` in quotes or curly brackets.
var tag = lazyregexp.New(`(?s)<!--.*?-->|<(/?)([A-Za-z][\w.:-]*)(?:[\s/](?:[^<>"'{}]|"[^"]*"|'[^']*'|\{(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*\})*)?>`)

// void holds the elements without an end tag.
var void = text.WordSet("area base br col embed hr img input link meta param source track wbr")

// unclosed holds the elements whose end tag HTML allows to leave out.
var unclosed = text.WordSet("html head body p li dt dd tr td th thead tbody tfoot colgroup option optgroup rt rp")

// pages holds the extensions of files with HTML, in which a name between angle brackets cannot be a type.
var pages = text.WordSet(".html .htm .twig .njk .liquid .hbs .mustache .ejs .erb .heex")
