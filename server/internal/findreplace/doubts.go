package findreplace

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/place"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// doubts returns a warning about literal matches that may be unintended. The edits are still made if a person
// agrees.
func (r replacement) doubts(w place.Window, starts []int) []diag.Diagnostic {
	for _, doubt := range []func(place.Window, []int) (diag.Diagnostic, bool){r.splitsWord, r.underIndented, r.repeatsLine} {
		if d, ok := doubt(w, starts); ok {
			d.Span, d.Severity = r.FindAt.Span, diag.Warning
			return []diag.Diagnostic{d}
		}
	}
	return nil
}

func (r replacement) splitsWord(w place.Window, starts []int) (diag.Diagnostic, bool) {
	n, first := 0, -1
	for _, start := range starts {
		if r.cuts(w.Text, start) || r.cuts(w.Text, start+len(r.find)) {
			if n++; first < 0 {
				first = start
			}
		}
	}
	if n == 0 || r.keepsCutWords(w.Text, first) {
		return diag.Diagnostic{}, false
	}
	before, after := r.lineBeforeAndAfter(w.Text, first)
	count := ""
	if len(starts) > 1 {
		count = fmt.Sprintf(" (in %d of %d matches)", n, len(starts))
	}
	return diag.Diagnostic{Code: diag.FindInsideWord,
		Message: fmt.Sprintf("%[1]s is part of a longer word on line %[2]d%[3]s: %[4]s becomes %[5]s; extend %[1]s if you do not want that", r.FindName, w.Line(first), count, shown(before), shown(after))}, true
}

// cuts reports whether the end of a match at offset `at` is inside a word. It returns false if the find begins or
// ends with an underscore, because the find is then meant as a part of a name.
func (r replacement) cuts(s string, at int) bool {
	return place.CutsWord(s, at) && !strings.HasPrefix(r.find, "_") && !strings.HasSuffix(r.find, "_")
}

// keepsCutWords reports whether the replacement keeps the words that a find of several lines cuts: its first line is
// the same if the match begins inside a word, and its last line is the same if the match ends inside a word.
func (r replacement) keepsCutWords(s string, start int) bool {
	if !strings.Contains(strings.TrimSpace(r.find), "\n") {
		return false
	}
	end := start + len(r.find)
	return (!place.CutsWord(s, start) || firstLine(r.find) == firstLine(r.replace)) &&
		(!place.CutsWord(s, end) || lastLine(r.find) == lastLine(r.replace))
}

func firstLine(s string) string { line, _, _ := strings.Cut(s, "\n"); return line }
func lastLine(s string) string  { return s[strings.LastIndexByte(s, '\n')+1:] }

// lineBeforeAndAfter returns the line in which the match at offset `start` cuts a word, before and after the
// replacement.
func (r replacement) lineBeforeAndAfter(s string, start int) (before, after string) {
	end := start + len(r.find)
	head, tail := lastLine(s[:start]), firstLine(s[end:])
	if place.CutsWord(s, start) {
		before, after = head+firstLine(r.find), head+firstLine(r.replace)
		if !strings.Contains(r.find, "\n") {
			before += tail
		}
		if !strings.Contains(r.replace, "\n") {
			after += tail
		}
		return before, after
	}
	before, after = lastLine(r.find)+tail, lastLine(r.replace)+tail
	if !strings.Contains(r.find, "\n") {
		before = head + before
	}
	if !strings.Contains(r.replace, "\n") {
		after = head + after
	}
	return before, after
}

// underIndented warns if the first line of the find lacks the indentation of its line in the file, and the later
// lines of the replacement lack it, too.
func (r replacement) underIndented(w place.Window, starts []int) (diag.Diagnostic, bool) {
	lines := strings.Split(r.replace, "\n")
	if strings.Contains(strings.TrimSpace(r.find), "\n") {
		// The other lines of the find have the file's indentation, because they match.
		return diag.Diagnostic{}, false
	}
	lacking := lastLine(w.Text[:starts[0]])
	if lacking == "" || !text.IsBlank(lacking) || strings.HasPrefix(r.find, "\n") || !lacks(lines, lacking) {
		return diag.Diagnostic{}, false
	}
	for i, line := range lines {
		if i > 0 && !text.IsBlank(line) {
			lines[i] = lacking + line
		}
	}
	fixed := strings.Join(lines, "\n")
	amount := columns(lacking)
	return diag.Diagnostic{Code: diag.ReplacementIndentation,
		Message: fmt.Sprintf("the file has %s on line %d after %s of indentation, but the lines of %s lack this indentation; indent them, too", r.FindName, w.Line(starts[0]), amount, r.ReplaceName),
		Fixes:   []diag.Fix{r.rewriting("Indent the replacement by "+amount, r.find, fixed)}}, true
}

func columns(indentation string) string {
	unit, n := "column", len(indentation)
	if strings.Trim(indentation, "\t") == "" {
		unit = "tab"
	}
	if n == 1 {
		return "1 " + unit
	}
	return fmt.Sprintf("%d %ss", n, unit)
}

// lacks reports whether the lines after the first lack `indentation`, which the file has before the first line.
func lacks(lines []string, indentation string) bool {
	own := text.Indentation(lines[0])
	under, second := false, ""
	for _, line := range lines[1:] {
		if text.IsBlank(line) {
			continue
		}
		indentation := text.Indentation(line)
		if !strings.HasPrefix(indentation, own) {
			return false
		}
		under = under || indentation == own
		second = cmp.Or(second, line)
	}
	if opens(lines[0]) && second != "" {
		return len(text.Indentation(second)) <= len(indentation+own)
	}
	return under
}

// opens reports whether a line begins a block of code, so that the next line is indented.
func opens(line string) bool {
	line = strings.TrimRight(line, " \t")
	return strings.HasSuffix(line, "{") || strings.HasSuffix(line, ":") || strings.HasSuffix(line, "(") || strings.HasSuffix(line, "[")
}

// repeatsLine warns if the first or last line of the replacement is already next to the match in the file. The find
// probably lacks this line.
func (r replacement) repeatsLine(w place.Window, starts []int) (diag.Diagnostic, bool) {
	s, start := w.Text, starts[0]
	end := start + len(r.find)
	find, replace := strings.TrimSuffix(r.find, "\n"), strings.TrimSuffix(r.replace, "\n")
	if len(starts) > 1 || !strings.Contains(replace, "\n") {
		return diag.Diagnostic{}, false
	}
	next := strings.TrimPrefix(s[start+len(find):], "\n")
	if below := firstLine(next); next != s[start+len(find):] && repeats(lastLine(replace), lastLine(find), below) {
		to := len(s) - len(next) + len(below)
		return r.repeated(w.Line(end), s[start:to]+r.find[len(find):], r.replace), true
	}
	above := lastLine(strings.TrimSuffix(s[:start], "\n"))
	if start > 0 && s[start-1] == '\n' && repeats(firstLine(replace), firstLine(find), above) {
		return r.repeated(w.Line(start)-1, s[start-1-len(above):end], r.replace), true
	}
	return diag.Diagnostic{}, false
}

func repeats(line, own, neighbor string) bool {
	return line == neighbor && line != own && text.Shared.Says(line)
}

func (r replacement) repeated(line int, find, replace string) diag.Diagnostic {
	return diag.Diagnostic{Code: diag.ReplacementRepeats,
		Message: fmt.Sprintf("%s repeats line %d of the file, which is next to the match but not in %s, so the file will have that line twice", r.ReplaceName, line, r.FindName),
		Fixes:   []diag.Fix{r.rewriting(fmt.Sprintf("Extend %s by line %d", r.FindName, line), find, replace)}}
}
