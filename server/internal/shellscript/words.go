// Package shellscript cuts scripts of a shell into commands, words, redirects and here-documents. It expands and
// runs nothing.
package shellscript

import (
	"strings"

	"github.com/aptix-dev/aptix/server/internal/text"
)

// A Word is a word of a command. Text is the word without quotes, as the shell sees it.
type Word struct {
	Text string
	At   text.Span // of the word as written, with quotes
	// Plain is true if the shell would leave the word unchanged: it has no variable or command, except in single
	// quotes, and no pattern or tilde outside of quotes.
	Plain bool
	// Braces is true if the word has braces outside of quotes, such as `{a,b}`.
	Braces bool
}

// A Redirect sends the output of a command to a file, or makes a file its input.
type Redirect struct {
	Op     string // >, >>, <, <<, <<-, <<<, 2>, 2>>, &>, &>>, 2>&
	Target Word   // the file, or the delimiter after << and <<-
	Body   HereDoc
}

// A HereDoc is a text in a script that a command gets as its input.
type HereDoc struct {
	At      text.Span // the lines of the text, without the line with the delimiter
	Text    string    // the input of the command
	Expands bool      // the shell would expand something in the text
	Escaped bool      // Text lacks the backslashes that the shell removes
	Closed  bool      // the line with the delimiter exists
	// Missed is the first line that was surely written to end the text but does not end it, because the shell accepts no
	// white space around the delimiter.
	Missed text.Span
}

// A Command is a simple command: its words and redirects.
type Command struct {
	Words     []Word
	Redirects []Redirect
	At        text.Span
	// After is the operator before this command, such as ";" or "&&"; "" for the first command of a line.
	After string
	// Apart is true if the command runs in a separate shell: its output goes to the next command, or the script does
	// not wait for it.
	Apart bool
	// Broken is true if a quote or a parenthesis of the command is not closed.
	Broken bool
	// Group is "(" for a command that only begins a group, which runs in a separate shell. It is ")" for the command
	// that ends the group and has its redirects, and "" for any other command.
	Group string
}

// A lexer cuts a script into commands. It handles quotes, escapes, comments, operators, redirects and
// here-documents. Any other syntax of the shell becomes part of a word.
type lexer struct {
	body     string
	at       int
	commands []Command
	pending  []*Redirect // the here-documents whose lines are below the current line
	groups   []int       // where the open groups begin
	terminal bool        // the script was copied from a terminal
}

// IsTerminal reports whether a text was copied from a terminal: it begins with a prompt. Its lines without a prompt
// are the output of commands.
func IsTerminal(body string) bool { return strings.HasPrefix(strings.TrimLeft(body, " \t\r\n"), "$ ") }

// Read returns the commands of a script in order. All spans are byte offsets in the script.
func Read(body string) []Command {
	l := &lexer{body: body, terminal: IsTerminal(body)}
	for l.at < len(l.body) {
		l.line()
	}
	for _, at := range l.groups {
		l.commands = append(l.commands, Command{Group: "(", Broken: true, At: text.Span{Start: at, End: at + 1}})
	}
	return l.commands
}

func (l *lexer) line() {
	if prompted := l.prompt(); l.terminal && !prompted {
		l.newline() // without a prompt, the line is the output of a command
		return
	}
	operator := ""
	for {
		c := l.command()
		c.After = operator
		operator = l.operator()
		c.Apart = operator == "|" || operator == "&"
		if len(c.Words) > 0 || len(c.Redirects) > 0 || c.Group != "" {
			l.commands = append(l.commands, c)
			l.expectHereDocs()
		}
		if operator == "" && c.Group != "(" && !l.closesGroup() {
			break
		}
	}
	l.newline()
	for _, r := range l.pending {
		r.Body = l.hereDoc(r.Target, r.Op == "<<-")
	}
	l.pending = nil
}

