package ap

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/locate"
)

// scopeEnd returns the end of the block that begins at a snippet (rule A23).
func (r *run) scopeEnd(j job, snippet region) int {
	end, ok := r.t.blockEnd(snippet)
	if !ok {
		r.scopeless = append(r.scopeless, j.number)
		return snippet.end
	}
	return end
}

// blockEnd returns the line after the block that begins at a region. If the region has an open bracket, the block ends
// with the closing bracket, otherwise the indentation decides. ok is false if no block begins at the region.
func (t *target) blockEnd(at region) (end int, ok bool) {
	// An empty region is the beginning or the end of the file.
	if at.start == at.end {
		return at.end, false
	}
	c := counter{language: t.language}
	for i := at.start; i < at.end; i++ {
		c.line(t.line(i).text)
	}
	end = at.end
	if c.depth > 0 {
		// If no bracket matches, the brackets were counted wrongly.
		if end, ok = t.bracketEnd(&c, end); !ok {
			return t.indentEnd(&counter{language: t.language}, at.start, at.end)
		} else if c.closed == '}' {
			return end, true
		}
	}
	if end, ok, braces := t.bodyEnd(c, end); braces {
		return end, ok
	}
	if body, ok := t.indentEnd(&c, at.start, end); ok {
		return body, true
	}
	return end, end > at.end
}

// continued matches a line that continues the header of a block, above the line with the opening brace.
var continued = lazyregexp.New(`^(?:where|throws|requires|noexcept|const|override)\b|^(?::|->)`)

// bodyEnd returns the line after a body whose opening brace is on a line of its own. The brace may be on line i, or
// farther down, below blank lines and the rest of the header. braces is false if there is no such brace.
func (t *target) bodyEnd(c counter, i int) (end int, ok, braces bool) {
	for i = t.solidFrom(i); i < t.count(); i++ {
		s := strings.TrimSpace(t.line(i).text)
		starts := strings.HasPrefix(s, "{")
		if !starts && !braces && !continued.MatchString(s) {
			return 0, false, false
		}
		braces = true
		c.line(t.line(i).text)
		switch {
		case c.depth > 0:
			end, ok = t.bracketEnd(&c, i+1)
			return end, ok, ok
		case starts:
			return i + 1, true, true
		case strings.HasSuffix(s, ";"):
			return 0, false, false
		}
	}
	return 0, false, false
}

func (t *target) bracketEnd(c *counter, i int) (end int, ok bool) {
	for ; i < t.count(); i++ {
		if c.line(t.line(i).text); c.depth <= 0 {
			return i + 1, true
		}
	}
	return 0, false
}

// closer matches a line on which a word or a bracket ends a block.
var closer = lazyregexp.New(`^(?:end|fi|done|esac|endif|endfor|endwhile|endfunction|\}|\)|\])\b?[;,]?$`)

// indentEnd returns the line after a block whose lines, from line i on, are indented more than the header. Lines inside
// a string belong to the block at any indentation, and so do comments if more lines of the block follow.
func (t *target) indentEnd(c *counter, header, i int) (end int, ok bool) {
	base := len(locate.Indentation(t.line(header).text))
	for first := i; i < t.count(); i++ {
		s, within := t.line(i).text, c.until != ""
		c.line(s)
		switch deep := len(locate.Indentation(s)); {
		case within:
			if c.until == "" {
				end = i + 1
			}
		case t.isBlank(i), deep <= base && locate.IsBlank(s[:c.code]):
		case deep > base:
			end = i + 1
		case end > first && deep == base && closer.MatchString(strings.TrimSpace(s[:c.code])):
			return i + 1, true
		default:
			return end, end > first
		}
	}
	return end, end > 0
}

var declaration = lazyregexp.New(`^(?:(?:export|default|public|private|protected|internal|static|abstract|final|async|pub(?:\([a-z]+\))?|unsafe|inline|virtual|override)\s+)*(?:func|def|class|type|struct|interface|enum|impl|trait|fn|function|module|namespace|template|record|object)\b`)

func declares(line string) bool { return declaration.MatchString(strings.TrimSpace(line)) }

// guarded moves an insertion out of a block if the content is a declaration in the first column. The model then meant
// to insert before or after a whole declaration, but named only its first line (rule A56). An insertion at the
// beginning or the end of the file is never moved.
func (r *run) guarded(j job, at region) region {
	inserts := j.action == kwInsertAfter || j.action == kwInsertBefore
	if r.version != v32 || !inserts || at.start == at.end || j.scopeEnd || len(j.content) == 0 || locate.Indentation(j.content[0]) != "" || !declares(j.content[0]) || !opensBlock(j.content) {
		return at
	}
	top := at.start
	for top > 0 && (r.t.isBlank(top) || locate.Indentation(r.t.line(top).text) != "") {
		top--
	}
	if j.action == kwInsertBefore && top == at.start {
		return at
	}
	end, ok := r.t.blockEnd(region{start: top, end: max(top+1, min(at.end, top+(at.end-at.start)))})
	if !ok || end <= at.end && j.action == kwInsertAfter {
		return at
	}
	if j.action == kwInsertBefore {
		if end <= at.start {
			return at
		}
		return region{start: top, end: top}
	}
	return region{start: end, end: end}
}

func opensBlock(content []string) bool {
	return slices.ContainsFunc(content, func(line string) bool {
		return nesting(line) > 0 || strings.HasSuffix(strings.TrimSpace(line), ":") || strings.Contains(line, "{")
	})
}

