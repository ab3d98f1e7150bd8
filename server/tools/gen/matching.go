package main

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/artifact"
	"github.com/aptix-dev/aptix/server/tools/artifacts"
)

const matchingHead = `<!-- Generated from server/tools/artifacts by ` + "`make gen`" + `. Do not edit. -->

# How a passage is found

A passage is the text that an edit looks for: a find, the lines of a hunk, a snippet. Models often copy it with small mistakes.
The rules below are tried in order, and the first one that finds the passage decides. Two rules apply an edit as it is: the
exact rule and, if the passage is a find, the rule for line endings. If any other rule finds the passage, the result is a
message, or a quick-fix that rewrites the *reply* with the text of the file. ` + "`--fix`" + ` and *Fix all* make the fixes that are certain;
the others are offered. The rules of a format come first: an ap patch ignores indentation (see [its page](formats/ap.md)), a git
patch applies at the place that git chooses, and a line patch must match exactly.

A passage gets one of five verdicts: it *applies*; it is *done*, because the file already has its replacement; it is
*ambiguous*, because it occurs in several places; it is *near*, because a looser rule finds it; or it is *missing*.

A fix that a rule only offers is certain after all if three conditions hold: only lines that the edit keeps differ from the file;
the rule explains each difference; and the added lines certainly do not have the same damage. Added lines may have the damage if the
rule would change them. If characters were lost, added lines may have lost some, too. The exception: the
file has these characters only between quotes, and the added lines have no quotes.
`

const matrixHead = `
## Effects on new text

The same damage can happen to new text. ` + "`make matrix`" + ` damages a text with each artifact, in every way in which that
artifact occurs. It writes the damaged text in every notation (as a whole file, as a piece of a file and as a new file) and
checks the result. The rows below the artifacts are other damage, which no rule undoes. *Asks* means a question or a refusal in
every notation. If a text is applied, its cell gives the reason. The controls are the undamaged text, and files that already have
such text of their own: Aptix asks about none of them.

`

const measuredHead = `
## Measured

` + "`make measure`" + ` applies edits that models really wrote and real diffs that a script damaged, and compares the tree with
the intended one. *Replies* come from the chat history in aider's repository and are rewritten in our formats. A reply counts
only if its commit has at least half of the reply's new lines. *To the letter* means that the tree has exactly the result of the
reply, but the commit has a different one. In *half* and *wrong*, the exit status is 0, but the tree is not the intended one.

*Codex's scenarios* and *Copilot's corpus* are the apply_patch patches with which codex and Copilot test themselves. A scenario that codex
refuses, or that Aptix refuses by a rule ([P2, P3, P10, P11, P16](formats/apply-patch.md)), is right if nothing is
written; a file without a final newline stays without one ([P14](formats/apply-patch.md#p14)). Context lines of nearly all patches
in the corpus have lost their space.

*Older text* has replies and diffs that were made for an earlier version of the files. This version is in HEAD, the index or a
commit (even of a repository whose top is above the root), or only in Aptix's history. A result is right if git's merge gives the
same. Aptix asks before a merge, so these replies are refused without ` + "`--yes`" + `. If git has a conflict, only a refusal is right.

*Left out* counts replies that leave out lines ([elided.md](formats/elided.md)). They are made from files of commits, in the
styles of models; the name of each set says which lines its replies show. Without ` + "`--yes`" + `, a result is wrong if the change is
unintended and nobody was asked. With ` + "`--yes`" + `, the most likely reading is applied without a question, and a result is wrong if a
person would have refused it. In these sets, *half* counts the replies that changed nothing, because the commit changes only white space at line ends or blank
lines, or removes lines that the reply does not show. In the styles e to k, a question is right, because the reply does not show
which change is intended.

The sentence below the tables is about Markdown files of public repositories: documentation, specifications, prompts and recorded
chats. Each file is checked in its own tree, with all formats. A person has read every file in which a block was found.

If a reply is refused even with ` + "`--yes`" + `, the model gets a text that explains the problems. The second table is about
these texts.
[CONTRIBUTING.md](../CONTRIBUTING.md) says how to repeat both measurements.

`

// renderMatching writes a section for each rule. It does not change the section with the
// measurements.
func renderMatching(_, old string) (string, error) {
	var b strings.Builder
	b.WriteString(matchingHead)
	for i, r := range artifact.Table() {
		about := artifacts.Of[r]
		certain := cmp.Or(about.Certain, "Yes, if the repaired passage is long enough and occurs once in the file, and the replacement can be repaired throughout, too.")
		fmt.Fprintf(&b, "\n## %d. %s\n\n- **Forgives:** %s\n- **Certain:** %s\n- **Replacement:** %s\n", i+1, title(r.Name), about.Forgives, certain, about.Replacement)
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
