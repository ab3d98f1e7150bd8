package main

import (
	"fmt"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/locate"
)

const matchingHead = `<!-- Generated from server/internal/locate by ` + "`make gen`" + `. Do not edit. -->

# How a passage is found

A passage is the text that an edit looks for: a find, the lines of a hunk, a snippet. Models often copy it with small
mistakes. The rules below are tried in order, and the first one that finds the passage decides. Only the exact rule, and for
a find the rule for line endings, apply an edit as it is. What another rule finds is a message, or a quick-fix that rewrites
the *reply*, so that it says what the file has. A certain fix is made by ` + "`--fix`" + ` and *Fix all*; any other is
one to choose. A format's own law comes first: an ap patch forgives indentation (see [its page](formats/ap.md)), a git patch
goes where git puts it, and a line patch forgives nothing.

What came of a passage is one of five verdicts: it *applies*; it is *done*, because its replacement is in the file already;
it is *ambiguous*, because it is in several places; it is *near*, because a looser rule finds it; or it is *missing*.
`

// renderMatching writes a section for each rule.
func renderMatching(_, _ string) (string, error) {
	var b strings.Builder
	b.WriteString(matchingHead)
	for i, r := range locate.Rules() {
		fmt.Fprintf(&b, "\n## %d. %s\n\n- **Forgives:** %s\n- **Certain:** %s\n- **Replacement:** %s\n", i+1, title(r.Name), r.Forgives, r.Certain, r.Replacement)
	}
	return b.String(), nil
}
