// Package diff compares two texts: the fewest edits from one to the other, the
// counts that people read, and the unified diff that git reads.
package diff

import (
	"strings"
	"unicode/utf8"

	"znkr.io/diff"

	"github.com/aptix-dev/aptix/server/internal/text"
)

// Edits are minimal edits that turn before into after, from top to bottom. Equal
// lines are never touched, and within changed lines neither is what both begin
// and end with. No edit begins or ends inside a character or between CR and LF:
// an editor has no position there.
func Edits(before, after string) []text.Edit {
	var edits []text.Edit
	for _, r := range regions(text.SplitLines(before), text.SplitLines(after)) {
		old, new := before[r.old.Start:r.old.End], after[r.new.Start:r.new.End]
		head, tail := Common(old, new)
		edits = append(edits, text.Edit{
			Span: text.Span{Start: r.old.Start + head, End: r.old.End - tail},
			New:  new[head : len(new)-tail],
		})
	}
	return edits
}

// Common is the length in bytes of the longest prefix and then suffix that a and
// b share, such that cutting there splits neither a character nor CR LF.
func Common(a, b string) (prefix, suffix int) {
	for prefix < min(len(a), len(b)) && a[prefix] == b[prefix] {
		prefix++
	}
	for prefix > 0 && (splits(a, prefix) || splits(b, prefix)) {
		prefix--
	}
	for suffix < min(len(a), len(b))-prefix && a[len(a)-1-suffix] == b[len(b)-1-suffix] {
		suffix++
	}
	for suffix > 0 && (splits(a, len(a)-suffix) || splits(b, len(b)-suffix)) {
		suffix--
	}
	return prefix, suffix
}

func splits(s string, at int) bool {
	if at <= 0 || at >= len(s) {
		return false
	}
	return !utf8.RuneStart(s[at]) || (s[at-1] == '\r' && s[at] == '\n')
}

// A region is a run of changed lines, as byte spans of both texts.
type region struct{ old, new text.Span }

// regions lists what differs, from top to bottom. Between two regions the lines
// are equal.
func regions(before, after []string) []region {
	var out []region
	old, new, i, j := 0, 0, 0, 0
	for _, r := range RunsOf(before, after) {
		old, new = old+size(before[i:r.OldStart]), new+size(after[j:r.NewStart])
		i, j = r.OldEnd, r.NewEnd
		at := region{text.Span{Start: old, End: old + size(before[r.OldStart:i])}, text.Span{Start: new, End: new + size(after[r.NewStart:j])}}
		old, new = at.old.End, at.new.End
		out = append(out, at)
	}
	return out
}

// A Run is a run of lines that differ: those of one text, from OldStart to before OldEnd,
// and the lines that the other text has there. Lines count from 0.
type Run struct{ OldStart, OldEnd, NewStart, NewEnd int }

// Runs lists the lines that differ, from top to bottom.
func Runs(before, after string) []Run {
	return RunsOf(text.SplitLines(before), text.SplitLines(after))
}

// RunsOf is Runs for lines.
func RunsOf(before, after []string) []Run {
	var out []Run
	i, j, open := 0, 0, false
	for _, e := range Lines(before, after) {
		if e.Op == diff.Match {
			i, j, open = i+1, j+1, false
			continue
		}
		if !open {
			out = append(out, Run{i, i, j, j})
			open = true
		}
		if e.Op == diff.Delete {
			i++
		} else {
			j++
		}
		out[len(out)-1].OldEnd, out[len(out)-1].NewEnd = i, j
	}
	return out
}

// KeepEndings is content as it would be written over before: a line that before
// has keeps the ending that it has there, and any other takes before's dominant
// one. Only the last line may lack an ending, as content has it.
func KeepEndings(before, content string) string {
	eol := text.DominantEOL(before)
	if eol == text.None {
		return content
	}
	return KeepEndingsOr(eol, before, content)
}

// KeepEndingsOr is KeepEndings for a part of a text whose dominant ending is eol.
func KeepEndingsOr(eol text.EOL, before, content string) string {
	olds, news := text.SplitLines(before), text.SplitLines(content)
	var b strings.Builder
	b.Grow(len(content))
	i, j := 0, 0
	for _, e := range Lines(bodies(olds), bodies(news)) {
		switch e.Op {
		case diff.Match:
			b.WriteString(withEndingOf(news[j], olds[i], eol))
			i, j = i+1, j+1
		case diff.Delete:
			i++
		case diff.Insert:
			b.WriteString(withEndingOf(news[j], "", eol))
			j++
		}
	}
	return b.String()
}

func bodies(lines []string) []string {
	out := make([]string, len(lines))
	for i, line := range lines {
		out[i] = text.TrimEOL(line)
	}
	return out
}

// withEndingOf is line with the ending that like has, or eol where like has none;
// a line that has none itself stays without.
func withEndingOf(line, like string, eol text.EOL) string {
	body := text.TrimEOL(line)
	if len(body) == len(line) {
		return line
	}
	if ending := like[len(text.TrimEOL(like)):]; ending != "" {
		return body + ending
	}
	return body + string(eol)
}
