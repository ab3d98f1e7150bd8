package lenientjson

import (
	"slices"
	"strings"
)

func anyString(n *Node, f func(*Node) bool) bool {
	if n.Kind == String {
		return f(n)
	}
	return slices.ContainsFunc(n.Elems, func(e *Node) bool { return anyString(e, f) }) ||
		slices.ContainsFunc(n.Members, func(m Member) bool { return anyString(m.Value, f) })
}

// hasLookAlikes reports whether a string has typographic characters. A program that replaced the
// quotes around strings may have replaced these characters, too.
func hasLookAlikes(n *Node) bool {
	return strings.ContainsAny(n.Text, "‘’‚“”„«»–—…\u00a0\u200b\u2028\u2029\ufeff")
}

func escapesCarriage(n *Node) bool {
	return n.literal != nil && strings.Contains(n.literal.raw, `\r`)
}

// suspect reports whether a string contains a rare escape such as `\b`, or a line break or a tab that is probably
// inside a literal of code. If so, the writer may have forgotten to escape backslashes, or the string was unescaped
// once too often.
func suspect(n *Node) bool {
	if n.literal == nil {
		return false
	}
	raw := n.literal.raw
	start := 0 // offset in raw of the start of the line
	for i := 0; i < len(raw); {
		line := raw[start:i]
		switch raw[i] {
		case '\n', '\r':
			if opensLiteral(line, false) {
				return true
			}
			i++
			start = i
			continue
		case '\t':
			if opensLiteral(line, false) {
				return true
			}
			fallthrough
		default:
			i++
			continue
		case '\\':
		}
		e := readEscape(raw[i:], n.literal.quote)
		if suspectEscape(e, raw, start, i) {
			return true
		}
		if e.value == '\n' {
			start = i + e.size
		}
		i += e.size
	}
	return false
}

// doubled reports whether a string has doubled backslashes but no escaped line break, so that nothing shows whether the
// backslashes were doubled for JSON.
func doubled(n *Node) bool {
	if n.literal == nil || !strings.Contains(n.literal.raw, `\\`) {
		return false
	}
	return !strings.Contains(strings.ReplaceAll(n.literal.raw, `\\`, ""), `\n`)
}

// suspectEscape does the work of [suspect] for the escape at the offset `at` of `raw`, whose line begins at `start`.
func suspectEscape(e escape, raw string, start, at int) bool {
	line, behind := raw[start:at], raw[at+e.size:]
	switch {
	case e.kept, e.code != "", e.value > '~', strings.ContainsRune("\"'`\\", e.value):
		return false
	case e.value == '\n':
		return opensLiteral(line, true) || inPattern(line, behind)
	case e.value == '\t':
		return strings.Trim(strings.ReplaceAll(line, `\t`, ""), " \t") != ""
	case e.value == '\r':
		return !strings.HasPrefix(behind, `\n`) && !strings.HasPrefix(behind, "\n")
	}
	return true // escapes such as \b, \f and \/ are rare, and always suspect
}

// inPattern reports whether an escaped line break between `before` and `behind` is probably an escape in a literal or a
// pattern of code: "\n", /\n/, \n+ or |\n.
func inPattern(before, behind string) bool {
	const quantifiers = "+*?|"
	if strings.HasPrefix(behind, "```") || strings.HasPrefix(behind, "'''") || strings.HasPrefix(behind, `\"\"\"`) {
		return false
	}
	before, behind = before[max(0, len(before)-2):], behind[:min(len(behind), 2)]
	last := before[max(0, len(before)-1):]
	switch {
	case behind == "":
		return false
	case strings.IndexByte("\"'`", behind[0]) >= 0, behind == `\"`:
		return true
	case last == "/" && before != "*/" && before != "//", last == "|" || last == "^" || last == `\`:
		return true
	case behind[0] == '/':
		return behind != "//" && behind != "/*"
	}
	return strings.IndexByte(quantifiers, behind[0]) >= 0 && behind[1:] != " "
}

// opensLiteral reports whether a literal of code seems to be open at the end of `line`, which is still escaped as in
// JSON. Literals that may contain line breaks count only if `multiline` is true.
func opensLiteral(line string, multiline bool) bool {
	if !strings.ContainsAny(line, "\"'`") {
		return false
	}
	line = unescapeQuotes.Replace(line)
	if !multiline {
		line = withoutTriple.Replace(line)
	}
	if strings.Count(line, `"`)%2 == 1 || multiline && strings.Count(line, "`")%2 == 1 {
		return true
	}
	return singleQuotes(line)%2 == 1
}

var (
	unescapeQuotes = strings.NewReplacer(`\\`, "", `\"`, `"`, `\'`, `'`)
	withoutTriple  = strings.NewReplacer(`"""`, "", "'''", "")
)

// singleQuotes counts the single quotes that are not apostrophes.
func singleQuotes(s string) int {
	n := 0
	for i := range len(s) {
		inWord := i > 0 && i+1 < len(s) && IsWord(s[i-1]) && IsWord(s[i+1])
		if s[i] == '\'' && !inWord {
			n++
		}
	}
	return n
}
