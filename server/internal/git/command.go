// Package git reads repositories: their folders, the files that they ignore, the programs that their configuration
// names, and the versions of a file. It runs the installed git, in folders that may come from anywhere.
package git

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

// maxOutput limits the output of a command, in bytes.
const maxOutput = 256 << 20

// patience is the longest time for all git commands in one call of this package. It is long, because git may be slow on
// a busy machine, and a file counts as protected if git fails. The caller can give up earlier. patience is a variable,
// so that tests can change it.
var patience = 10 * time.Second

// errSlow means that git did not end within [patience], perhaps because it waits for a FIFO or a network.
var errSlow = fmt.Errorf("git did not answer within %d seconds", patience/time.Second)

// searching is the longest time for the search for earlier versions of a file. It is short, because Aptix does not need
// these versions. It is a variable, so that tests of large repositories on a busy machine can change it.
var searching = 3 * time.Second

type refusal struct {
	exit    int
	message string
}

func (e *refusal) Error() string { return e.message }

// always lists the arguments for every call of git. They turn off everything that the configuration of a repository can
// make git run: the file system monitor, and fetching for a partial clone. Because git then runs nothing from the
// repository, the repository may also belong to another user, as in many containers.
var always = []string{"--no-replace-objects", "-c", "core.fsmonitor=false", "-c", "safe.directory=*"}

// run runs git in a folder that may come from anywhere, and returns at most [maxOutput] bytes of its output. The error
// is a [*refusal], [exec.ErrNotFound], the error of `ctx`, or an error of starting git.
func run(ctx context.Context, folder, stdin string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "git", slices.Concat(always, args)...)
	cmd.Dir, cmd.Env = folder, environment()
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
	_, err = io.Copy(&out, io.LimitReader(pipe, maxOutput))
	err = errors.Join(err, cmd.Wait())
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	if exit, failed := errors.AsType[*exec.ExitError](err); failed {
		return out.String(), &refusal{exit.ExitCode(), strings.ReplaceAll(strings.TrimSpace(stderr.String()), "\n", "; ")}
	}
	return out.String(), err
}

// environment returns the environment for git. It leaves out the variables with which git names another repository when
// it runs a hook. It turns off prompts, the lock on the index, fetching the objects of a partial clone, and traces,
// which may go to a FIFO. Messages are in English.
func environment() []string {
	foreign := []string{"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES",
		"GIT_COMMON_DIR", "GIT_NAMESPACE", "GIT_PREFIX", "GIT_LITERAL_PATHSPECS", "GIT_GLOB_PATHSPECS", "GIT_NOGLOB_PATHSPECS", "GIT_ICASE_PATHSPECS"}
	env := slices.DeleteFunc(os.Environ(), func(v string) bool {
		name, _, _ := strings.Cut(v, "=")
		return slices.Contains(foreign, name)
	})
	return append(env, "GIT_OPTIONAL_LOCKS=0", "GIT_TERMINAL_PROMPT=0", "GIT_NO_LAZY_FETCH=1", "GIT_ALLOW_PROTOCOL=",
		"GIT_TRACE2=0", "GIT_TRACE2_EVENT=0", "GIT_TRACE2_PERF=0", "LC_ALL=C")
}
