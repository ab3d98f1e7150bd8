package check

import (
	"context"
	"slices"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// Limits on repairs. A document may need several rounds, because each repair can uncover the next problem.
const (
	maxRounds = 20
	eachRound = 1000 // the cost of reading one byte of the documents again, in units of the meter
)

// CheckFixed calls [Repair] if `fix` is true, and [Check] otherwise.
func CheckFixed(ctx context.Context, docs []Document, where Where, fix bool) (*Result, error) {
	if fix {
		return Repair(ctx, docs, where)
	}
	return Check(ctx, docs, where)
}

// Repair makes every preferred fix, and returns the check of the repaired documents ([Result.Documents]). It stops
// early if the meter has too little left for another round. In the end, it searches earlier contents of the files for
// passages that are still missing.
func Repair(ctx context.Context, docs []Document, where Where) (*Result, error) {
	where.Meter, where.reply, where.repairing = meterOf(docs), docs, true
	defer where.Meter.EndWith(ctx)()
	var last *Result
	for range maxRounds {
		left := where.Meter.Left()
		r, err := checkPresent(ctx, docs, where)
		if err != nil {
			return nil, err
		}
		if last != nil && r.ambiguous() < last.ambiguous() {
			return last, nil
		}
		last = r
		repaired, changed, err := r.repaired()
		if err == nil && !changed && where.Earlier != nil && r.lacksPassage() {
			where.Earlier = once(where.Earlier)
			return checkAll(ctx, docs, where)
		}
		if err != nil || !changed {
			return r, err
		}
		cost, used := 0, left-where.Meter.Left()
		for _, doc := range repaired {
			cost += eachRound * len(doc.Text)
		}
		if where.Meter.Left() < cost+used {
			return r, nil
		}
		where.Meter.Pay(cost)
		docs = repaired
	}
	return checkPresent(ctx, docs, where)
}

// Fixable reports whether each error of the block has a fix that is certain. After these fixes, there may be other
// errors.
func (b Block) Fixable() bool {
	return b.State == Failed && diag.Repairable(b.Diagnostics)
}

// Fixable reports whether each block that cannot be applied is [Block.Fixable].
func (r *Result) Fixable() bool {
	return !r.Applicable() && len(r.Blocks) > 0 && !slices.ContainsFunc(r.Blocks, func(b Block) bool {
		return b.State == Incomplete || b.State == Failed && !b.Fixable()
	})
}

// ambiguous returns the number of edits that have several places and no fix that is certain. A repair must not reduce
// this number, because the reply does not say which place is meant: its author saw the file before any of the edits.
func (r *Result) ambiguous() (n int) {
	for _, b := range r.Blocks {
		for _, d := range b.Diagnostics {
			switch d.Code {
			case diag.FindAmbiguous, diag.HunkAmbiguous, diag.APSnippetAmbiguous, diag.APAnchorAmbiguous:
				if _, ok := diag.Certain(d.Fixes); !ok {
					n++
				}
			}
		}
	}
	return n
}

func (r *Result) lacksPassage() bool {
	return slices.ContainsFunc(r.Blocks, func(b Block) bool {
		return slices.ContainsFunc(b.Diagnostics, func(d diag.Diagnostic) bool { return d.Passage != "" })
	})
}

func (r *Result) repaired() (docs []Document, changed bool, err error) {
	docs = slices.Clone(r.Documents)
	for i := range docs {
		edits := r.PreferredEdits(i)
		changed = changed || len(edits) > 0
		if docs[i].Text, err = text.Apply(docs[i].Text, edits); err != nil {
			return nil, false, err
		}
	}
	return docs, changed, nil
}

// PreferredEdits returns the edits of all fixes of one document that are certain, from top to bottom. If two fixes
// conflict, only the first is used. PreferredEdits skips blocks with parts that a person left out, because that choice
// is recorded for the block's current text.
func (r *Result) PreferredEdits(document int) []text.Edit {
	var edits []text.Edit
	for _, b := range r.Blocks {
		if b.Document != document || len(r.Skip[b.Index])+len(r.Missing[b.Index]) > 0 {
			continue
		}
		for _, d := range b.Diagnostics {
			edits = addPreferred(edits, d, len(r.Documents[document].Text))
		}
	}
	return edits
}

// addPreferred adds the first fix of d that is certain and does not conflict with `edits`.
func addPreferred(edits []text.Edit, d diag.Diagnostic, size int) []text.Edit {
	for _, fix := range d.Fixes {
		if !fix.Preferred {
			continue
		}
		if more, ok := insertAll(edits, fix.Edits, size); ok {
			return more
		}
	}
	return edits
}

// insertAll inserts the edits of a fix into the sorted edits. If any of the fix's edits conflicts, it returns `edits`
// unchanged, and false. It takes linear time, because a fix of a long string may have very many edits.
func insertAll(edits, fix []text.Edit, size int) ([]text.Edit, bool) {
	if len(fix) == 0 {
		return edits, true
	}
	fix = slices.SortedFunc(slices.Values(fix), text.ByPlace)
	first, _ := slices.BinarySearchFunc(edits, fix[0], text.ByPlace)
	if first > 0 && !fitsBefore(edits[first-1], fix[0]) {
		return edits, false
	}
	var merged []text.Edit
	for rest := edits[first:]; len(rest) > 0 || len(fix) > 0; {
		from := &fix
		if len(fix) == 0 || len(rest) > 0 && text.ByPlace(rest[0], fix[0]) < 0 {
			from = &rest
		}
		e := (*from)[0]
		*from = (*from)[1:]
		if e.Span.Start < 0 || e.Span.End < e.Span.Start || e.Span.End > size || len(merged) > 0 && !fitsBefore(merged[len(merged)-1], e) {
			return edits, false
		}
		merged = append(merged, e)
	}
	return append(edits[:first], merged...), true
}

// fitsBefore reports whether two edits, in this order, change different places.
func fitsBefore(e, next text.Edit) bool {
	return e.Span.End <= next.Span.Start && text.ByPlace(e, next) != 0
}
