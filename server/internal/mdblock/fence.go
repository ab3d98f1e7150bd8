package mdblock

import (
	"cmp"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/text"
)

type fence struct {
	char   byte // a backtick or a tilde
	size   int  // the number of characters
	indent int  // the number of columns before the fence, inside its containers
	info   string
	lang   string
	line   text.Span // the line of the fence in the host, without its ending
	eol    string    // the ending of that line; a line feed if it has none
}

func openFence(c *cursor) (fence, bool) {
	if c.blank() || c.indent() >= 4 {
		return fence{}, false
	}
	char, size, info, ok := parseFence(c.rest())
	if !ok {
		return fence{}, false
	}
	return fence{char: char, size: size, indent: c.indent(), info: info, lang: firstWord(info)}, true
}

// parseFence splits a line that is an opening or closing fence. A closing fence has an empty info string.
func parseFence(s string) (char byte, size int, info string, ok bool) {
	if s == "" || (s[0] != '`' && s[0] != '~') {
		return 0, 0, "", false
	}
	char = s[0]
	size = runLen(s, char)
	info = strings.Trim(s[size:], " \t")
	return char, size, info, size >= 3 && (char != '`' || strings.IndexByte(info, '`') < 0)
}

// FenceOf returns the characters and the info string of an opening or closing fence on a line, without its ending.
// `mark` is "" if the line is not a fence.
func FenceOf(line string) (mark, info string) {
	trimmed := strings.TrimLeft(line, " ")
	_, size, info, ok := parseFence(trimmed)
	if !ok || len(line)-len(trimmed) > 3 {
		return "", ""
	}
	return trimmed[:size], info
}

// Wrapped returns the text in a fence if the fence is around a whole text, and its info string.
func Wrapped(s string) (inner text.Span, info string, ok bool) {
	first := len(s) - len(strings.TrimLeft(s, " \t\r\n"))
	end, start := text.LineEnd(s, first)
	mark, info := FenceOf(s[first:end])
	s = strings.TrimRight(s, " \t\r\n")
	last := strings.LastIndexAny(s, "\r\n") + 1
	if mark == "" || last < start || len(s)-last < len(mark) || strings.Trim(s[last:], mark[:1]) != "" || strings.Contains(s[start:last], mark) {
		return inner, "", false
	}
	return text.Span{Start: start, End: last}, info, true
}

// firstWord returns the language in an info string, in lower case: `diff` in `diff src/a.py`
// and in `diff:src/a.py`.
func firstWord(info string) string {
	if i := strings.IndexAny(info, " \t:"); i >= 0 {
		info = info[:i]
	}
	return strings.ToLower(info)
}

// fenced adds the block whose opening fence is on the line of the cursor, and returns the offset after the block.
func (s *scanner) fenced(f fence, c cursor) int {
	f.line = text.Span{Start: c.start, End: c.end}
	f.eol = cmp.Or(s.doc[c.end:c.next], "\n")
	r := reader{scanner: s, fence: f, at: c.next, closeIndent: 3}
	r.leaveItems()
	closing := r.closing()
	b := r.block(closing)
	s.found = append(s.found, b)
	if closing.ok {
		return closing.next
	}
	return b.Span.End
}

// BeforeFence returns the text before the fence on its line in the host: "" or, for example, "> " or "1. ".
func (b Block) BeforeFence(doc string) string {
	before, _, _ := strings.Cut(b.Open.In(doc), b.Mark)
	return before
}

// FenceFor returns a fence of backticks that is longer than any run of backticks in s, so that no line of s can close
// it.
func FenceFor(s string) string {
	longest, run := 2, 0
	for i := range len(s) {
		run++
		if s[i] != '`' {
			run = 0
		}
		longest = max(longest, run)
	}
	return strings.Repeat("`", longest+1)
}

// A Kind is the kind of text that the tag of a fence names.
type Kind int

// The kinds. OtherCode is for tags without an entry in kinds.
const (
	OtherCode  Kind = iota
	Untagged        // no tag
	JSON            // one JSON value
	Records         // several JSON values
	Patch           // a diff
	AP              // an ap patch
	Shell           // commands of a POSIX shell, perhaps with their output
	OtherShell      // commands of another shell
	Shown           // output of a program, a drawing, or anything else that is only shown
	PlainText
	Markdown
	Markup // XML or HTML
	Call   // calls of tools
)

var kinds = map[string]Kind{
	"":     Untagged,
	"json": JSON, "jsonc": JSON, "json5": JSON,
	"jsonl": Records, "ndjson": Records,
	"patch": Patch, "diff": Patch, "udiff": Patch,
	"ap":   AP,
	"bash": Shell, "sh": Shell, "shell": Shell, "zsh": Shell, "console": Shell, "shell-session": Shell, "shellsession": Shell, "terminal": Shell, "cmd-line": Shell,
	"fish": OtherShell, "powershell": OtherShell, "pwsh": OtherShell, "ps1": OtherShell, "cmd": OtherShell, "bat": OtherShell, "batch": OtherShell, "dos": OtherShell,
	"output": Shown, "log": Shown, "stdout": Shown, "console-output": Shown, "tree": Shown, "mermaid": Shown, "http": Shown,
	"text": PlainText, "txt": PlainText, "plaintext": PlainText,
	"md": Markdown, "markdown": Markdown, "mdx": Markdown,
	"xml": Markup, "html": Markup,
	"tool_call": Call, "tool_calls": Call, "tool_use": Call, "tool_code": Call, "function": Call, "tool": Call,
}

// Tags returns the tags of a kind, in lower case.
func Tags(kind Kind) []string {
	var tags []string
	for tag, k := range kinds {
		if k == kind {
			tags = append(tags, tag)
		}
	}
	slices.Sort(tags)
	return tags
}

// Kind returns the kind that the tag of a block names.
func (b Block) Kind() Kind { return kinds[b.Lang] }

// IsProse reports whether the tag names Markdown or plain text. Edits in such a block are only examples.
func (b Block) IsProse() bool { return b.Kind() == Markdown || b.Kind() == PlainText }

// IsCommands reports whether the tag names a shell.
func (b Block) IsCommands() bool { return b.Kind() == Shell || b.Kind() == OtherShell }
