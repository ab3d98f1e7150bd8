package reply

import (
	"maps"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/doubt"
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/meter"
	"github.com/aptix-dev/aptix/server/internal/place"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// resembles reports whether a file has at least half of the lines of `body`. It ignores elisions.
func (f *Files) resembles(name, body string) bool {
	t, lines := f.texts(name), wordedLines(body)
	found := text.Count(lines, func(line string) bool {
		return slices.ContainsFunc(t, func(t string) bool { return f.holdsAll(t, []string{"\n" + line + "\n"}) })
	})
	return found > 0 && 2*found >= len(lines)
}

// isRest reports whether a text is all that remains of a file after most of its other lines went to files that the reply
// creates.
func (f *Files) isRest(name, body string) bool {
	t := f.texts(name)
	if len(t) != 1 || !f.Meter.Pay(len(t[0])) {
		return false
	}
	kept, made := text.Set(text.SplitLines(squeeze(body))), f.byLine()
	gone := text.Only(doubt.Telling(t[0]), func(line string) bool { return !kept[line+"\n"] })
	went := text.Count(gone, func(line string) bool {
		return slices.ContainsFunc(made[line], func(other string) bool { return f.isNew(other) })
	})
	return len(gone) >= fewestGone && 5*went >= 4*len(gone)
}

const fewestGone = 3 // fewer lines of a file may be in another one by chance

const (
	leastAlike = 0.7 // the smallest likeness (0 to 1) at which two lines count as versions of the same line
	leastNear  = 10  // lines with fewer characters, not counting white space, are not compared
	// texts with more lines are not compared; if the reply changes more files than this, no texts are compared
	mostNear     = 20
	mostCompared = 500_000 // the largest number of pairs of lines that are compared for one reply
	mostShared   = 20      // a line that occurs in more files does not show from which file a text comes
)

// isNear reports whether at least half of the lines of a short text are similar to lines of a file. It ignores
// elisions.
func (f *Files) isNear(name, body string) bool {
	lines := wordedLines(body)
	if len(lines) > mostNear || f.compared > mostCompared {
		return false
	}
	others := text.SplitLines(strings.Join(f.texts(name), ""))
	f.compared += len(lines) * len(others)
	found := text.Count(lines, func(line string) bool { return isVersionOfAny(f.Meter, line, others) })
	return found > 0 && 2*found >= len(lines)
}

// isVersionOfAny reports whether a line is similar to any of `others`.
func isVersionOfAny(m *meter.Meter, line string, others []string) bool {
	return text.NonBlanks(line, leastNear) == leastNear && place.FirstAlike(m, line, others, leastAlike) >= 0
}

// IsVersion reports whether a line is a version of one of the other lines: it is similar, or only its names and values
// differ.
func IsVersion(m *meter.Meter, line string, others []string) bool {
	shape := shapeOf(line)
	return isVersionOfAny(m, line, others) ||
		shape != "" && slices.ContainsFunc(others, func(other string) bool { return shapeOf(other) == shape })
}

// shapeParts matches a text in quotes, a number with its parts, or a name.
var shapeParts = lazyregexp.New(`"[^"]*"|'[^']*'|\d+(?:\.\d+)*|[\pL_][\pL\d_]*`)

// assigned matches a line that does nothing but assign a value of one word to a name: `LEVEL=info`.
var assigned = lazyregexp.New(`^[\pL_][\pL\d_.-]*([ \t]*[=:][ \t]*)[^\s=:(){}\[\]]+$`)

// shapeOf returns a line with one character in place of each of its parts: "a: 0" for "timeout: 10". It returns "" if
// the line has no value, or only a value.
func shapeOf(line string) string {
	names, values := 0, 0
	line = strings.Trim(line, " \t\r\n,;")
	if m := assigned.FindStringSubmatch(line); m != nil {
		return "a" + m[1] + "v"
	}
	shape := shapeParts.ReplaceAllStringFunc(line, func(part string) string {
		switch {
		case strings.ContainsAny(part[:1], `"'`):
			values++
			return `"`
		case strings.ContainsAny(part[:1], "0123456789"):
			values++
			return "0"
		}
		names++
		return "a"
	})
	if values == 0 || names+values < 2 {
		return ""
	}
	return shape
}

func (f *Files) hasShape(name, shape string) bool {
	return shape != "" && slices.ContainsFunc(f.texts(name), func(t string) bool {
		return f.Meter.Pay(eachSigned*len(t)) && slices.ContainsFunc(text.SplitLines(t), func(line string) bool { return shapeOf(line) == shape })
	})
}

// wordedLines returns the lines of a text that contain a word, without indentation. It skips elisions.
func wordedLines(body string) []string { return doubt.Telling(strings.Join(runsOf(body), "")) }

// importing matches a line that imports names from another file.
var importing = lazyregexp.New(`^\s*(?:(?:import|from|use|using|require|require_relative|#\s*include)\b|(?:const|let|var)\s[^=]*=\s*require\()`)

// like finds the changed file that resembles `body` most. `name` is "" if there is no such file. If `sure` is true, the
// file has at least half of the lines of `body`; otherwise, its lines are only similar. `known` is true if some changed
// file contains all of `body`.
func (f *Files) like(body string) (name string, sure, known bool) {
	has := map[string]int{}
	lines, all := 0, wordedLines(body)
	if code := text.Only(all, func(line string) bool { return !importing.MatchString(line) }); len(code) > 0 {
		all = code // an example of the file's use imports the same names as a test of the file
	}
	for _, line := range all {
		names := f.byLine()[line]
		if len(names) > mostShared {
			continue
		}
		lines++
		for _, name := range names {
			has[name]++
		}
	}
	for _, candidate := range slices.Sorted(maps.Keys(has)) {
		if has[candidate] == lines && f.has(candidate, body) {
			return "", false, true
		}
		if 2*has[candidate] >= lines && has[candidate] > has[name] {
			name, sure = candidate, true
		}
	}
	if name == "" && lines > 0 && len(f.Made) <= mostNear {
		for _, candidate := range f.changed() {
			if f.isNear(candidate, body) {
				return candidate, false, false
			}
		}
	}
	return name, sure, false
}
