package hunk

import (
	"fmt"
	"github.com/aptix-dev/aptix/server/internal/locate"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// foreign reports a section that is not in git's format. Where every hunk has a place, a
// fix writes all of it as git does.
func (r *run) foreign() []diag.Diagnostic {
	ds := []diag.Diagnostic{{Span: r.opt.Foreign.Line, Severity: diag.Error, Code: diag.HunkForeign,
		Message: fmt.Sprintf("%s is not how git writes the changes of a file; write them as a git patch", r.opt.Foreign.Name)}}
	for _, w := range r.all {
		if !w.skipped && (w.verdict == locate.Missing || w.verdict == locate.Ambiguous) {
			ds = append(ds, r.problems(w)...)
		}
	}
	if len(ds) == 1 {
		ds[0].Fixes = r.foreignFixes()
	}
	return ds
}

// foreignFixes rewrite the section, without the hunks that are applied already.
func (r *run) foreignFixes() []diag.Fix {
	foreign := r.opt.Foreign
	fix := diag.Fix{Title: "Write it as a git patch", Preferred: true}
	fix.Edits = append(fix.Edits, text.Edit{Span: foreign.At, New: foreign.Head})
	for _, span := range foreign.Drop {
		fix.Edits = append(fix.Edits, text.Edit{Span: span})
	}
	joined := map[*work]bool{}
	for _, w := range r.all {
		if joined[w] {
			continue
		}
		if w.verdict == locate.Done {
			fix.Edits = append(fix.Edits, text.Edit{Span: w.At})
			continue
		}
		f, ok := r.fit(w, w.at, w.level)
		if !ok || w.verdict == locate.Missing || w.verdict == locate.Ambiguous {
			return nil
		}
		for _, other := range f.joined {
			joined[other] = true
		}
		fix.Preferred = fix.Preferred && f.certain
		fix.Edits = append(fix.Edits, r.rewrite(w, f)...)
	}
	return []diag.Fix{fix}
}
