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
  where the root is deeper than the top of its working tree, as the folder of an ` + "`.ap`" + ` file is, the folders between count as well,
  and without git all folders above;
- what a link of such a name leads to: with ` + "`.vscode -> cfg`" + `, all of ` + "`cfg`" + `. The link may be anywhere in the working tree of
  git, or in the root where there is none. In one of more than 300,000 files each file asks;
- what git ignores, now or by the ` + "`.gitignore`" + ` files of the last commit, so that a reply that changes them opens nothing;
- a ` + "`.gitignore`" + ` with rules that are not committed, or one below it: once they are changed, nothing remembers what they ignored;
- what git's configuration names: the folder of ` + "`core.hooksPath`" + `, the lists of ` + "`core.excludesFile`" + ` and ` + "`core.attributesFile`" + `, files that it
  includes or may include later, and each file that a word of a command names (a filter, an alias, a pager, a credential helper,
  and every other key that runs a program): with ` + "`cd tools && ./clean.sh`" + `, ` + "`tools/clean.sh`" + `;
- everything in a repository in which git cannot tell what it ignores, because ` + "`.git`" + ` is broken, bare or that of another
  working tree, or because git is missing or does not answer within three seconds;
- what the setting ` + "`aptix.protected`" + ` names, or the environment variable ` + "`APTIX_PROTECTED`" + `, where the names are separated
  like those of ` + "`PATH`" + `. A workspace's own settings cannot change that list.

Protected files are not uploaded to a shared [file set](filesets.md).

Not in the table is what a person has to run (` + "`Makefile`" + `, ` + "`Vagrantfile`" + `, ` + "`Dockerfile`" + `), and what belongs to a project's own code,
which its build and its tests run in any case: ` + "`package.json`" + `, ` + "`build.rs`" + `, ` + "`conftest.py`" + `, ` + "`CMakeLists.txt`" + `, the configuration of linters
and bundlers. Models change these every day. A question that is always answered with yes protects nothing, and a reply that may
change the code can put the same commands there. Who wants to be asked about them names them in ` + "`aptix.protected`" + `.
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
