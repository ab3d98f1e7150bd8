package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/aptix-dev/aptix/server/tools/casefile"
)

// patience limits the time that one command may take.
const patience = time.Minute

// tryAll tries the command on each wanted case, several at a time. It returns the problem of each case that it tried,
// which is "" if the case passes.
func tryAll(command []string, cases []*casefile.Case, wanted *regexp.Regexp) (map[string]string, error) {
	named := map[string]*casefile.Case{}
	for _, c := range cases {
		named[c.Name] = c
	}
	var (
		mu       sync.Mutex
		group    sync.WaitGroup
		problems = map[string]string{}
		failure  error
		slots    = make(chan struct{}, runtime.NumCPU())
	)
	for _, c := range cases {
		if !wanted.MatchString(c.Name) {
			continue
		}
		slots <- struct{}{}
		group.Go(func() {
			defer func() { <-slots }()
			problem, err := try(command, c, named[c.Name+"-fixed"])
			mu.Lock()
			defer mu.Unlock()
			problems[c.Name] = problem
			if failure == nil {
				failure = err
			}
		})
	}
	group.Wait()
	return problems, failure
}

// A trial runs one case in a folder of its own.
type trial struct {
	*casefile.Case
	command []string
	dir     string
}

// try returns the problem with the command's behavior, or "". `fixed` is the same case with the repaired reply, or
// nil.
func try(command []string, c, fixed *casefile.Case) (problem string, err error) {
	dir, err := os.MkdirTemp("", "conformance-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	t := trial{c, command, dir}
	if err := t.lay(); err != nil {
		return "", err
	}
	if c.Has("--yes") {
		ok, now, err := t.run(slices.DeleteFunc(slices.Clone(c.Flags), func(f string) bool { return f == "--yes" }))
		if problem := t.refused(ok, now); err != nil || problem != "" {
			return "without --yes: " + problem, err
		}
	}
	ok, now, err := t.run(c.Flags)
	switch {
	case err != nil:
		return "", err
	case c.Exit != 0 && ok && fixed != nil && maps.Equal(now, fixed.After):
		return "", nil // repairing the reply is as correct as refusing it
	case c.Exit != 0, !ok && len(c.Flags) > 0 && !t.takesFlags():
		return t.refused(ok, now), nil
	case !ok:
		return "refused" + differences(" and changed ", c.Before, now), nil
	case !maps.Equal(now, c.After):
		return "exit status 0 and another tree:" + differences(" ", c.After, now), nil
	}
	return t.again()
}

// refused returns "" if the command refused the reply and changed nothing, otherwise the problem.
func (t trial) refused(ok bool, now casefile.Tree) string {
	changed := differences(" and changed ", t.Before, now)
	switch {
	case ok:
		return "exit status 0" + changed + ", should be refused"
	case changed != "":
		return "refused" + changed
	}
	return ""
}

// again runs the command a second time, and returns a problem if a file changes. The command may refuse the reply or
// have nothing to do.
func (t trial) again() (problem string, err error) {
	if t.NeedsHistory {
		return "", nil
	}
	_, now, err := t.run(t.Flags)
	if changed := differences("", t.After, now); changed != "" {
		return "a second run changed " + changed, err
	}
	return "", err
}

func (t trial) root() string  { return filepath.Join(t.dir, "project") }
func (t trial) reply() string { return filepath.Join(t.dir, "reply", t.Reply) }

// lay writes the reply and the tree to the trial's folder.
func (t trial) lay() error {
	return errors.Join(os.Mkdir(t.root(), 0o755), os.Mkdir(filepath.Dir(t.reply()), 0o755),
		t.Before.Write(t.root()), os.WriteFile(t.reply(), []byte(t.Text), 0o644))
}

func (t trial) takesFlags() bool { return slices.Contains(t.command, "{flags}") }

// run runs the command once. It reports whether the exit status is 0, and returns the resulting tree.
func (t trial) run(flags []string) (ok bool, now casefile.Tree, err error) {
	var args []string
	for _, word := range t.command {
		switch word {
		case "{flags}":
			args = append(args, flags...)
		case "{root}":
			args = append(args, t.root())
		case "{reply}":
			args = append(args, t.reply())
		default:
			args = append(args, word)
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Dir = t.root()
	cmd.Env = append(os.Environ(), "XDG_STATE_HOME="+filepath.Join(t.dir, "state"), "GIT_CEILING_DIRECTORIES="+t.dir)
	err = cmd.Run()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		return false, nil, err // the command did not run
	}
	ok = err == nil
	now, err = casefile.ReadTree(t.root())
	return ok, now, err
}

// differences lists the files that differ between two trees, after the given words. It returns "" if no files differ.
func differences(words string, want, now casefile.Tree) string {
	var paths []string
	for path := range want {
		if now[path] != want[path] {
			paths = append(paths, path)
		}
	}
	for path := range now {
		if _, known := want[path]; !known {
			paths = append(paths, path)
		}
	}
	if paths == nil {
		return ""
	}
	slices.Sort(paths)
	return words + fmt.Sprintf("%q", paths)
}
