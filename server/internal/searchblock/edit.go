package searchblock

import (
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/findreplace"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/mdblock"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// The names of the two texts of a block in messages.
const (
	searchName  = "the SEARCH text"
	replaceName = "the REPLACE text"
)

// Edit returns the edit that a complete block describes.
func (p Pair) Edit(l Lines) findreplace.WholeLines {
	return findreplace.WholeLines{Readings: p.readings(l), Scope: findreplace.Scope{Line: p.Stated}, At: l.Span(p.Head, p.After()), FindName: searchName, ReplaceName: replaceName}
}

// readings returns the ways to read a block, one for each `=======` that may divide the two texts.
func (p Pair) readings(l Lines) []findreplace.Reading {
	out := make([]findreplace.Reading, len(p.Dividers))
	as := Notation{eol: l.EOL(), escapes: p.escapes}
	for i, d := range p.Dividers {
		end := p.Last
		if d < end-1 && p.repeatsDivider(l) {
			end--
		}
		find, replace := l.Span(p.From, d), l.Span(d+1, end)
		out[i] = findreplace.Reading{
			Find: as.Read(orEmpty(find.In(l.Body))), FindAt: intent.Literal{Span: find, As: as},
			Replace: as.Read(replace.In(l.Body)), ReplaceAt: intent.Literal{Span: replace, As: as},
		}
	}
	return out
}

// repeatsDivider reports whether the last line of the block only repeats the divider, which models do. It returns false
// if the line may underline a heading, because such a line is not shorter than the heading.
func (p Pair) repeatsDivider(l Lines) bool {
	last := l.Text(p.Last - 1)
	if l.Mark(p.Last-1) != mdblock.DivideMark {
		return false
	}
	above := strings.TrimRight(l.Text(p.Last-2), " \t")
	return above == "" || strings.IndexByte(" \t", above[0]) >= 0 || len(above) > len(strings.TrimRight(last, " \t"))
}

// orEmpty returns s, or "" if all its lines are blank, because blank lines do not identify a place.
func orEmpty(s string) string {
	if strings.TrimSpace(s) == "" {
		return ""
	}
	return s
}

// Stray returns diagnostics about marks `>>>>>>> REPLACE` that do not end any of the blocks.
func Stray(l Lines, blocks []Pair) []diag.Diagnostic {
	var found []diag.Diagnostic
	for i := range l.Count() {
		if l.Mark(i) == mdblock.ReplaceMark && !owned(blocks, i) {
			found = append(found, Broken(l.At(i), "there is no block for this mark to end: the block above has already ended, or lacks its first mark"))
		}
	}
	return found
}

// A Misspelt is a line that looks like the first mark of a block but is written incorrectly.
type Misspelt struct {
	At   text.Span
	Rest string // the text after the mark on the same line
}

// AllMisspelt returns the misspelt marks outside of the blocks.
func AllMisspelt(l Lines, blocks []Pair) []Misspelt {
	var found []Misspelt
	for i := range l.Count() {
		if owned(blocks, i) {
			continue
		}
		if rest, ok := mdblock.LikeSearch(l.Text(i)); ok {
			found = append(found, Misspelt{l.At(i), rest})
		} else if head, ok := EndsAltered(l, 0, i); ok && altered.MatchString(l.Text(head)) {
			if _, like := mdblock.LikeSearch(l.Text(head)); !like {
				found = append(found, Misspelt{At: l.At(head)})
			}
		}
	}
	return found
}

// Diagnostic returns the error for the misspelt mark. Its fix writes the lines in `above`, followed by the correct
// mark.
func (m Misspelt) Diagnostic(above string) diag.Diagnostic {
	d := Broken(m.At, "the line resembles the first mark of a block, which must be exactly `<<<<<<< SEARCH`")
	d.Fixes = []diag.Fix{{Title: "Write `<<<<<<< SEARCH`", Edits: []text.Edit{{Span: m.At, New: above + "<<<<<<< SEARCH"}}}}
	return d
}

// Broken returns the diagnostic of a mark that does not belong to a complete block.
func Broken(at text.Span, message string) diag.Diagnostic {
	return diag.New(diag.SearchMarks, at, message)
}

func owned(blocks []Pair, line int) bool {
	i, _ := slices.BinarySearchFunc(blocks, line, func(p Pair, line int) int { return p.Last - line })
	return i < len(blocks) && blocks[i].Head <= line
}

// A Notation is the way in which a block writes its two texts.
type Notation struct {
	eol     string
	escapes bool
}

var (
	escaped = lazyregexp.New(`(?m)^\\(<{7}|={7}|>{7}|-{7}|:start_line:|:end_line:)`)
	special = lazyregexp.New(`(?m)^(<{7}|={7}|>{7}|-{7}|:start_line:|:end_line:)`)
)

// Read converts a text from its form in the block.
func (n Notation) Read(s string) string {
	if n.escapes {
		return escaped.ReplaceAllString(s, "$1")
	}
	return s
}

// Write implements [intent.Notation]. It returns whole lines.
func (n Notation) Write(s string) string {
	if n.escapes {
		s = special.ReplaceAllString(s, `\$1`)
	}
	return text.WholeLines(s, n.eol)
}
