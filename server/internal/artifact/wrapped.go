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
