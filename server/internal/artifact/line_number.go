package artifact

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// LineNumber describes a listing: a text with the number of each line before the line.
var LineNumber = Artifact{
	Signs:   "0123456789",
	Name:    "line numbers",
	Differs: "without the line numbers",
	Fix:     "Leave out the line numbers",
	Sure:    true,
	Undo:    unnumber,
	Shows:   showsNumbers,
}

// NumberLine describes a listing that has each number on a separate line.
var NumberLine = Artifact{
	Signs:   "0123456789",
	Name:    "numbers on lines of their own",
	Differs: "without the line numbers",
	Fix:     "Leave out the line numbers",
	Sure:    true,
	Undo:    withoutNumberLines,
	Shows: func(s string) bool {
		out, ok := withoutNumberLines(s)
		return ok && strings.Count(out, "\n") > 2 && hasShape(out)
	},
}

var numberHead = lazyregexp.New(`^[ \t]*(?:[Ll]ine |[Ll]|#)?[\[(]?(\d{1,6})[\])]?`)

type numbered struct {
	n    int
	end  int    // the offset after the number and its closing bracket
	sep  string // the separator after the number, without the white space around it; "" if only white space follows
	rest string // the text after the separator
}

func numberedLine(line string) (numbered, bool) {
	first := strings.TrimLeft(line, " \t")
	if first == "" || strings.IndexByte("0123456789[(#Ll", first[0]) < 0 { // spares most lines the slower search
		return numbered{}, false
	}
	m := numberHead.FindStringSubmatchIndex(line)
	if m == nil {
		return numbered{}, false
	}
	n, err := strconv.Atoi(line[m[2]:m[3]])
	out := numbered{n: n, end: m[1], rest: line[m[1]:]}
	trimmed := strings.TrimLeft(out.rest, " \t")
	sign, size := utf8.DecodeRuneInString(trimmed)
	bracketed := line[m[1]-1] == ']' || line[m[1]-1] == ')'
	switch {
	case err != nil:
		return out, false
	case strings.HasPrefix(trimmed, "||"), strings.HasPrefix(trimmed, "::"), strings.HasPrefix(trimmed, ":="):
		return out, false
	case trimmed != "" && strings.ContainsRune("|│┃¦→⇒:", sign), trimmed == out.rest && trimmed != "" && strings.ContainsRune(".)-+>", sign) && (len(trimmed) == size || trimmed[size] == ' ' || sign == '-'):
		out.sep, out.rest = string(sign), trimmed[size:]
	case strings.HasPrefix(out.rest, "\t"):
		out.sep, out.rest = "\t", out.rest[1:]
	case bracketed:
		out.sep = line[m[1]-1 : m[1]]
	case trimmed == out.rest && trimmed != "":
		return out, false
	}
	return out, true
}

type listing struct {
	eol      string
	all      []string
	numbered map[int]numbered
	last     int // the number of the previous numbered line
	gaps     bool
	bare     int // the number of nonblank lines that do not begin with a number
}

// readListing reads a text as a listing. It returns false if the numbers do not increase, if the characters after the
// numbers differ, or if too few lines have a number.
func readListing(s string) (l listing, ok bool) {
	l.all, l.eol = lines(s)
	l.numbered = map[int]numbered{}
	sep, spaces := "", 0
	for i, line := range l.all {
		n, ok := numberedLine(line)
		if !ok {
			if isCut(line) {
				l.gaps = true
			} else if !text.IsBlank(line) {
				l.bare++
			}
			if len(l.numbered)+len(l.all)-i <= 2*l.bare {
				return l, false // too few lines are left that could have a number
			}
			continue
		}
		if n.sep == "" && text.IsBlank(n.rest) {
			// In a listing, nothing follows the number of an empty line.
			spaces++
		} else if sep == "" {
			sep = n.sep
		} else if sep != n.sep && !(isGrep(sep) && isGrep(n.sep)) {
			return l, false
		}
		if len(l.numbered) > 0 && (n.n <= l.last || n.n > l.last+1 && !l.gaps) {
			if n.n <= l.last {
				return l, false
			}
			l.gaps = true
		}
		l.last, l.numbered[i] = n.n, n
	}
	return l, len(l.numbered) > spaces && len(l.numbered) >= 2*l.bare
}

func isGrep(sep string) bool { return sep == ":" || sep == "-" }

// isCut reports whether a line, such as `...`, stands for lines that a listing leaves out.
func isCut(line string) bool {
	return !text.IsBlank(line) && strings.Trim(line, " \t.…⋮-[]") == ""
}

func unnumber(s string) (string, bool) {
	l, ok := readListing(s)
	if !ok {
		return s, false
	}
	cut := l.cut()
	for i, n := range l.numbered {
		l.all[i] = cut(l.all[i], n)
	}
	return strings.Join(l.all, l.eol), true
}

// cut returns a function that removes the number from a line, together with the white space that follows every number.
func (l listing) cut() func(line string, n numbered) string {
	least, column, ends := -1, -1, map[int]bool{}
	for _, n := range l.numbered {
		ends[n.end] = true
		if text.IsBlank(n.rest) {
			continue
		}
		spaces := len(n.rest) - len(strings.TrimLeft(n.rest, " "))
		if least < 0 || spaces < least {
			least = spaces
		}
		if total := n.end + spaces; n.sep == "" && (column < 0 || total < column) {
			column = total
		}
	}
	padded := len(ends) > 1 && column > 0
	for end := range ends {
		padded = padded && end < column
	}
	// Indentation in code usually has an even number of spaces, so an odd space belongs to the number.
	spaces := max(least, 0) % 2
	if spaces == 0 && column > 0 && least > 0 {
		spaces = 2
	}
	return func(line string, n numbered) string {
		if padded {
			return line[min(column, len(line)):]
		}
		return n.rest[min(spaces, len(n.rest)-len(strings.TrimLeft(n.rest, " "))):]
	}
}

// withoutNumberLines removes every second line, if these lines are the numbers of the other lines.
func withoutNumberLines(s string) (string, bool) {
	all, eol := lines(s)
	tail := len(all)%2 == 1 && all[len(all)-1] == ""
	if len(all) < 4 || len(all)%2 == 1 && !tail {
		return s, false
	}
	var out []string
	last := -1
	for i := 0; i+1 < len(all); i += 2 {
		n, err := strconv.Atoi(strings.TrimSpace(all[i]))
		if err != nil || last >= 0 && n != last+1 {
			return s, false
		}
		last = n
		out = append(out, all[i+1])
	}
	if tail {
		out = append(out, "")
	}
	return strings.Join(out, eol), true
}

// showsNumbers reports whether a text is a listing, and not data or a list. The text must have an empty or an indented
// line, or a separator that data and lists do not have.
func showsNumbers(s string) bool {
	l, ok := readListing(s)
	if !ok || l.bare > 0 || l.gaps || len(l.numbered) < 3 {
		return false
	}
	out, _ := unnumber(s)
	return hasShape(out) || slices.ContainsFunc(slices.Collect(maps.Values(l.numbered)), func(n numbered) bool { return n.sep != "" && strings.Contains("|│┃¦→", n.sep) })
}

// hasShape reports whether a text has an indented line, or an empty line between others, like most code.
func hasShape(s string) bool {
	return slices.ContainsFunc(strings.Split(strings.TrimSpace(s), "\n"), func(line string) bool { return text.IsBlank(line) || text.Indentation(line) != "" })
}
