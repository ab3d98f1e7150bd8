package artifact

import (
	"strings"
	"unicode/utf8"

	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// Buttons describes a text with the buttons and labels that web pages show around code.
var Buttons = Artifact{
	Ends:    true,
	Name:    "button labels of a web page",
	Differs: "without the button labels of the web page",
	Fix:     "Remove the button labels",
	Sure:    true,
	Undo:    unbutton,
	Shows:   func(s string) bool { return ButtonsAbove(s) > 0 || buttonsBelow(s) > 0 },
}

const (
	copying = `(?:Copy|Copy code|Copy ?Edit|Copied!?|Copy to clipboard|Kopieren|Code kopieren|Copier|Copier le code|Copiar|Copiar código|复制|复制代码|コピー|コピーする)`
	besides = `(?:Edit|Run|Wrap|Download|Collapse|Expand|Open in editor|Explain|Raw|` + evident + `)`
	// evident lists labels that are recognized even without a button for copying next to them.
	evident   = `(?:Show (?:more|less|all)|View (?:raw|code|more)|Wrap lines|Unwrap lines|Word wrap|(?:Copy|Download) raw file|Always show details|Copy (?:link|snippet|to clipboard)|(?:Collapse|Expand) code)`
	languages = `(?:python|py|javascript|js|jsx|typescript|ts|tsx|java|kotlin|swift|go|golang|rust|ruby|php|c|cpp|c\+\+|csharp|c#|bash|sh|shell|zsh|powershell|sql|html|css|scss|json|yaml|yml|toml|xml|markdown|plaintext|text|diff|dockerfile|makefile|lua|perl|r|dart|scala|vue|svelte|graphql|haskell|elixir)`
)

var (
	// buttonLines matches the buttons above code. At least one button must be for copying. The name of a language may
	// precede the buttons.
	buttonLines = lazyregexp.New(`^(?:[\w+#.-]{1,20}[ \t]*\r?\n\s*)?(?:` + besides + `[ \t]*\r?\n\s*)*` + copying + `[ \t]*\r?\n\s*?(?:` + besides + `[ \t]*\r?\n)*`)
	buttonEnd   = lazyregexp.New(`(?:^|\n)(?:` + copying + `|` + evident + `(?:\s*\n` + evident + `)*|` + besides + `[ \t]*\r?\n` + copying + `)\s*$`)
	plainLines  = lazyregexp.New(`^(?:(?:[\w+#.-]{1,20}[ \t]*\r?\n\s*)?(?:` + besides + `|` + copying + `)[ \t]*\r?\n\s*?)*?` + evident + `[ \t]*\r?\n\s*?(?:(?:` + besides + `|` + copying + `)[ \t]*\r?\n)*`)
	labelLine   = lazyregexp.New(`(?i)^(?:` + languages + `|edit|run)[ \t]*\r?\n`)
	isLanguage  = lazyregexp.New(`^(?i:` + languages + `)$`)
	isButton    = lazyregexp.New(`^(?:` + besides + `|` + copying + `)$`)
	// belowCode matches the line that a page shows below every code.
	belowCode = lazyregexp.New(`^\s*(?:Use code with caution|Verwende Code mit Vorsicht|Utilisez le code avec précaution|Usa el código con precaución|Use o código com cuidado|请谨慎使用代码|コードは注意してご使用ください)[.。]?[ \t]*(?:\r?\n|$)`)
	isCopying = lazyregexp.New(`^` + copying + `$`)
)

// beginsWithLabel is a quick test for a button or the name of a language in the first line. A button begins with a
// capital or a non-ASCII letter, and the name of a language has no space.
func beginsWithLabel(s string) bool {
	const longest = 40 // bytes of a label
	line, _, ok := strings.Cut(s[:min(len(s), longest)], "\n")
	line = strings.TrimRight(line, " \t\r")
	return ok &&
		line != "" &&
		(line[0] >= utf8.RuneSelf || 'A' <= line[0] && line[0] <= 'Z' || len(line) <= longestLabel && !strings.ContainsAny(line, " \t=(){}<>;:,\"'"))
}

// ButtonsAbove returns the length in bytes of the buttons at the start of a text. It returns 0 if
// there are none, or if the text consists only of buttons.
func ButtonsAbove(s string) int {
	if !beginsWithLabel(s) {
		return 0
	}
	n := max(len(buttonLines.FindString(s)), len(plainLines.FindString(s)))
	if strings.TrimSpace(s[n:]) == "" {
		return 0
	}
	return n
}

// CodeOnPage looks for the name of a language and a button for copying, which a page shows above code. It returns the
// language, in lower case, and the length of these lines in bytes, or 0. It avoids the regular expressions of
// [ButtonsAbove], because they would be too slow for each line of a reply.
func CodeOnPage(s string) (language string, size int) {
	copies := false
	for line := range strings.Lines(s[:min(len(s), mostLabels)]) {
		label := strings.TrimSpace(line)
		switch {
		case size == 0:
			if label == "" || len(line) > longestLabel || !strings.HasSuffix(line, "\n") || !isLanguage.MatchString(label) {
				return "", 0
			}
			language = strings.ToLower(label)
		case label != "" && !isButton.MatchString(label):
			if !copies || label[0] == '`' || label[0] == '~' { // a fence follows
				return "", 0
			}
			return language, size
		case label != "":
			copies = copies || isCopying.MatchString(label)
		}
		size += len(line)
	}
	return "", 0
}

// ButtonsAtEnd returns the length in bytes of the buttons and names of languages at the end of a text. It returns 0
// if no button for copying is among them.
func ButtonsAtEnd(s string) int {
	rest, copies := s, false
	for {
		above := strings.TrimRight(rest, " \t\r\n")
		line := above[max(0, len(above)-longestLabel-1):] // not the whole line, which may be as long as the document
		line = line[1+strings.LastIndexByte(line, '\n'):]
		label := strings.TrimSpace(line)
		if len(line) > longestLabel || !isButton.MatchString(label) && !isLanguage.MatchString(label) {
			break
		}
		copies, rest = copies || isCopying.MatchString(label), above[:len(above)-len(line)]
	}
	if !copies {
		return 0
	}
	return len(s) - len(rest)
}

// NoteBelow returns the length in bytes of the line that a page shows below its code, at the start of a text, or 0.
func NoteBelow(s string) int { return len(belowCode.FindString(s[:min(len(s), mostLabels)])) }

// NamesLanguage reports whether a line is only the name of a language, and the text below it begins with a fence that
// has this name as its tag. Pages show the name above the code, and their text is copied with it.
func NamesLanguage(line, below string) bool {
	line = strings.ToLower(strings.TrimSpace(line))
	info, _, _ := strings.Cut(strings.TrimLeft(below, " \t\r\n>"), "\n")
	tag := strings.TrimLeft(info, "`~")
	return line != "" && len(line) <= longestLabel && len(info)-len(tag) >= 3 && strings.EqualFold(strings.TrimSpace(tag), line) && isLanguage.MatchString(line)
}

// longestLabel limits the length of a line with the name of a language, and mostLabels limits the length of all
// labels above the code, both in bytes.
const (
	longestLabel = 20
	mostLabels   = 200
)

// buttonsBelow returns the length in bytes of the button at the end of a text, or 0.
func buttonsBelow(s string) int {
	tail := s[max(0, len(s)-80):]
	last := strings.TrimRight(tail, " \t\r\n")
	if last = last[strings.LastIndexByte(last, '\n')+1:]; last == "" || last[0] >= 'a' && last[0] < utf8.RuneSelf || last[0] < 'A' {
		return 0 // every button begins with a capital letter, or with a non-ASCII letter
	}
	m := buttonEnd.FindStringIndex(tail)
	if m == nil {
		return 0
	}
	at := m[0]
	if tail[at] == '\n' {
		at++
	}
	if text.IsBlank(s[:len(s)-len(tail)+at]) {
		return 0
	}
	return len(tail) - at
}

func unbutton(s string) (string, bool) {
	above, below := ButtonsAbove(s), buttonsBelow(s)
	if above == 0 && below == 0 {
		if beginsWithLabel(s) {
			above = len(labelLine.FindString(s))
		}
		if above == 0 || text.IsBlank(s[above:]) {
			return s, false
		}
	}
	s = s[:len(s)-below]
	if above > 0 {
		s = strings.TrimLeft(s[above:], "\r\n")
	}
	return s, true
}
