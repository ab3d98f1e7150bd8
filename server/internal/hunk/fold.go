package hunk

import (
	"strings"

	"github.com/aptix-dev/aptix/server/internal/locate"
)

// A level is how closely lines are compared.
type level int

const (
	exact     level = iota
	endings         // with LF for CRLF
	trimmed         // without blanks at the end, the ending, and a byte order mark
	squeezed        // besides, without indentation, and with one blank for several
	lookalike       // besides, with plain characters for those that look like them
	levels    = iota
)

const (
	blanks = " \t"
	mark   = "\xef\xbb\xbf"
)

var folds = [levels]func(string) string{
	exact:     func(line string) string { return line },
	endings:   withLF,
	trimmed:   trim,
	squeezed:  squeeze,
	lookalike: plain,
}

// plain is squeeze for a line whose typographic quotes, dashes and spaces are those of a
// keyboard.
func plain(line string) string {
	if isASCII(line) {
		return squeeze(line)
	}
	var b strings.Builder
	for _, c := range line {
		if p := locate.Plain(c); p != "" {
			b.WriteString(p)
		} else {
			b.WriteRune(c)
		}
	}
	return squeeze(b.String())
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

func withLF(line string) string {
	if strings.HasSuffix(line, "\r\n") {
		return line[:len(line)-2] + "\n"
	}
	return line
}

func trim(line string) string {
	return strings.TrimPrefix(strings.TrimRight(line, " \t\r\n"), mark)
}

func squeeze(line string) string {
	line = strings.Trim(trim(line), blanks)
	if !strings.Contains(line, "\t") && !strings.Contains(line, "  ") {
		return line
	}
	var b strings.Builder
	for part := range strings.FieldsFuncSeq(line, func(r rune) bool { return r == ' ' || r == '\t' }) {
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(part)
	}
	return b.String()
}

func sameFolded(a, b []string, l level) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if folds[l](a[i]) != folds[l](b[i]) {
			return false
		}
	}
	return true
}

// isAbout reports whether a hunk changes a line in nothing but what a level leaves
// out: to that level the two are one, and cannot be told from each other.
func (w *work) isAbout(l level) bool {
	if l == exact {
		return false
	}
	removed := map[string]string{}
	for _, line := range w.Lines {
		if line.Op == '-' {
			removed[folds[l](line.Text)] = line.Text
		}
	}
	for _, line := range w.Lines {
		if was, ok := removed[folds[l](line.Text)]; ok && line.Op == '+' && was != line.Text {
			return true
		}
	}
	return false
}
