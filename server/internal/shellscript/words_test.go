package shellscript

import (
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestWords(t *testing.T) {
	for script, want := range map[string]string{
		"rm a b":                       "[rm a b]",
		`rm 'a b' "c d" e\ f`:          "[rm|a b|c d|e f]",
		"a && b; c || d | e":           "[a] [b] [c] [d] [e]",
		"a \\\n  b # rest":             "[a b]",
		"cat > f <<'E'\nrm x\nE\nls":   "[cat >:f <<:E=rm x] [ls]",
		"x 2>&1 >/dev/null":            "[x 2>&:1 >:/dev/null]",
		"cat <<A <<B\n1\nA\n2\nB\n":    "[cat <<:A=1 <<:B=2]",
		"echo \"a\nb\" > f":            "[echo|a\nb >:f]",
		"$ rm a\nrm b\n$ rm c":         "[rm a] [rm c]",
		"echo $(cat x; (rm y)) 'a'\"b": "[echo|$(cat x; (rm y))|ab broken]",
		"(a; (b) >f\nc)&& d":           "[(] [a] [(] [b] [) >:f] [c] [)] [d]",
		"(a":                           "[(] [a] [( broken]",
	} {
		var got []string
		for _, c := range Read(script) {
			var words []string
			for _, w := range c.Words {
				words = append(words, w.Text)
			}
			separator := " "
			if strings.ContainsAny(strings.Join(words, ""), " \n(") {
				separator = "|"
			}
			said := c.Group + strings.Join(words, separator)
			for _, r := range c.Redirects {
				said += " " + r.Op + ":" + r.Target.Text
				if r.Body.Closed {
					said += "=" + strings.TrimSpace(r.Body.Text)
				}
			}
			if c.Broken {
				said += " broken"
			}
			got = append(got, "["+said+"]")
		}
		if diff := cmp.Diff(want, strings.Join(got, " ")); diff != "" {
			t.Errorf("%q (-want +got):\n%s", script, diff)
		}
	}
}

func TestExpand(t *testing.T) {
	for written, want := range map[string][]string{
		"a":                         {"a"},
		"src/{a,b}":                 {"src/a", "src/b"},
		"{a,b}/{c,d}.x":             {"a/c.x", "a/d.x", "b/c.x", "b/d.x"},
		"{a}":                       {"{a}"},
		"{a,{b,c}}":                 nil,
		"{a,b":                      nil,
		"'{a,b}'":                   {"{a,b}"},
		strings.Repeat("{a,b}", 20): nil,
	} {
		if diff := cmp.Diff(want, Read(written)[0].Words[0].Expand()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", written, diff)
		}
	}
}

// Escape writes a text as a shell reads it, and a text that Read unescapes is what a shell writes.
func TestEscapedHereDocuments(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil && runtime.GOOS == "windows" {
		t.Skip("no shell")
	}
	rapid.Check(t, func(t *rapid.T) {
		body := rapid.StringMatching("([a `$\\\\\"\n]|\\\\[$`]){0,12}").Draw(t, "text") + "\n"
		if rapid.Bool().Draw(t, "escape") {
			if text := body; Unescape(Escape(text)) != text {
				t.Fatalf("%q is written as %q", text, Escape(text))
			}
			body = "\\$" + Escape(body)
		}
		script := "cat <<EOF\n" + body + "EOF\n"
		doc := Read(script)[0].Redirects[0].Body
		if doc.Expands || !doc.Closed {
			return
		}
		out, err := exec.Command(sh, "-c", script).CombinedOutput()
		if err != nil || string(out) != doc.Text {
			t.Fatalf("%q is %q, but a shell writes %q (%v)", body, doc.Text, out, err)
		}
	})
}
