package artifact

import (
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/aptix-dev/aptix/server/internal/text"
)

// Wrapped describes a text whose long lines continue at the left margin of the next line.
var Wrapped = Artifact{
	Name:    "broken lines",
	Differs: "with the broken lines joined",
	Fix:     "Join the broken lines",
	Several: true,
	Restore: unwrap,
	Prose:   true,
	Asked:   true,
}

// mostParts limits the number of parts into which one line may be broken.
const mostParts = 8

func unwrap(s string, old []string) (string, bool) {
	all, eol := lines(s)
	if len(all) > 10*mostCompared {
		return s, false
	}
	kept, same := text.Set(all), map[string]bool{}
	was := &unspaced{of: map[string]string{}}
	for _, line := range old {
		if same[line] = kept[line]; !kept[line] {
			was.of[text.WithoutSpace(line)] = line
		}
	}
	if len(was.of) == 0 {
		return s, false
	}
	var out []string
	odd := false
	for i := 0; i < len(all); {
		line, n := all[i], 1
		if !same[line] {
			line, n = was.joinedAt(all[i:])
		}
		odd = odd || n > 1 && !brokenByPerson(line, all[i:i+n])
		out, i = append(out, line), i+n
	}
	return strings.Join(out, eol), odd
}

// brokenByPerson reports whether a person may have broken a line. A person breaks a line between words. If the line is
// indented, a person also indents the further parts, except for a closing bracket.
func brokenByPerson(line string, parts []string) bool {
	whole := text.WithoutSpace(strings.Join(parts, ""))
	if whole != text.WithoutSpace(line) {
		// The joined parts have characters that the line lacks: marks of a break, which only programs write.
		return false
	}
	for i, part := range parts[1:] {
		opens, _ := utf8.DecodeRuneInString(strings.TrimLeft(part, spaces))
		ends, _ := utf8.DecodeLastRuneInString(parts[i])
		margin := text.Indentation(part) == "" && text.Indentation(parts[0]) != ""
		if margin && !strings.ContainsRune(")]}#", opens) || text.InName(opens) && (text.InName(ends) && len(strings.Fields(strings.Join(parts, " "))) > len(strings.Fields(line))) {
			return false
		}
	}
	return true
}

// joinedAt returns the old line that was broken into the first lines of `all`, and the number of these lines. If there
// is no such old line, it returns the first line and 1.
func (was *unspaced) joinedAt(all []string) (string, int) {
	whole := ""
	for i, line := range all[:min(len(all), mostParts)] {
		if text.IsBlank(line) || i > 0 && len(text.Indentation(line)) > len(text.Indentation(all[0])) {
			break
		}
		whole += text.WithoutSpace(line)
		if old, ok := was.of[whole]; ok && i > 0 && text.Passage.Says(whole) {
			return old, i + 1
		} else if ok {
			break
		}
		if was.begins(whole) {
			continue
		}
		mark := slices.IndexFunc(marks, func(mark string) bool {
			return strings.HasSuffix(whole, mark) && was.begins(strings.TrimSuffix(whole, mark))
		})
		if mark < 0 {
			break
		}
		whole = strings.TrimSuffix(whole, marks[mark])
	}
	return all[0], 1
}

