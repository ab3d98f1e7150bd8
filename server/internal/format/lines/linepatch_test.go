package lines

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/place"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// An object is a JSON object of a block.
type object = map[string]any

// block returns a batch for one file that had the text before.
func block(before string, changes ...object) string {
	return batch(object{"docPath": "project/a.txt", "originalSha256": text.SumHex(before), "changes": changes})
}

func batch(files ...object) string {
	raw, err := json.MarshalIndent(object{"files": files}, "", "  ")
	if err != nil {
		panic(err)
	}
	return string(raw)
}

func insert(after int, lines ...string) object {
	return object{"operation": "insert", "afterLine": after, "newLines": lines}
}

func replace(first int, expected []string, lines ...string) object {
	if lines == nil {
		lines = []string{}
	}
	return object{"operation": "replace", "startLine": first, "endLine": first + len(expected) - 1, "expectedOriginalLines": expected, "newLines": lines}
}

func remove(first int, expected ...string) object {
	return object{"operation": "delete", "startLine": first, "endLine": first + len(expected) - 1, "expectedOriginalLines": expected}
}

// read parses a body, which must have no mistakes.
func read(t testing.TB, body string) format.Parsed {
	t.Helper()
	parsed := Format.Parse(format.Whole(body))
	for _, d := range parsed.Diagnostics {
		t.Errorf("%s: %s", d.Code, d.Message)
	}
	return parsed
}

func target(s string) intent.Target {
	return intent.Target{Text: place.NewText(s)}
}

// run applies the patch in a body to a text.
func run(t testing.TB, body, s string) (string, intent.Outcome) {
	t.Helper()
	parsed := Format.Parse(format.Whole(body))
	if len(parsed.Set.Changes) != 1 {
		t.Fatalf("not one file, but %d: %v\n%s", len(parsed.Set.Changes), parsed.Diagnostics, body)
	}
	out := parsed.Set.Changes[0].Steps[0].Resolve(target(s))
	after, err := text.Apply(s, out.Edits)
	if err != nil {
		t.Fatal(err)
	}
	return after, out
}

func TestApply(t *testing.T) {
	for _, tt := range []struct {
		name          string
		before, after string
		changes       []object
	}{
		{"insert at the top", "a\n", "x\na\n", []object{insert(0, "x")}},
		{"insert at the end", "a\n", "a\nx\n", []object{insert(1, "x")}},
		{"insert after an open line", "a", "a\nx", []object{insert(1, "x")}},
		{"insert before an open line", "a", "x\na", []object{insert(0, "x")}},
		{"insert into nothing", "", "x\ny\n", []object{insert(0, "x", "y")}},
		{"insert an empty line", "a\nb\n", "a\n\nb\n", []object{insert(1, "")}},
		{"two insertions at one place", "a\nb\n", "a\nx\ny\nb\n", []object{insert(1, "x"), insert(1, "y")}},
		{"replace", "a\nb\nc\n", "a\nx\ny\nc\n", []object{replace(2, []string{"b"}, "x", "y")}},
		{"replace by nothing", "a\nb\nc\n", "a\nc\n", []object{replace(2, []string{"b"})}},
		{"replace an open line", "a\nb", "a\nx\ny", []object{replace(2, []string{"b"}, "x", "y")}},
		{"delete", "a\nb\nc\n", "c\n", []object{remove(1, "a", "b")}},
		{"delete all", "a\nb\n", "", []object{remove(1, "a", "b")}},
		{"delete all, open", "a\nb", "", []object{remove(1, "a", "b")}},
		{"delete an open line", "a\nb", "a", []object{remove(2, "b")}},
		{"delete after a replaced line", "a\nb", "x", []object{replace(1, []string{"a"}, "x"), remove(2, "b")}},
		{"insert and delete at an open end", "a\nb", "a\nx", []object{insert(1, "x"), remove(2, "b")}},
		{"delete an empty last line", "a\n\n", "a\n", []object{remove(2, "")}},
		{"delete one of the trailing empty lines", "a\n\n\n\n", "a\n\n\n", []object{remove(4, "")}},
		{"insert after trailing empty lines", "a\n\n\n", "a\n\n\nx\n", []object{insert(3, "x")}},
		{"adjacent", "a\nb\nc\n", "w\nx\ny\nc\n", []object{insert(0, "w"), replace(1, []string{"a"}, "x"), insert(1, "y"), remove(2, "b")}},
		{"insert after what is replaced, first in the list", "a\nb\n", "x\ny\nb\n", []object{insert(1, "y"), replace(1, []string{"a"}, "x")}},
		{"an empty line after an open one ends it", "a", "a\n", []object{insert(1, "")}},
		{"an empty line becomes the last, open", "a\n\nb", "a\n", []object{remove(3, "b")}},
		{"CRLF", "a\r\nb\r\n", "a\r\nx\r\ny\r\n", []object{replace(2, []string{"b"}, "x", "y")}},
		{"CRLF, open", "a\r\nb", "a\r\nb\r\nx", []object{insert(2, "x")}},
		{"CR", "a\rb\r", "a\rx\rb\r", []object{insert(1, "x")}},
		{"mixed: the dominant ending", "a\r\nb\nc\r\n", "a\r\nx\r\nb\nc\r\n", []object{insert(1, "x")}},
		{"mixed: lines that stay", "a\r\nb\nc\r\nd\n", "a\r\nx\r\nc\r\nd\n", []object{replace(1, []string{"a", "b", "c", "d"}, "a", "x", "c", "d")}},
		{"other separators end no line", "a\u2028b\fc\n", "x\n", []object{replace(1, []string{"a\u2028b\fc"}, "x")}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			body := block(tt.before, tt.changes...)
			read(t, body)
			got, out := run(t, body, tt.before)
			if got != tt.after || diag.HasErrors(out.Problems) {
				t.Errorf("%q became %q, not %q: %v", tt.before, got, tt.after, out.Problems)
			}
			if text.MixedEOL(tt.before) {
				return // only the history knows the ending of the removed line
			}
			if again, out := run(t, body, tt.after); again != tt.after || !out.Done {
				t.Errorf("once more %q became %q: %+v", tt.after, again, out)
			}
		})
	}
}

