package git

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/user"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/fspath"
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
)

// A configuration is the part of a repository's configuration that this package needs. Its paths are absolute.
type configuration struct {
	excludesFile string
	workTree     string
	// named has the files and folders that git reads or runs, each with the reason why it is protected. The keys are
	// from [Comparable].
	named map[string]string
	programs
}

const mostIncluded = 50

// readConfig runs git to read the configuration of a working tree, with all included files. It also reads a file that
// is included under a condition that is now false, because the condition may become true. If an included file is a
// FIFO, readConfig returns only when `ctx` ends.
func readConfig(ctx context.Context, r Repository) (configuration, error) {
	return r.config(ctx, r.Top, nil, []string{""}, "config", "--includes")
}

// named reads the configuration of a repository to find the files that it names. If the configuration names another
// working tree, its paths may also mean files below that tree, so named reads the configuration a second time. Each
// file is read separately, because git may later be able to read an included file that it cannot read now.
//
// `shared` has the entries that hold for every repository (see [sharedEntries]). If `r` has only a Top, that folder is
// not in a repository, and only `shared` and the person's own files count.
func (r Repository) named(ctx context.Context, shared []entry) ([]configuration, error) {
	files := append(personal(), "")
	if r.Dir != "" {
		if err := r.readable(nil); err != nil {
			return nil, err
		}
		files = append(files, filepath.Join(r.Common, "config"), filepath.Join(r.Dir, "config.worktree"))
	}
	c, err := r.config(ctx, cmp.Or(r.Dir, r.Top), shared, files, ofFile...)
	if err != nil || !c.foreign(r) {
		return []configuration{c}, err
	}
	r.Top = fspath.Real(c.workTree)
	other, err := r.config(ctx, r.Dir, shared, files, ofFile...)
	return []configuration{c, other}, err
}

// ofFile is the git command that lists the entries of one configuration file. If no file is named, it lists all entries
// that do not depend on a repository.
var ofFile = []string{"--git-dir=" + os.DevNull, "config", "--no-includes"}

// sharedEntries runs git to read the configuration that all repositories share: the system's (only git can find its
// path), the person's, and the entries in environment variables such as GIT_CONFIG_COUNT.
func sharedEntries(ctx context.Context) []entry {
	entries, _ := listed(ctx, os.TempDir(), "", ofFile) // ignore the error: if the person's own file is broken, git runs nothing at all
	return entries
}

// config runs a git command in a folder to list the configuration of a repository. `waiting` lists the files to read;
// "" stands for all files that git reads. If the command has --no-includes, config reads each file separately, and
// leaves out files that git cannot read. In this case, "" stands for the entries in `shared`.
func (r Repository) config(ctx context.Context, folder string, shared []entry, waiting []string, command ...string) (configuration, error) {
	c := configuration{named: map[string]string{}}
	for _, name := range personal() {
		c.name(name, "it is part of the user's git configuration")
	}
	c.addVariables(r.Top)
	apart := slices.Contains(command, "--no-includes")
	known := map[string]bool{}
	for ; len(waiting) > 0; waiting = waiting[1:] {
		name := waiting[0]
		switch {
		case len(known) > mostIncluded:
			return c, fmt.Errorf("its configuration includes more than %d files", mostIncluded)
		case known[name]:
			continue
		case name != "":
			if wantFile(name) != nil {
				// git would ignore the file, or wait for it if it is a FIFO.
				continue
			}
		}
		known[name] = true
		entries, ok := plainEntries(name)
		if apart && name == "" {
			entries = shared
		} else if !apart || !ok {
			var err error
			entries, err = listed(ctx, folder, name, command)
			if _, said := errors.AsType[*refusal](err); said && apart {
				continue
			} else if err != nil {
				return c, err
			}
		}
		for _, e := range entries {
			files := []string{}
			if e.from != "" && !fspath.IsGit(filepath.ToSlash(e.from)) { // no reply may write a file inside .git anyway
				files = append(files, e.from)
			}
			if isInclude(e.key) {
				included := expanded(filepath.Dir(e.from), e.value)
				files, waiting = append(files, included), append(waiting, included)
			}
			for _, name := range files {
				c.name(name, "it is part of the git configuration")
			}
			c.add(r, e.key, e.value, apart || name == "")
		}
	}
	return c, nil
}