func (r *run) moved(j job, from, to region) {
	r.report(diag.Warning, diag.APNesting, j.act.line, fmt.Sprintf(
		"the content is a declaration in the first column, but line %d is inside a block; the content is inserted at line %d, outside the block", r.t.number(from.start), r.t.number(to.start)))
}

// balance warns if the brackets of a file match before the changes but not after them (rule A42).
func (r *run) balance() {
	if r.version != v32 {
		return
	}
	before, after := r.in.Text.String(), strings.Join(r.t.textsOf(region{end: r.t.count()}), "\n")
	for _, pair := range []string{"()", "[]", "{}"} {
		if n := surplus(after, pair); n != 0 && surplus(before, pair) == 0 {
			r.report(diag.Warning, diag.APUnbalanced, r.jobs[0].act.line,
				fmt.Sprintf("the brackets %s of %s match now, but would not match after this patch (%+d)", pair, r.path, n))
		}
	}
}

// surplus returns the number of opening brackets minus the number of closing brackets of a pair such as `{}` in a text.
func surplus(s, pair string) int { return strings.Count(s, pair[:1]) - strings.Count(s, pair[1:]) }

// A language describes the strings and comments of a file. Brackets inside these are not counted.
type language struct {
	hash     bool // whether comments begin with # and not with slashes
	template bool // whether a string in backquotes may have several lines
	regex    bool // whether regular expressions are written between slashes
	rune     bool // whether a ' may begin a character or a lifetime instead of a string
}

func languageOf(name string) language {
	switch strings.ToLower(path.Ext(name)) {
	case ".py", ".pyi", ".pyx", ".rb", ".sh", ".bash", ".zsh", ".yml", ".yaml", ".toml", ".r", ".jl", ".ex", ".exs", ".pl", ".pm", ".nim", ".mk", ".gd":
		return language{hash: true}
	case ".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".cts", ".vue", ".svelte":
		return language{template: true, regex: true}
	case ".go":
		return language{template: true}
	case ".rs":
		return language{rune: true}
	}
	return language{}
}

// A counter reads lines and counts the open brackets. It skips brackets in strings and comments.
type counter struct {
	language
	depth  int
	closed byte   // a bracket that the last line closed; if it closed several kinds, a brace
	until  string // the text that ends the string or comment left open by the last line
	code   int    // the beginning of the comment at the end of the last line; the end of the line if it has no comment
}

func (c *counter) line(s string) {
	c.code, c.closed = len(s), 0
	for i := 0; i < len(s); {
		i = c.next(s, i)
	}
}

// next reads the token that begins at s[i], and returns the offset of the following token.
func (c *counter) next(s string, i int) int {
	rest := s[i:]
	switch b := s[i]; {
	case c.until != "":
		return c.inside(s, i)
	case c.comment(s, i):
		c.code = i
		return len(s)
	case !c.hash && strings.HasPrefix(rest, "/*"):
		c.until = "*/"
		return i + 2
	case strings.HasPrefix(rest, `"""`), c.hash && strings.HasPrefix(rest, "'''"):
		c.until = rest[:3]
		return i + 3
	case b == '`' && c.template:
		c.until = "`"
	case b == '"', b == '`', b == '\'' && c.quotes(rest):
		return afterString(s, i+1, b)
	case b == '/' && c.regex && operand(s[:i]):
		return afterRegex(s, i)
	case strings.IndexByte("([{", b) >= 0:
		c.depth++
	case strings.IndexByte(")]}", b) >= 0:
		c.depth--
		c.closed = max(c.closed, b) // the closing brace has the highest code of the closing brackets
	}
	return i + 1
}

// inside continues reading in a string or comment that may have several lines.
func (c *counter) inside(s string, i int) int {
	switch {
	case strings.HasPrefix(s[i:], c.until):
		n := len(c.until)
		c.until = ""
		return i + n
	case s[i] == '\\' && c.until != "*/":
		return i + 2
	}
	return i + 1
}

// comment reports whether the rest of a line, from s[i] on, is a comment. In a language without # comments, a blank
// must follow the #, because # may mean other things.
func (c *counter) comment(s string, i int) bool {
	if s[i] == '#' && (i == 0 || strings.IndexByte(spaces, s[i-1]) >= 0) {
		return c.hash || i+1 == len(s) || strings.IndexByte(spaces, s[i+1]) >= 0
	}
	return !c.hash && strings.HasPrefix(s[i:], "//")
}

// quotes reports whether the ' at the beginning of s begins a string.
func (c *counter) quotes(s string) bool {
	if c.rune {
		return strings.HasPrefix(s, `'\`) || len(s) > 2 && s[2] == '\''
	}
	return strings.IndexByte(s[1:], '\'') >= 0
}

func afterString(s string, i int, quote byte) int {
	for ; i < len(s) && s[i] != quote; i++ {
		if s[i] == '\\' {
			i++
		}
	}
	return i + 1
}

// operand reports whether a value must follow the code s. A slash then begins a regular expression, and is no division.
func operand(s string) bool {
	s = strings.TrimRight(s, spaces)
	return s == "" || strings.IndexByte("(,=:[!&|?{};>", s[len(s)-1]) >= 0 || strings.HasSuffix(s, "return")
}

// afterRegex returns the offset after the regular expression that begins with the slash at s[i]. If there is none, it
// returns the offset after the slash.
func afterRegex(s string, i int) int {
	class := false
	for k := i + 1; k < len(s); k++ {
		switch {
		case s[k] == '\\':
			k++
		case s[k] == '[':
			class = true
		case s[k] == ']':
			class = false
		case s[k] == '/' && !class:
			return k + 1
		}
	}
	return i + 1
}

func nesting(line string) int {
	var c counter
	c.line(line)
	return c.depth
}