// The hash matches each form of the same text, and no other text.
func TestForms(t *testing.T) {
	const before = "ä\r\nb\r\n"
	for _, form := range []string{before, "ä\nb\n", "\ufeffä\r\nb\r\n", text.UTF16LE.Encode(before), text.UTF16BE.Encode(before)} {
		if got, out := run(t, block(form, insert(1, "x")), before); got != "ä\r\nx\r\nb\r\n" {
			t.Errorf("%q: %q, %v", form, got, out.Problems)
		}
	}
	for _, other := range []string{"", "ä\r\nb", "ä\r\nb\r\n\r\n", "ä\rb\r", "a\r\nb\r\n", "\ufeffä\nb\n"} {
		if got, out := run(t, block(other, insert(1, "x")), before); got != before || len(out.Problems) != 1 || out.Problems[0].Code != diag.SHA256Mismatch {
			t.Errorf("%q was taken for it: %q", other, got)
		}
	}
}

// The patch is refused if the expected lines are elsewhere. It is not taken for done if the file
// only looks like the result but is an earlier state.
func TestRefuses(t *testing.T) {
	for _, tt := range []struct {
		name, before, now string
		change            object
		want              diag.Code
	}{
		{"other text", "a\nb\n", "a\nb\nc\n", replace(2, []string{"b"}, "x"), diag.SHA256Mismatch},
		{"result in another text", "a\nb\n", "a\nx\nc\n", replace(2, []string{"b"}, "x"), diag.SHA256Mismatch},
		{"inserted twice", "a\n", "a\nx\nx\n", insert(1, "x"), diag.SHA256Mismatch},
		{"beyond the end", "a\n", "a\n", insert(2, "x"), diag.LineOutOfRange},
		{"range beyond the end", "a\n", "a\n", remove(1, "a", ""), diag.LineOutOfRange},
		{"white space", "a \n", "a \n", remove(1, "a"), diag.ExpectedDiffers},
		{"case", "a\n", "a\n", remove(1, "A"), diag.ExpectedDiffers},
		{"an empty line after the last ending", "a\n", "a\n", remove(2, ""), diag.LineOutOfRange},
		{"CR meets LF", "a\rb\n\n", "a\rb\n\n", remove(2, "b"), diag.LoneReturn},
		{"an empty line after CR", "a\rb\n\n", "a\rb\n\n", insert(1, ""), diag.LoneReturn},
		{"another line", "a\nb\n", "a\nb\n", remove(1, "b"), diag.ExpectedDiffers},
	} {
		got, out := run(t, block(tt.before, tt.change), tt.now)
		if got != tt.now || out.Done || len(out.Problems) != 1 || out.Problems[0].Code != tt.want {
			t.Errorf("%s: %q, %+v", tt.name, got, out)
		}
	}
}

