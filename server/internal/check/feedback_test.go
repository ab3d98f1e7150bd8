package check

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
)

const program = `import os

class Cart:
    def total(self):
        result = 0
        for item in self.items:
            result += item.price
        return result

    def count(self):
        return len(self.items)
`

const twice = "class Two:\n    def a(self):\n        return None\n\n    def b(self):\n        return None\n"

func feedbackOf(t *testing.T, reply string) string {
	t.Helper()
	where := Where{Tree: fstest.MapFS{"src/cart.py": {Data: []byte(program)}, "src/twice.py": {Data: []byte(twice)}}}
	r, err := Check(t.Context(), []Document{{Name: "reply.md", Text: reply}}, where)
	if err != nil {
		t.Fatal(err)
	}
	return r.Feedback(t.Context())
}

func patchOf(path string, find ...string) string {
	var patches []string
	for _, f := range find {
		patches = append(patches, fmt.Sprintf(`{"find": %q, "replace": "x"}`, f))
	}
	return "```json\n{\"root\": \".\", \"files\": [{\"path\": \"" + path + "\", \"operation\": \"patch\", \"patches\": [" + strings.Join(patches, ",\n") + "]}]}\n```\n"
}

// The feedback shows the lines that differ, and quotes the most similar place with the
// function that contains it.
func TestFeedbackShowsThePlace(t *testing.T) {
	got := feedbackOf(t, patchOf("src/cart.py", "        for item in self.entries:\n            result += item.price\n"))
	want := `
- src/cart.py: the text that the block looks for is not in the file. Lines that differ from the file:
            for item in self.entries:
  The closest place is line 6, in ` + "`def total(self)`" + `:
     2| 
     3| class Cart:
     4|     def total(self):
     5|         result = 0
     6|         for item in self.items:
     7|             result += item.price
     8|         return result
     9| 
    10|     def count(self):
    11|         return len(self.items)

Send the whole block again, corrected.
`
	if !strings.HasSuffix(got, want) {
		t.Errorf("got\n%s\nwant at its end\n%s", got, want)
	}
}

// For a short passage, and for lines that occur at several places, the model gets enough
// information to choose.
func TestFeedbackAlwaysSaysWhere(t *testing.T) {
	for reply, want := range map[string]string{
		patchOf("src/cart.py", "zz=zz"): "is not in the file, and the file has nothing like it:\n    zz=zz\n",
		"```diff\n--- a/src/cart.py\n+++ b/src/cart.py\n@@ ... @@\n \n-    def\n```\n":                               "is not in the file",
		"```diff\n--- a/src/twice.py\n+++ b/src/twice.py\n@@ ... @@\n-        return None\n+        return 0\n```\n": "  Line 3, in `def a(self)`:\n     1| class Two:\n     2|     def a(self):\n     3|         return None\n",
	} {
		if got := feedbackOf(t, reply); !strings.Contains(got, want) {
			t.Errorf("got\n%s\nwant in it\n%s", got, want)
		}
	}
}

// Feedback on a long reply is bounded and says how much it leaves out.
func TestFeedbackIsBounded(t *testing.T) {
	var finds []string
	for i := range 200 {
		finds = append(finds, fmt.Sprintf("nothing like number %d is in this file\n%s", i, strings.Repeat("or that\n", i)))
	}
	got := feedbackOf(t, patchOf("src/cart.py", finds...))
	if len(got) > 6000 || !strings.Contains(got, "more problems are not listed") || !strings.Contains(got, "number 0 is") {
		t.Errorf("%d bytes:\n%s", len(got), got)
	}
}

func TestEnclosing(t *testing.T) {
	for _, c := range []struct{ lines, want string }{
		{"func start() {\n\tif ready {\n\t\tgo()", ", in `func start()`"},
		{"class A {\n  async load(url) {\n    if (x) {\n      y()", ", in `async load(url)`"},
		{"const f = (a) => {\n  x()", ", in `const f = (a) =>`"},
		{"def f():\n    pass\n\nx = 1", ""},
		{"pub fn run(&self) -> u32 {\n    match x {\n        1 => 2,", ", in `pub fn run(&self) -> u32`"},
		{"a: 1\nb:\n  c: 2", ""},
	} {
		lines := strings.Split(c.lines, "\n")
		if got := enclosing(lines, len(lines)-1); got != c.want {
			t.Errorf("%q: got %q, want %q", c.lines, got, c.want)
		}
	}
}

// Feedback names the unread parts of the reply.
func TestFeedbackNamesUnread(t *testing.T) {
	got := feedbackOf(t, patchOf("src/cart.py", "        return result\n")+"\n```sh\nrm src/*.py src/twice.py\n```\n")
	if want := "- line 6 of the reply: a shell command that deletes src/twice.py\n"; !strings.Contains(got, want) {
		t.Errorf("got %q, want %q in it", got, want)
	}
}
