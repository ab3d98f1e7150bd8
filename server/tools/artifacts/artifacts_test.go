package artifacts

import (
	"strings"
	"testing"

	"github.com/aptix-dev/aptix/server/internal/artifact"
	"pgregory.net/rapid"
)

// Each artifact, and nothing else, must have its texts for docs/matching.md.
func TestTexts(t *testing.T) {
	if len(Of) != len(artifact.Table()) {
		t.Errorf("there are texts of %d artifacts, and %d artifacts", len(Of), len(artifact.Table()))
	}
	for _, a := range artifact.Table() {
		if about := Of[a]; about.Forgives == "" || about.Certain == "" && !a.Sure || about.Replacement == "" {
			t.Errorf("%s lacks a text: %+v", a.Name, about)
		}
	}
}

// code draws lines that look like code.
func code(t *rapid.T) string {
	line := rapid.Custom(func(t *rapid.T) string {
		indent := strings.Repeat("    ", rapid.IntRange(0, 2).Draw(t, "depth"))
		body := rapid.SampledFrom([]string{
			"if a < b and c > d:", "return x", `print("café", 'b')`, "x = a - b", "total = price * 3", "{", "}", "", "my_list[0] = 100 % 7", "call(a && b, *args)", `re = "\\d+"`,
			"# a comment - it says more...", "def halt(now):", `s = "a\nb"`, "value := 12", "limit = 12500", "ratio = 0.75", "if os.path.exists(a):", "def __init__(self):", "\treturn nil", "@decorated", "let s = `x`;", "# see https://example.org/a", `path = "C:\\dir"`,
		}).Draw(t, "line")
		if body == "" {
			return ""
		}
		return indent + body
	})
	first := rapid.SampledFrom([]string{"import os", "package main", "class Stop:"}).Draw(t, "first")
	return first + "\n" + strings.Join(rapid.SliceOfN(line, 3, 12).Draw(t, "lines"), "\n") + "\nend()\n"
}

// For each way in Do, Undo must restore the original text, unless the original already shows the
// artifact.
func TestUndo(t *testing.T) {
	for _, a := range artifact.Table() {
		if a.Undo == nil {
			continue
		}
		t.Run(a.Name, func(t *testing.T) {
			if len(Of[a].Do) == 0 || Of[a].Origin == "" {
				t.Error("the artifact has no way to be done, or no origin")
			}
			tried := 0
			rapid.Check(t, func(t *rapid.T) {
				was := code(t)
				if plain, ok := a.Undo(was); ok {
					was = plain
				}
				if _, ok := a.Undo(was); ok && !a.Adds {
					return
				}
				for i, do := range Of[a].Do {
					through := do(was)
					if through == was {
						continue
					}
					tried++
					if !a.MayBeIn(artifact.CharactersOf(through)) || !lost(a).MayBeIn(artifact.CharactersOf(was)) {
						t.Fatalf("way %d of %q is %q, which has none of its signs", i, was, through)
					}
					got, ok := a.Undo(through)
					if trim := strings.TrimRight; !ok || trim(got, "\n ") != trim(was, "\n ") {
						t.Fatalf("way %d of %q is %q, and back %q (%v)", i, was, through, got, ok)
					}
				}
			})
			if tried < 5 {
				t.Errorf("only %d draws were tried", tried)
			}
		})
	}
}

// lost returns an artifact whose signs are the characters that a text with the artifact lost.
func lost(a *artifact.Artifact) *artifact.Artifact { return &artifact.Artifact{Signs: a.Lost} }
