// Package escape makes text of unknown origin safe to show to a person: text from a reply, a repository, an agent or a
// database. No character of the text may move the cursor of a terminal, reorder the text around it, or become a link, a
// command, an image or markup.
//
// Each function serves one kind of surface. Unless a function's comment says otherwise, applying the function twice
// gives the same text as applying it once.
package escape

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Invisible reports whether `r` shows nothing, or changes how the text around it is shown: control characters, line and
// paragraph separators, bidirectional controls, and zero-width characters.
func Invisible(r rune) bool {
	if r < 0x7f { // the common case; looking characters up in the tables is slow
		return r < ' '
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point) ||
		r == '\u2800' // the blank character of Braille
}

// Line returns `s` as one line, with invisible characters and invalid bytes as Go's escapes, such as \u202e or \n. It
// is for names, titles and messages.
func Line(s string) string { return replace(s, Invisible) }

// Text does the same as [Line] for text of several lines. It keeps line feeds, tabs, and the joiners and variation
// selectors that only shape the letter before them.
func Text(s string) string { return replace(s, disturbs) }

func disturbs(r rune) bool {
	switch r {
	case '\n', '\t', '\u200c', '\u200d':
		return false
	}
	return Invisible(r) && !unicode.Is(unicode.Variation_Selector, r)
}

// Report does the same as [Text] for the output of the command line. A build server reads that output, and obeys a line
// that begins with `::`, or that has `##[` or the like anywhere. A backslash prevents this.
func Report(s string) string {
	s = commands.Replace(Text(s))
	if !strings.Contains(s, "::") {
		return s
	}
	lines := strings.SplitAfter(s, "\n")
	for i, line := range lines {
		if rest := strings.TrimLeft(line, " \t"); strings.HasPrefix(rest, "::") {
			lines[i] = line[:len(line)-len(rest)] + `\` + rest
		}
	}
	return strings.Join(lines, "")
}

var commands = strings.NewReplacer("##[", `#\#[`, "##vso[", `#\#vso[`, "##teamcity[", `#\#teamcity[`)

// Message does the same as [Text] for a notification, in which editors convert [text](target) to links and to buttons
// that run commands.
func Message(s string) string { return strings.ReplaceAll(Text(s), "](", `]\(`) }

// Label does the same as [Line] for a title in which editors draw an icon for $(name). If a backslash already precedes
// the `$`, Label adds no second backslash.
func Label(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(Line(s), "$(", `\$(`), `\\$(`, `\$(`)
}

// replace writes invalid bytes, and the characters of `s` for which `hide` returns true, as escapes.
func replace(s string, hide func(rune) bool) string {
	var b strings.Builder
	done := 0
	for i, r := range s {
		size := utf8.RuneLen(r)
		invalid := r == utf8.RuneError && !strings.HasPrefix(s[i:], "\ufffd")
		if invalid {
			size = 1
		}
		if !invalid && !hide(r) {
			continue
		}
		b.WriteString(s[done:i])
		done = i + size
		if invalid {
			fmt.Fprintf(&b, `\x%02x`, s[i])
		} else {
			b.WriteString(written(r))
		}
	}
	if done == 0 {
		return s
	}
	b.WriteString(s[done:])
	return b.String()
}

func written(r rune) string {
	switch {
	case r == '\n':
		return `\n`
	case r == '\r':
		return `\r`
	case r == '\t':
		return `\t`
	case r < 0x80:
		return fmt.Sprintf(`\x%02x`, r)
	case r < 0x10000:
		return fmt.Sprintf(`\u%04x`, r)
	}
	return fmt.Sprintf(`\U%08x`, r)
}
