package text

import (
	"iter"
	"slices"
	"strings"
)

// An EOL is a line ending. None means that a text has no line ending at all.
type EOL string

// The line endings. U+2028, U+0085, VT and FF do not end a line.
const (
	None EOL = ""
	LF   EOL = "\n"
	CRLF EOL = "\r\n"
	CR   EOL = "\r"
)

// DominantEOL returns the most frequent line ending in s. If several are equally frequent, it returns the first of them
// in s.
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

// MixedEOL reports whether the lines of s have different line endings.
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

// WithEOL returns `s` with every line ending replaced by `eol`. If `eol` is None, it returns `s` unchanged.
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

// SplitLines cuts s after every line ending. Joined, the parts give s. If s ends with a line ending, there is no empty
// last part.
func SplitLines(s string) []string {
	if s == "" {
		return nil
	}
	lines := make([]string, 0, strings.Count(s, "\n")+1)
	for line, next := range EachLine(s) {
		lines = append(lines, s[line.Start:next])
	}
	return lines
}

// TrimEOL returns `line` without its ending.
func TrimEOL(line string) string {
	end, _ := LineEnd(line, 0)
	return line[:end]
}

// Bodies returns the lines without their endings.
func Bodies(lines []string) []string { return Each(lines, TrimEOL) }

// Joined returns a text of the given lines, and ends each of them with LF. The lines in the list have no endings.
func Joined(lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	return strings.Join(lines, "\n") + "\n"
}

// Each calls f for each element of a list, and returns the results.
func Each[A, B any](all []A, f func(A) B) []B {
	out := slices.Grow([]B(nil), len(all))
	for _, a := range all {
		out = append(out, f(a))
	}
	return out
}

// Only returns the elements of a list for which `keep` returns true.
func Only[A any](all []A, keep func(A) bool) (kept []A) {
	for _, a := range all {
		if keep(a) {
			kept = append(kept, a)
		}
	}
	return kept
}

// Find returns the first element of a list for which `is` returns true. If there is none, it returns the zero value.
func Find[A any](all []A, is func(A) bool) (found A) {
	if i := slices.IndexFunc(all, is); i >= 0 {
		return all[i]
	}
	return found
}

// First returns the first result of f for an element of a list that is not the zero value, or the zero value.
func First[A any, B comparable](all []A, f func(A) B) (none B) {
	for _, a := range all {
		if found := f(a); found != none {
			return found
		}
	}
	return none
}

// AnyIn reports whether `is` returns true for any element of a sequence.
func AnyIn[A any](all iter.Seq[A], is func(A) bool) bool {
	for a := range all {
		if is(a) {
			return true
		}
	}
	return false
}

// HasLines reports whether a text has each nonblank line of another text, ignoring white space around the lines.
func HasLines(s, lines string) bool {
	has := Set(Each(SplitLines(s), strings.TrimSpace))
	return !slices.ContainsFunc(SplitLines(lines), func(line string) bool { line = strings.TrimSpace(line); return line != "" && !has[line] })
}

// Count counts the elements of a list for which `is` returns true.
func Count[A any](all []A, is func(A) bool) (n int) {
	for _, a := range all {
		if is(a) {
			n++
		}
	}
	return n
}

// WordSet returns the set of the words in a list with spaces between them.
func WordSet(words string) map[string]bool { return Set(strings.Fields(words)) }

// Set returns the elements of a list as the keys of a map.
func Set[A comparable](all []A) map[A]bool {
	set := make(map[A]bool, len(all))
	for _, a := range all {
		set[a] = true
	}
	return set
}

// FirstEOL returns the ending of the first line of a text, or LF if that line has none.
func FirstEOL(s string) string {
	if end, next := LineEnd(s, 0); next > end {
		return s[end:next]
	}
	return "\n"
}

// Ended returns s with LF at its end. An empty s stays empty.
func Ended(s string) string {
	if s == "" || strings.HasSuffix(s, "\n") {
		return s
	}
	return s + "\n"
}

// WholeLines returns `s` with a line ending after its last line. If `ending` is CRLF, every line gets CRLF.
func WholeLines(s, ending string) string {
	if ending == string(CRLF) {
		return WithEOL(Ended(s), CRLF)
	}
	return Ended(s)
}
