package doubt

import (
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// namedAgain returns a doubt about a new line that defines the same name as another line of its block. It covers only
// languages in which the last definition replaces the others, or in which the file would not be valid, and the numbers
// of lists.
func (c *Change) namedAgain() *Doubt {
	return text.First(c.keys(), c.keptTwice)
}

// keptTwice returns a doubt about a new line with one of these keys that another line of its block also has.
func (c *Change) keptTwice(n keys) *Doubt {
	if !c.adds(func(line string) bool { return n.name(line) != "" }) || !c.Meter.Pay(len(c.Before())/eachNamed) {
		return nil
	}
	was, is := n.twice(c.oldLines(), n.name), n.twice(c.after(), n.name)
	for run, r := range c.Runs {
		old := text.Set(r.Old)
		for i, line := range r.New {
			if name := n.name(line); is[name] && !was[name] && !old[line] && !c.isQuoted(run, i) {
				return warn(c.at(r), diag.RepeatedLines, cmp.Or(n.says, "%q defines a name that another line of the same block of %s also defines; leave out one of the two lines"), text.Cut(strings.TrimSpace(line), 60), c.Path)
			}
		}
	}
	return nil
}

// To search eachNamed bytes for names costs one unit of the meter.
const eachNamed = 4

// A keys finds the names that the lines of a file define.
type keys struct {
	in    string                                                         // the extensions of files with such names
	name  func(line string) string                                       // returns the beginning of the line up to the name, or ""
	twice func(lines []string, name func(string) string) map[string]bool // returns the results of name that occur twice in one block
	says  string                                                         // the message about such a line, unless it defines a name
}

// keys returns the keys of the file. There are none if the same name may be defined twice.
func (c *Change) keys() (found []keys) {
	ext := c.ext()
	mayChoose := c.isTemplate()
	if name := definer(ext); name != nil && !mayChoose {
		found = append(found, keys{name: name, twice: twiceInBlock})
		if ext == ".yaml" || ext == ".yml" {
			found = append(found, keys{name: name, twice: twiceByPath})
		}
	}
	if !mayChoose {
		found = append(found, text.Only(unique, func(n keys) bool { return has(n.in, ext) })...)
	}
	switch {
	case len(found) > 0 || c.New:
	case strings.HasPrefix(path.Base(c.Path), ".env"), slices.Contains([]string{".toml", ".cfg", ".properties"}, ext):
		found = []keys{{name: settingOf, twice: twiceInSection}}
	case ext == ".ini":
		found = []keys{{name: settingOf, twice: func(lines []string, name func(string) string) map[string]bool {
			return twiceInSection(withoutLists(lines), name)
		}}}
	case slices.Contains([]string{".json", ".jsonc", ".arb"}, ext):
		found = []keys{{name: memberKey.FindString, twice: twiceInObject}}
	}
	return append(found, c.listed()...)
}

// unique lists, by file extension, further kinds of names that can occur only once in a block, a list or a file.
var unique = []keys{
	{" .py .js .mjs .cjs .jsx .ts .mts .tsx .rb .php .go .swift .dart ", stringKey, twiceInBlock, ""},
	{" .html .htm ", elementID, twiceInFile, inFile},
	{" .md .mdx .markdown ", linkName, twiceInFile, inFile},
	{" .md .mdx .markdown ", listNumber, twiceInList, "%q would get the number of another line of its list in %s; give the lines below it their new numbers, too"},
}

const inFile = "%q has a name that another line of %s has, too; use another name, or leave out one of the two lines"

var (
	stringKeys = lazyregexp.New(`^([ \t]+(?:"[\w./ -]+"|'[\w./ -]+'))[ \t]*(?::|=>)[ \t]`)
	elementIDs = lazyregexp.New(`<\w[^>]*?[ \t](id="[\w-]+")`)
	linkNames  = lazyregexp.New(`^ {0,3}(\[[^\]^/][^\]]*\]:)[ \t]`)
)

// These functions return the key of a member of a dictionary, the id of an element, or the name of a link, or "".
func stringKey(line string) string { return groupOf(stringKeys, line) }
func elementID(line string) string { return groupOf(elementIDs, line) }
func linkName(line string) string  { return groupOf(linkNames, line) }

func groupOf(of *lazyregexp.Regexp, line string) string {
	if m := of.FindStringSubmatch(line); m != nil {
		return m[1]
	}
	return ""
}

func twiceInFile(lines []string, name func(string) string) map[string]bool {
	again, had := map[string]bool{}, map[string]bool{}
	for _, line := range lines {
		if is := name(line); is != "" {
			again[is] = again[is] || had[is]
			had[is] = true
		}
	}
	return again
}

// isTemplate reports whether the file may choose between two definitions.
func (c *Change) isTemplate() bool {
	return strings.Contains(c.Before(), "{{") || strings.Contains(c.Before(), "<%")
}

// defLines has, for the extensions of languages, the expression for a line that defines a name in its block. Its group
// ends with the name. If there are two groups, they are the indentation and the name of a constant, a variable or a class
// that a block, even of a function, can define only once. A signature without a body, as of an overload, does not match.
var defLines = []struct {
	in   string
	line *lazyregexp.Regexp
}{
	{" .py ", lazyregexp.New(`^(\s*(?:async )?(?:def|class) \w+)`)},
	{" .rb ", lazyregexp.New(`^(\s*def [\w.]+[?!=]?)`)},
	{" .yaml .yml ", lazyregexp.New(`^( *[\w./-]+:)(?:$|\s)`)},
	{" .js .mjs .cjs .jsx .ts .mts .tsx ", lazyregexp.New(`^(\s*(?:(?:export|default|async|public|private|protected|static|override|get|set|function\*?) )*#?\w+)\([^()]*\)(?:: [^=;()]+)? \{$`)},
	{" .js .mjs .cjs .jsx .ts .mts .tsx ", lazyregexp.New(`^(\s*)(?:export (?:default )?)?(?:const|let|(?:abstract )?class)( [\w$]+)(?:[:;,<]| ?[={]| (?:extends|implements) |$)`)},
	{" .php ", lazyregexp.New(`^(\s*(?:(?:public|private|protected|static|final) )*function &?\w+)`)},
	{" .lua ", lazyregexp.New(`^(\s*(?:local )?function [\w.:]+)`)},
	{" .sh .bash .zsh ", lazyregexp.New(`^\s*(?:function )?([\w-]+) ?\(\)`)},
}

// definer returns the function that returns the beginning of a line up to the name that it defines, or "". It returns
// nil for files in which a block may define a name twice.
func definer(ext string) func(line string) string {
	var lines []*lazyregexp.Regexp
	for _, d := range defLines {
		if strings.Contains(d.in, " "+ext+" ") {
			lines = append(lines, d.line)
		}
	}
	if lines == nil {
		return nil
	}
	return func(line string) string {
		for _, defines := range lines {
			m := defines.FindStringSubmatch(line)
			if m == nil {
				continue
			}
			if is := strings.TrimSpace(m[1]); notNames[is] || strings.HasSuffix(is, "function") || strings.HasSuffix(is, " _") {
				return "" // The line defines nothing, or the name is only a placeholder.
			}
			if len(m) > 2 {
				return m[1] + "const" + m[2]
			}
			return strings.Replace(m[1], "async ", "", 1)
		}
		return ""
	}
}

// isConst reports whether a name that definer returned is one that even a function may define only once.
func isConst(name string) bool { return strings.HasPrefix(strings.TrimLeft(name, " \t"), "const ") }

// These expressions match the beginning of a line up to the name that it defines.
var (
	memberKey  = lazyregexp.New(`^\s*"(?:[^"\\]|\\.)+"\s*:`)
	settingKey = lazyregexp.New(`^(?:export )?(?:[\w.-]+|"[^"]+") *[=:]`)
)

func settingOf(line string) string { return text.WithoutSpace(settingKey.FindString(line)) }

// twiceInBlock returns the names that occur twice in one block of indented lines. The body of a function may define a
// name again, because the lines in between may need the first definition.
func twiceInBlock(lines []string, name func(string) string) map[string]bool {
	type block struct {
		depth int // the length of the indentation of its lines
		names map[string]bool
		last  string // the name that its last definition has, except for constants
	}
	var blocks []block // the blocks around a line, outermost first
	again, above, q := map[string]bool{}, "", quotation{}
	for _, line := range lines {
		if text.IsBlank(line) || q.isComment(line) {
			continue
		}
		depth, in := len(text.Indentation(line)), len(blocks)
		for in > 0 && (blocks[in-1].depth > depth || strings.HasPrefix(line, "---")) {
			in--
		}
		blocks = blocks[:in]
		quoted := q.quotes(line)
		if is := name(line); is != "" && !collects(above, is) && !(quoted && isConst(is)) {
			if in == 0 || blocks[in-1].depth < depth {
				blocks = append(blocks, block{depth: depth, names: map[string]bool{}})
			}
			around := ""
			for _, b := range blocks[:len(blocks)-1] {
				around = cmp.Or(b.last, around)
			}
			b := &blocks[len(blocks)-1]
			again[is] = again[is] || b.names[is] && (isConst(is) || !function.MatchString(around))
			if b.names[is] = true; !isConst(is) {
				b.last = is
			}
		}
		above = line
	}
	return again
}

// A quotation tells which lines of a file are not code. It reads them from top to bottom.
type quotation struct{ comment, template bool }

// isComment reports whether a line is in a comment whose first line begins with its sign.
func (q *quotation) isComment(line string) bool {
	in := q.comment || strings.HasPrefix(strings.TrimLeft(line, " \t"), "/*")
	q.comment = in && !strings.Contains(line, "*/")
	return in
}

// quotes reports whether a line begins in a template of JavaScript.
func (q *quotation) quotes(line string) bool {
	in := q.template
	q.template = in != (strings.Count(line, "`")%2 == 1)
	return in
}

// collects reports whether a line is a decorator that may be above several definitions of one name, such as
// `@overload` or `@size.setter`.
func collects(line, name string) bool {
	line = strings.TrimSpace(line)
	return strings.HasPrefix(line, "@") && (collecting.MatchString(line) || strings.HasPrefix(line, "@"+lastName.FindString(name)+"."))
}

var collecting = lazyregexp.New(`^@(?:\w+\.)*(?:overload|dispatch|register|step|given|when|then)\b`)

// twiceInSection returns the settings that occur twice in one section, or above the first one. A name with dots, such as
// `a.b`, is in the section `[a]`. Each section such as `[[item]]` is one of several.
func twiceInSection(lines []string, name func(string) string) map[string]bool {
	again, first, in := map[string]bool{}, map[string]string{}, ""
	for i, line := range lines {
		if title := strings.TrimSpace(line); isSection(line) && title[0] == '[' {
			if in = strings.Trim(title, "[] ") + "."; strings.HasPrefix(title, "[[") {
				in = strconv.Itoa(i) + " "
			}
		} else if is := name(line); is != "" {
			if other := first[in+is]; other != "" {
				again[is], again[other] = true, true
			}
			first[in+is] = is
		}
	}
	return again
}

// withoutLists leaves out the lines that set the same name as the line above them: some programs read such lines as a
// list.
func withoutLists(lines []string) (left []string) {
	above := ""
	for _, line := range lines {
		is := settingOf(line)
		if is == "" || is != above {
			left = append(left, line)
		}
		above = is
	}
	return left
}

// twiceInObject returns the beginnings of lines whose member is in its object twice.
func twiceInObject(lines []string, name func(string) string) map[string]bool {
	again := map[string]bool{}
	objects := []map[string]bool{{}} // the members of the objects around a character, outermost first
	for _, line := range lines {
		key := name(line)
		for i := 0; i < len(line); i++ {
			switch last := len(objects) - 1; line[i] {
			case '{', '[':
				objects = append(objects, map[string]bool{})
			case '}', ']':
				objects = objects[:max(1, last)]
			case '"':
				n := text.ClosingQuote(line[i:])
				if member := line[i : i+n+1]; n > 0 && strings.HasPrefix(strings.TrimLeft(line[i+n+1:], " \t"), ":") {
					again[key] = again[key] || objects[last][member]
					objects[last][member] = true
				}
				i += n
			}
			if strings.HasPrefix(line[i:], "//") {
				break
			}
		}
	}
	delete(again, "")
	return again
}

// numbered matches the beginning of an item or a heading of Markdown with a number. The first group has what is before
// the number.
var numbered = lazyregexp.New(`^([ \t]*|#+ )(\d{1,3})[.):] `)

// listNumber returns the number of an item or a heading with what is before it, or "".
func listNumber(line string) string {
	m := numbered.FindStringSubmatch(line)
	if m == nil {
		return ""
	}
	return m[1] + m[2]
}

// A numberedList is a list of items, or the headings of one level, with their numbers.
type numberedList struct {
	before      string         // what is before each number
	count       map[string]int // how often each number occurs
	first, last int            // the smallest and the largest number
}

// repeats returns the numbers that occur several times, if all numbers from the first to the last one occur. Other lists
// may repeat a number on purpose, such as a list in which each number is 1.
func (l numberedList) repeats() (again []string) {
	if len(l.count) < text.Habit || l.last-l.first+1 != len(l.count) {
		return nil
	}
	for number, n := range l.count {
		if n > 1 {
			again = append(again, number)
		}
	}
	return again
}

// twiceInList returns the results of listNumber that occur twice in a list that counts up. A list ends at a heading, at a
// paragraph or another list beside it, and above an item with the number 1.
func twiceInList(lines []string, _ func(string) string) map[string]bool {
	again := map[string]bool{}
	var lists []numberedList // the headings around a line, outermost first, and then the lists around it
	end := func(ends func(before string) bool) {
		for n := len(lists); n > 0 && ends(lists[n-1].before); n-- {
			for _, number := range lists[n-1].repeats() {
				again[number] = true
			}
			lists = lists[:n-1]
		}
	}
	blank, fenced := true, false
	for _, line := range lines {
		if isFence := strings.HasPrefix(strings.TrimSpace(line), "```"); isFence || fenced || text.IsBlank(line) {
			fenced = fenced != isFence
			blank = !isFence && !fenced
			continue
		}
		m, depth := numbered.FindStringSubmatch(line), len(text.Indentation(line))
		switch level := strings.IndexFunc(line, func(r rune) bool { return r != '#' }); {
		case level > 0:
			end(func(before string) bool { return before == "" || before[0] != '#' || len(before) > level+1 })
		case m != nil || isBullet(line):
			end(func(before string) bool {
				return len(before) > depth && before[0] != '#' || m == nil && before == line[:depth]
			})
		case blank:
			end(func(before string) bool { return len(before) >= depth && !strings.HasPrefix(before, "#") })
		}
		if blank = false; m == nil {
			continue
		}
		number, _ := strconv.Atoi(m[2])
		if number <= 1 {
			end(func(before string) bool { return before == m[1] })
		}
		if n := len(lists); n == 0 || lists[n-1].before != m[1] {
			lists = append(lists, numberedList{m[1], map[string]int{}, number, number})
		}
		l := &lists[len(lists)-1]
		l.count[m[1]+m[2]]++
		l.first, l.last = min(l.first, number), max(l.last, number)
	}
	end(func(string) bool { return true })
	return again
}

// isBullet reports whether a line is an item of a list without numbers.
func isBullet(line string) bool {
	line = strings.TrimLeft(line, " \t")
	return len(line) > 1 && strings.IndexByte("-*+", line[0]) >= 0 && line[1] == ' '
}
