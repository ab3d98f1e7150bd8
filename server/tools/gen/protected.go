package main

import (
	"fmt"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/protect"
)

const protectedHead = `<!-- Generated from server/internal/protect by ` + "`make gen`" + `. Do not edit. -->

# Protected files

Aptix asks before it writes a file that a program would run, or obey as its configuration, without asking ([rule R17](formats/README.md#r17)).
An editor asks you, with the reason; the command line needs ` + "`" + `--allow-protected` + "`" + `. These files are protected:

- Files with the names below, at any depth, in any spelling that a file system treats as the same, and everything in folders with these
  names. The names of the folders above the root are checked, too, because the root may be the folder of an ` + "`" + `.ap` + "`" + ` file. In a git
  working tree, only the folders up to its top are checked.
- The target of a link with such a name: with ` + "`" + `.vscode -> cfg` + "`" + `, all of ` + "`" + `cfg` + "`" + `. The link may be anywhere in the git working
  tree, or, without git, in the root. If there are more than 300,000 files, Aptix asks about every file. Links in ` + "`" + `.git` + "`" + `, and
  other names (hard links) of such a file, are protected in the same way.
- Files that git ignores, now or by the ` + "`" + `.gitignore` + "`" + ` files of the last commit. So a reply cannot make a file writable by changing these rules.
- A ` + "`" + `.gitignore` + "`" + ` with uncommitted rules, or one in a folder below it: after a change, nothing records the old rules.
- Files that git's configuration names: the folder of ` + "`" + `core.hooksPath` + "`" + `, the lists of ` + "`" + `core.excludesFile` + "`" + ` and ` + "`" + `core.attributesFile` + "`" + `, files
  that it includes or may include later, and each file that a word of a command names (a filter, an alias, a pager, a credential
  helper, and every other key that runs a program). In ` + "`" + `cd tools && ./clean.sh` + "`" + `, that file is ` + "`" + `tools/clean.sh` + "`" + `. This
  applies to the repositories that contain the root, and to all repositories in the working tree, including submodules and linked
  working trees. If one of these configurations cannot be read, Aptix asks about every file.
- Your own git files, if the root contains them or they are links into it: ` + "`" + `~/.gitconfig` + "`" + `, ` + "`" + `config` + "`" + `, ` + "`" + `ignore` + "`" + ` and ` + "`" + `attributes` + "`" + ` in
  ` + "`" + `~/.config/git` + "`" + ` or ` + "`" + `$XDG_CONFIG_HOME/git` + "`" + `, the files that ` + "`" + `GIT_CONFIG_GLOBAL` + "`" + ` and ` + "`" + `GIT_CONFIG_SYSTEM` + "`" + ` name, and the programs that
  variables such as ` + "`" + `GIT_EXTERNAL_DIFF` + "`" + `, ` + "`" + `GIT_SSH_COMMAND` + "`" + ` and ` + "`" + `EDITOR` + "`" + ` name.
- Every file of a repository in which git cannot list the ignored files, because ` + "`" + `.git` + "`" + ` is broken or bare, or belongs to another
  working tree, or because git is missing or does not answer within ten seconds.
- Files that the setting ` + "`" + `aptix.protected` + "`" + ` or the environment variable ` + "`" + `APTIX_PROTECTED` + "`" + ` names. In the variable, names are separated
  as in ` + "`" + `PATH` + "`" + `. The settings of a workspace cannot change that list.

Protected files are not uploaded to a shared [file set](filesets.md).

The table leaves out files that a person must run (` + "`" + `Makefile` + "`" + `, ` + "`" + `Vagrantfile` + "`" + `, ` + "`" + `Dockerfile` + "`" + `). It also leaves out the code that
the build and the tests of a project run in any case: ` + "`" + `package.json` + "`" + `, ` + "`" + `build.rs` + "`" + `, ` + "`" + `conftest.py` + "`" + `, ` + "`" + `CMakeLists.txt` + "`" + `, the configuration of
linters and bundlers. Models change these every day. A question that everybody answers with yes protects nothing, and a reply that
may change the code can put the same commands there. To be asked about such files, name them in ` + "`" + `aptix.protected` + "`" + `.
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
