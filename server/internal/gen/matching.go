package main

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/artifact"
)

const matchingHead = `<!-- Generated from server/internal/artifact by ` + "`make gen`" + `. Do not edit. -->

# How a passage is found

A passage is the text that an edit looks for: a find, the lines of a hunk, a snippet. Models often copy it with small
mistakes. The rules below are tried in order, and the first one that finds the passage decides. Only the exact rule, and for
a find the rule for line endings, apply an edit as it is. What another rule finds is a message, or a quick-fix that rewrites
the *reply*, so that it says what the file has. A certain fix is made by ` + "`--fix`" + ` and *Fix all*; any other is
one to choose. A format's own rules come first: an ap patch forgives indentation (see [its page](formats/ap.md)), a git patch
goes where git puts it, and a line patch forgives nothing.

What came of a passage is one of five verdicts: it *applies*; it is *done*, because its replacement is in the file already;
it is *ambiguous*, because it is in several places; it is *near*, because a looser rule finds it; or it is *missing*.
`

const matrixHead = `
## What comes of such a text

New text may have gone through all this, too. ` + "`make matrix`" + ` does each artifact to a text in each of its ways, writes it in every notation
as a whole file, as a piece of one and as a new file, and checks it. *Asks* is a question or a refusal in every notation. A text is
applied if its cell gives a reason. The controls are the same text as it should be, and files that are so themselves: none asks.

`

const measuredHead = `
## Measured

` + "`make measure`" + ` applies edits that models really wrote and real diffs that a script damaged, and compares the tree with the
one that was meant. *Replies* are those of the chat history in aider's repository whose commits have at least half of their
new lines; they are written here in our formats. *To the letter* is a tree that has exactly what the reply says, where the commit
has something else. *Half* and *wrong* end with exit status 0 and another tree.

*Codex's scenarios* and *Copilot's corpus* are the apply_patch patches by which those programs test themselves. A scenario that codex
refuses, or of which a rule says that it is refused here ([P2, P3, P10, P11, P16](formats/apply-patch.md)), is right if nothing is
written; where the file has no final newline, it keeps none ([P14](formats/apply-patch.md#p14)). Context lines of nearly all patches
in the corpus have lost their space.

*Older text* is replies and diffs whose files are as they were at another commit, so that what the reply looks for is only in an
earlier text: in HEAD, the index, a commit, a folder below the top of its repository, or Aptix's history alone. Right is what
git merges. A merge asks, so that without ` + "`--yes`" + ` it is refused. Where git has a conflict, only to refuse is right.

*Left out* is files of commits as replies that leave out lines ([elided.md](formats/elided.md)), in the styles of models. Without
` + "`--yes`" + `, wrong is a change that nobody was asked about. With it, the likeliest reading is made unseen, and wrong is what a person
would have refused. *Half* is nothing changed: the commit only changes white space at the ends of lines or blank lines, or lines went
that the reply does not show. In styles e to k a question is right: there the reply does not tell what is meant.

The sentence below the tables is about Markdown files of public repositories: documentation, specifications, prompts and recorded
chats. Each is checked in its own tree, with all formats. A person looked at every file in which a block is found.

The second table is about the text for the model where ` + "`--yes`" + ` does not apply a reply either.
[CONTRIBUTING.md](../CONTRIBUTING.md) says how to make both again.

`

// renderMatching writes a section for each rule, and keeps the measurements.
func renderMatching(_, old string) (string, error) {
	var b strings.Builder
	b.WriteString(matchingHead)
	for i, r := range artifact.Table() {
		certain := cmp.Or(r.Certain, "Yes, where the passage is then there once and says enough, and the replacement loses all of it too.")
		fmt.Fprintf(&b, "\n## %d. %s\n\n- **Forgives:** %s\n- **Certain:** %s\n- **Replacement:** %s\n", i+1, title(r.Name), r.Forgives, certain, r.Replacement)
	}
	b.WriteString(matrixHead + kept(old, "matrix") + measuredHead + kept(old, "measure"))
	return b.String(), nil
}

// kept returns the section between two marks, which another command writes.
func kept(old, name string) string {
	begin, end := "<!-- "+name+" -->\n", "<!-- /"+name+" -->\n"
	_, section, _ := strings.Cut(old, begin)
	section, _, _ = strings.Cut(section, end)
	if section == "" {
		section = "Not measured yet.\n"
	}
	return begin + section + end
}
