package main

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// A bench holds the settings of a run, which all works share.
type bench struct {
	place       string // the folder for all files
	self        string // the path of this program
	aptix, base string // the paths of the two programs; base is "" if there is no second one
	limit       string // the path of the program built from limit.c
	rounds      int
}

// A runner is a program that does a work. Its arguments are relative to the project folder.
type runner struct {
	args  []string
	judge func(work, input, result) error // checks the result
}

type result struct {
	measure
	project string // the project folder after the run
	output  string
}

// runners returns the runners for a work: aptix, the yardstick, and the second aptix if there is
// one.
func (b *bench) runners(w work, in input) []runner {
	reply := filepath.Join("..", in.name)
	ours := []string{w.command, "--root", ".", reply}
	yardstick := runner{[]string{b.limit, reply, filepath.Join("..", "list")}, judgeLimit}
	if w.git {
		yardstick = runner{[]string{"git", "apply", reply}, judge}
	}
	all := []runner{{append([]string{b.aptix}, ours...), judge}, yardstick}
	if b.base != "" {
		all = append(all, runner{append([]string{b.base}, ours...), judge})
	}
	return all
}

// enough limits the time of a work. After this time, its later rounds are left out.
const enough = time.Minute

// measure runs w in all rounds, each runner once in each round. It returns the measurements of each runner, in the
// order of [bench.runners].
func (b *bench) measure(w work) ([][]measure, error) {
	in := w.input(1)
	all := b.runners(w, in)
	measures := make([][]measure, len(all))
	start := time.Now()
	for round := range b.rounds {
		if round > 1 && time.Since(start) > enough {
			break
		}
		for k := range all {
			i := (round + k) % len(all) // in each round, another runner is the first
			m, err := b.once(w, in, all[i])
			if err != nil {
				return nil, fmt.Errorf("%s: %s: %w", w.name, strings.Join(all[i].args, " "), err)
			}
			measures[i] = append(measures[i], m)
		}
	}
	return measures, nil
}

// once runs one process in its own folders, and checks the result.
func (b *bench) once(w work, in input, r runner) (measure, error) {
	at, end, err := b.folder()
	if err != nil {
		return measure{}, err
	}
	defer end()
	if err := prepare(at, in); err != nil {
		return measure{}, err
	}
	out, err := b.launch(at, r.args)
	if err != nil {
		return measure{}, err
	}
	return out.measure, r.judge(w, in, out)
}

// folder makes a folder for one run, and returns the paths in it.
func (b *bench) folder() (at func(string) string, end func(), err error) {
	dir, err := os.MkdirTemp(b.place, "aptix-bench-")
	return func(name string) string { return filepath.Join(dir, name) }, func() { _ = os.RemoveAll(dir) }, err
}

func prepare(at func(string) string, in input) error {
	for _, dir := range []string{project, "state", "warm"} {
		if err := os.Mkdir(at(dir), 0o700); err != nil {
			return err
		}
	}
	if err := in.before.write(at(project)); err != nil {
		return err
	}
	if in.entries > 0 {
		if err := record(at("state"), in.entries); err != nil {
			return err
		}
	}
	others := tree{in.name: in.reply, "list": limitList(in)}
	return others.write(at("."))
}

// launch measures the process (see the function [launch]). Before that, it makes a small apply with
// aptix, so that a history exists. For a user, a history exists for all commands after the first.
func (b *bench) launch(at func(string) string, args []string) (result, error) {
	if args[0] == b.aptix || args[0] == b.base {
		warm := exec.Command(args[0], "apply", "--root", at("warm"))
		warm.Env = environment(at)
		warm.Stdin = strings.NewReader(bundle(tree{"a.txt": "warm\n"}))
		if out, err := warm.CombinedOutput(); err != nil {
			return result{}, fmt.Errorf("%w: %s", err, out)
		}
	}
	cmd := exec.Command(b.self, slices.Concat([]string{"launch", at("measure")}, args)...)
	cmd.Dir, cmd.Env = at(project), environment(at)
	out, err := os.Create(at("output"))
	if err != nil {
		return result{}, err
	}
	defer out.Close()
	cmd.Stdout, cmd.Stderr = out, out
	if err := cmd.Run(); err != nil {
		return result{}, err
	}
	return readResult(at)
}

func readResult(at func(string) string) (result, error) {
	r := result{project: at(project)}
	data, err := os.ReadFile(at("measure"))
	if err != nil {
		return r, err
	}
	if err := json.Unmarshal(data, &r.measure); err != nil {
		return r, err
	}
	output, err := os.ReadFile(at("output"))
	r.output = string(output)
	return r, err
}

// environment returns the environment without the user's settings for git and aptix.
func environment(at func(string) string) []string {
	return append(slices.DeleteFunc(os.Environ(), func(v string) bool {
		return strings.HasPrefix(v, "GIT_") || strings.HasPrefix(v, "APTIX_")
	}), "XDG_STATE_HOME="+at("state"), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "GIT_CEILING_DIRECTORIES="+at("."))
}

// judge returns an error if the exit code or the tree is not as expected. The finds in the inputs
// of `aptix check` are not in the file, so check reports them. The exit code may also be 0, as in
// earlier versions.
func judge(w work, in input, r result) error {
	refused := w.command == "check"
	if r.Exit != 0 && !refused || r.Exit > 1 {
		return fmt.Errorf("exit %d: %.2000s", r.Exit, r.output)
	}
	if refused && !strings.Contains(r.output, "[find-not-found]") {
		return fmt.Errorf("no find is reported as missing: %.2000s", r.output)
	}
	return in.after.compare(r.project)
}

// judgeLimit checks only the exit code, because the program limit writes arbitrary bytes.
func judgeLimit(_ work, _ input, r result) error {
	if r.Exit != 0 {
		return fmt.Errorf("exit %d: %s", r.Exit, r.output)
	}
	return nil
}

func (t tree) write(dir string) error {
	for name, content := range t {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(file, []byte(content), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// compare returns an error if a folder does not have exactly these files.
func (t tree) compare(dir string) error {
	found := 0
	err := filepath.WalkDir(dir, func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		found++
		content, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		name, err := filepath.Rel(dir, file)
		if err != nil {
			return err
		}
		if want, ok := t[filepath.ToSlash(name)]; !ok || want != string(content) {
			return fmt.Errorf("%s is not what was meant", name)
		}
		return nil
	})
	if err == nil && found != len(t) {
		err = fmt.Errorf("%d files are there, not %d", found, len(t))
	}
	return err
}