// A change that a person leaves out is not made, and no part of it is looked for afterwards.
func TestSkipped(t *testing.T) {
	const before, after = "a\nb\nc\n", "a\nb\ny\n"
	parsed := read(t, block(before, replace(1, []string{"a"}, "x"), replace(3, []string{"c"}, "y")))
	step := parsed.Set.Changes[0].Steps[0]
	for s, done := range map[string]bool{before: false, after: true} {
		in := target(s)
		in.Skipped = intent.Skipped{step.Parts()[0]: true}
		out := step.Resolve(in)
		got, err := text.Apply(s, out.Edits)
		if err != nil || got != after || out.Done != done {
			t.Errorf("%q became %q: %+v", s, got, out)
		}
	}
}

// drawn draws a text with random lines and line endings. In most texts, all endings are the same.
func drawn(t *rapid.T) string {
	endings := []string{"\n", "\r\n", "\r"}
	if rapid.IntRange(0, 3).Draw(t, "mixed") > 0 {
		endings = endings[:1]
	}
	var b strings.Builder
	for range rapid.IntRange(0, 9).Draw(t, "lines") {
		b.WriteString(rapid.SampledFrom([]string{"", "a", "b", " c", "é", "\u2028"}).Draw(t, "line"))
		b.WriteString(rapid.SampledFrom(endings).Draw(t, "ending"))
	}
	b.WriteString(rapid.SampledFrom([]string{"", "", "z"}).Draw(t, "rest"))
	return b.String()
}

// changesOf draws changes of a text, together with the resulting lines.
func changesOf(t *rapid.T, lines []string) (changes []object, after []string) {
	fresh := rapid.SliceOfN(rapid.SampledFrom([]string{"", "x", "a", "\ty"}), 1, 3)
	at := 0
	for at <= len(lines) {
		n := 0
		switch rapid.SampledFrom([]string{"keep", "keep", "insert", "replace", "delete"}).Draw(t, "what") {
		case "insert":
			news := fresh.Draw(t, "new")
			changes, after = append(changes, insert(at, news...)), append(after, news...)
			continue
		case "replace":
			if n = rapid.IntRange(0, min(3, len(lines)-at)).Draw(t, "n"); n > 0 {
				news := fresh.Draw(t, "new")
				changes, after = append(changes, replace(at+1, lines[at:at+n], news...)), append(after, news...)
			}
		case "delete":
			if n = rapid.IntRange(0, min(3, len(lines)-at)).Draw(t, "n"); n > 0 {
				changes = append(changes, remove(at+1, lines[at:at+n]...))
			}
		}
		if n == 0 {
			if at < len(lines) {
				after = append(after, lines[at])
			}
			n = 1
		}
		at += n
	}
	return changes, after
}

func bodiesOf(s string) []string {
	lines := []string{}
	for _, line := range text.SplitLines(s) {
		lines = append(lines, text.TrimEOL(line))
	}
	return lines
}

// Random changes of a random text give the same lines as a simple model, and keep the line
// endings of the text. Applied again, they count as done. The edits change no byte of an
// unchanged line.
func TestProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		before := drawn(t)
		changes, want := changesOf(t, bodiesOf(before))
		if len(changes) == 0 {
			return
		}
		form := before
		if rapid.Bool().Draw(t, "lf") {
			form = text.WithEOL(before, text.LF)
		}
		parsed := Format.Parse(format.Whole(block(form, changes...)))
		if diag.HasErrors(parsed.Diagnostics) {
			t.Fatalf("%v", parsed.Diagnostics)
		}
		editor := parsed.Set.Changes[0].Steps[0].Resolve
		out := editor(target(before))
		if len(out.Problems) == 1 && out.Problems[0].Code == diag.LoneReturn && text.MixedEOL(before) {
			return
		}
		if diag.HasErrors(out.Problems) || len(out.Places) != len(changes) {
			t.Fatalf("%+v", out)
		}
		after, err := text.Apply(before, out.Edits)
		if err != nil {
			t.Fatal(err)
		}
		check(t, before, after, want)
		if text.MixedEOL(before) {
			return // only the history knows the endings of the removed lines
		}
		if out := editor(target(after)); !out.Done || len(out.Edits) > 0 {
			t.Fatalf("%q is not done: %+v", after, out)
		}
	})
}

