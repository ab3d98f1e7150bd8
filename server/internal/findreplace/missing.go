package findreplace

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/place"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// maxKept limits the bytes that diagnostics keep for a later search. Each step can keep its own text of the file.
const maxKept = 256 << 20

func keeps(t intent.Target) bool { return t.Text.Len()*(1+len(t.Before.Steps)) <= maxKept }

// notFound returns the outcome for a find that is not in the file, perhaps because another step changed its text. It
// takes at most linear time, and leaves searches to [diag.Diagnostic.Suggest].
func (r replacement) notFound(t intent.Target, f place.Finding) intent.Outcome {
	d := diag.Diagnostic{Span: r.FindAt.Span, Severity: diag.Error, Code: diag.FindNotFound}
	so := "so nothing in the reply is applied"
	if t.SkipMissing {
		d.Severity, so = diag.Warning, "so this replacement is left out"
	}
	if by, ok := consumer(t, r.find); ok {
		d.Code = diag.FindConsumed
		d.Message = fmt.Sprintf("%s was in the file, but %s changed that text, %s; write the text as it is after that change (looked for %s)", r.FindName, stepName(by, t.Before.Block), so, shown(r.find))
	} else {
		if fix, ok := r.certain(t.Text, f); ok && !t.Applied && !DependsOn(cmp.Or(f.Was.Old, r.find), t.Before.Unmet) {
			d.Fixes = []diag.Fix{fix}
		}
		d.Message = fmt.Sprintf("%s is not in the file, %s; %scopy the text exactly as the file has it (looked for %s)", r.FindName, so, r.passage().Hint(t.Text, f), shown(r.find))
		d.Passage = r.find
	}
	if len(d.Fixes) == 0 && keeps(t) {
		d.Suggest = r.suggest(t.Text)
	}
	return intent.Outcome{Problems: []diag.Diagnostic{d}, Unmet: r.find + "\n" + r.replace}
}

// DependsOn reports whether the text `find` has a distinctive line in common with any text in `unmet`. These are the
// texts of earlier steps that have no place (see [intent.Before]); the find may depend on the result of such a step.
func DependsOn(find string, unmet []string) bool {
	if len(unmet) == 0 {
		return false
	}
	own := map[string]bool{}
	for line := range strings.SplitSeq(find, "\n") {
		if line = strings.TrimSpace(line); text.Shared.Says(line) {
			own[line] = true
		}
	}
	for _, s := range unmet {
		for line := range strings.SplitSeq(s, "\n") {
			if own[strings.TrimSpace(line)] {
				return true
			}
		}
	}
	return false
}

// consumer returns the earlier step that changed the find's text.
func consumer(t intent.Target, find string) (intent.Earlier, bool) {
	if t.Before.Original == nil {
		return intent.Earlier{}, false
	}
	at := t.Before.Original.Index(find, 0)
	if at < 0 {
		return intent.Earlier{}, false
	}
	w := t.Before.Original.Window(text.Span{Start: at, End: at + len(find)}, 0)
	span, _ := w.Raw().Span(text.Span{Start: at, End: at + len(find)}.Shift(-w.At))
	by, _, changed := t.Before.Changed(span)
	return by, changed
}

func stepName(e intent.Earlier, block int) string {
	if e.Block != block {
		return fmt.Sprintf("replacement %d for this file in block %d", e.Number, e.Block)
	}
	return fmt.Sprintf("replacement %d for this file in this block", e.Number)
}

// certain returns a fix that is made without a question. It returns false if there is none.
func (r replacement) certain(t *place.Text, f place.Finding) (diag.Fix, bool) {
	title, change := "", place.Change{}
	if f.Was.By != nil {
		title, change = f.Was.By.Fix, f.Was.Change
	} else if c, ok := r.passage().Certain(t, f); ok {
		title, change = useLine(c), c.Change
	} else {
		return diag.Fix{}, false
	}
	fix := r.rewriting(title, change.Old, change.New)
	fix.Preferred = true
	return fix, true
}

func (r replacement) suggest(t *place.Text) func(context.Context) []diag.Fix {
	return func(ctx context.Context) []diag.Fix {
		return text.Each(r.passage().Suggest(ctx, t), func(c place.Rewriting) diag.Fix { return r.rewriting(useLine(c), c.Old, c.New) })
	}
}

// suggestOne returns a function that returns a fix for each open place of the find. Each fix extends the find until
// it is unique.
func (r replacement) suggestOne(t *place.Text, open []text.Span) func(context.Context) []diag.Fix {
	return func(ctx context.Context) (fixes []diag.Fix) {
		for _, c := range r.passage().Each(ctx, t, open) {
			fixes = append(fixes, r.rewriting(fmt.Sprintf("Replace the text on %s: extend %s until it is unique", c.Why, r.FindName), c.Old, c.New))
		}
		return fixes
	}
}

func useLine(c place.Rewriting) string {
	return fmt.Sprintf("Use the text at line %d (%s)", c.Line, c.Why)
}

// rewriting returns the fix that writes another find and another replacement.
func (r replacement) rewriting(title, find, replace string) diag.Fix {
	fix := diag.Fix{Title: title}
	if r.Both != nil {
		fix.Edits = []text.Edit{r.Both.WriteBoth(find, replace)}
		return fix
	}
	if find != r.find {
		fix.Edits = append(fix.Edits, r.FindAt.Set(find))
	}
	if replace != r.replace {
		fix.Edits = append(fix.Edits, r.ReplaceAt.Set(replace))
	}
	return fix
}
