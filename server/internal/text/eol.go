package text

import "strings"

// An EOL is a line ending; None is that of a text without any.
type EOL string

// The line endings. U+2028, U+0085, VT and FF end no line.
const (
	None EOL = ""
	LF   EOL = "\n"
	CRLF EOL = "\r\n"
	CR   EOL = "\r"
)

// DominantEOL is the ending that most lines of s have; the earliest of them
// where two are equally common.
func DominantEOL(s string) EOL {
	count := map[EOL]int{LF: strings.Count(s, "\n"), CR: strings.Count(s, "\r")}
	if count[CR] > 0 {
		count[CRLF] = strings.Count(s, "\r\n")
		count[LF] -= count[CRLF]
		count[CR] -= count[CRLF]
	}
	most := max(count[LF], count[CR], count[CRLF])
	for at := 0; most > 0; {
		end, next := LineEnd(s, at)
		if eol := EOL(s[end:next]); count[eol] == most {
			return eol
		}
		at = next
	}
	return None
}

// MixedEOL reports whether the lines of s end in more than one way.
func MixedEOL(s string) bool {
	first := None
	for at := 0; ; {
		end, next := LineEnd(s, at)
		if end == next {
			return false
		}
		eol := EOL(s[end:next])
		if first != None && eol != first {
			return true
		}
		first, at = eol, next
	}
}

// WithEOL is s with every line ending turned into eol; s itself for None.
func WithEOL(s string, eol EOL) string {
	if eol == None || (eol == LF && !strings.Contains(s, "\r")) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for at := 0; ; {
		end, next := LineEnd(s, at)
		b.WriteString(s[at:end])
		if end == next {
			return b.String()
		}
		b.WriteString(string(eol))
		at = next
	}
}

// SplitLines cuts s after every line ending. The parts joined are s; a text
// that ends with a line ending has no empty last part.
func SplitLines(s string) []string {
	if s == "" {
		return nil
	}
	lines := make([]string, 0, strings.Count(s, "\n")+1)
	for at := 0; at < len(s); {
		_, next := LineEnd(s, at)
		lines = append(lines, s[at:next])
		at = next
	}
	return lines
}

// TrimEOL is line without the ending that it may have.
func TrimEOL(line string) string {
	end, _ := LineEnd(line, 0)
	return line[:end]
}
