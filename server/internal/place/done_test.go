package place

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/aptix-dev/aptix/server/internal/text"
)

func TestDone(t *testing.T) {
	const method = "def a():\n    return one\n\ndef b():\n    return 2 * two\n"
	tests := []struct {
		name, file, old, new string
		want                 int // expected line of the result; 0 for none
	}{
		{"it is there", method, "    return two\n", "    return 2 * two\n", 5},
		{"at the end without a newline", "a\nport = 8080", "port = 80\n", "port = 8080\n", 2},
		{"it says nothing", "f() {\n}\n", "}}\n", "}\n", 0},
		{"a part of a line", "a\nport = 80801\n", "port = 80\n", "port = 8080\n", 0},
		{"it is there twice", "x = 2\nx = 2\n", "x = 1\n", "x = 2\n", 0},
		{"it has nothing in common", method, "raise NotImplementedError\n", "    return 2 * two\n", 0},
		{"the old lines are indented otherwise", "x = 2\n  x = 1\n", "x = 1\n", "x = 2\n", 0},
		{"other lines are more like the old ones", "use(self._total)\nuse(self.total())\n", "use(self.total)\n", "use(self.total())\n", 0},
		{"they share a line that is nowhere else", "def total():\n    return 2\n\ndef sum():\n    return 1\n", "def total():\n    return 1\n", "def total():\n    return 2\n", 1},
		{"it is indented otherwise", "if x:\n    report(total, count)\n", "report(total)\n", "report(total, count)\n", 2},
		{"only its indentation differs", "if x:\n      report(total, count)\n", "report(total, count)\n", "  report(total, count)\n", 0},
		{"a deletion", "a\nb\n", "c\n", "", 0},
		{"only lines at the beginning go", method, "open(file)\ndef b():\n", "def b():\n", 0},
		{"only lines at the end go", method, "def b():\n\nopen(file)\n", "def b():\n", 0},
		{"lines inside and at the beginning go", method, "open(file)\ndef b():\n    x = two\n    return 2 * two\n", "def b():\n    return 2 * two\n", 0},
		{"only a line inside goes", method, "def b():\n    x = two\n    return 2 * two\n", "def b():\n    return 2 * two\n", 4},
	}
	for _, tt := range tests {
		file, line := NewText(tt.file), 0
		if at, ok := WholeLines.Done(file, Change{Old: tt.old, New: tt.new}); ok {
			line = file.LineAt(at.Start)
		}
		if line != tt.want {
			t.Errorf("%s: done at line %d, want %d", tt.name, line, tt.want)
		}
	}
}

func TestPadding(t *testing.T) {
	for _, tt := range []struct{ old, new, want string }{
		{"f()", "\nf()", "\n"},
		{"});\n", "});\n});\n", "});\n"},
		{"f()", "(f())", ""},
		{"f()\n", "f()\ng()\n", ""},
		{"f()\n", "g()\n", ""},
	} {
		if got := (Change{Old: tt.old, New: tt.new}).Padding(); got != tt.want {
			t.Errorf("%q for %q: %q", tt.new, tt.old, got)
		}
	}
}

// A change counts as done only with a proof: if the old lines are put back in their place, the law finds them only
// there, and the change makes the same file again. In a file that was never changed, the change is not done.
func TestDoneIsReplayed(t *testing.T) {
	done, not := 0, 0
	lines := []string{"open(file)", "close(file)", "x = 1", "x = 2", "}", "", "  read(file)", "    read(file, all)"}
	rapid.Check(t, func(t *rapid.T) {
		draw := func(label string, least, most int) string {
			return strings.Join(rapid.SliceOfN(rapid.SampledFrom(lines), least, most).Draw(t, label), "\n") + "\n"
		}
		law := rapid.SampledFrom([]Law{Literal, WholeLines}).Draw(t, "law")
		head, tail, c := draw("head", 0, 4), draw("tail", 0, 4), Change{Old: draw("old", 1, 3), New: draw("new", 1, 3)}
		before, after := head+c.Old+tail, head+c.New+tail
		if rapid.Bool().Draw(t, "indented") {
			after = head + "  " + strings.ReplaceAll(strings.TrimSuffix(c.New, "\n"), "\n", "\n  ") + "\n" + tail
		}
		if at, ok := law.Done(NewText(before), c); ok && len(law.Find(NewText(before), c.Old, 1)) > 0 && !strings.Contains(at.In(before), strings.TrimSpace(c.Old)) {
			t.Fatalf("%q has the old lines, and is done", before)
		}
		file := NewText(after)
		at, ok := law.Done(file, c)
		if !ok {
			not++
			return
		}
		done++
		old := c.Old
		if at.In(after) != c.New { // the result is there at another indentation
			old, _ = reindented(file, c, at)
		}
		back, err := text.Apply(after, []text.Edit{{Span: at, New: old}})
		if found := law.Find(NewText(back), old, 2); err != nil || len(found) != 1 || found[0].Start != at.Start {
			t.Fatalf("%q is done at %v, and with the old lines %q it is at %v", after, at, back, found)
		}
	})
	if done < 5 || not < 5 {
		t.Errorf("%d done, %d not: the test says little", done, not)
	}
}
