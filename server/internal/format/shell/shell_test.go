package shell

import (
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"pgregory.net/rapid"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/place"
	"github.com/aptix-dev/aptix/server/internal/shellscript"
	"github.com/aptix-dev/aptix/server/internal/text"
	"github.com/aptix-dev/aptix/server/tools/parsetest"
	"github.com/aptix-dev/aptix/server/tools/trials"
)

var subject = parsetest.Subject{Format: Format, Say: func(p format.Parsed) (edits []string) {
	for _, c := range p.Set.Changes {
		edits = append(edits, fmt.Sprintf("%d %s %s %q", c.Kind, c.Path, c.To, c.Content))
	}
	return edits
}}

func TestSedCommands(t *testing.T) {
	for script, want := range map[string]string{
		`s/a/b/g`:       "a -> b",
		`s|/a|/b|`:      "/a -> /b",
		`s/a\/b/c\/d/`:  "a/b -> c/d",
		`s/v1\.0/v2.0/`: "v1.0 -> v2.0",
		`s/f(x)/g(x)/`:  "f(x) -> g(x)",
		`s/a\\b/\\/`:    `a\b -> \`,
		`s/a/\&/`:       "a -> &",
		`s/^a/c/`:       "a -> c", `s/a\$/c/`: "a$ -> c", `/a/d`: " -> ", `/x/s/a/b/`: "a -> b", `3s/a/b/`: "a -> b",
		`$a x y`:        " -> x y",
		`s/a/b\nc/`:     "a -> b\nc",
		`s/a/b/;s/c/d/`: "a -> b, c -> d",
		`s/a.b/c/`:      "a.b -> c", `s/a*/c/`: "", `s/[a]/c/`: "", `s/^/c/`: "",
		`s/a\+/c/`: "", `s/a/&b/`: "", `s/a/\1/`: "", `s/a/b/2`: "", `s/a/b/gi`: "", `5d`: "", `$d`: "", `d`: "", `/a/,/b/d`: " -> ", `/a/!d`: "", `1,2s/a/b/`: "a -> b", `/x/, $s/a/b/`: "a -> b",
		`1,2d`: "", `/a/,3d`: "", `/a/,s/a/b/`: "", `,3s/a/b/`: "", `/a/,/b/c x`: "", `/a/,/b*/s/a/b/`: "",
		`s/a/b`: "", `s//b/`: "", `/a/{d}`: "", `/a/dp`: "", `p`: "", `y/a/b/`: "", `5a x`: "", `0s/a/b/`: "",
	} {
		all, ok := sedCommands(shellscript.Word{Text: script}, text.Span{}, false)
		got := ""
		if ok {
			got = strings.Join(text.Each(all, func(c sedCommand) string { return c.Find.Text + " -> " + c.Text }), ", ")
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", script, got, want)
		}
	}
	if _, ok := sedCommands(shellscript.Word{Text: "s/f(x)/g/"}, text.Span{}, true); ok {
		t.Error("with -E, parentheses are a group")
	}
}

// A script that is read has the effect that it has in GNU sed.
func TestAgreesWithSed(t *testing.T) {
	if out, err := exec.Command("sed", "--version").Output(); err != nil || !strings.Contains(string(out), "GNU") {
		t.Skip("GNU sed is not installed")
	}
	word := rapid.StringMatching("[ab.]{1,2}")
	read := 0
	rapid.Check(t, func(t *rapid.T) {
		file := strings.Join(rapid.SliceOfN(rapid.StringMatching("[ab. ]{0,4}"), 1, 5).Draw(t, "lines"), "\n") + rapid.SampledFrom([]string{"", "\n"}).Draw(t, "end")
		if strings.TrimSpace(file) == "" {
			return
		}
		anchor := func(s string) string {
			if rapid.Bool().Draw(t, "escaped") {
				s = strings.ReplaceAll(s, ".", `\.`)
			}
			return rapid.SampledFrom([]string{s, "^" + s, s + "$", "^" + s + "$"}).Draw(t, "anchored")
		}
		script := ""
		for range rapid.IntRange(1, 2).Draw(t, "commands") {
			address := rapid.SampledFrom([]string{"", "1", "2", "$", "/" + anchor(word.Draw(t, "address")) + "/"}).Draw(t, "at")
			if address != "" {
				address += rapid.SampledFrom([]string{"", "", ",1", ",3", ",$", ",/" + anchor(word.Draw(t, "last")) + "/"}).Draw(t, "to")
			}
			script += address + rapid.SampledFrom([]string{"d", "a X Y", `a\  X Y`, "i\\\n X", "c \t X", "i X", "c X", "s/" + anchor(word.Draw(t, "find")) + "/X/g", "s/a/X\\nb/", "s/" + anchor(word.Draw(t, "find")) + "/XX/"}).Draw(t, "does") + rapid.SampledFrom([]string{"", ";", "\n"}).Draw(t, "then")
		}
		p := Format.Parse(format.Whole("sed -i '" + script + "' a.txt\n"))
		if diag.HasErrors(p.Diagnostics) || len(p.Set.Changes) != 1 {
			return
		}
		now := place.NewText(file)
		for _, step := range p.Set.Changes[0].Steps {
			out := step.Resolve(intent.Target{Text: now})
			if slices.ContainsFunc(out.Problems, func(d diag.Diagnostic) bool { return d.Severity == diag.Error && d.Code != diag.FindNotFound }) { // the step is refused, for example because a dot also matches other texts
				return
			}
			next, err := now.Apply(out.Edits)
			if err != nil {
				t.Fatal(err)
			}
			now = next
		}
		cmd := exec.Command("sed", script)
		cmd.Stdin = strings.NewReader(file)
		want, err := cmd.Output()
		if err != nil || strings.TrimSuffix(now.String(), "\n") != strings.TrimSuffix(string(want), "\n") { // a file keeps its last line without an ending
			t.Fatalf("%q of %q: %q, but sed writes %q %v", script, file, now, want, err)
		}
		read++
	})
	if read == 0 && !trials.Few() {
		t.Error("no script was read, so the test says nothing")
	}
}

