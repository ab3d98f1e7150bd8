package shell

import (
	"strconv"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/findreplace"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/shellscript"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// sed reads `sed -i SCRIPT PATH`, with one script or with several after `-e`. Each regular expression must match
// only one text. A single `s` command without an address is a replacement. All other commands are applied line by
// line.
func (r *reader) sed(c shellscript.Command, args shellscript.Arguments) bool {
	files, scripts := args.Files, max(1, text.Count(args.Options, func(o string) bool { return o == "-e" }))
	if len(files) > 0 && files[0].Text == "" {
		// On macOS, a suffix for backups must follow the option.
		files = files[1:]
	}
	if !args.Has("-i", "--in-place") || len(files) <= scripts || len(c.Redirects) > 0 {
		return false
	}
	var steps []intent.Step
	adds, extended := false, args.Has("-E", "-r")
	for _, w := range files[:scripts] {
		at := c.At
		if scripts > 1 {
			at = w.At
		}
		all, ok := sedCommands(w, at, extended)
		for _, s := range all {
			// sed numbers only the lines of the original file, not the added ones.
			ok = ok && !adds && (s.From.Line == 0 && s.To.Line == 0 || len(steps) == 0)
			adds = s.Does != 's' && s.Does != 'd' || strings.Contains(s.Text, "\n")
			steps = append(steps, s.step(w, len(all) == 1, extended))
		}
		if !ok {
			return false
		}
	}
	return r.eachFile(c, files[scripts:], intent.Change{Kind: intent.Edit, Steps: steps})
}

// step returns the step of a command. An `s` command that is alone in its script, and whose text may be anywhere in
// the file, becomes a replacement, which also finds near misses.
func (s sedCommand) step(script shellscript.Word, alone, extended bool) intent.Step {
	if !alone || s.Does != 's' || s.From != (address{}) || s.Find.Begins || s.Find.Ends || s.Find.Dots || strings.Contains(s.Text, "\n") {
		return s
	}
	delimiter, flags := strings.TrimSpace(script.Text)[1:2], ""
	r := findreplace.Replacement{Find: s.Find.Text, Replace: s.Text, Limit: findreplace.InLines, At: s.At,
		FindAt: intent.Literal{Span: script.At}, ReplaceAt: intent.Literal{Span: script.At},
		FindName: "the text that sed looks for", ReplaceName: "the text that sed writes"}
	if s.Global {
		r.Limit, flags = findreplace.All, "g"
	}
	r.Both = substituted{script.At, delimiter, flags, extended}
	return r
}

// sedCommands reads the commands of a sed script. It returns false if it cannot read all of them.
func sedCommands(script shellscript.Word, at text.Span, extended bool) (all []sedCommand, ok bool) {
	for s := strings.TrimLeft(script.Text, " \t\n;"); s != ""; s = strings.TrimLeft(s, " \t\n;") {
		c := sedCommand{At: at, Script: script.At}
		if len(all) > 0 {
			c.At.Start += len(all) // each step needs its own span
		}
		if c.From, s, ok = addressIn(s, extended); ok && strings.HasPrefix(s, ",") {
			c.To, s, ok = addressIn(strings.TrimLeft(s[1:], " "), extended)
			ok = ok && c.From != address{} && c.To != address{}
		}
		if s = strings.TrimLeft(s, " "); !ok || s == "" {
			return nil, false
		}
		c.Does = s[0]
		rest := s[1:]
		isRange := c.To != address{}
		switch byText := c.From.Lines.Text != "" && (!isRange || c.To.Lines.Text != ""); {
		case c.Does == 's' && len(rest) > 1 && !text.HasWord(rest[:1]) && rest[0] != '\\' && rest[0] != '\n':
			parts := cut(rest[1:], rest[0], 2)
			if len(parts) != 3 || parts[0] == "" {
				return nil, false
			}
			var plain bool
			c.Find, ok = literal(parts[0], rest[0], extended)
			c.Text, plain = replacement(parts[1])
			if !ok || !plain || c.Find.Text == "" || strings.Contains(c.Find.Text, "\n") {
				return nil, false
			}
			s, c.Global = strings.CutPrefix(parts[2], "g")
		// A line number alone does not show that this line is meant.
		case c.Does == 'd' && byText:
			s = rest
		case !isRange && (byText && strings.IndexByte("aic", c.Does) >= 0 || c.Does == 'a' && c.From.Line < 0 || c.Does == 'i' && c.From.Line == 1):
			var kept bool // the text keeps its indentation
			if rest, kept = strings.CutPrefix(strings.TrimLeft(rest, " \t"), `\`); kept {
				rest = strings.TrimPrefix(rest, "\n")
			}
			if c.Text, s, _ = strings.Cut(rest, "\n"); strings.TrimSpace(c.Text) == "" || strings.Contains(c.Text, "\\") || s != "" {
				return nil, false
			}
		default:
			return nil, false
		}
		if s != "" && strings.IndexByte("; \n", s[0]) < 0 {
			return nil, false
		}
		all = append(all, c)
	}
	return all, len(all) > 0
}

// addressIn reads the address, if any, at the beginning of a script, and returns the rest. It returns false if it
// cannot read the address.
func addressIn(s string, extended bool) (a address, rest string, ok bool) {
	digits := s[:len(s)-len(strings.TrimLeft(s, "0123456789"))]
	switch {
	case digits != "":
		a.Line, _ = strconv.Atoi(digits)
		return a, s[len(digits):], a.Line > 0
	case strings.HasPrefix(s, "$"):
		return address{Line: -1}, s[1:], true
	case strings.HasPrefix(s, "/"):
		parts := cut(s[1:], '/', 1)
		if a.Lines, ok = literal(parts[0], '/', extended); !ok || len(parts) != 2 || a.Lines.Text == "" {
			return a, "", false
		}
		return a, parts[1], true
	}
	return a, s, true
}

// cut splits a text at the first n delimiters that do not follow a backslash.
func cut(s string, delimiter byte, n int) []string {
	var parts []string
	from := 0
	for i := 0; i < len(s) && len(parts) < n; i++ {
		switch s[i] {
		case '\\':
			i++
		case delimiter:
			parts = append(parts, s[from:i])
			from = i + 1
		}
	}
	return append(parts, s[from:])
}

// literal returns the only text that a regular expression matches, or false. A dot without a backslash is copied
// into the text and sets p.Dots, because it matches any character.
func literal(re string, delimiter byte, extended bool) (p pattern, ok bool) {
	const basic, more = `.[*^$`, `+?(){}|`
	re, p.Begins = strings.CutPrefix(re, "^")
	if !strings.HasSuffix(re, `\$`) {
		re, p.Ends = strings.CutSuffix(re, "$")
	}
	var b strings.Builder
	for i := 0; i < len(re); i++ {
		c := re[i]
		if c == '\\' {
			if i++; i == len(re) {
				return p, false
			}
			c = re[i]
			if c != delimiter && c != '\\' && !strings.ContainsRune(basic+"]", rune(c)) && !(extended && strings.ContainsRune(more, rune(c))) {
				return p, false
			}
		} else if c == '.' {
			p.Dots = true
		} else if strings.ContainsRune(basic, rune(c)) || extended && strings.ContainsRune(more, rune(c)) {
			return p, false
		}
		b.WriteByte(c)
	}
	p.Text = b.String()
	return p, true
}

// replacement returns the text that sed writes for the second part of `s`, or false if the text depends on the
// match.
func replacement(s string) (string, bool) {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch c := s[i]; c {
		case '&':
			return "", false
		case '\\':
			i++
			switch {
			case i < len(s) && (s[i] == 'n' || s[i] == '\n'):
				b.WriteByte('\n')
			case i < len(s) && s[i] == 't':
				b.WriteByte('\t')
			case i == len(s) || text.HasWord(s[i:i+1]):
				return "", false
			default:
				b.WriteByte(s[i])
			}
		default:
			b.WriteByte(c)
		}
	}
	return b.String(), true
}

// A substituted is the notation of a substitution of literal text.
type substituted struct {
	at               text.Span
	delimiter, flags string
	extended         bool
}

func (s substituted) WriteBoth(find, replace string) text.Edit {
	meta := `\.[*^$` + s.delimiter
	if s.extended {
		meta += `+?(){}|`
	}
	script := "s" + s.delimiter + escaped(find, meta) + s.delimiter + escaped(replace, `\&`+s.delimiter) + s.delimiter + s.flags
	return text.Edit{Span: s.at, New: quoted{}.Write(script)}
}

// escaped writes a backslash before each special character, and `\n` for line endings.
func escaped(s, special string) string {
	var b strings.Builder
	for _, r := range s {
		if strings.ContainsRune(special, r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return strings.ReplaceAll(b.String(), "\n", `\n`)
}