func hasBreak(s string) bool { return strings.ContainsAny(s, "\r\n") }

func check(t *rapid.T, before, after string, want []string) {
	ends := before == "" || hasBreak(before[len(before)-1:])
	if len(want) > 0 && !ends && want[len(want)-1] == "" {
		want = want[:len(want)-1] // without an ending, the empty last line does not exist
		ends = true
	}
	if fmt.Sprintf("%q", bodiesOf(after)) != fmt.Sprintf("%q", want) {
		t.Fatalf("%q became %q, not %q", before, after, want)
	}
	if after != "" && ends != hasBreak(after[len(after)-1:]) {
		t.Fatalf("the final line ending: %q became %q", before, after)
	}
	if !text.MixedEOL(before) && text.WithEOL(after, fileOf(before, nil).eol) != after {
		t.Fatalf("line endings: %q became %q", before, after)
	}
}

// Ten thousand changes of a file are made in one pass over it.
func TestManyChanges(t *testing.T) {
	const n = 10_000
	var before, after strings.Builder
	var changes []object
	for i := range n {
		fmt.Fprintf(&before, "line %d\nstays\n", i)
		fmt.Fprintf(&after, "new %d\nstays\n", i)
		changes = append(changes, replace(2*i+1, []string{fmt.Sprintf("line %d", i)}, fmt.Sprintf("new %d", i)))
	}
	body := block(before.String(), changes...)
	got, _ := run(t, body, before.String())
	if got != after.String() {
		t.Error("not what was asked for")
	}
	if _, out := run(t, body, after.String()); !out.Done || len(out.Places) != n {
		t.Error("not done")
	}
	moved := "first\n" + before.String()
	if _, out := run(t, body, moved); len(out.Problems[0].Suggest(t.Context())) != 1 {
		t.Error("not rebased")
	}
}

func BenchmarkManyChanges(b *testing.B) {
	const n = 10_000
	var before strings.Builder
	var changes []object
	for i := range n {
		fmt.Fprintf(&before, "line %d\nstays\n", i)
		changes = append(changes, replace(2*i+1, []string{fmt.Sprintf("line %d", i)}, "new"))
	}
	body := block(before.String(), changes...)
	for b.Loop() {
		run(b, body, before.String())
	}
}

func FuzzParse(f *testing.F) {
	f.Add(block("a\n", insert(1, "x"), replace(1, []string{"a"}, "b")), "a\n")
	f.Add(block("a\nb", remove(2, "b")), "a\nb")
	f.Add(`{"files": [{"docPath": "p/a", "originalSha256": "E3", "changes": [{"afterLine": "1", "newLines": "a\nb"}]}]}`, "")
	f.Add(`{"files": [{"docPath": "p/a", "changes": [{"operation": "delete", "startLine": 2, "endLine": 1, "expectedOriginalLines": [], "newLines": []}]}]}`, "a")
	f.Fuzz(func(t *testing.T, body, s string) {
		parsed := Format.Parse(format.Whole(body))
		checkFixes(t, body, parsed.Diagnostics)
		for i, c := range parsed.Set.Changes {
			if notes := parsed.Batch.Files[i].Changes; len(notes) != len(c.Steps[0].Parts()) {
				t.Fatalf("%d notes, %d parts", len(notes), len(c.Steps[0].Parts()))
			}
			out := c.Steps[0].Resolve(target(s))
			if _, err := text.Apply(s, out.Edits); err != nil {
				t.Fatal(err)
			}
			checkFixes(t, body, out.Problems)
		}
	})
}

func checkFixes(t *testing.T, body string, found []diag.Diagnostic) {
	for _, d := range found {
		for _, fix := range d.AllFixes(t.Context()) {
			if _, err := text.Apply(body, fix.Edits); err != nil {
				t.Fatalf("%s: %s: %v", d.Code, fix.Title, err)
			}
		}
	}
}
