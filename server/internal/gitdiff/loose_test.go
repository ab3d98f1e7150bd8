package gitdiff

import (
	"strings"
	"testing"

	"github.com/aptix-dev/aptix/server/internal/text"
	"pgregory.net/rapid"
)

const looseHunk = "@@ -1,3 +1,3 @@\n a\n-b\n+c\n d\n"

func TestFindLoose(t *testing.T) {
	plain := "--- a/x.py\n+++ b/x.py\n"
	for name, c := range map[string]struct {
		doc, want string // the expected patch; "" for none
		why       string
		open      bool
	}{
		"counted":                {doc: "Do:\n\n" + plain + looseHunk + "\nText.\n", want: plain + looseHunk},
		"text at once":           {doc: plain + looseHunk + "Text.\n", want: plain + looseHunk},
		"a list below":           {doc: plain + looseHunk + "\n- c is new\n", want: plain + looseHunk},
		"a line across":          {doc: plain + looseHunk + "\n---\n", want: plain + looseHunk},
		"more lines":             {doc: plain + looseHunk + "-e\n+f\n\nText.\n", want: plain + looseHunk + "-e\n+f\n", why: mayGoOn},
		"more lines below":       {doc: plain + looseHunk + "\n-e\n", want: plain + looseHunk + "\n-e\n", why: mayGoOn},
		"too few lines":          {doc: plain + "@@ -1,3 +1,4 @@\n a\n-b\n", want: plain + "@@ -1,3 +1,4 @@\n a\n-b\n", open: true},
		"only a header":          {doc: "diff --git a/x b/x\nrename from x\nrename to y\n\nText.\n", want: "diff --git a/x b/x\nrename from x\nrename to y\n"},
		"the next header":        {doc: plain + looseHunk + "diff --git a/y b/y\n", want: plain + looseHunk, open: true},
		"the next hunk":          {doc: plain + looseHunk + "@@ -9 +9 @@\n", want: plain + looseHunk + "@@ -9 +9 @@\n", open: true},
		"no counts":              {doc: plain + "@@\n-b\n+c\n\nText.\n", want: plain + "@@\n-b\n+c\n", why: uncounted},
		"no counts, at the end":  {doc: plain + "@@\n-b\n+c\n", want: plain + "@@\n-b\n+c\n", why: uncounted},
		"no hunk header":         {doc: plain + "-b\n+c\n\nText.\n", want: plain + "-b\n+c\n", why: uncounted},
		"a lost diff --git":      {doc: "deleted file mode 100644\nindex 1234567..0000000\n--- a/x.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-b\n\nText.\n", want: "deleted file mode 100644\nindex 1234567..0000000\n--- a/x.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-b\n"},
		"binary":                 {doc: "diff --git a/x b/x\nindex 1..2\nGIT binary patch\nliteral 1\nIcmZPo\n\nliteral 0\nHcmV?d\n\nText.\n", want: "diff --git a/x b/x\nindex 1..2\nGIT binary patch\nliteral 1\nIcmZPo\n\nliteral 0\nHcmV?d\n"},
		"of a merge":             {doc: "diff --cc x\nindex 1,2..3\n--- a/x\n+++ b/x\n@@@ -1,1 -1,1 +1,1 @@@\n- a\n -b\n++c\n\nText.\n", want: "diff --cc x\nindex 1,2..3\n--- a/x\n+++ b/x\n@@@ -1,1 -1,1 +1,1 @@@\n- a\n -b\n++c\n"},
		"words":                  {doc: "--- old\n+++ new\n\n- a\n+ b\n"},
		"headers alone":          {doc: "--- a/x\n+++ b/x\n\nText.\n"},
		"a command":              {doc: "diff --git a/x b/x\n\nshows the header.\n"},
		"a list below a mark":    {doc: "@@ -1,2 +1,2 @@\n- old\n+ new\n"},
		"a variable":             {doc: "@@count = 0\n-b\n+c\n"},
		"front matter":           {doc: "+++\ntitle = 'a'\n+++\n\n-b\n"},
		"in a quote":             {doc: "> " + strings.ReplaceAll(plain+looseHunk, "\n", "\n> ")},
		"indented":               {doc: "    " + strings.ReplaceAll(plain+looseHunk, "\n", "\n    ")},
		"names on one line, not": {doc: "--- foo +++ bar\n- one\n"},
	} {
		t.Run(name, func(t *testing.T) {
			found := findLoose(c.doc, nil)
			if c.want == "" {
				if len(found) > 0 {
					t.Errorf("found %q", found[0].Span.In(c.doc))
				}
				return
			}
			if len(found) != 1 || found[0].Span.In(c.doc) != c.want || found[0].Why != c.why || found[0].Open != c.open {
				t.Errorf("found %+v", found)
				for _, l := range found {
					t.Errorf("%q", l.Span.In(c.doc))
				}
			}
		})
	}
}

