package applypatch

import (
	"fmt"
	"strings"
	"testing"

	"github.com/aptix-dev/aptix/server/internal/findreplace"
	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/text"
	"github.com/aptix-dev/aptix/server/tools/parsetest"
)

var subject = parsetest.Subject{Format: Format, Say: func(p format.Parsed) (changes []string) {
	for _, c := range p.Set.Changes {
		s := fmt.Sprintf("%d %s %s %q", c.Kind, c.Path, c.To, c.Content)
		for _, step := range c.Steps {
			e, ok := step.(findreplace.WholeLines)
			if !ok {
				continue // a signless step changes nothing
			}
			s += fmt.Sprintf(" %q->%q at %d", e.Readings[0].Find, e.Readings[0].Replace, e.Line)
			for _, a := range e.Anchors {
				s += " in " + a.Text
			}
			s += fmt.Sprint(" ", e.AtEnd)
		}
		changes = append(changes, s)
	}
	return changes
}}

func TestParse(t *testing.T) {
	const hunk = "@@\n-a\n+b\n"
	for doc, want := range map[string]string{
		"*** Update File: a\n" + hunk:                                                                                `4 a  "" "a\n"->"b\n" at 0 false`,
		"*** Update File: a b/c.txt  \n@@ x\n@@ y @@\n-a\n+b\n":                                                      `4 a b/c.txt  "" "a\n"->"b\n" at 0 in x in y false`,
		"*** Update File: a\n@@ -3,2 +3,2 @@ func f()\n-a\n+b\n":                                                     `4 a  "" "a\n"->"b\n" at 3 false`,
		"*** Update File: a\n@@ ... @@\n-a\n+b\n":                                                                    `4 a  "" "a\n"->"b\n" at 0 false`,
		"*** Update File: a\n-a\n+b\n":                                                                               `4 a  "" "a\n"->"b\n" at 0 false`,
		"*** Update File: a\n@@\n x\n\n-a\n+b\n\n\n":                                                                 `4 a  "" "x\n\na\n"->"x\n\nb\n" at 0 false`,
		"*** Update File: a\n@@\n-a\n+b\n*** End of File\n":                                                          `4 a  "" "a\n"->"b\n" at 0 true`,
		"*** Update File: a\n*** Move to: b\n":                                                                       `5 a b ""`,
		"*** Add File: a\n+x\n+\n+ y\n\n*** Delete File: b\n":                                                        "1 a  \"x\\n\\n y\\n\"\n3 b  \"\"",
		"*** Update File: a\n@@\n-a\n+b\n\\ No newline at end of file\n":                                             `4 a  "" "a\n"->"b\n" at 0 false`,
		"bash -lc \"cd ./x/ && apply_patch <<'PATCH'\n*** Begin Patch\n*** Delete File: b\n*** End Patch\nPATCH\"\n": `3 x/b  ""`,
		"*** Update File: a\n*** Update File: b\n" + hunk:                                                            "",
		"*** Update File:\n" + hunk:                                                                                  "",
		"*** Begin Patch\n*** Begin Patch\n*** Delete File: b\n*** End Patch\n":                                      "",
		"*** Update File: a\n" + hunk + "*** Move to: b\n":                                                           "",
	} {
		if got := strings.Join(subject.Said("```\n"+doc+"```\n", nil), "\n"); got != want {
			t.Errorf("%q says\n%s, want\n%s", doc, got, want)
		}
	}
}

// The text that a hunk's notation writes is read as the same find and replacement.
func TestWriteBoth(t *testing.T) {
	for _, texts := range [][2]string{{"a\nb\n", "a\nc\n"}, {"a\n", ""}, {" a\n\n-b\n", "+a\n\n@@\n"}, {"a\n\nb\n", "a\nb\n"}, {"```\n", "*** End Patch\n"}} {
		for _, eol := range []string{"\n", "\r\n"} {
			body := findreplace.HunkWriter{EOL: eol}.WriteBoth(texts[0], texts[1]).New
			p := read(format.Whole("*** Begin Patch" + eol + "*** Update File: a" + eol + "@@" + eol + body + "*** End Patch" + eol)).parsed
			if len(p.Set.Changes) != 1 || len(p.Diagnostics) > 0 {
				t.Fatalf("%q: %v", body, p.Diagnostics)
			}
			got := p.Set.Changes[0].Steps[0].(findreplace.WholeLines).Readings[0]
			if text.WithEOL(got.Find, text.LF) != texts[0] || text.WithEOL(got.Replace, text.LF) != texts[1] {
				t.Errorf("%q is written as %q and read as %q, %q", texts, body, got.Find, got.Replace)
			}
		}
	}
}

func TestPrefixes(t *testing.T) { subject.CheckPrefixes(t, parsetest.Prefixes{}) }

func FuzzParse(f *testing.F) {
	subject.Fuzz(f, nil, func(t *testing.T, r *format.Region, p format.Parsed) {
		for _, c := range p.Set.Changes {
			if at := c.PathAt.Span; !strings.HasSuffix(c.Path, strings.TrimLeft(at.In(r.Body), "./")) {
				t.Fatalf("the path %q is at %q", c.Path, at.In(r.Body))
			}
		}
	})
}

// If a fix writes the path of a file, the path is read as that file, in whatever folder a command
// begins.
func TestWrittenFromFolder(t *testing.T) {
	for _, dir := range []string{"a", "a/b", "a/b/c"} {
		for _, file := range []string{"x", "a/x", "a/b/x", "a/b/c/x", "a/bc/x", "b/x", "ab/x"} {
			written := inside{dir}.Write(file)
			if got := (&reader{dir: dir}).below(written); got != file {
				t.Errorf("in %s, %s is written as %s and read as %s", dir, file, written, got)
			}
		}
	}
}
