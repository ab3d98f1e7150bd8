package wholelines

import (
	"context"
	"fmt"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/locate"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// Limits for making a find unique.
const (
	maxOffered = 10 // number of places to offer
	maxContext = 12 // number of lines to add
)

// suggestOne returns a fix for each place. The fix adds the fewest lines around the place that
// make the find unique.
func (p passage) suggestOne(t *locate.Text, open []text.Span) func(context.Context) []diag.Fix {
	return func(ctx context.Context) []diag.Fix {
		lines := locate.NewLines(t.LF(), locate.AfterEOL, t.Meter())
		var fixes []diag.Fix
		for _, place := range open[:min(len(open), maxOffered)] {
			if ctx.Err() != nil {
				break
			}
			if wide, ok := unique(t, lines, place); ok {
				above, below := lines.Text()[wide.Start:place.Start], lines.Text()[place.End:wide.End]
				fixes = append(fixes, diag.Fix{
					Title: fmt.Sprintf("Replace the lines at line %d: extend %s until it is unique", t.LineAt(place.Start), p.edit.FindName),
					Edits: p.rewrite(wide.In(lines.Text()), above+ended(p.Replace)+below),
				})
			}
		}
		return fixes
	}
}

// unique returns the smallest run of whole lines around a place that occurs nowhere else.
func unique(t *locate.Text, lines *locate.Lines, place text.Span) (text.Span, bool) {
	first, last := lines.At(place.Start), lines.At(max(place.Start, place.End-1))
	for more := 1; more <= maxContext; more++ {
		for up := range more + 1 {
			from, to := first-up, last+more-up
			if from < 0 || to >= lines.Count() {
				continue
			}
			wide := lines.Span(from, to-from+1)
			if len(Places(t, wide.In(lines.Text()))) == 1 {
				return wide, true
			}
		}
	}
	return text.Span{}, false
}

// suggestInside returns fixes that write the whole lines around a place if the find is only a
// part of them, followed by other suggestions.
func (p passage) suggestInside(t *locate.Text, more func(context.Context) []diag.Fix) func(context.Context) []diag.Fix {
	return func(ctx context.Context) []diag.Fix {
		var fixes []diag.Fix
		want := unended(text.WithEOL(p.Find, text.LF))
		if starts := t.All(want, 0, 2); want != "" && len(starts) == 1 {
			lf := t.LF()
			start, end := strings.LastIndexByte(lf[:starts[0]], '\n')+1, starts[0]+len(want)
			to := len(lf)
			if i := strings.IndexByte(lf[end:], '\n'); i >= 0 {
				to = end + i
			}
			head, tail := lf[start:starts[0]], lf[end:to]
			fixes = append(fixes, diag.Fix{
				Title: fmt.Sprintf("Replace it within line %d, which is longer", t.LineAt(start)),
				Edits: p.rewrite(lf[start:to], head+unended(p.Replace)+tail),
			})
		}
		if more != nil && len(fixes) == 0 {
			fixes = more(ctx)
		}
		return fixes
	}
}

// rewrite returns the edits that write both texts of the block.
func (p passage) rewrite(find, replace string) []text.Edit {
	if p.Both != nil {
		return []text.Edit{p.Both.WriteBoth(find, replace)}
	}
	return []text.Edit{p.FindAt.Set(find), p.ReplaceAt.Set(replace)}
}