// listed runs git to list the entries of the file `name`. If `name` is "", it lists the entries of all files that git
// reads in `folder`.
func listed(ctx context.Context, folder, name string, command []string) (entries []entry, err error) {
	args := slices.Concat(command, []string{"-z", "--show-origin", "--list"})
	if name != "" {
		args = append(args, "--file", name)
	}
	out, err := run(ctx, folder, "", args...)
	fields := strings.Split(out, "\x00")
	for i := 0; i+1 < len(fields); i += 2 {
		e := entry{}
		e.key, e.value, _ = strings.Cut(fields[i+1], "\n")
		if from, isFile := strings.CutPrefix(fields[i], "file:"); isFile {
			e.from = LeadsTo(folder, filepath.FromSlash(from))
		}
		entries = append(entries, e)
	}
	return entries, err
}

// name records that a file or folder is protected. Its path may contain links.
func (c *configuration) name(name, reason string) {
	for _, name := range []string{name, fspath.Real(name)} {
		if name != "" && c.named[Comparable(name)] == "" {
			c.named[Comparable(name)] = reason
		}
	}
}

// nameHooks records that a folder of hooks is protected. If the folder contains the whole working tree, only files with
// the names of hooks are protected.
func (c *configuration) nameHooks(folder, top string) {
	const reason = "git runs the hooks in it (core.hooksPath)"
	if folder == "" {
		return
	}
	if !fspath.Contains(folder, top) {
		c.name(folder, reason)
		return
	}
	for _, hook := range hooks {
		c.name(filepath.Join(folder, hook), reason)
	}
}

var hooks = []string{"applypatch-msg", "pre-applypatch", "post-applypatch", "pre-commit", "pre-merge-commit", "prepare-commit-msg", "commit-msg", "post-commit", "pre-rebase",
	"post-checkout", "post-merge", "pre-push", "post-rewrite", "pre-receive", "update", "proc-receive", "post-receive", "post-update", "push-to-checkout", "sendemail-validate",
	"fsmonitor-watchman", "post-index-change", "pre-auto-gc", "reference-transaction", "p4-changelist", "p4-prepare-changelist", "p4-post-changelist", "p4-pre-submit"}

// reason returns the reason why a file is protected, or "". `real` is the path of the file with links resolved.
func (c *configuration) reason(file, real string) string {
	for _, name := range []string{file, real} {
		for name = Comparable(name); ; name = path.Dir(name) {
			if reason := c.named[name]; reason != "" {
				return reason
			}
			if path.Dir(name) == name {
				break
			}
		}
	}
	if c.run(file, real) {
		return "git runs it (git configuration)"
	}
	return ""
}

func isInclude(key string) bool {
	return key == "include.path" || strings.HasPrefix(key, "includeif.") && strings.HasSuffix(key, ".path")
}

// add records the files and programs that an entry of the configuration names. If `now` is false, a condition is false,
// so git does not read the entry's file at present.
func (c *configuration) add(r Repository, key, value string, now bool) {
	switch {
	case key == "core.excludesfile":
		name := expanded(r.Top, value)
		c.name(name, "git reads the names of ignored files from it")
		if now {
			c.excludesFile = name
		}
	case key == "core.worktree":
		if now {
			c.workTree = expanded(r.Dir, value)
		}
	case key == "core.hookspath":
		c.nameHooks(expanded(r.Top, value), r.Top)
	case isInclude(key):
	case runsProgram.MatchString(key):
		c.programs.add(r.Top, key, value)
	case strings.Contains(key+value, "::"): // the address of a remote may contain a command, and so may url.ADDRESS.insteadof
		c.programs.add(r.Top, key, key[:strings.LastIndex(key, ".")]+" "+value)
	}
}

func (c *configuration) addVariables(top string) {
	for _, v := range os.Environ() {
		if name, value, _ := strings.Cut(v, "="); isVariable[name] {
			c.programs.add(top, name, value)
		}
	}
}

// isVariable lists the environment variables that name programs for git, or folders of programs or hooks.
var isVariable = map[string]bool{"GIT_EXTERNAL_DIFF": true, "GIT_PAGER": true, "GIT_EDITOR": true, "GIT_SEQUENCE_EDITOR": true, "GIT_ASKPASS": true,
	"GIT_SSH": true, "GIT_SSH_COMMAND": true, "GIT_PROXY_COMMAND": true, "GIT_EXEC_PATH": true, "GIT_TEMPLATE_DIR": true, "GIT_MAN_VIEWER": true,
	"EDITOR": true, "VISUAL": true, "PAGER": true, "LESSOPEN": true, "LESSCLOSE": true, "SSH_ASKPASS": true, "BROWSER": true}

