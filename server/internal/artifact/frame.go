package artifact

import (
	"strings"

	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// Frame describes a text with the same thing before the indentation of each line, whatever it
// is: no person writes there, except to comment lines out.
var Frame = Artifact{
	Silent:      map[string]string{NewFile: "nothing to compare it with; its own text may be so"},
	Name:        "a frame around the lines",
	Origin:      "A program shows a file in a table, a box, a list, a diff of a diff or a log, with something of its own before and after each line.",
	Differs:     "without what is around each line",
	Fix:         "Leave out what is around each line",
	Forgives:    "The same before three lines or more of the file, numbers aside, before their indentation too; and anything after them.",
	Certain:     "No: it is only seen beside the lines of the file. The fix is offered.",
	Replacement: "Its lines lose the same.",
	Restore:     unframe,
}

// fewestFramed is the number of lines needed to see a frame.
const fewestFramed = 3

var digits = lazyregexp.New(`\d+`)

// unframe removes a frame. The lines of the file show it: several of the text have them inside.
func unframe(s string, old []string) (string, bool) {
	all, eol := lines(s)
	if len(all) > mostFramed || len(old) > mostFramed {
		return s, false
	}
	was := map[string]bool{}
	for _, line := range old {
		was[line] = true
	}
	prefix, suffix, found, tried, deep := "", "", 0, 0, false
	bodies := make([]string, len(all))
	for i, line := range all {
		if was[line] || isBlank(line) {
			continue
		}
		tried++
		body, at := within(line, old)
		if at <= 0 {
			if tried > mostTried && found == 0 {
				break
			}
			continue
		}
		p := digits.ReplaceAllString(line[:at], "0")
		if isBlank(p) || isComment(p) || found > 0 && p != prefix && strings.TrimSpace(p) != strings.TrimSpace(prefix) {
			return s, false
		}
		prefix, suffix = p, line[at+len(body):]
		bodies[i], found, deep = body, found+1, deep || indentation(body) != ""
	}
	if found < fewestFramed || 2*found < tried || !deep {
		return s, false
	}
	suffix = strings.TrimSpace(suffix)
	for i, line := range all {
		if bodies[i] != "" {
			all[i] = bodies[i]
		} else if !isBlank(line) && !was[line] {
			all[i] = cutFrame(line, prefix, suffix)
		}
	}
	return strings.Join(all, eol), true
}

// mostTried limits the lines that are looked at before the first one with a frame.
const mostTried = 10

// mostFramed limits the lines that are compared with one another.
const mostFramed = 400

// within returns the longest old line that says something and is in a line, with its place.
func within(line string, old []string) (body string, at int) {
	at = -1
	for _, was := range old {
		if len(was) > len(body) && len(was) < len(line) && text.Shared.Says(was) {
			if i := strings.Index(line, was); i > 0 {
				body, at = was, i
			}
		}
	}
	return body, at
}

// cutFrame removes a frame, in which digits stand for any number, from a line.
func cutFrame(line, prefix, suffix string) string {
	pattern := strings.TrimRight(prefix, " ")
	for end := min(len(line), len(prefix)+8); end > 0; end-- {
		if p := digits.ReplaceAllString(line[:end], "0"); p == prefix || strings.TrimRight(p, " ") == pattern && end == len(line) {
			return strings.TrimRight(strings.TrimSuffix(strings.TrimRight(line[end:], spaces), suffix), spaces)
		}
	}
	return line
}

// isComment reports whether a text opens a comment in some language.
func isComment(prefix string) bool {
	switch strings.TrimSpace(prefix) {
	case "#", "//", "--", ";", ";;", "%", "'", "REM", "rem", "/*", "*", "<!--", "!", "\"":
		return true
	}
	return false
}