// A text written in a here-document is read back unchanged.
func TestHereDocumentKeepsText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lines := rapid.SliceOf(rapid.StringMatching("[ -~\t]{0,12}")).Draw(t, "lines")
		content := ""
		for _, line := range lines {
			if line == "EOF" {
				continue
			}
			content += line + "\n"
		}
		p := Format.Parse(format.Whole("cat > src/a.txt <<'EOF'\n" + content + "EOF\n"))
		if len(p.Set.Changes) != 1 || p.Set.Changes[0].Content != content || diag.HasErrors(p.Diagnostics) {
			t.Fatalf("%q became %+v %+v", content, p.Set.Changes, p.Diagnostics)
		}
		at := p.Set.Changes[0].ContentAt.Span
		if got := ("cat > src/a.txt <<'EOF'\n" + content)[at.Start:at.End]; got != content {
			t.Fatalf("the literal is %q", got)
		}
	})
}

// Text that the shell would expand is never read literally.
func TestNothingExpandedIsRead(t *testing.T) {
	for _, script := range []string{
		"rm $X", "rm a*", "rm ~/x", "rm `x`", "mv a? b", "cat > $F <<'E'\nx\nE\n", "cat > a <<E\n$X\nE\n", "cat > a <<E\n`x`\nE\n",
		"cat > a <<E\n\\$X $X\nE\n", "cat > a <<E\n\\\\\nE\n", "cat > a <<E\n\\$X \\\nE\n", "patch -p1 <<E\n\\$\nE\n", "echo \"$X\" > a", "echo 'a\\nb' > a", "printf '%s' x > a", "rm a || rm b", "ls | tee a", "X=1; rm $X",
		"for i in a; do rm $i; done", "sed -i 's/x/y/e' a", "find . -delete", "git checkout -- a", "python - <<'E'\nopen('a','w')\nE\n", "xargs rm < a",
	} {
		p := Format.Parse(format.Whole("rm sure.txt\n" + script))
		if !diag.HasErrors(p.Diagnostics) {
			t.Errorf("%q is read: %+v", script, p.Set.Changes)
		}
	}
}

// While a script is being written, it never has a change that the complete script does not have.
func TestPrefixes(t *testing.T) {
	tree := fstest.MapFS{"src/a.txt": {Data: []byte("x\n")}, "b.txt": {Data: []byte("x\n")}}
	doc := "Do this:\n\n```bash\ncat > src/a.txt <<'EOF'\none\n\ntwo\nEOF\nrm b.txt\ngit mv src/a.txt src/c.txt\n```\n\nThen:\n\n```sh\necho 'x' > b.txt\n```\n\nDone.\n"
	whole := subject.Said(doc, tree)
	if len(whole) != 4 {
		t.Fatalf("%d changes: %q", len(whole), whole)
	}
	for at := range doc {
		for _, change := range subject.Said(doc[:at], tree) {
			if !slices.Contains(whole, change) {
				t.Errorf("the first %d bytes say %s", at, change)
			}
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("```\ncat > a <<'E'\nx\nE\nrm a\n```")
	subject.Fuzz(f, nil, func(t *testing.T, r *format.Region, p format.Parsed) {
		for _, c := range p.Set.Changes {
			at := c.ContentAt.Span
			if at.Empty() {
				continue
			}
			if written := at.In(r.Body); written != c.Content && shellscript.Unescape(written) != c.Content {
				t.Fatalf("the content %q is at %q", c.Content, written)
			}
		}
	})
}
