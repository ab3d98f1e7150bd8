package mdblock

import (
	"strings"
	"testing"

	"github.com/aptix-dev/aptix/server/internal/text"
)

var seeds = []string{
	"", "\ufeff```json\n{}\n```", "> - ```json\r\n>   {\"a\": \"\r\n>   ```\r\n>   \"}\r\n>   ```\r\n",
	"- ```patch\n--- a\n+++ b\n@@ -1,2 +1 @@\n ```\n```\n", "```ap\na1b2c3d4 AP 3.2\na1b2c3d4 content\n```\na1b2c3d4 END\n```",
	">\t```x\n>\t\ty\n>z", "1.\t~~~\n\r\r\n\t  \x00\xff", "<!--\n```\n-->\n~~~ a\n", "- -\n\n  ```\n", "~~~\n@@ @@\n ~~~\n~~~",
	"A patch can’t be\n> safely generated", "Unable to generate a safe Git patch", "   ```\n a\n\t\n", "```",
}

func FuzzFind(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, doc string) {
		at := 0
		for _, b := range Find(doc) {
			if b.Span.Start < at || b.Open.Start != b.Span.Start || b.Open.End > b.Span.End || b.Span.End > len(doc) {
				t.Fatalf("Span %v, Open %v behind %d in %d bytes", b.Span, b.Open, at, len(doc))
			}
			at = b.Span.End
			checkMapping(t, doc, b)
			checkMappedEdits(t, doc, b)
		}
		if span, ok := Read(doc).Declined(); ok && (span.Start >= span.End || span.End > len(doc)) {
			t.Fatalf("Declined %v in %d bytes", span, len(doc))
		}
	})
}

// checkMapping reads Body back from the host, byte by byte. Only the rest of a tab is not
// literally in the host.
func checkMapping(t *testing.T, doc string, b Block) {
	before := b.Open.End
	for i := range len(b.Body) {
		at := b.HostOffset(i)
		if at < before || at >= b.Span.End {
			t.Fatalf("byte %d of the body is at %d, behind %d in %v", i, at, before, b.Span)
		}
		if doc[at] != b.Body[i] && (b.Body[i] != ' ' || doc[at] != '\t') {
			t.Fatalf("byte %d of the body is %q, and %q in the host", i, b.Body[i], doc[at])
		}
		before = at
	}
	if end := b.HostOffset(len(b.Body)); end < before || end > b.Span.End {
		t.Fatalf("the body ends at %d, behind %d in %v", end, before, b.Span)
	}
	if all := b.HostSpan(text.Span{Start: 0, End: len(b.Body)}); !b.Span.Contains(all) {
		t.Fatalf("the body is %v in %v", all, b.Span)
	}
}

func checkMappedEdits(t *testing.T, doc string, b Block) {
	for _, e := range []text.Edit{
		{Span: text.Span{Start: 0, End: len(b.Body)}, New: "x\ny"},
		{Span: text.Span{Start: len(b.Body) / 2, End: len(b.Body) / 2}, New: "\r"},
		{Span: text.Span{Start: len(b.Body) / 3, End: len(b.Body)}, New: ""},
	} {
		if _, err := text.Apply(doc, []text.Edit{b.HostEdit(e)}); err != nil {
			t.Fatalf("edit %v of %q is %v: %v", e, b.Body, b.HostEdit(e), err)
		}
	}
}

// FuzzFindLikeGoldmark leaves out bytes that goldmark, unlike CommonMark 0.31, treats as white space, line endings or
// text.
func FuzzFindLikeGoldmark(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, doc string) {
		if differs.MatchString(doc) || strings.ContainsAny(doc, "\r\f\v\x00\ufeff") {
			return
		}
		checkOracle(t, doc)
	})
}
