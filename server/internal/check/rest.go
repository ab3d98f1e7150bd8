package check

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/reply"
)

// checkRest checks the reply `all` without the blocks that cannot be applied. If a remaining block depends on an
// omitted block, it also fails, and checkRest checks again without it.
func checkRest(ctx context.Context, all *Result, where Where) (*Result, error) {
	r := all
	for {
		failed := map[int]Block{}
		for _, b := range r.Blocks {
			if b.State == Failed || b.State == Incomplete {
				failed[b.Index] = b
			}
		}
		if len(failed) == len(r.Blocks) {
			return all, nil
		}
		if len(failed) == 0 {
			return r, nil
		}
		maps.Copy(failed, where.Without)
		where.Without = failed
		var err error
		if r, err = checkPresent(ctx, all.Documents, where); err != nil {
			return nil, err
		}
	}
}

// accountForRest adds a warning for each block that is left out, unless the files already have its changes.
func (r *Result) accountForRest() {
	for _, index := range slices.Sorted(maps.Keys(r.without)) {
		b := r.without[index]
		if b.State == Done {
			continue
		}
		why := "it is incomplete"
		if i := slices.IndexFunc(b.Diagnostics, func(d diag.Diagnostic) bool { return d.Severity == diag.Error }); i >= 0 {
			why = b.Diagnostics[i].Message
		}
		u := reply.Unread{Kind: reply.Fence, At: b.Span, What: fmt.Sprintf("block %d: %s", b.Index, why), Sure: true}
		if len(b.Set.Changes) > 0 {
			u.Path = b.Set.Changes[0].Path
		}
		line := r.lines()[b.Document].Position(b.Open.Start).Line + 1
		r.Unread = append(r.Unread, Unread{Unread: u, Document: b.Document, Line: line, Diagnostic: diag.New(diag.Unread, b.Span,
			fmt.Sprintf("left out: block %d on line %d: %s", b.Index, line, why)).Plain()})
	}
}