// For any text, the patches that are found are in order, and consist of whole lines outside of fences. If a hunk has
// correct counts and stands between two paragraphs, exactly this hunk is found.
func TestLooseProperties(t *testing.T) {
	line := rapid.SampledFrom([]string{"", " a", "-b", "+c", "- item", "Text", "@@ -1,2 +1,2 @@", "@@", "@@ ... @@", "--- a/x", "+++ b/x", "diff --git a/x b/x", "index 1..2", "---", "```", " ```", "GIT binary patch", "literal 3", "rename from x", "*** End Patch"})
	rapid.Check(t, func(t *rapid.T) {
		lines := rapid.SliceOfN(line, 0, 40).Draw(t, "lines")
		doc := strings.Join(lines, "\n")
		var fences []text.Span
		if n := len(doc); n > 0 {
			from := rapid.IntRange(0, n-1).Draw(t, "from")
			fences = append(fences, text.Span{Start: from, End: rapid.IntRange(from+1, n).Draw(t, "to")})
		}
		last := 0
		for _, l := range findLoose(doc, fences) {
			if l.Span.Start < last || l.Span.Empty() || l.Span.End > len(doc) || l.Span.Start > 0 && doc[l.Span.Start-1] != '\n' {
				t.Fatalf("%v after %d in %q", l.Span, last, doc)
			}
			if last = l.Span.End; l.Why != "" && (l.Doubt.Start < l.Span.Start || l.Doubt.End > l.Span.End) {
				t.Fatalf("the doubt %v is not in %v of %q", l.Doubt, l.Span, doc)
			}
			for _, f := range fences {
				if l.Span.Start < f.End && f.Start < l.Span.End {
					t.Fatalf("%v is in the fence %v of %q", l.Span, f, doc)
				}
			}
		}
		whole := "Text.\n\n--- a/x\n+++ b/x\n" + looseHunk
		fence := "```\n{}\n```\n\n"
		if found := findLoose(fence+whole, []text.Span{{End: len(fence) - 1}}); len(found) != 1 {
			t.Fatalf("the patch below a fence is %v", found)
		}
		if found := findLoose(whole+"\nText.\n\n"+doc, nil); len(found) == 0 || found[0].Span.In(whole) != whole[len("Text.\n\n"):] {
			t.Fatalf("the patch above %q is %v", doc, found)
		}
	})
}

// findLoose finds the patches of a document outside of its fences.
func findLoose(doc string, fences []text.Span) (found []Loose) {
	f, read := NewLooseFinder(doc), 0
	for at := 0; at < len(doc); {
		limit := len(doc)
		if len(fences) > 0 {
			limit = fences[0].Start
		}
		_, next := text.LineEnd(doc, at)
		if limit < next {
			for next = at; next < fences[0].End; {
				_, next = text.LineEnd(doc, next)
			}
			fences, read, at = fences[1:], next, next
			continue
		}
		if l, ok := f.Find(at, read, limit); ok {
			found, read, next = append(found, l), l.Span.End, l.Span.End
		}
		at = next
	}
	return found
}
