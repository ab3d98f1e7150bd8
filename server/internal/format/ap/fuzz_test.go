package ap

import (
	"context"
	"testing"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/place"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// For any input, nothing panics, every span lies in the body, and every edit suits its text. If
// there are no problems, a second run changes nothing.
func FuzzPatch(f *testing.F) {
	f.Add(twoMods, "a\nb\nc\n")
	f.Add("a1b2c3d4 AP 3.2\na1b2c3d4 FILE CRLF\na\na1b2c3d4 INSERT_AFTER\na1b2c3d4 snippet\n^\na1b2c3d4 content\nx\na1b2c3d4 END\n", "a\r\nb")
	f.Add("a1b2c3d4 AP 3.2\na1b2c3d4 FILE\na\na1b2c3d4 DELETE\na1b2c3d4 anchor\na\na1b2c3d4 snippet\nfunc f() {\na1b2c3d4 scope_end\n", "a\rfunc f() {\r}\r")
	f.Add("a1b2c3d4 FILE\na\na1b2c3d4 REPLACE\na1b2c3d4 snippet\na\na1b2c3d4 snippet_tail\n$\na1b2c3d4 content\n", "\n\na\u2028")
	f.Add("```\nX AP 3.1\nX FILE a\nX rename\nb\nY FILE\n", "")
	f.Fuzz(func(t *testing.T, body, target string) {
		claims(body)
		unmistakable(body)
		parsed := Parse(body)
		spans(t, body, parsed.Diagnostics)
		for _, c := range parsed.Set.Changes {
			for _, step := range c.Steps {
				edits(t, body, step, target)
			}
		}
	})
}

func edits(t *testing.T, body string, step intent.Step, target string) {
	out := step.Resolve(intent.Target{Text: place.NewText(target)})
	spans(t, body, out.Problems)
	if _, err := text.Apply(target, out.Edits); err != nil {
		t.Fatalf("%v in %q", err, target)
	}
	for _, p := range out.Places {
		if p.Target.Start < 0 || p.Target.End < p.Target.Start || p.Target.End > len(target) {
			t.Fatalf("a place at %v of %d bytes", p.Target, len(target))
		}
	}
}

func spans(t *testing.T, body string, found []diag.Diagnostic) {
	t.Helper()
	for _, d := range found {
		if d.Span.Start < 0 || d.Span.End < d.Span.Start || d.Span.End > len(body) {
			t.Fatalf("%s is at %v of %d bytes", d.Code, d.Span, len(body))
		}
		for _, fix := range d.AllFixes(context.Background()) {
			if _, err := text.Apply(body, fix.Edits); err != nil {
				t.Fatalf("%s: %s: %v", d.Code, fix.Title, err)
			}
		}
	}
}