// marks holds the characters with which programs mark a line break.
var marks = []string{"-", "↩", "↵", "⏎", "=", `\`, "»"}

// An unspaced finds old lines by their text without white space.
type unspaced struct {
	of     map[string]string
	sorted []string // the old lines without white space, sorted; nil until begins is called
}

func (was *unspaced) begins(s string) bool {
	if was.sorted == nil {
		was.sorted = slices.Sorted(maps.Keys(was.of))
	}
	i, _ := slices.BinarySearch(was.sorted, s)
	return i < len(was.sorted) && strings.HasPrefix(was.sorted[i], s)
}

// BrokenString describes a text in which an escaped line ending or tab inside a string literal became a real one.
var BrokenString = Artifact{
	Signs:   "\"'`",
	Lost:    `\`,
	Name:    "strings with real line breaks",
	Differs: "with the line breaks in strings escaped",
	Fix:     "Write `\\n` for the line breaks in strings",
	Undo:    mendStrings,
	Restore: joinStrings,
	Shows:   func(s string) bool { _, torn := mendStrings(s); return torn },
	Loses:   "strings with several lines",
}

// joinStrings joins lines with an escaped line ending if the result is an old line.
func joinStrings(s string, old []string) (string, bool) {
	broken := map[string]bool{}
	for _, line := range old {
		if strings.Contains(line, `\n`) {
			broken[line] = true
		}
	}
	if len(broken) == 0 {
		return tabbed(s, old)
	}
	all, eol := lines(s)
	var out []string
	for i := 0; i < len(all); {
		n := 1
		for k := 2; k <= min(mostParts, len(all)-i); k++ {
			if broken[strings.Join(all[i:i+k], `\n`)] {
				n = k
			}
		}
		out, i = append(out, strings.Join(all[i:i+n], `\n`)), i+n
	}
	return strings.Join(out, eol), len(out) < len(all)
}

// tabbed replaces each line that has real tabs with the old line that has escaped tabs in the same places.
var tabbed = restoring(strings.NewReplacer(`\t`, "\t").Replace, func(was, _ string) bool { return strings.Contains(was, `\t`) })

// mendStrings joins the lines of a string that continues at the left margin, or whose last line begins with its quote.
// It ignores strings in triple quotes or backticks, and comments of several lines.
func mendStrings(s string) (string, bool) {
	all, eol := lines(s)
	var out []string
	long := false
	for i := 0; i < len(all); {
		n := 1
		if edge := edgesLong(all[i]); edge != "" {
			long = !long
		} else if !long {
			n += tornBelow(all[i:])
		}
		out, i = append(out, strings.Join(all[i:i+n], `\n`)), i+n
	}
	return strings.Join(out, eol), len(out) < len(all)
}

// edgesLong returns the mark in a line at which a comment or string of several lines begins or ends, or "".
func edgesLong(line string) string {
	for _, mark := range []string{`"""`, "'''", "`"} {
		if strings.Count(line, mark)%2 == 1 {
			return mark
		}
	}
	if strings.Count(line, "/*") != strings.Count(line, "*/") {
		return "/*"
	}
	return ""
}

// tornBelow returns the number of lines below the first one that belong to a string of the first line.
func tornBelow(all []string) int {
	quote, known := openQuote(all[0], 0)
	atMargin := true
	for n := 1; quote != 0 && known && n <= mostParts && n < len(all); n++ {
		line := all[n]
		ends := line[:min(len(line), 1)] == string(quote) && len(line) > 1 && strings.IndexByte(",;)]}", line[1]) >= 0
		atMargin = atMargin && text.Indentation(line) == ""
		if quote, known = openQuote(line, quote); quote == 0 && known && (ends || atMargin) {
			return n
		}
	}
	return 0
}

// openQuote returns the quote of the string that is open at the end of a line, or 0. `quote` is open at the beginning.
// `known` is false if the line may have a regular expression or a string in another notation.
func openQuote(line string, quote byte) (open byte, known bool) {
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == '\\' && i == len(line)-1:
			return 0, false // the next line continues this one
		case c == '\\':
			i++
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '`':
			return 0, false
		case strings.HasPrefix(line[i:], "//"), strings.HasPrefix(line[i:], "# "), strings.HasPrefix(line[i:], "/*"):
			return 0, true
		case c == '"' || c == '\'':
			before := line[:i]
			word := before[len(strings.TrimRightFunc(before, text.InName)):]
			switch {
			case strings.HasSuffix(before, "/"), strings.HasSuffix(before, "^"), strings.HasSuffix(before, "@"), strings.HasSuffix(before, "@$"), strings.LastIndex(before, "/[") > strings.LastIndex(before, "]"), word == "R":
				return 0, false
			case c == '"' || word == "" || len(word) < 3 && strings.Trim(word, "rRbBfFuUL") == "":
				quote = c
			}
		}
	}
	return quote, true
}
