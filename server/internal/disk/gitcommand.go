package disk

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"
)

const (
	gitTime      = 3 * time.Second // for all that one question needs
	maxGitOutput = 256 << 20       // bytes
)

// errSlowGit is that git did not answer in [gitTime]: it waits for something, such as a
// FIFO or a network.
var errSlowGit = fmt.Errorf("git did not answer within %d seconds", gitTime/time.Second)

// A gitError is what git said when it failed.
type gitError struct {
	exit    int
	message string
}

func (e *gitError) Error() string { return e.message }

// gitSettings are the settings for every call. A workspace may come from anywhere, so
// whatever a repository's configuration can make git run is off: the file system
// monitor, and fetching for a partial clone. As nothing in it is run, the repository may
// also be another user's, as in many containers.
var gitSettings = []string{"--no-replace-objects", "-c", "core.fsmonitor=false", "-c", "safe.directory=*"}

// runGit runs git in a folder that may come from anywhere, and returns what it prints, at
// most [maxGitOutput]. An error is a [*gitError], [exec.ErrNotFound], ctx's, or one of
// starting it.
func runGit(ctx context.Context, folder, stdin string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "git", slices.Concat(gitSettings, args)...)
	cmd.Dir, cmd.Env = folder, gitEnv()
	cmd.Stdin = strings.NewReader(stdin)
	cmd.WaitDelay = time.Second
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		return "", err
	}
	if err := cmd.Start(); err != nil {
		return "", err
	}
	var out bytes.Buffer
	_, err = io.Copy(&out, io.LimitReader(pipe, maxGitOutput))
	err = errors.Join(err, cmd.Wait())
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	if exit, failed := errors.AsType[*exec.ExitError](err); failed {
		return out.String(), &gitError{exit.ExitCode(), strings.ReplaceAll(strings.TrimSpace(stderr.String()), "\n", "; ")}
	}
	return out.String(), err
}

// gitEnv returns the environment without the variables that name another repository,
// which git sets for hooks; and with no prompts, no lock on the index, no network for
// the objects of a partial clone, no trace into what may be a FIFO, and messages in
// English.
func gitEnv() []string {
	foreign := []string{"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES",
		"GIT_COMMON_DIR", "GIT_NAMESPACE", "GIT_PREFIX", "GIT_LITERAL_PATHSPECS", "GIT_GLOB_PATHSPECS", "GIT_NOGLOB_PATHSPECS", "GIT_ICASE_PATHSPECS"}
	env := slices.DeleteFunc(os.Environ(), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return slices.Contains(foreign, name)
	})
	return append(env, "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0", "GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=",
		"GIT_TRACE2=0", "GIT_TRACE2_EVENT=0", "GIT_TRACE2_PERF=0", "LC_ALL=C")
}
