package engine

import (
	"context"
	"slices"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// maxRounds bounds the repair of a document: a repair can bring to light what
// the next one mends, but never without end.
const maxRounds = 20

// Repair makes every preferred fix and returns the documents as they then stand.
// It checks again after each round, as a repair may uncover what can be mended
// next.
func Repair(ctx context.Context, docs []Document, where Where) ([]Document, error) {
	docs = slices.Clone(docs)
	for range maxRounds {
		r, err := Check(ctx, docs, where)
		if err != nil {
			return nil, err
		}
		changed := false
		for i := range docs {
			edits := r.PreferredEdits(i)
			changed = changed || len(edits) > 0
			docs[i].Text, err = text.Apply(docs[i].Text, edits)
			if err != nil {
				return nil, err
			}
		}
		if !changed {
			break
		}
	}
	return docs, nil
}

// PreferredEdits are the edits of all certain fixes of one document that do not
// get in each other's way; of two that do, the first one counts.
func (r *Result) PreferredEdits(document int) []text.Edit {
	var edits []text.Edit
	for _, b := range r.Blocks {
		if b.Document != document {
			continue
		}
		for _, d := range b.Diagnostics {
			edits = addPreferred(edits, d, r.Documents[document].Text)
		}
	}
	return edits
}

func addPreferred(edits []text.Edit, d diag.Diagnostic, doc string) []text.Edit {
	for _, fix := range d.Fixes {
		if !fix.Preferred {
			continue
		}
		more := append(edits[:len(edits):len(edits)], fix.Edits...)
		if !collide(more) {
			if _, err := text.Sorted(doc, more); err == nil {
				return more
			}
		}
	}
	return edits
}

// collide reports whether two edits touch the same place. Two insertions at one
// place do: which comes first would be a guess.
func collide(edits []text.Edit) bool {
	seen := make(map[text.Span]bool, len(edits))
	for _, e := range edits {
		if seen[e.Span] {
			return true
		}
		seen[e.Span] = true
	}
	return false
}
