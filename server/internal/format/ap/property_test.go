package ap

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/place"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A drawn holds a file, modifications of it, and the expected result.
type drawn struct {
	before, after string
	mods          string
	// again is true if no program can recognize the result without the history. For example, lines
	// of the file form a replaced snippet again, a deleted snippet is written elsewhere, or the next
	// modification removes the lines next to an insertion.
	again bool
	// shortens is true if a modification only removes lines, which its result cannot prove.
	shortens bool
}

// drawPatch draws a file that consists of few different lines, and modifications of it. The
// snippet of each occurs once below the place of the preceding modification.
func drawPatch(t *rapid.T, words []string, distinct bool) drawn {
	line := rapid.SampledFrom(words)
	lines := rapid.SliceOfN(line, 1, 14).Draw(t, "lines")
	if distinct {
		lines = rapid.SliceOfNDistinct(line, 1, 14, rapid.ID[string]).Draw(t, "lines")
	}
	eol := rapid.SampledFrom([]string{"\n", "\r\n", "\r"}).Draw(t, "eol")
	terminated := rapid.Bool().Draw(t, "terminated") || text.IsBlank(lines[len(lines)-1])
	if len(lines) == 1 && !terminated {
		eol = "\n" // a file without any ending gets this one
	}
	var out []string
	var written []bool        // for each line of out, whether the patch wrote it
	var gone, lost [][]string // gone are the snippets that were replaced, and lost those that were deleted or removed after an insertion
	write := func(lines []string, new bool) {
		out = append(out, lines...)
		written = append(written, slices.Repeat([]bool{new}, len(lines))...)
	}
	var mods strings.Builder
	cursor, inserted, shortens := 0, -1, false
	var insertedBefore []string
	for cursor < len(lines) {
		start := rapid.IntRange(cursor, len(lines)-1).Draw(t, "start")
		end := rapid.IntRange(start+1, min(len(lines), start+3)).Draw(t, "end")
		snippet := lines[start:end]
		if text.IsBlank(snippet[0]) || text.IsBlank(snippet[len(snippet)-1]) || countIn(lines[cursor:], snippet) != 1 {
			break
		}
		actions := []string{kwReplace, kwInsertAfter, kwDelete, kwInsertBefore}
		if inserted == start {
			actions = actions[:3] // three modifications at one place cannot be told apart afterwards
		}
		action := rapid.SampledFrom(actions).Draw(t, "action")
		content := rapid.SliceOfN(line, 1, 3).Draw(t, "content")
		for i := range content {
			content[i] = strings.TrimRight(content[i], " ")
		}
		if text.IsBlank(content[0]) || text.IsBlank(content[len(content)-1]) {
			break
		}
		fmt.Fprintf(&mods, "@ %s\n@ snippet\n%s\n", action, strings.Join(snippet, "\n"))
		if action != kwDelete {
			fmt.Fprintf(&mods, "@ content\n%s\n", strings.Join(content, "\n"))
		}
		write(lines[cursor:start], false)
		cursor = end
		if inserted == start {
			lost = append(lost, insertedBefore)
		}
		switch action {
		case kwReplace:
			write(content, true)
			shortens = shortens || place.Change{Old: strings.Join(snippet, "\n"), New: strings.Join(content, "\n")}.OnlyShortens()
		case kwInsertAfter:
			write(snippet, false)
			write(content, true)
		case kwInsertBefore:
			write(content, true)
			cursor, inserted, insertedBefore = start, start, snippet
		}
		if action == kwReplace || action == kwDelete {
			gone = append(gone, snippet)
		}
		if action == kwDelete {
			lost = append(lost, snippet)
		}
	}
	write(lines[cursor:], false)
	again := slices.ContainsFunc(gone, func(snippet []string) bool { return comesAgain(out, written, snippet) })
	again = again || slices.ContainsFunc(lost, func(snippet []string) bool { return countIn(out, snippet) > 0 })
	return drawn{join(lines, eol, terminated), join(out, eol, terminated), mods.String(), again, shortens}
}

