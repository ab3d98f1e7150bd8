package past

import (
	"context"
	"errors"
	"strings"

	"go.lsp.dev/jsonrpc2"

	aptix "github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/apply"
	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/escape"
	"github.com/aptix-dev/aptix/server/internal/history"
)

// Review handles aptix/review: it returns the hunks of an apply that are still in the files. If p.ID is "", this is the
// latest apply that is still in force.
func (past *Past) Review(ctx context.Context, p *aptix.ReviewParams) (aptix.Review, error) {
	r := aptix.Review{Hunks: []aptix.ReviewHunk{}}
	record, err := past.ToRevert(ctx, p.ID)
	if unknown := (*jsonrpc2.Error)(nil); errors.As(err, &unknown) {
		return r, nil
	}
	tree := past.tree(record.Root)
	if err != nil || tree == nil {
		return r, err
	}
	hunks, others, err := apply.Hunks(ctx, record, tree)
	if err != nil {
		return r, err
	}
	r.ID = record.ID
	resource := Resources(record.Root)
	for _, h := range hunks {
		r.Hunks = append(r.Hunks, aptix.ReviewHunk{URI: resource(h.Path), Part: h.EntryPart, Line: h.At.Start, End: h.At.End, Was: h.Was})
	}
	if len(others) > 0 {
		r.Elsewhere = escape.Message("It also changed " + strings.Join(others, ", ") + ", which cannot be reviewed line by line")
	}
	return r, nil
}

// mostUnseen limits how many entries of the history are searched for changed files that the person has not seen.
const mostUnseen = 200

// Unseen handles aptix/unseen: it returns the files that applies after p.Since changed, except files in which the
// change was undone.
func (past *Past) Unseen(ctx context.Context, p *aptix.UnseenParams) (aptix.Unseen, error) {
	u := aptix.Unseen{Files: []aptix.UnseenFile{}}
	if past.store == nil {
		return u, nil
	}
	applies, _, err := past.appliesTo(ctx, "", mostUnseen)
	if err != nil || len(applies) == 0 {
		return u, err
	}
	u.Last = applies[0].ID
	known := map[string]bool{}
	for _, a := range applies {
		// Ids sort chronologically. They are compared because the entry p.Since may be gone.
		if a.ID <= p.Since {
			break
		}
		tree := past.tree(a.Root)
		if a.Reverted || a.Undoes != "" || tree == nil {
			continue
		}
		for _, f := range a.Files {
			file := apply.FileOf(a, f)
			now, err := check.Current(tree, f.Path)
			if err != nil || known[file] || !f.After.Exists || !now.Exists || f.Standing(history.See(now)) == history.Undone {
				continue
			}
			known[file] = true
			u.Files = append(u.Files, aptix.UnseenFile{URI: Resources(a.Root)(f.Path), ID: a.ID})
		}
	}
	return u, nil
}