func (l *lexer) expectHereDocs() {
	last := &l.commands[len(l.commands)-1]
	for i := range last.Redirects {
		if r := &last.Redirects[i]; r.Op == "<<" || r.Op == "<<-" {
			l.pending = append(l.pending, r)
		}
	}
}

// prompt skips the prompt of a terminal before a command. It returns false if there is none.
func (l *lexer) prompt() bool {
	l.space()
	for _, prompt := range []string{"$ ", "% ", "PS> "} {
		if strings.HasPrefix(l.body[l.at:], prompt) {
			l.at += len(prompt)
			return true
		}
	}
	return false
}

// space skips white space, and a line ending after a backslash.
func (l *lexer) space() {
	for l.at < len(l.body) {
		switch rest := l.body[l.at:]; {
		case rest[0] == ' ' || rest[0] == '\t':
			l.at++
		case strings.HasPrefix(rest, "\\\n"):
			l.at += 2
		case strings.HasPrefix(rest, "\\\r\n"):
			l.at += 3
		default:
			return
		}
	}
}

func (l *lexer) newline() {
	_, l.at = text.LineEnd(l.body, l.at)
}

// operator reads the operator after a command. It returns "" at the end of the line.
func (l *lexer) operator() string {
	for _, op := range []string{"&&", "||", "|&", "|", ";", "&"} {
		if strings.HasPrefix(l.body[l.at:], op) {
			l.at += len(op)
			if op == "|&" {
				return "|"
			}
			return op
		}
	}
	return ""
}

func (l *lexer) closesGroup() bool {
	return len(l.groups) > 0 && strings.HasPrefix(l.body[l.at:], ")")
}

// command reads words and redirects up to an operator, a comment or the end of the line, or the beginning or end of
// a group.
func (l *lexer) command() (c Command) {
	l.space()
	c.At = text.Span{Start: l.at, End: l.at}
	switch rest := l.body[l.at:]; {
	case strings.HasPrefix(rest, "(") && !strings.HasPrefix(rest, "(("):
		l.groups = append(l.groups, l.at)
		l.at++
		return Command{Group: "(", At: text.Span{Start: l.at - 1, End: l.at}}
	case l.closesGroup():
		l.groups = l.groups[:len(l.groups)-1]
		l.at++
		c.Group, c.At.End = ")", l.at
		l.space()
	}
	for l.at < len(l.body) {
		rest := l.body[l.at:]
		if strings.ContainsRune("\r\n;|", rune(rest[0])) || rest[0] == '&' && !strings.HasPrefix(rest, "&>") || l.closesGroup() {
			break
		}
		if rest[0] == '#' {
			end, _ := text.LineEnd(l.body, l.at)
			l.at = end
			break
		}
		if op := redirectOperator(rest); op != "" {
			l.at += len(op)
			l.space()
			target, ok := l.word()
			c.Broken = c.Broken || !ok
			c.Redirects = append(c.Redirects, Redirect{Op: strings.TrimPrefix(op, "1"), Target: target})
		} else {
			w, ok := l.word()
			c.Broken = c.Broken || !ok
			c.Words = append(c.Words, w)
		}
		c.At.End = l.at
		l.space()
	}
	return c
}

// redirectOperator returns the redirect operator with which a text begins, or "".
func redirectOperator(s string) string {
	for _, op := range []string{"2>&1", "&>>", "&>", "1>>", "1>", "2>>", "2>", "<<<", "<<-", "<<", "<", ">>", ">|", ">"} {
		if strings.HasPrefix(s, op) {
			if op == "2>&1" {
				return "2>&"
			}
			return op
		}
	}
	return ""
}

