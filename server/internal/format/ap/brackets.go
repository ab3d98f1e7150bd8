package ap

import (
	"path"
	"strings"
)

// A language is what there is to know of a file's strings and comments to count
// its brackets.
type language struct {
	hash     bool // comments begin with #, and not with slashes
	template bool // a string in backquotes goes over lines
	regex    bool // slashes are around regular expressions
	rune     bool // a lone ' is no quote
}

// languageOf is the language that a file's name shows.
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

// A counter goes over lines and counts the brackets that they open and do not
// close, those in strings and comments left out.
type counter struct {
	language
	depth  int
	closed byte   // a bracket of the last line that closed one, a brace if there is any
	until  string // ends the string or comment that the line before left open
	code   int    // where the comment at the end of the last line begins, or the line ends
}

func (c *counter) line(s string) {
	c.code, c.closed = len(s), 0
	for i := 0; i < len(s); {
		i = c.next(s, i)
	}
}

// next reads what is at s[i:], and returns where something else begins.
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
		c.closed = max(c.closed, b) // the brace is the last of them
	}
	return i + 1
}

// inside goes on in a string or comment that goes over lines.
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

// comment reports whether the rest of a line is one. In a language that is not
// known to have comments with #, a blank has to follow: others use it for much else.
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

// afterString is where a string ends.
func afterString(s string, i int, quote byte) int {
	for ; i < len(s) && s[i] != quote; i++ {
		if s[i] == '\\' {
			i++
		}
	}
	return i + 1
}

// operand reports whether a slash after s cannot be a division.
func operand(s string) bool {
	s = strings.TrimRight(s, spaces)
	return s == "" || strings.IndexByte("(,=:[!&|?{};>", s[len(s)-1]) >= 0 || strings.HasSuffix(s, "return")
}

// afterRegex is where a regular expression ends, or the slash does if it is none.
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

// nesting is how many brackets a line opens and does not close.
func nesting(line string) int {
	var c counter
	c.line(line)
	return c.depth
}
