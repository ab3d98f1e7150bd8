package lines

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/lenientjson"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// inOrder sorts `ops` from top to bottom. It reports ops that are out of order or overlap (rules L14 and L15).
func (r *reader) inOrder(list *lenientjson.Node, ops []op) []op {
	sorted := slices.Clone(ops)
	slices.SortStableFunc(sorted, byPlace)
	overlap := r.overlap(sorted)
	for i := 1; i < len(ops); i++ {
		if ops[i].line() < ops[i-1].line() {
			r.disorder(list, ops[i-1], ops[i], sorted, overlap)
			break
		}
	}
	return sorted
}

// byPlace compares ops by place. An insertion above a line comes before a change of that line.
func byPlace(a, b op) int {
	return cmp.Or(cmp.Compare(a.first, b.first), cmp.Compare(a.last, b.last))
}

// line returns the line number that determines the order of an op: afterLine or startLine.
func (o op) line() int {
	if o.inserts() {
		return o.last
	}
	return o.first
}

func (r *reader) overlap(sorted []op) bool {
	found := false
	widest := op{}
	for _, o := range sorted {
		if o.first <= widest.last {
			found = true
			d := diag.New(diag.LinesOverlap, o.firstAt,
				fmt.Sprintf("this change overlaps another change, for lines %d to %d; join the two", widest.first, widest.last))
			d.Related = []diag.Related{{Span: widest.firstAt, Message: "the other change"}}
			r.Add(d)
		}
		if o.last > widest.last {
			widest = o
		}
	}
	return found
}

func (r *reader) disorder(list *lenientjson.Node, above, below op, sorted []op, overlap bool) {
	d := diag.New(diag.LinesOrder, below.firstAt,
		fmt.Sprintf("changes go from top to bottom, but line %d comes after line %d", below.line(), above.line()))
	d.Related = []diag.Related{{Span: above.firstAt, Message: "the change before it"}}
	if !overlap && len(sorted) == len(list.Elems) {
		d.Fixes = []diag.Fix{r.sort(list, sorted)}
	}
	r.Add(d)
}

// sort returns the fix that puts the elements of a list in order. The fix is uncertain if two insertions have the
// same place.
func (r *reader) sort(list *lenientjson.Node, sorted []op) diag.Fix {
	fix := diag.Fix{Title: "Put the changes in order", Preferred: true}
	for i, o := range sorted {
		if i > 0 && byPlace(sorted[i-1], o) == 0 {
			fix.Preferred = false
		}
		if at := list.Elems[i].Span; at != o.at {
			fix.Edits = append(fix.Edits, text.Edit{Span: at, New: o.at.In(r.body)})
		}
	}
	return fix
}
