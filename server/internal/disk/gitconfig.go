package disk

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
)

// A gitConfig is what a repository's configuration says that matters here. Its paths are
// absolute.
type gitConfig struct {
	excludesFile string
	workTree     string
	hooks        string
	included     []string // files that it reads as a part of itself
	programs     []string // files that git runs
}

// runsPrograms are the keys whose values are commands of git's.
const runsPrograms = `core\.(fsmonitor|editor|pager|sshcommand|askpass|gitproxy|alternaterefscommand)|sequence\.editor|diff\.external|` +
	`diff\..*\.(command|textconv)|filter\..*\.(clean|smudge|process)|merge\..*\.driver|(merge|diff)tool\..*\.(cmd|path)|credential\.(.*\.)?helper|` +
	`gpg\.(.*\.)?program|alias\..*|pager\..*|uploadpack\.packobjectshook|interactive\.difffilter|trailer\..*\.(cmd|command)|remote\..*\.(uploadpack|receivepack)`

const configKeys = `^(core\.(excludesfile|worktree|hookspath)|include\.path|includeif\..*\.path|` + runsPrograms + `)$`

var runs = lazyregexp.New(`^(` + runsPrograms + `)$`)

// readConfig asks git for the configuration that counts for a working tree. It may take
// until ctx ends, as a file that is included may be a FIFO.
func readConfig(ctx context.Context, r repository) (gitConfig, error) {
	out, err := runGit(ctx, r.top, "", "config", "-z", "--includes", "--get-regexp", configKeys)
	if failed, ok := errors.AsType[*gitError](err); ok && failed.exit == 1 {
		err = nil // there is none of them
	}
	var c gitConfig
	for entry := range strings.SplitSeq(out, "\x00") {
		key, value, _ := strings.Cut(entry, "\n")
		c.add(r, key, value)
	}
	return c, err
}

func (c *gitConfig) add(r repository, key, value string) {
	switch {
	case key == "core.excludesfile":
		c.excludesFile = expanded(r.top, value)
	case key == "core.worktree":
		c.workTree = expanded(r.dir, value)
	case key == "core.hookspath":
		c.hooks = expanded(r.top, value)
	case strings.HasPrefix(key, "include"):
		for _, dir := range []string{r.dir, r.common} { // relative to the file that names it, which is nearly always there
			c.included = append(c.included, expanded(dir, value))
		}
	case runs.MatchString(key):
		for word := range strings.FieldsSeq(value) {
			if word = strings.Trim(word, `!"';&|()`); strings.ContainsAny(word, `/\`) && !strings.Contains(word, "://") {
				c.programs = append(c.programs, expanded(r.top, word))
			}
		}
	}
}

// expanded is a path of git's configuration.
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

// excludesDefault is the person's own list of what git ignores, unless it is configured.
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

// withoutHanging is the settings that leave out the person's list where it is no file.
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

// foreign reports whether the configuration names another working tree: git then answers
// for that one.
func (c gitConfig) foreign(r repository) bool {
	if c.workTree == "" {
		return false
	}
	real, err := filepath.EvalSymlinks(c.workTree)
	return err != nil || real != r.top
}
