package documents

import (
	"strings"
	"testing"

	"go.lsp.dev/protocol"
	"pgregory.net/rapid"
)

func partial(fromLine, from, toLine, to uint32, new string) protocol.TextDocumentContentChangeEvent {
	return &protocol.TextDocumentContentChangePartial{
		Range: protocol.Range{
			Start: protocol.Position{Line: fromLine, Character: from},
			End:   protocol.Position{Line: toLine, Character: to},
		},
		Text: new,
	}
}

// Making several changes at once gives the same result as making them one by one. Positions
// are arbitrary: beyond the ends of lines or of the text, inside characters, and in any
// order.
func TestChangesTogetherAreChangesOneByOne(t *testing.T) {
	part := rapid.SampledFrom([]string{"a", "b", "\n", "\r", "\r\n", "😀", "é"})
	parts := rapid.SliceOfN(part, 0, 12)
	rapid.Check(t, func(r *rapid.T) {
		src := strings.Join(parts.Draw(r, "text"), "")
		var changes []protocol.TextDocumentContentChangeEvent
		for range rapid.IntRange(1, 5).Draw(r, "changes") {
			line, char := rapid.Uint32Range(0, 6), rapid.Uint32Range(0, 6)
			from := protocol.Position{Line: line.Draw(r, "line"), Character: char.Draw(r, "char")}
			to := protocol.Position{Line: line.Draw(r, "line"), Character: char.Draw(r, "char")}
			if before(to, from) {
				from, to = to, from
			}
			changes = append(changes, partial(from.Line, from.Character, to.Line, to.Character, strings.Join(parts.Draw(r, "new"), "")))
		}
		together, _, err := changed(src, changes)
		if err != nil {
			r.Fatal(err)
		}
		oneByOne := src
		for i := range changes {
			if oneByOne, _, err = changed(oneByOne, changes[i:i+1]); err != nil {
				r.Fatal(err)
			}
		}
		if together != oneByOne {
			r.Errorf("together %q, one by one %q", together, oneByOne)
		}
	})
}

// A replace-all, with 20,000 changes in a text of a megabyte, takes one pass. With one pass
// for each change, it would copy 20 GB and time out.
func TestReplaceAllIsOnePass(t *testing.T) {
	const lines = 20_000
	src := strings.Repeat("some words and one foo, then the rest of it\n", lines)
	var changes []protocol.TextDocumentContentChangeEvent
	for line := uint32(lines); line > 0; line-- {
		changes = append(changes, partial(line-1, 19, line-1, 22, "bar"))
	}
	got, _, err := changed(src, changes)
	if err != nil || got != strings.ReplaceAll(src, "foo", "bar") {
		t.Errorf("error %v, %d bytes", err, len(got))
	}
}

func FuzzChanged(f *testing.F) {
	f.Add("a\r\nb😀", uint32(0), uint32(1), uint32(1), uint32(2), "x\r", true)
	f.Add("\r", uint32(1), uint32(0), uint32(1<<32-1), uint32(1<<32-1), "\n", false)
	f.Add("\xff\xfe", uint32(0), uint32(1), uint32(0), uint32(0), "", true)
	f.Fuzz(func(t *testing.T, src string, fromLine, from, toLine, to uint32, new string, twice bool) {
		changes := []protocol.TextDocumentContentChangeEvent{partial(fromLine, from, toLine, to, new)}
		if twice {
			changes = append(changes, partial(0, 0, fromLine, from, ""))
		}
		got, whole, err := changed(src, changes)
		if whole || err != nil && got != "" {
			t.Errorf("%q, %v, %v", got, whole, err)
		}
	})
}