// word reads one word. It returns false if a quote or a parenthesis in the word is not closed.
func (l *lexer) word() (Word, bool) {
	var b strings.Builder
	w, ok := Word{At: text.Span{Start: l.at}, Plain: true}, true
	for ok && l.at < len(l.body) && !strings.ContainsRune(" \t\r\n;|&<>", rune(l.body[l.at])) && !l.closesGroup() {
		switch c := l.body[l.at]; c {
		case '\'':
			ok = l.singleQuoted(&b)
		case '"':
			ok = l.doubleQuoted(&b, &w)
		case '\\':
			l.at++
			if l.at < len(l.body) && l.body[l.at] != '\n' {
				b.WriteByte(l.body[l.at])
			}
			l.at++
		case '$', '`', '(':
			w.Plain = false
			ok = l.substitution(&b)
		default:
			if c == '*' || c == '?' || c == '[' || c == '~' && b.Len() == 0 {
				w.Plain = false
			}
			w.Braces = w.Braces || c == '{'
			b.WriteByte(c)
			l.at++
		}
	}
	l.at = min(l.at, len(l.body))
	w.At.End, w.Text = l.at, b.String()
	return w, ok
}

func (l *lexer) singleQuoted(b *strings.Builder) bool {
	end := strings.IndexByte(l.body[l.at+1:], '\'')
	if end < 0 {
		l.at = len(l.body)
		return false
	}
	b.WriteString(l.body[l.at+1 : l.at+1+end])
	l.at += end + 2
	return true
}

func (l *lexer) doubleQuoted(b *strings.Builder, w *Word) bool {
	for l.at++; l.at < len(l.body); l.at++ {
		switch c := l.body[l.at]; {
		case c == '"':
			l.at++
			return true
		case c == '\\' && l.at+1 < len(l.body) && strings.ContainsRune("\\\"$`\n", rune(l.body[l.at+1])):
			l.at++
			if l.body[l.at] != '\n' {
				b.WriteByte(l.body[l.at])
			}
		default:
			if c == '$' || c == '`' {
				w.Plain = false
			}
			b.WriteByte(c)
		}
	}
	return false
}

// substitution copies a variable, or a command in parentheses or backticks, into the word. It returns false if the
// closing character is missing.
func (l *lexer) substitution(b *strings.Builder) bool {
	from, depth := l.at, 0
	quote := l.body[l.at] == '`'
	if quote {
		end := strings.IndexByte(l.body[l.at+1:], '`')
		if end < 0 {
			l.at = len(l.body)
			return false
		}
		l.at += end + 2
		b.WriteString(l.body[from:l.at])
		return true
	}
	for ; l.at < len(l.body); l.at++ {
		switch c := l.body[l.at]; {
		case c == '(':
			depth++
		case c == ')' && depth > 0:
			depth--
		case depth == 0 && l.at > from:
			b.WriteString(l.body[from:l.at])
			return true
		}
	}
	b.WriteString(l.body[from:l.at])
	return depth == 0
}

// hereDoc reads the lines of a here-document, up to the line with its delimiter. If `tabs` is true, it drops the
// tabs at the start of each line.
func (l *lexer) hereDoc(delimiter Word, tabs bool) HereDoc {
	var b strings.Builder
	start := l.at
	for at := start; at < len(l.body); {
		end, next := text.LineEnd(l.body, at)
		line := l.body[at:end]
		if tabs {
			line = strings.TrimLeft(line, "\t")
		}
		if line == delimiter.Text {
			l.at = next
			doc := HereDoc{At: text.Span{Start: start, End: at}, Text: b.String(), Closed: true}
			if delimiter.At.In(l.body) == delimiter.Text {
				doc.expand()
			}
			doc.Missed = l.missed(doc.At, delimiter.Text, true)
			return doc
		}
		b.WriteString(line + l.body[end:next])
		at = next
	}
	l.at = len(l.body)
	doc := HereDoc{At: text.Span{Start: start, End: len(l.body)}, Text: b.String()}
	doc.Missed = l.missed(doc.At, delimiter.Text, false)
	return doc
}

