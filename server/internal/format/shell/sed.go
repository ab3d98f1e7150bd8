package shell

import (
	"strings"

	"github.com/aptix-dev/aptix/server/internal/findreplace"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/shellscript"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// sed reads `sed -i 's/OLD/NEW/g' PATH` if OLD is a literal text, with one script or with several after `-e`. Without the
// flag g, sed replaces only the first OLD of each line, so OLD must occur exactly once in the file.
func (r *reader) sed(c shellscript.Command, args shellscript.Arguments) bool {
	files, scripts := args.Files, max(1, text.Count(args.Options, func(o string) bool { return o == "-e" }))
	if len(files) > 0 && files[0].Text == "" {
		// On macOS, a suffix for backups must come here.
		files = files[1:]
	}
	if !args.Has("-i", "--in-place") || len(files) <= scripts || len(c.Redirects) > 0 {
		return false
	}
	var steps []intent.Step
	for _, w := range files[:scripts] {
		at := c.At
		if scripts > 1 {
			at = w.At
		}
		step, ok := substitution(w, at, args.Has("-E", "-r"))
		if !ok {
			return false
		}
		steps = append(steps, step)
	}
	return r.eachFile(c, files[scripts:], func(string) intent.Change { return intent.Change{Kind: intent.Edit, Steps: steps} })
}

// substitution reads the script of sed. It returns false unless the script is a single `s` command.
func substitution(script shellscript.Word, at text.Span, extended bool) (step findreplace.Replacement, ok bool) {
	s := strings.TrimSpace(script.Text)
	if len(s) < 4 || s[0] != 's' || text.HasWord(s[1:2]) || s[1] == '\\' || s[1] == '\n' {
		return step, false
	}
	parts := cut(s[2:], s[1])
	if len(parts) != 3 || parts[0] == "" || parts[2] != "" && parts[2] != "g" {
		return step, false
	}
	find, isLiteral := literal(parts[0], s[1], extended)
	replace, plain := replacement(parts[1])
	step = findreplace.Replacement{Find: find, Replace: replace, Limit: findreplace.Only, At: at,
		FindAt: intent.Literal{Span: script.At}, ReplaceAt: intent.Literal{Span: script.At},
		Both: substituted{script.At, s[1:2], parts[2], extended}, FindName: "the text that sed looks for", ReplaceName: "the text that sed writes"}
	if parts[2] == "g" {
		step.Limit = findreplace.All
	}
	return step, isLiteral && plain && !strings.Contains(find, "\n")
}

// cut splits a text at each delimiter that has no backslash before it.
func cut(s string, delimiter byte) []string {
	var parts []string
	from := 0
	for i := 0; i < len(s); i++ {
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

// literal returns the only text that a regular expression matches. It returns false if there is more than one.
func literal(pattern string, delimiter byte, extended bool) (string, bool) {
	const basic, more = `.[*^$`, `+?(){}|`
	var b strings.Builder
	for i := 0; i < len(pattern); i++ {
		c := pattern[i]
		if c == '\\' {
			if i++; i == len(pattern) {
				return "", false
			}
			c = pattern[i]
			if c != delimiter && c != '\\' && !strings.ContainsRune(basic+"]", rune(c)) && !(extended && strings.ContainsRune(more, rune(c))) {
				return "", false
			}
		} else if strings.ContainsRune(basic, rune(c)) || extended && strings.ContainsRune(more, rune(c)) {
			return "", false
		}
		b.WriteByte(c)
	}
	return b.String(), true
}

// replacement returns the text that sed writes for the second part of an `s` command. It returns false if this text
// depends on the match.
func replacement(s string) (string, bool) {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch c := s[i]; c {
		case '&':
			return "", false
		case '\\':
			if i++; i == len(s) || text.HasWord(s[i:i+1]) || s[i] == '\n' {
				return "", false
			}
			b.WriteByte(s[i])
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

// WriteBoth implements [findreplace.Writer].
func (s substituted) WriteBoth(find, replace string) text.Edit {
	meta := `\.[*^$` + s.delimiter
	if s.extended {
		meta += `+?(){}|`
	}
	script := "s" + s.delimiter + escaped(find, meta) + s.delimiter + escaped(replace, `\&`+s.delimiter) + s.delimiter + s.flags
	return text.Edit{Span: s.at, New: quoted{}.Write(script)}
}

// escaped returns s with a backslash before each special character, and with `\n` for line endings.
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
