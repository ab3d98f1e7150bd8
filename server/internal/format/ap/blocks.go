package ap

import (
	"path"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/text"
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

// blockEnd returns the line after the block that begins at a region, by brackets and indentation. ok is false if no
// block begins there.
func (t *target) blockEnd(at region) (end int, ok bool) {
	// An empty region is the start or the end of the file.
	if at.start == at.end {
		return at.end, false
	}
	if end, ok = t.endOf(at, &nest{language: t.language}); !ok {
		// Perhaps brackets were counted wrongly, so try again without them.
		end, ok = t.endOf(at, &nest{language: t.language, blind: true})
	}
	return end, ok
}

var (
	// continued matches a line that continues a block's header, or its opening brace.
	continued = lazyregexp.New(`^(?:(?:where|throws|requires|noexcept|const|override)\b|:|->|\{)`)
	// closer matches a line that ends a block with a word or a bracket.
	closer = lazyregexp.New(`^(?:end|fi|done|esac|endif|endfor|endwhile|endfunction|\}|\)|\])\b?[;,]?$`)
)

// endOf returns the line after a block. The block has the lines that are indented more than its first line, and
// those inside brackets or a string.
func (t *target) endOf(at region, n *nest) (end int, ok bool) {
	for i := at.start; i < at.end; i++ {
		n.line(t.line(i).text)
	}
	base := len(text.Indentation(t.line(at.start).text))
	end = at.end
	for i := at.end; i < t.count(); i++ {
		s, within, inside := t.line(i).text, n.until != "", n.isOpen()
		n.line(s)
		word := strings.TrimSpace(s[:n.code])
		switch deep := len(text.Indentation(s)); {
		case within, deep > base && !t.isBlank(i):
			end = i + 1
		case word == "":
		case n.isOpen() && (inside || continued.MatchString(word)):
			end = i + 1
		case inside && !n.isOpen(), !inside && continued.MatchString(word), end > at.end && deep == base && closer.MatchString(word):
			if end = i + 1; strings.Contains(word, "}") || !t.continues(i+1, base) {
				return end, true
			}
		default:
			return end, end > at.end
		}
	}
	return end, end > at.end && !n.isOpen()
}

// continues reports whether a block goes on at line i, below a closing bracket.
func (t *target) continues(i, base int) bool {
	if i = t.solidFrom(i); i == t.count() {
		return false
	}
	s := t.line(i).text
	return len(text.Indentation(s)) > base || continued.MatchString(strings.TrimSpace(s))
}

var declaration = lazyregexp.New(`^(?:(?:export|default|public|private|protected|internal|static|abstract|final|async|pub(?:\([a-z]+\))?|unsafe|inline|virtual|override)\s+)*(?:func|def|class|type|struct|interface|enum|impl|trait|fn|function|module|namespace|template|record|object)\b`)

func declares(line string) bool { return declaration.MatchString(strings.TrimSpace(line)) }

// guarded moves an insertion out of a block if the content is a declaration in the first column: the model then
// meant to insert before or after a whole declaration, but named only its first line (rule A56). An insertion at the
// start or the end of the file is never moved.
func (r *run) guarded(j job, at region) region {
	inserts := j.action == kwInsertAfter || j.action == kwInsertBefore
	if r.version != v32 || !inserts || at.start == at.end || j.scopeEnd || len(j.content) == 0 || text.Indentation(j.content[0]) != "" || !declares(j.content[0]) || !opensBlock(j.content) {
		return at
	}
	top := at.start
	for top > 0 && (r.t.isBlank(top) || text.Indentation(r.t.line(top).text) != "") {
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
		var n nest
		n.line(line)
		return n.isOpen() || strings.HasSuffix(strings.TrimSpace(line), ":") || strings.Contains(line, "{")
	})
}

// A language describes the strings and comments of a file. Their brackets are not counted.
type language struct {
	hash     bool // comments begin with #, not with slashes
	template bool // a string in backquotes may have several lines
}

func languageOf(name string) language {
	switch strings.ToLower(path.Ext(name)) {
	case ".py", ".pyi", ".pyx", ".rb", ".sh", ".bash", ".zsh", ".yml", ".yaml", ".toml", ".r", ".jl", ".ex", ".exs", ".pl", ".pm", ".nim", ".mk", ".gd":
		return language{hash: true}
	case ".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".cts", ".vue", ".svelte", ".go":
		return language{template: true}
	}
	return language{}
}

// A nest counts the open brackets of lines, except in strings and comments.
type nest struct {
	language
	open  [3]int // the numbers of open `()`, `[]` and `{}`
	blind bool   // no brackets are counted
	until string // the text that ends the open string or comment
	code  int    // the start of the comment at the end of the last line, or the end of the line
}

func (n *nest) isOpen() bool { return max(n.open[0], n.open[1], n.open[2]) > 0 }

func (n *nest) line(s string) {
	n.code = len(s)
	for i := 0; i < len(s); {
		i = n.next(s, i)
	}
}

// next reads the token at s[i], and returns the offset of the token after it.
func (n *nest) next(s string, i int) int {
	rest := s[i:]
	switch b := s[i]; {
	case n.until != "":
		at := strings.Index(rest, n.until)
		if at < 0 {
			return len(s)
		}
		i += at + len(n.until) - 1
		n.until = ""
	case n.comments(s, i):
		n.code = i
		return len(s)
	case strings.HasPrefix(rest, `"""`), n.hash && strings.HasPrefix(rest, "'''"):
		n.until = rest[:3]
		return i + 3
	case !n.hash && strings.HasPrefix(rest, "/*"):
		n.until = "*/"
	case b == '`' && n.template:
		n.until = "`"
	case strings.IndexByte("'\"`", b) >= 0:
		i += text.ClosingQuote(rest)
	case !n.blind && strings.IndexByte("()[]{}", b) >= 0:
		k := strings.IndexByte("()[]{}", b)
		n.open[k/2] += 1 - 2*(k%2)
	}
	return i + 1
}

// comments reports whether the rest of a line from s[i] is a comment. In a language without # comments, white space
// must follow the #, because # may mean other things.
func (n *nest) comments(s string, i int) bool {
	if s[i] == '#' && (i == 0 || strings.IndexByte(spaces, s[i-1]) >= 0) {
		return n.hash || i+1 == len(s) || strings.IndexByte(spaces, s[i+1]) >= 0
	}
	return !n.hash && strings.HasPrefix(s[i:], "//")
}
