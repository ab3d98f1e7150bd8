package wholelines

import (
	"context"
	"fmt"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/locate"
	"github.com/aptix-dev/aptix/server/internal/text"
)

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
			if strings.TrimSpace(head+tail) != "" { // else only the indentation differs, and the other suggestions say so
				fixes = append(fixes, diag.Fix{
					Title: fmt.Sprintf("Replace it within line %d, which is longer", t.LineAt(start)),
					Edits: p.rewrite(lf[start:to], head+unended(p.Replace)+tail),
				})
			}
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
