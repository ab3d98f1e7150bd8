// Package diff compares two texts. It finds the fewest edits from one to the other, the counts that people read, and
// the unified diff that git reads. It also merges two texts that were made from a third.
package diff

import (
	"strings"
	"unicode/utf8"

	"znkr.io/diff"

	"github.com/aptix-dev/aptix/server/internal/text"
)

// Edits returns minimal edits that turn before into after, from top to bottom. In a changed line, an edit replaces
// only the text between the common beginning and the common end. No edit begins or ends inside a character or
// between CR and LF, because an editor has no position there.
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

// Common returns the lengths in bytes of the longest common prefix, and of the longest common suffix of the rest.
// Neither ends inside a character or between CR and LF.
func Common(a, b string) (prefix, suffix int) {
	prefix = text.SharedStart(a, b)
	for prefix > 0 && (splits(a, prefix) || splits(b, prefix)) {
		prefix--
	}
	suffix = text.SharedEnd(a[prefix:], b[prefix:])
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

// A region is a run of changed lines as byte spans.
type region struct{ old, new text.Span }

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

// A Run is a run of lines that differ. Lines count from 0, and the ends are exclusive.
type Run struct{ OldStart, OldEnd, NewStart, NewEnd int }

// Runs returns the lines that differ, from top to bottom.
func Runs(before, after string) []Run {
	return RunsOf(text.SplitLines(before), text.SplitLines(after))
}

// RunsOf is [Runs] for lines.
func RunsOf(before, after []string) []Run {
	return text.Each(diff.Hunks(before, after, Bounded(before, after, diff.Context(0))...), func(h diff.Hunk[string]) Run {
		return Run{h.PosX, h.EndX, h.PosY, h.EndY}
	})
}

// KeepEndings returns `content` with the line endings that it gets if it overwrites the text `before`. A line that
// occurs in `before` keeps its ending there, and any other line gets the dominant ending of `before`. Only the last
// line can lack an ending, if it lacks one in `content`.
func KeepEndings(before, content string) string {
	eol := text.DominantEOL(before)
	if eol == text.None {
		return content
	}
	return KeepEndingsOr(eol, before, content)
}

// KeepEndingsOr is [KeepEndings] for a part of a text whose dominant ending is `eol`.
func KeepEndingsOr(eol text.EOL, before, content string) string {
	olds, news := text.SplitLines(before), text.SplitLines(content)
	var b strings.Builder
	b.Grow(len(content))
	usual := func() text.EOL { return eol }
	i, j := 0, 0
	for _, e := range Lines(text.Bodies(olds), text.Bodies(news)) {
		switch e.Op {
		case diff.Match:
			b.WriteString(WithEnding(news[j], olds[i], usual))
			i, j = i+1, j+1
		case diff.Delete:
			i++
		case diff.Insert:
			b.WriteString(WithEnding(news[j], "", usual))
			j++
		}
	}
	return b.String()
}

// WithEnding returns `line` with the ending of the line `like` or, if `like` has none, with the ending that `eol`
// returns. It returns `line` unchanged if `line` has no ending, or if `eol` returns None.
func WithEnding(line, like string, eol func() text.EOL) string {
	body := text.TrimEOL(line)
	if len(body) == len(line) {
		return line
	}
	if ending := like[len(text.TrimEOL(like)):]; ending != "" {
		return body + ending
	}
	if ending := eol(); ending != text.None {
		return body + string(ending)
	}
	return line
}

// The time for the fewest edits grows with the square of their number. A diff is therefore allowed more edits than
// necessary if it would take more than stepsPerLine steps for each line, or more than fewDiffer edits. The time for
// many files then grows only with their total number of lines.
const (
	stepsPerLine = 512
	fewDiffer    = 2000
)

// Bounded returns options for a diff of lines, so that its time does not grow with the square of their number. The
// diff has the fewest edits, unless the texts differ in many lines.
func Bounded(before, after []string, options ...diff.Option) []diff.Option {
	for len(before) > 0 && len(after) > 0 && before[0] == after[0] {
		before, after = before[1:], after[1:]
	}
	for len(before) > 0 && len(after) > 0 && before[len(before)-1] == after[len(after)-1] {
		before, after = before[:len(before)-1], after[:len(after)-1]
	}
	lines := len(before) + len(after)
	if lines <= stepsPerLine || len(before) == 0 || len(after) == 0 {
		return options
	}
	if differ := changed(diff.Edits(before, after, diff.Fast())); differ > fewDiffer || differ*differ > stepsPerLine*lines {
		options = append(options, diff.Fast())
	}
	return options
}

func changed(edits []diff.Edit[string]) int {
	return text.Count(edits, func(e diff.Edit[string]) bool { return e.Op != diff.Match })
}

// Signs has the first character of each kind of line in a patch.
var Signs = map[diff.Op]string{diff.Match: " ", diff.Delete: "-", diff.Insert: "+"}

// Lines returns the edits that turn the lines `before` into `after`, by a [Bounded] diff.
func Lines(before, after []string) []diff.Edit[string] {
	return diff.Edits(before, after, Bounded(before, after)...)
}
