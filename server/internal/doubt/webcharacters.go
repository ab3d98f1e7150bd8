package doubt

import (
	"fmt"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/artifact"
	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// webCharacters finds no-break spaces in an indentation, and characters of no width, if the
// file has none. They come from a web page, and no program wants them. The fix is certain
// for the whole text of an existing file (rule R50).
var webCharacters = Rule{
	ID: "web-characters",
	Doubts: func(c *Change) *Doubt {
		if c.Raw {
			return nil
		}
		if c.Whole {
			return c.webCharactersInWhole()
		}
		for _, r := range c.Runs {
			if r.copied() && !c.hasWebCharacters() {
				return &Doubt{At: r.At, Verdict: diag.Warning, Code: diag.CopiedText,
					Message: "the new lines have no-break spaces for their indentation, or a character that cannot be seen, as copies from a web page do; the file has none"}
			}
		}
		return nil
	},
	Examples: []Example{
		{Name: "whole", Before: "f:\n  a\n", After: "f:\n\u00a0\u00a0b\n", Facts: Facts{Whole: true}, Want: diag.Warning, Code: diag.CopiedText},
		{Name: "new", After: "f:\n\u00a0\u00a0b\n", Facts: Facts{New: true}, Want: diag.Warning, Code: diag.CopiedText},
		{Name: "piece", Before: "f:\n  a\n", After: "f:\n  a\u200b\n", Want: diag.Warning, Code: diag.CopiedText},
		{Name: "of the file", Before: "f:\n\u00a0\u00a0a\n", After: "f:\n\u00a0\u00a0b\n", Facts: Facts{Whole: true}},
		{Name: "in words", Before: "x\n", After: "x\n12\u00a0km, 👩\u200d💻\n"},
	},
}

func (c *Change) webCharactersInWhole() *Doubt {
	plain := artifact.PlainSpaces(c.Content)
	if plain == c.Content || c.hasWebCharacters() {
		return nil
	}
	d := &Doubt{At: c.textAt(), Verdict: diag.Warning, Code: diag.CopiedText,
		Message: fmt.Sprintf("line %d of the text has no-break spaces for its indentation, or a character that cannot be seen, as copies from a web page do", firstOther(c.Content, plain))}
	if c.ContentAt.Span != (text.Span{}) {
		d.Fixes = []diag.Fix{{Title: "Write plain spaces", Edits: []text.Edit{c.ContentAt.Set(plain)}, Preferred: !c.New}}
	}
	return d
}

// copied reports whether a run adds such characters.
func (r Run) copied() bool {
	return slices.ContainsFunc(r.New, func(line string) bool { return artifact.PlainSpaces(line) != line })
}

func (c *Change) hasWebCharacters() bool {
	return artifact.PlainSpaces(c.Before()) != c.Before()
}

// firstOther returns the number of the first line that differs between two texts, from 1.
func firstOther(a, b string) int {
	i := 0
	for i < min(len(a), len(b)) && a[i] == b[i] {
		i++
	}
	return 1 + strings.Count(text.WithEOL(a[:i], text.LF), "\n")
}
