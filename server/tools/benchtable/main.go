// Command benchtable measures whole aptix commands as processes, and compares them with git
// apply, or with a program that only reads and writes the same bytes (the limit), and with a
// second aptix. `make bench` runs it. It prints one Markdown table. It checks the result of each
// command: a wrong tree ends the run.
//
// The environment sets what to run:
//
//   - BENCH is a regular expression for the names of the works to run (default: all)
//   - ROUNDS is the number of runs of each work (default: 5); after a minute, later rounds
//     of a work are left out
//   - APTIX_BASE is the path of a second aptix (default: none)
//   - BENCH_DIR is the folder for all files (default: a memory file system, else the
//     temporary folder)
//
// With -growth, it measures instead how the time grows with the number of blocks, files, finds,
// hunks, entries of the history, and replies that are open in an editor. With -write, it measures
// both. It then writes the tables into docs/performance.md, and the curves into docs/growth.svg.
// With -growth and -write, it measures and writes only the curves.
package main

import (
	"cmp"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) > 2 && args[0] == "launch" {
		return launch(args[1], args[2:])
	}
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	doWrite := flags.Bool("write", false, "write the results into docs/performance.md and docs/growth.svg")
	onlyGrowth := flags.Bool("growth", false, "measure how the time grows with the size")
	if err := flags.Parse(args); err != nil {
		return err
	}
	pick := os.Getenv("BENCH")
	if *doWrite && pick != "" {
		return fmt.Errorf("-write is for the whole table; BENCH picks %q", pick)
	}
	picked, err := regexp.Compile(pick)
	if err != nil {
		return fmt.Errorf("BENCH: %w", err)
	}
	b, err := newBench()
	if err != nil {
		return err
	}
	end, err := b.build()
	defer end()
	if err != nil {
		return err
	}
	if *onlyGrowth {
		return b.growth(*doWrite, picked)
	}
	table, err := b.measureAll(picked)
	if err != nil || !*doWrite {
		return err
	}
	if err := writePage("docs/performance.md", "bench", table); err != nil {
		return err
	}
	return b.growth(true, picked)
}

// growth measures the curves. If `write` is true, it writes them into the docs.
func (b *bench) growth(write bool, picked *regexp.Regexp) error {
	var growth strings.Builder
	names, all, err := b.measureGrowth(io.MultiWriter(os.Stdout, &growth), picked)
	if err != nil || !write {
		return err
	}
	if err := os.WriteFile("docs/growth.svg", []byte(chart(names, all)), 0o644); err != nil {
		return err
	}
	return writePage("docs/performance.md", "growth", "![Processor time against size](growth.svg)\n\n"+growth.String())
}

// measureAll measures the table, prints it row by row, and returns it.
func (b *bench) measureAll(picked *regexp.Regexp) (string, error) {
	var table strings.Builder
	out := io.MultiWriter(os.Stdout, &table)
	fmt.Fprintf(out, "%s; medians of %d rounds (minimum–maximum)\n\n%s", machine(b.place), b.rounds, header(b.base != ""))
	for _, w := range works {
		if picked.MatchString(w.name) {
			measures, err := b.measure(w)
			if err != nil {
				return "", err
			}
			fmt.Fprint(out, line(w, measures))
		}
	}
	return table.String(), nil
}

// newBench reads the environment.
func newBench() (b *bench, err error) {
	b = &bench{place: cmp.Or(os.Getenv("BENCH_DIR"), memoryFolder(), os.TempDir())}
	if base := os.Getenv("APTIX_BASE"); base != "" {
		if b.base, err = filepath.Abs(base); err != nil {
			return nil, fmt.Errorf("APTIX_BASE: %w", err)
		}
	}
	if b.rounds, err = strconv.Atoi(cmp.Or(os.Getenv("ROUNDS"), "5")); err != nil || b.rounds < 1 {
		return nil, fmt.Errorf("ROUNDS=%s: not a number from 1", os.Getenv("ROUNDS"))
	}
	b.self, err = os.Executable()
	return b, err
}

// build builds aptix as in a release, and the program limit. The current folder must be inside the
// module.
func (b *bench) build() (end func(), err error) {
	dir, err := os.MkdirTemp("", "aptix-bench-")
	end = func() { _ = os.RemoveAll(dir) }
	if err != nil {
		return end, err
	}
	b.aptix, b.limit = filepath.Join(dir, "aptix"), filepath.Join(dir, "limit")
	if runtime.GOOS == "windows" {
		b.aptix, b.limit = b.aptix+".exe", b.limit+".exe"
	}
	cmd := exec.Command("go", "build", "-trimpath", "-o", b.aptix, "github.com/aptix-dev/aptix/server/cmd/aptix")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return end, fmt.Errorf("go build: %w\n%s", err, out)
	}
	return end, buildLimit(b.limit)
}

// writePage writes a table between the marks of a part of a page.
func writePage(name, part, table string) error {
	begin, end := "<!-- "+part+" -->\n", "<!-- /"+part+" -->\n"
	page, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	before, rest, found := strings.Cut(string(page), begin)
	_, after, foundEnd := strings.Cut(rest, end)
	if !found || !foundEnd {
		return fmt.Errorf("%s: the lines %q and %q, which enclose the table, are not found", name, strings.TrimSpace(begin), strings.TrimSpace(end))
	}
	return os.WriteFile(name, []byte(before+begin+table+end+after), 0o644)
}
