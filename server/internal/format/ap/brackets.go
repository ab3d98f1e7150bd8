package ap

import (
	"path"
	"strings"
)

// A language describes the strings and comments of a file, so that its brackets can be counted.
type language struct {
	hash     bool // comments begin with #, and not with slashes
	template bool // a string in backquotes may span lines
	regex    bool // slashes delimit regular expressions
	rune     bool // a ' alone does not begin a string
}

// languageOf returns the language that a file's name indicates.
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

// A counter reads lines and counts the open brackets, except those in strings and comments.
type counter struct {
	language
	depth  int
	closed byte   // a bracket that the last line closed; if it closed several, a brace is preferred
	until  string // the text that ends the string or comment that the last line left open
	code   int    // where the comment at the end of the last line starts; the end of the line if it has none
}

func (c *counter) line(s string) {
	c.code, c.closed = len(s), 0
	for i := 0; i < len(s); {
		i = c.next(s, i)
	}
}

// next reads the token at s[i:], and returns the start of the next one.
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
		c.closed = max(c.closed, b) // of all brackets, the brace has the highest code
	}
	return i + 1
}

// inside reads the rest of a string or comment of several lines.
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

// comment reports whether the rest of a line is a comment. Unless comments in this language are
// known to begin with #, a blank must follow the #, because other languages use the sign for many
// other things.
func (c *counter) comment(s string, i int) bool {
	if s[i] == '#' && (i == 0 || strings.IndexByte(spaces, s[i-1]) >= 0) {
		return c.hash || i+1 == len(s) || strings.IndexByte(spaces, s[i+1]) >= 0
	}
	return !c.hash && strings.HasPrefix(s[i:], "//")
}

// quotes reports whether the ' at the beginning of s opens a string.
func (c *counter) quotes(s string) bool {
	if c.rune {
		return strings.HasPrefix(s, `'\`) || len(s) > 2 && s[2] == '\''
	}
	return strings.IndexByte(s[1:], '\'') >= 0
}

// afterString returns the offset after a string.
func afterString(s string, i int, quote byte) int {
	for ; i < len(s) && s[i] != quote; i++ {
		if s[i] == '\\' {
			i++
		}
	}
	return i + 1
}

// operand reports whether an operand must follow s, so that a slash there is not a division.
func operand(s string) bool {
	s = strings.TrimRight(s, spaces)
	return s == "" || strings.IndexByte("(,=:[!&|?{};>", s[len(s)-1]) >= 0 || strings.HasSuffix(s, "return")
}

// afterRegex returns the offset after a regular expression. If the slash begins none, it returns
// the offset after the slash.
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

// nesting returns the number of brackets that a line leaves open.
func nesting(line string) int {
	var c counter
	c.line(line)
	return c.depth
}