// countIn counts the occurrences of a snippet in lines, by the rules of the specification.
func countIn(lines, snippet []string) int {
	a, b := solidTrimmed(lines), solidTrimmed(snippet)
	n := 0
	for i := range a {
		if i+len(b) <= len(a) && slices.Equal(a[i:i+len(b)], b) {
			n++
		}
	}
	return n
}

// comesAgain reports whether lines contain a snippet of which at least one line was not written
// by the patch.
func comesAgain(lines []string, written []bool, snippet []string) bool {
	want := solidTrimmed(snippet)
	for i := range lines {
		n, all := 0, true
		for j := i; j < len(lines) && n < len(want); j++ {
			if text.IsBlank(lines[j]) {
				continue
			}
			if strings.TrimSpace(lines[j]) != want[n] {
				break
			}
			n, all = n+1, all && written[j]
		}
		if n == len(want) && !all {
			return true
		}
	}
	return false
}

// allDiffer reports whether all lines of a text differ.
func allDiffer(s string) bool {
	lines := solidTrimmed(strings.FieldsFunc(s, func(r rune) bool { return r == '\n' || r == '\r' }))
	slices.Sort(lines)
	return len(slices.Compact(slices.Clone(lines))) == len(lines)
}

func join(lines []string, eol string, terminated bool) string {
	s := strings.Join(lines, eol)
	if terminated && len(lines) > 0 {
		s += eol
	}
	return s
}

// The modifications give the expected result, or are reported as done. The second time they
// change nothing.
func TestModifications(t *testing.T) {
	for name, words := range map[string][]string{
		"few":  {"a", "b", "  b", "c", "", "d", "e"},
		"many": strings.Fields("a b c d e f g h i j k l m n o p q r s t u v w x y z A B C D E F G H I J K L M"),
	} {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) { checkDrawn(t, drawPatch(t, words, name == "many"), name == "many") })
		})
	}
}

func checkDrawn(t *rapid.T, d drawn, distinct bool) {
	if d.mods == "" {
		return
	}
	body := strings.ReplaceAll("@ AP 3.1\n@ FILE\nf.txt\n"+d.mods, "@", "a1b2c3d4")
	after, found := applyTo(t, body, d.before)
	if diag.HasErrors(found) || strings.Contains(codes(found), string(diag.AlreadyApplied)) {
		return // the drawn file may already have the result
	}
	if after != d.after {
		t.Fatalf("%q with\n%s\nbecame %q, want %q\n%s", d.before, d.mods, after, d.after, messages(found))
	}
	if d.again {
		return
	}
	again, found := applyTo(t, body, after)
	if again != after {
		t.Fatalf("%q with\n%s\nbecame %q, and the second time %q\n%s", d.before, d.mods, after, again, messages(found))
	}
	if distinct && !d.shortens && diag.HasErrors(found) && allDiffer(after) { // if lines repeat, contents may also be elsewhere
		t.Fatalf("%q with\n%s\nbecame %q, and is refused the second time\n%s", d.before, d.mods, after, messages(found))
	}
}

func applyTo(t *rapid.T, body, before string) (string, []diag.Diagnostic) {
	parsed := Parse(body)
	var found []diag.Diagnostic
	found = append(found, parsed.Diagnostics...)
	target := intent.Target{Text: place.NewText(before)}
	for _, c := range parsed.Set.Changes {
		for _, step := range c.Steps {
			out := step.Resolve(target)
			found = append(found, out.Problems...)
			if diag.HasErrors(out.Problems) {
				return before, found
			}
			after, err := text.Apply(target.Text.String(), out.Edits)
			if err != nil {
				t.Fatal(err)
			}
			target.Text = place.NewText(after)
		}
	}
	return target.Text.String(), found
}