// missed returns [HereDoc.Missed]. A line inside a here-document of the text itself does not count. If the text has an
// end, a line counts only if the text below begins another here-document, to which that end then belongs.
func (l *lexer) missed(at text.Span, delimiter string, closed bool) (found text.Span) {
	inner := false // a here-document of the text is open
	for from := at.Start; from < at.End; {
		end, next := text.LineEnd(l.body, from)
		switch line := l.body[from:end]; {
		case strings.TrimSpace(line) == delimiter && !inner && found == text.Span{}:
			found = text.Span{Start: from, End: end}
		case strings.TrimSpace(line) == delimiter:
			inner = false
		case beginsHereDoc(line, delimiter):
			if inner = true; found != (text.Span{}) {
				return found
			}
		}
		from = next
	}
	if closed {
		return text.Span{}
	}
	return found
}

// beginsHereDoc reports whether a line begins a here-document with the delimiter.
func beginsHereDoc(line, delimiter string) bool {
	_, after, _ := strings.Cut(line, "<<")
	rest, is := strings.CutPrefix(strings.TrimLeft(strings.TrimPrefix(after, "-"), " '\"\\"), delimiter)
	return is && (rest == "" || !isWordByte(rest[0]) && rest[0] != '_')
}

// expand treats a text as the shell does if the delimiter has no quotes: it removes the backslashes before `$`,
// backticks and backslashes. If the text has a variable, a command or a continued line, the result depends on more
// than the text, so expand sets Expands and leaves the text unchanged. It does the same if only backslashes are
// escaped, because the delimiter's quotes may have been forgotten.
func (d *HereDoc) expand() {
	escapes := false
	for i := 0; i < len(d.Text); i++ {
		next := byte(0)
		if i+1 < len(d.Text) {
			next = d.Text[i+1]
		}
		switch d.Text[i] {
		case '`':
			d.Expands = true
		case '$':
			d.Expands = d.Expands || strings.IndexByte("{(_?!#@*$-", next) >= 0 && next != 0 || isWordByte(next)
		case '\\':
			d.Expands = d.Expands || next == '\n' || next == '\r'
			if strings.IndexByte("\\$`", next) >= 0 && next != 0 {
				d.Escaped, escapes = true, escapes || next != '\\'
				i++
			}
		}
	}
	if d.Expands = d.Expands || d.Escaped && !escapes; d.Expands {
		d.Escaped = false
	}
	if d.Escaped {
		d.Text = Unescape(d.Text)
	}
}

// Unescape removes the backslashes that the shell removes from a here-document whose delimiter has no quotes.
func Unescape(s string) string {
	return strings.NewReplacer(`\\`, `\`, `\$`, `$`, "\\`", "`").Replace(s)
}

// Escape writes a text for a here-document whose delimiter has no quotes.
func Escape(s string) string {
	return strings.NewReplacer(`\`, `\\`, `$`, `\$`, "`", "\\`").Replace(s)
}

func isWordByte(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z'
}

const mostExpanded = 100

// Expand returns the words for which a word with braces stands: `src/a` and `src/b` for `src/{a,b}`. It returns nil
// if there are too many words, or if braces are nested.
func (w Word) Expand() []string {
	if !w.Braces {
		return []string{w.Text}
	}
	all := []string{""}
	rest := w.Text
	for {
		from := strings.IndexByte(rest, '{')
		if from < 0 {
			break
		}
		size := strings.IndexByte(rest[from:], '}')
		if size < 0 || strings.Contains(rest[from+1:from+size], "{") {
			return nil
		}
		list := rest[from+1 : from+size]
		items := strings.Split(list, ",")
		if len(items) == 1 {
			items = []string{"{" + list + "}"} // a single item in braces is not a list, so the shell keeps the braces
		}
		if len(all)*len(items) > mostExpanded {
			return nil
		}
		var longer []string
		for _, head := range all {
			for _, item := range items {
				longer = append(longer, head+rest[:from]+item)
			}
		}
		all, rest = longer, rest[from+size+1:]
	}
	for i := range all {
		all[i] += rest
	}
	return all
}
