package shell

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A sedCommand is the step of a sed command, which changes each selected line on its own.
type sedCommand struct {
	At, Script text.Span
	From       address // the changed lines, or the first line of each range; zero for all lines
	To         address // the last line of each range; zero without a range
	Does       byte    // 's', 'd', 'a', 'i' or 'c'
	Find       pattern // the text that `s` replaces
	Text       string  // the new text
	Global     bool    // `s` replaces every occurrence in a line, not only the first
}

// An address selects lines of a file.
type address struct {
	Lines pattern // the lines that match; empty if the address is a number
	Line  int     // the line with this number, from 1; -1 for the last line, 0 if the address is a pattern
}

// has reports whether the address selects a line, which has the index i in a file of n lines.
func (a address) has(line string, i, n int) bool {
	return (a.Line <= 0 || a.Line == i+1) && (a.Line >= 0 || i == n-1) && a.Lines.in(line, 0) >= 0
}

// A pattern is a regular expression that matches only one text.
type pattern struct {
	Text         string
	Begins, Ends bool // the text must be at the start, or at the end, of the line
	Dots         bool // the expression has dots without a backslash, so it may match other texts, too
}

// matchesMore reports whether the dots of a pattern match a text of the file with other characters instead.
func (p pattern) matchesMore(file string) bool {
	re := func() *regexp.Regexp {
		return regexp.MustCompile(strings.ReplaceAll(regexp.QuoteMeta(p.Text), `\.`, "."))
	}
	return p.Dots && slices.ContainsFunc(re().FindAllString(file, -1), func(m string) bool { return m != p.Text })
}

// in returns the first offset from `from` on where a pattern matches a line, or -1.
func (p pattern) in(line string, from int) int {
	at := strings.Index(line[from:], p.Text) + from
	switch {
	case p.Begins && p.Ends && line != p.Text, p.Begins && (from > 0 || !strings.HasPrefix(line, p.Text)), p.Ends && !strings.HasSuffix(line[from:], p.Text), at < from:
		return -1
	case p.Ends:
		return len(line) - len(p.Text)
	}
	return at
}

func (s sedCommand) Span() text.Span { return s.At }

func (sedCommand) Parts() []text.Span { return nil }

func (s sedCommand) Resolve(on intent.Target) intent.Outcome {
	w := on.Text.Whole()
	rows, raw, eol := text.SplitLines(w.Text), w.Raw(), string(cmp.Or(on.Text.EOL(), text.LF))
	on.Text.Meter().Pay(16 * len(w.Text))
	if s.Find.matchesMore(w.Text) || s.From.Lines.matchesMore(w.Text) || s.To.Lines.matchesMore(w.Text) {
		return intent.Outcome{Problems: []diag.Diagnostic{diag.New(diag.ShellLine, s.Script, "a dot of this regular expression matches another character in the file, too; write `\\.` if it stands for itself")}}
	}
	var out intent.Outcome
	selected, open := s.selected(rows)
	if open {
		return intent.Outcome{Problems: []diag.Diagnostic{diag.New(diag.ShellLine, s.Script, fmt.Sprintf("this sed command would change all lines to the end of the file, because no line ends its range (looked for %q)", text.Short(s.To.Lines.Text)))}}
	}
	present, at := false, 0
	for i, row := range rows {
		line := strings.TrimSuffix(row, "\n")
		start := at
		at += len(row)
		if !selected[i] {
			continue
		}
		span := text.Span{Start: start, End: at}
		added, beside := "", ""
		switch s.Does {
		case 's':
			if line, added, present = s.substituted(line, present); added == line {
				continue
			}
			span.End = start + len(strings.TrimSuffix(row, "\n"))
		case 'c':
			span.End, added = start+len(line), s.Text
		case 'a':
			span.Start, span.End, added = start+len(line), start+len(line), "\n"+s.Text
			if i+1 < len(rows) {
				beside = rows[i+1]
			}
		case 'i':
			span.End, added = start, s.Text+"\n"
			if i > 0 {
				beside = rows[i-1]
			}
		}
		if strings.ReplaceAll(beside, "\n", "") == s.Text && beside != "" {
			present = true
			continue
		}
		place, _ := raw.Span(span)
		out.Edits = append(out.Edits, text.Edit{Span: place, New: strings.ReplaceAll(added, "\n", eol)})
	}
	switch {
	case len(out.Edits) > 0:
	case present || on.Applied:
		out.Done = true
		out.Problems = []diag.Diagnostic{diag.New(diag.AlreadyApplied, s.Script, "the file already has what this sed command writes, so nothing is left to do")}
	default:
		out.Problems = []diag.Diagnostic{diag.New(diag.FindNotFound, s.Script, fmt.Sprintf("this sed command matches no line of the file (looked for %q)", text.Short(cmp.Or(s.Find.Text, s.From.Lines.Text))))}
	}
	return out
}

// selected reports for each row whether the command changes it. `open` is true if no line matches the pattern for
// the end of a range, so that sed would change the rest of the file.
func (s sedCommand) selected(rows []string) (selected []bool, open bool) {
	selected = make([]bool, len(rows))
	for i, row := range rows {
		line := strings.TrimSuffix(row, "\n")
		switch {
		case open:
			selected[i], open = true, !s.To.has(line, i, len(rows))
		case s.From.has(line, i, len(rows)):
			// The last line of a range is searched for below the first one. A number that is not larger makes the
			// first line the whole range.
			selected[i], open = true, s.To != address{} && (s.To.Line <= 0 || s.To.Line > i+1) && (s.To.Line >= 0 || i < len(rows)-1)
		}
	}
	return selected, open && s.To.Lines != pattern{}
}

// substituted returns a line before and after an `s` command. `now` is true if `present` is true, or if the line
// already has the new text.
func (s sedCommand) substituted(line string, present bool) (before, after string, now bool) {
	before = line
	for from := 0; from <= len(line); {
		at := s.Find.in(line, from)
		if whole := strings.Index(line[from:], s.Text); s.Text != "" && whole >= 0 && (at < 0 || strings.Contains(s.Text, s.Find.Text) && from+whole <= at && at < from+whole+len(s.Text)) {
			present, from = true, from+whole+len(s.Text) // an earlier apply made this replacement
			continue
		}
		if at < 0 {
			break
		}
		line = line[:at] + s.Text + line[at+len(s.Find.Text):]
		if from = at + len(s.Text); !s.Global {
			break
		}
	}
	return before, line, present
}
