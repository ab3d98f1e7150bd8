package hunk

import (
	"fmt"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/diff"
	"github.com/aptix-dev/aptix/server/internal/place"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// maxProofs is the largest number of combinations of forms that are compared with the id on the `index` line.
const maxProofs = 64

// prove compares the result of the hunks with the id of the result on the `index` line, if the target is the old
// file on that line. The id shows which form of the hunks is intended, or that the patch was cut off or altered.
func (r *run) prove() {
	if !r.knowsResult() {
		return
	}
	ways := make([][]fitted, len(r.all))
	n := 1
	for i, w := range r.all {
		ways[i] = r.ways(w)
		n *= len(ways[i])
		if n == 0 || n > maxProofs {
			return
		}
	}
	for k := range n {
		if chosen := choose(ways, k); r.makes(chosen) {
			r.take(chosen)
			r.hasProof = true
			return
		}
	}
	r.disproven = !slices.ContainsFunc(r.all, func(w *work) bool { return w.verdict == place.Missing || w.verdict == place.Ambiguous })
}

// knowsResult reports whether the target is the old file on the `index` line, and the line has the id of the result.
func (r *run) knowsResult() bool {
	unusual := func(w *work) bool { return w.skipped || w.verdict == place.Done }
	return usableID(r.opt.OldBlob) && usableID(r.opt.NewBlob) && !slices.ContainsFunc(r.all, unusual) &&
		r.blob.isText(r.opt.OldBlob)
}

func (r *run) ways(w *work) []fitted {
	switch w.verdict {
	case place.Applies:
		return []fitted{{lines: w.Lines, at: w.at, open: -1}}
	case place.Near:
		return r.waysAt(w, w.at)
	case place.Ambiguous:
		all := slices.Concat(text.Each(w.places[:min(len(w.places), maxFixes)], func(at int) []fitted { return r.waysAt(w, at) })...)
		return all
	}
	return nil
}

// waysAt returns the possible forms of a hunk at a place: with the added lines adapted or unchanged, and with or
// without a newline at the end of the file.
func (r *run) waysAt(w *work, at int) []fitted {
	f, ok := r.fit(w, at, w.level)
	if !ok {
		return nil
	}
	all := []fitted{f}
	if f.open >= 0 {
		if other := r.otherEnd(f); r.gitTakes(other) {
			all = append(all, other)
		}
	}
	if w.level > place.TrailingSpace {
		if plain, ok := r.fit(w, at, place.TrailingSpace); ok && !slices.EqualFunc(plain.lines, f.lines, sameLine) {
			all = append(all, plain)
		}
	}
	return all
}

func sameLine(a, b Line) bool { return a.Op == b.Op && a.Text == b.Text }

// choose returns combination k of the forms, one for each hunk.
func choose(ways [][]fitted, k int) []fitted {
	chosen := make([]fitted, len(ways))
	for i, all := range ways {
		chosen[i] = all[k%len(all)]
		k /= len(all)
	}
	return chosen
}

// makes reports whether the forms produce the file whose id the `index` line gives as the result.
func (r *run) makes(chosen []fitted) bool {
	var edits []text.Edit
	for _, f := range chosen {
		for _, c := range changes(f.lines, f.at) {
			edits = append(edits, text.Edit{Span: r.src.Span(c.at, c.removed), New: strings.Join(c.added, "")})
		}
	}
	sorted, err := text.Sorted(r.src.Text(), edits)
	if err != nil {
		return false
	}
	if strings.HasPrefix(diff.BlobID(r.opt.NewBlob, edited(r.src.Text(), sorted)...), strings.ToLower(r.opt.NewBlob)) {
		return true
	}
	after, err := text.Apply(r.src.Text(), sorted)
	if err == nil && r.t.EndingsUnknown {
		withEOL := blob{text: text.WithEOL(after, text.DominantEOL(r.src.target.Text()))}
		if withEOL.isText(r.opt.NewBlob) {
			return true
		}
	}
	withLF := blob{text: strings.ReplaceAll(after, "\r\n", "\n")}
	return err == nil && withLF.text != after && withLF.is(r.opt.NewBlob)
}

func (r *run) take(chosen []fitted) {
	if !slices.ContainsFunc(r.all, func(w *work) bool { return w.verdict != place.Applies }) {
		return
	}
	r.image, r.starts, r.unplaced, r.lost = newImage(r.src.Count()), map[int]*work{}, 0, 0
	for i, w := range r.all {
		if w.lost = 0; w.verdict != place.Applies {
			f := chosen[i]
			f.certain, f.open = true, -1
			w.verdict, w.at, w.proven = place.Near, f.at, &f
		}
		r.put(w)
	}
}

func (r *run) altered() diag.Diagnostic {
	d := diag.New(diag.GitResultDiffers, r.opt.IndexAt,
		fmt.Sprintf("the patch was cut off or altered: it was made for this file, but its hunks do not produce the file %s that the `index` line names", r.opt.NewBlob))
	d.Fixes = []diag.Fix{{Title: "Remove the `index` line and keep the hunks", Edits: []text.Edit{{Span: r.opt.IndexLine}}}}
	return d
}

// fewestDigits is the least number of digits to which git abbreviates an id.
const fewestDigits = 4

func usableID(id string) bool { return len(id) >= fewestDigits && strings.Trim(id, "0") != "" }

// A blob is a text with its git id. The id is computed once, because hashing a file is most of the work of placing
// hunks in it.
type blob struct {
	text string
	id   string // "" until it is needed
	lf   *blob  // the text with LF for CRLF; nil until it is needed, or if there is no CRLF
}

// is reports whether the id of the text begins with `prefix`. It returns false if `prefix` is shorter than git
// writes.
func (b *blob) is(prefix string) bool {
	if !usableID(prefix) {
		return false
	}
	if b.id == "" {
		b.id = diff.BlobID(prefix, b.text)
	}
	return strings.HasPrefix(b.id, strings.ToLower(prefix))
}

// isText also accepts an id of the text with LF, because git may have converted line endings on checkout.
func (b *blob) isText(prefix string) bool {
	if b.is(prefix) {
		return true
	}
	if b.lf == nil && usableID(prefix) && strings.Contains(b.text, "\r\n") {
		b.lf = &blob{text: strings.ReplaceAll(b.text, "\r\n", "\n")}
	}
	return b.lf != nil && b.lf.is(prefix)
}

// edited returns the parts of a text after sorted edits.
func edited(s string, sorted []text.Edit) (parts []string) {
	at := 0
	for _, e := range sorted {
		parts = append(parts, s[at:e.Span.Start], e.New)
		at = e.Span.End
	}
	return append(parts, s[at:])
}
