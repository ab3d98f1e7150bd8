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
	var at region // where both texts have been read to
	open := false
	for _, e := range diff.Edits(before, after) {
		if e.Op == diff.Match {
			at.old.End += len(e.X)
			at.new.End += len(e.Y)
			open = false
			continue
		}
		if !open {
			out = append(out, region{text.Span{Start: at.old.End, End: at.old.End}, text.Span{Start: at.new.End, End: at.new.End}})
			open = true
		}
		last := &out[len(out)-1]
		switch e.Op {
		case diff.Delete:
			at.old.End += len(e.X)
			last.old.End = at.old.End
		case diff.Insert:
			at.new.End += len(e.Y)
			last.new.End = at.new.End
		}
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
	for _, e := range diff.Edits(bodies(olds), bodies(news)) {
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
