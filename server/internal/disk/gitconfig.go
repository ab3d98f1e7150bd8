package disk

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// A gitConfig is the part of a repository's configuration that matters here. Its paths are
// absolute.
type gitConfig struct {
	excludesFile string
	workTree     string
	hooks        []string
	read         map[string]string // files that git reads, and what for
	gitPrograms
}

// mostIncluded is the most included files of a configuration that are read.
const mostIncluded = 50

// readConfig asks git for the configuration of a working tree. It includes files whose
// condition is false now but may become true. If an included file is a FIFO, readConfig
// returns only when ctx ends.
func readConfig(ctx context.Context, r repository) (gitConfig, error) {
	c := gitConfig{read: map[string]string{}}
	for _, name := range personal() {
		c.read[name] = "git reads it as a part of the person's configuration"
	}
	waiting, known := []string{""}, map[string]bool{}
	for ; len(waiting) > 0; waiting = waiting[1:] {
		args, name := []string{"config", "-z", "--show-origin", "--list"}, waiting[0]
		switch {
		case len(known) > mostIncluded:
			return c, fmt.Errorf("its configuration includes more than %d files", mostIncluded)
		case known[name]:
			continue
		case name != "":
			if wantFile(name) != nil {
				continue // git ignores the file or, if its condition is true, waits for it
			}
			args = append(args, "--file", name)
		}
		known[name] = true
		out, err := runGit(ctx, r.top, "", append(args, "--includes")...)
		if err != nil {
			return c, err
		}
		entries := strings.Split(out, "\x00")
		for i := 0; i+1 < len(entries); i += 2 {
			key, value, _ := strings.Cut(entries[i+1], "\n")
			from, _ := strings.CutPrefix(entries[i], "file:")
			if isInclude(key) {
				waiting = append(waiting, expanded(filepath.Dir(leadsTo(r.top, filepath.FromSlash(from))), value))
			}
			c.add(r, key, value, name == "")
		}
		for _, name := range waiting {
			c.read[name] = "git reads it as a part of its configuration"
		}
	}
	delete(c.read, "")
	return c, nil
}

func isInclude(key string) bool {
	return key == "include.path" || strings.HasPrefix(key, "includeif.") && strings.HasSuffix(key, ".path")
}

// add adds an entry. now says whether its condition is true now.
func (c *gitConfig) add(r repository, key, value string, now bool) {
	switch {
	case key == "core.excludesfile":
		name := expanded(r.top, value)
		c.read[name] = "git reads it to know what it ignores"
		if now {
			c.excludesFile = name
		}
	case key == "core.worktree":
		if now {
			c.workTree = expanded(r.dir, value)
		}
	case key == "core.hookspath":
		c.hooks = append(c.hooks, expanded(r.top, value))
	case isInclude(key):
	case runsProgram.MatchString(key):
		c.gitPrograms.add(r.top, key, value)
	case strings.Contains(key+value, "::"): // the address of a remote may contain a command
		c.gitPrograms.add(r.top, key, key+" "+value)
	}
}

// expanded returns a path from git's configuration as an absolute path.
func expanded(dir, value string) string {
	if rest, ok := strings.CutPrefix(value, "~/"); ok {
		if home, err := os.UserHomeDir(); err == nil {
			return filepath.Join(home, rest)
		}
	}
	if value == "" {
		return ""
	}
	return leadsTo(dir, filepath.FromSlash(value))
}

// personal returns the files that git reads for every repository of the person, whether or
// not they exist. They may be in the workspace, for example if it holds the person's
// dotfiles.
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

// excludesDefault returns the default path of the person's own list of ignored files.
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

// withoutHanging returns settings that drop the person's list of ignored files if it is not a
// regular file, because git would wait for it.
func (c gitConfig) withoutHanging() []string {
	name := c.excludesFile
	if name == "" {
		name = excludesDefault()
	}
	if info, err := os.Stat(name); err == nil && !info.Mode().IsRegular() {
		return []string{"-c", "core.excludesFile="}
	}
	return nil
}

// foreign reports whether the configuration names another working tree. If it does, git's
// answers are about that one.
func (c gitConfig) foreign(r repository) bool {
	if c.workTree == "" {
		return false
	}
	real, err := filepath.EvalSymlinks(c.workTree)
	return err != nil || real != r.top
}
