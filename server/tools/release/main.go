// Command release makes all files of a release from the current commit. The same commit always
// gives the same bytes, because every time in a file is that of the commit, and programs contain no
// path of the building machine.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// A release is one run of this command.
type release struct {
	root    string // the root of the repository
	out     string // the folder of the published files
	stage   string // the folder of intermediate files
	version string // the version in extension/package.json
	date    time.Time
	targets []target
	quality int // the quality of the compression of the program in the extension; 11 is the best
}

func main() {
	only := flag.String("only", "", "make only what is for one system, such as linux/amd64")
	out := flag.String("out", filepath.Join("dist", "release"), "the folder to write, which is emptied first")
	quality := flag.Int("quality", 11, "compress the program in the extension as well as this, from 0 to 11: 7 takes seconds instead of a minute")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := run(ctx, *out, *only, *quality); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, out, only string, quality int) error {
	r, err := prepare(ctx, out, only)
	if err != nil {
		return err
	}
	r.quality = quality
	for _, step := range []func(context.Context) error{
		r.programs, r.manual, r.archives, r.extensions, r.npmPackages, r.debPackages, r.bill, r.manifests, r.checksums,
	} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

func prepare(ctx context.Context, out, only string) (*release, error) {
	root, err := output(ctx, "git", "rev-parse", "--show-toplevel")
	if err != nil {
		return nil, err
	}
	r := &release{root: root, stage: filepath.Join(root, "build", "release")}
	if r.out, err = filepath.Abs(out); err != nil {
		return nil, err
	}
	if r.version, err = readVersion(filepath.Join(root, "extension", "package.json")); err != nil {
		return nil, err
	}
	if r.date, err = commitDate(ctx); err != nil {
		return nil, err
	}
	if r.targets = chosen(only); len(r.targets) == 0 {
		return nil, fmt.Errorf("-only %s: there are %v", only, targets)
	}
	if err := errors.Join(os.RemoveAll(r.out), os.RemoveAll(r.stage)); err != nil {
		return nil, err
	}
	return r, errors.Join(os.MkdirAll(r.out, 0o755), os.MkdirAll(r.stage, 0o755))
}

func commitDate(ctx context.Context) (time.Time, error) {
	seconds, err := output(ctx, "git", "log", "-1", "--format=%ct")
	if err != nil {
		return time.Time{}, err
	}
	n, err := strconv.ParseInt(seconds, 10, 64)
	return time.Unix(n, 0).UTC(), err
}

// command returns a command that runs in the root of the repository. Tools that write times take
// them from SOURCE_DATE_EPOCH.
func (r *release) command(ctx context.Context, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = r.root, os.Stdout, os.Stderr
	cmd.Env = append(os.Environ(), "SOURCE_DATE_EPOCH="+strconv.FormatInt(r.date.Unix(), 10), "TZ=UTC")
	return cmd
}

func output(ctx context.Context, name string, args ...string) (string, error) {
	out, err := exec.CommandContext(ctx, name, args...).Output()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w", name, strings.Join(args, " "), err)
	}
	return strings.TrimSpace(string(out)), nil
}
