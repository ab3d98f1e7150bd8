package main

import (
	"fmt"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/protect"
)

const protectedHead = `<!-- Generated from server/internal/protect by ` + "`make gen`" + `. Do not edit. -->

# Protected files

What runs or configures programs without a further question is never written unasked ([rule R17](formats/README.md#r17)). An
editor asks, and says why; the command line wants ` + "`--allow-protected`" + `. Protected are

- the names below, at any depth, with all that is in them, in every spelling that a file system folds to them;
  where the root is deeper than the top of its working tree, as the folder of an ` + "`.ap`" + ` file is, the folders between count as well;
- what a link of such a name leads to: with ` + "`.vscode -> cfg`" + `, all of ` + "`cfg`" + `;
- what git ignores, now or by the ` + "`.gitignore`" + ` files of the last commit, so that a reply that changes them opens nothing;
- what git's configuration names: the folder of ` + "`core.hooksPath`" + `, files that it includes, programs of filters, aliases and the like;
- everything in a repository in which git cannot tell what it ignores, because ` + "`.git`" + ` is broken, bare or that of another
  working tree, or because git is missing or does not answer within three seconds;
- what the setting ` + "`aptix.protected`" + ` names, or the environment variable ` + "`APTIX_PROTECTED`" + `, where the names are separated
  like those of ` + "`PATH`" + `. A workspace's own settings cannot change that list.

Protected files are not uploaded to a shared [file set](filesets.md).
`

func renderProtected(_, _ string) (string, error) {
	var b strings.Builder
	b.WriteString(protectedHead)
	for _, g := range protect.Groups {
		fmt.Fprintf(&b, "\n## %s\n\n| Files and folders | Why |\n| --- | --- |\n", g.Title)
		for _, e := range g.Entries {
			fmt.Fprintf(&b, "| `%s` | %s |\n", strings.Join(e.Names, "` `"), e.Reason)
		}
	}
	return b.String(), nil
}
