package lines

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// fixed returns a body after the only fix of a diagnostic.
func fixed(t interface {
	Helper()
	Fatalf(string, ...any)
}, body string, d diag.Diagnostic) string {
	t.Helper()
	fixes := d.AllFixes(context.Background())
	if len(fixes) != 1 {
		t.Fatalf("%s: %d fixes: %s", d.Code, len(fixes), d.Message)
	}
	after, err := text.Apply(body, fixes[0].Edits)
	if err != nil {
		t.Fatalf("%v", err)
	}
	return after
}

// A patch for one text is rebased onto a text with other lines around and between those that the
// patch changes. It then makes the same changes.
func TestRebase(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var before, now, want []string
		var changes []object
		for i := range rapid.IntRange(1, 8).Draw(t, "parts") {
			inserts := rapid.Bool().Draw(t, "insert")
			met := i > 0 && before[len(before)-1] != "}" // without a line in between, the insertion would have no certain place
			if !(inserts && met) && rapid.Bool().Draw(t, "stranger") {
				s := fmt.Sprintf("stranger %d", i)
				now, want = append(now, s), append(want, s)
			}
			if inserts {
				changes, want = append(changes, insert(len(before), "new")), append(want, "new")
			}
			old := []string{"}", fmt.Sprintf("line %d", i)}
			changes = append(changes, replace(len(before)+1, old, "changed"))
			before, now, want = append(before, old...), append(now, old...), append(want, "changed")
			if rapid.Bool().Draw(t, "unchanged") {
				before, now, want = append(before, "}"), append(now, "}"), append(want, "}")
			}
		}
		body := block(joined(before), changes...)
		out := Format.Parse(format.Whole(body)).Set.Changes[0].Steps[0].Resolve(target(joined(now)))
		if slices.Equal(before, now) {
			return
		}
		rebased := Format.Parse(format.Whole(fixed(t, body, out.Problems[0])))
		if len(rebased.Diagnostics) > 0 {
			t.Fatalf("%v", rebased.Diagnostics)
		}
		out = rebased.Set.Changes[0].Steps[0].Resolve(target(joined(now)))
		if after, _ := text.Apply(joined(now), out.Edits); after != joined(want) || len(out.Problems) > 0 {
			t.Fatalf("%q became %q, not %q: %v", joined(now), after, joined(want), out.Problems)
		}
	})
}

func joined(lines []string) string { return strings.Join(lines, "\n") + "\n" }

func TestNoRebase(t *testing.T) {
	before := "a\nb\nc\nd\n"
	for name, tt := range map[string]struct {
		now     string
		changes []object
	}{
		"twice":                      {"a\nb\nb\n", []object{replace(2, []string{"b"}, "x")}},
		"gone":                       {"a\nc\n", []object{replace(2, []string{"b"}, "x")}},
		"only in part":               {"a\nb\nx\nc\n", []object{replace(2, []string{"b", "c"}, "x")}},
		"in another order":           {"c\nb\n", []object{replace(2, []string{"b"}, "x"), replace(3, []string{"c"}, "y")}},
		"insertions alone":           {"x\na\nb\nc\nd\n", []object{insert(0, "y")}},
		"an insertion on its own":    {"x\na\nb\nc\nd\n", []object{replace(1, []string{"a"}, "y"), insert(2, "z")}},
		"lines between two that met": {"a\nb\nx\nc\nd\n", []object{replace(2, []string{"b"}, "y"), insert(2, "z"), replace(3, []string{"c"}, "y")}},
		"what is there already":      {"a\nb\nx\nc\nd\ne\n", []object{replace(2, []string{"b"}, "b", "x")}},
		"an insertion already made":  {"a\nx\nb\nc\nd\ne\n", []object{insert(1, "x"), replace(2, []string{"b"}, "y")}},
	} {
		_, out := run(t, block(before, tt.changes...), tt.now)
		if len(out.Problems) != 1 || out.Problems[0].Code != diag.SHA256Mismatch || out.Problems[0].AllFixes(t.Context()) != nil {
			t.Errorf("%s: %+v", name, out)
		}
	}
}

// If the hash is right but the line numbers are wrong, a fix writes the right numbers.
func TestWrongNumbers(t *testing.T) {
	before := "a\nb\nc\nd\n"
	body := block(before, insert(2, "x"), replace(3, []string{"b"}, "y"), remove(5, "d"))
	_, out := run(t, body, before)
	if len(out.Problems) != 2 || out.Problems[0].Code != diag.ExpectedDiffers || out.Problems[1].Code != diag.LineOutOfRange {
		t.Fatalf("%+v", out.Problems)
	}
	if got, out := run(t, fixed(t, body, out.Problems[0]), before); got != "a\nx\ny\nc\n" {
		t.Errorf("%q, %v", got, out.Problems)
	}
}

// The fix for the order moves every change to its place, and alters none.
func TestOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lines := []string{"a", "b", "c", "d", "e", "f"}
		var sorted []object
		for i, line := range lines {
			sorted = append(sorted, rapid.SampledFrom([]object{insert(i, "new "+line), replace(i+1, []string{line}, "new"), remove(i+1, line)}).Draw(t, "change"))
		}
		shuffled := rapid.Permutation(sorted).Draw(t, "order")
		body := block(joined(lines), shuffled...)
		parsed := Format.Parse(format.Whole(body))
		if len(parsed.Diagnostics) > 0 {
			if d := parsed.Diagnostics[0]; d.Code != diag.LinesOrder || !d.Fixes[0].Preferred {
				t.Fatalf("%+v", d)
			}
			body = fixed(t, body, parsed.Diagnostics[0])
		}
		editor := func(body string) string {
			out := Format.Parse(format.Whole(body)).Set.Changes[0].Steps[0].Resolve(target(joined(lines)))
			after, err := text.Apply(joined(lines), out.Edits)
			if err != nil {
				t.Fatal(err)
			}
			return after
		}
		if got, want := editor(body), editor(block(joined(lines), sorted...)); got != want {
			t.Fatalf("%q, not %q", got, want)
		}
	})
}

// Reports get the labels and keys of a batch (rule L7).
func TestNotes(t *testing.T) {
	raw := `{"batchKey": "b", "batchLabel": "B", "batchId": "1", "files": [
		{"fileKey": "f", "fileLabel": "F", "filePatchId": "2", "docPath": "project/a.txt", "originalSha256": "` + text.SumHex("a\n") + `", "changes": [
			{"changeKey": "c", "changeId": "3", "description": "why", "operation": "insert", "afterLine": 0, "newLines": ["x"]},
			{"operation": "delete", "startLine": 1, "endLine": 1, "expectedOriginalLines": ["a"]}]}]}`
	parsed := read(t, raw)
	top := 0
	want := &protocol.Batch{BatchKey: "b", BatchLabel: "B", Files: []protocol.FilePatch{{
		FileKey: "f", FileLabel: "F", DocPath: "project/a.txt", OriginalSHA256: text.SumHex("a\n"), Changes: []protocol.PatchChange{
			{ChangeKey: "c", Operation: "insert", Description: "why", AfterLine: &top, NewLines: []string{"x"}},
			{Operation: "delete", StartLine: 1, EndLine: 1, ExpectedOriginalLines: []string{"a"}},
		}}}}
	if diff := cmp.Diff(want, parsed.Batch); diff != "" {
		t.Error(diff)
	}
}