// expanded returns the absolute path of a file that a configuration names. The name may have the form `~/x`, `~user/x`
// or `:(optional)x`.
func expanded(dir, value string) string {
	value = strings.TrimPrefix(value, ":(optional)")
	if name, rest, ok := strings.Cut(value, "/"); ok && strings.HasPrefix(name, "~") {
		if home, err := os.UserHomeDir(); err == nil && name == "~" {
			return filepath.Join(home, rest)
		}
		if other, err := user.Lookup(name[1:]); err == nil {
			return filepath.Join(other.HomeDir, rest)
		}
	}
	if value == "" {
		return ""
	}
	return LeadsTo(dir, filepath.FromSlash(value))
}

// personal returns the files that git reads for every repository of the person, even if they do not exist. They may be
// in the workspace, for example if it contains the person's dotfiles.
func personal() (names []string) {
	home, err := os.UserHomeDir()
	if err == nil {
		names = append(names, filepath.Join(home, ".gitconfig"))
	}
	dir := excludesDefault()
	if dir != "" {
		dir = filepath.Dir(dir)
		names = append(names, dir, filepath.Join(dir, "config"), filepath.Join(dir, "ignore"), filepath.Join(dir, "attributes"))
	}
	for _, name := range []string{os.Getenv("GIT_CONFIG_GLOBAL"), os.Getenv("GIT_CONFIG_SYSTEM")} {
		if filepath.IsAbs(name) {
			names = append(names, name)
		}
	}
	return names
}

// excludesDefault returns the default path of a person's list of ignored files.
func excludesDefault() string {
	config := os.Getenv("XDG_CONFIG_HOME")
	if config == "" {
		home, err := os.UserHomeDir()
		if err != nil {
			return ""
		}
		config = filepath.Join(home, ".config")
	}
	return filepath.Join(config, "git", "ignore")
}

// withoutHanging returns settings that make git ignore the person's list of ignored files if that list is a FIFO or
// another special file, because git would wait for it.
func (c configuration) withoutHanging() []string {
	name := c.excludesFile
	if name == "" {
		name = excludesDefault()
	}
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
		return []string{"-c", "core.excludesFile="}
	}
	return nil
}

// foreign reports whether the configuration names another working tree, so that the output of git would be about that
// tree.
func (c configuration) foreign(r Repository) bool {
	if c.workTree == "" {
		return false
	}
	real, err := filepath.EvalSymlinks(c.workTree)
	return err != nil || real != r.Top
}

const mostPlain = 64 << 10

// plainSection and plainEntry match the plain lines of a configuration, which every version of git reads in the same
// way. These lines have no quotes, escapes, tabs or double blanks in a value, and no comment after it.
var (
	plainSection = lazyregexp.New(`^\[([A-Za-z0-9-]+)(?: "([^"\\]+)")?\]$`)
	plainEntry   = lazyregexp.New(`^([A-Za-z][A-Za-z0-9-]*) *= *((?:[^ \t"\\#;]| [^ \t"\\#;])*)$`)
)

// An entry is a setting in a configuration. `from` is the absolute path of its file, or "" if the setting is in no
// file.
type entry struct{ key, value, from string }

// plainEntries reads a configuration that has only plain lines, without running git: in a folder with many clones,
// running git for each of them would take too long. ok is false if only git can read the configuration.
func plainEntries(name string) (entries []entry, ok bool) {
	data, err := readFile(name, mostPlain)
	if err != nil || len(data) == mostPlain || strings.ContainsAny(data, "\r\x00\v\f") {
		return nil, false
	}
	section := ""
	for line := range strings.Lines(data) {
		line = strings.Trim(line, " \t\n")
		if line == "" || line[0] == '#' || line[0] == ';' {
			continue
		}
		if m := plainSection.FindStringSubmatch(line); m != nil {
			if section = strings.ToLower(m[1]) + "."; m[2] != "" {
				section += m[2] + "."
			}
			continue
		}
		m := plainEntry.FindStringSubmatch(line)
		if m == nil || section == "" {
			return nil, false
		}
		entries = append(entries, entry{section + strings.ToLower(m[1]), m[2], name})
	}
	return entries, true
}
