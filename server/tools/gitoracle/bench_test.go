package gitoracle_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/aptix-dev/aptix/server/internal/apply"
)

// BenchmarkPatch applies the same patch with the engine, the built command, git and GNU patch, in
// turn in each round, on disk and in memory. ns/op is the time of the engine. The other figures
// are milliseconds, and the ratios of our times to those of git and GNU patch.
func BenchmarkPatch(b *testing.B) {
	command := build(b)
	eachPlace(b, func(b *testing.B, place string) {
		b.Run("1000_files_of_3_hunks", func(b *testing.B) {
			before, after := manyFiles()
			race(b, place, command, before, after)
		})
		b.Run("500_hunks_in_200000_lines", func(b *testing.B) {
			before, after := tree{}, tree{}
			before["big.txt"], after["big.txt"] = program(200_000, 500, 1)
			race(b, place, command, before, after)
		})
	})
}

// BenchmarkAP applies an ap patch with the built command. The figures are milliseconds for each
// apply: processor time over all processors, and elapsed time.
func BenchmarkAP(b *testing.B) {
	command := build(b)
	eachPlace(b, func(b *testing.B, place string) {
		before, after := manyFiles()
		home := tempDir(b, place)
		file := filepath.Join(home, "x.patch")
		if err := os.WriteFile(file, []byte(difference(b, before, after)), 0o644); err != nil {
			b.Fatal(err)
		}
		patch := external(home, command, "convert", "--to", "ap", file)
		dir := tempDir(b, place)
		if err := before.write(dir); err != nil {
			b.Fatal(err)
		}
		out, _, err := patch(dir)
		if err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(file+".ap", out, 0o644); err != nil {
			b.Fatal(err)
		}
		var cpu, clock time.Duration
		for b.Loop() {
			b.StopTimer()
			dir := tempDir(b, place)
			if err := before.write(dir); err != nil {
				b.Fatal(err)
			}
			b.StartTimer()
			start := time.Now()
			_, took, err := external(home, command, "apply", "--root", ".", file+".ap")(dir)
			if err != nil {
				b.Fatal(err)
			}
			cpu, clock = cpu+took, clock+time.Since(start)
			b.StopTimer()
			verify(b, "aptix", dir, after)
			b.StartTimer()
		}
		b.ReportMetric(cpu.Seconds()*1000/float64(b.N), "ms-cpu")
		b.ReportMetric(clock.Seconds()*1000/float64(b.N), "ms-clock")
	})
}

func manyFiles() (before, after tree) {
	before, after = tree{}, tree{}
	for i := range 1000 {
		p := fmt.Sprintf("dir%d/file%d.txt", i%20, i)
		before[p], after[p] = program(100, 3, i)
	}
	return before, after
}

// eachPlace runs f in the usual folder for temporary files, and in a memory folder if the system
// has one. Most of the difference is the cost of surviving a loss of power.
func eachPlace(b *testing.B, f func(b *testing.B, place string)) {
	b.Run("disk", func(b *testing.B) { f(b, os.TempDir()) })
	const memory = "/dev/shm"
	if info, err := os.Stat(memory); err == nil && info.IsDir() {
		b.Run("memory", func(b *testing.B) { f(b, memory) })
	}
}

// tempDir returns a folder that is removed only after all rounds, because file systems are slow
// for a while after many files are removed.
func tempDir(b *testing.B, place string) string {
	b.Helper()
	dir, err := os.MkdirTemp(place, "aptix-bench-")
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

// program returns a file with some lines, and the same file with changes far from each other.
// Some lines are new, and one line occurs often, like a brace.
func program(lines, places, number int) (before, after node) {
	var old, new strings.Builder
	for i := range lines {
		line := fmt.Sprintf("    line %d of file %d does something with %d\n", i, number, i*7919%1000)
		if i%4 == 3 {
			line = "    }\n"
		}
		old.WriteString(line)
		if i%(lines/places) == lines/places/2 {
			fmt.Fprintf(&new, "    changed %d\n    new %d\n", i, i)
			continue
		}
		new.WriteString(line)
	}
	return node{old.String(), regular}, node{new.String(), regular}
}

func build(b *testing.B) string {
	b.Helper()
	name := filepath.Join(b.TempDir(), "aptix")
	cmd := exec.Command("go", "build", "-trimpath", "-o", name, "../../cmd/aptix")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		b.Fatalf("go build: %v\n%s", err, out)
	}
	return name
}

// A runner applies a patch to a folder.
type runner struct {
	name string
	run  func(dir string) error
	took time.Duration
}

func race(b *testing.B, place, command string, before, after tree) {
	home := tempDir(b, place)
	patch := difference(b, before, after)
	file := filepath.Join(home, "x.patch")
	if err := os.WriteFile(file, []byte(patch), 0o644); err != nil {
		b.Fatal(err)
	}
	var checking time.Duration // checking is the part of the engine's time that goes into the check
	runners := []*runner{
		{name: "engine", run: func(dir string) error { return inProcess(dir, home, patch, &checking) }},
		{name: "command", run: other(home, command, "apply", file)},
		{name: "git", run: other(home, "git", "apply", file)},
		{name: "patch", run: other(home, "patch", "-s", "-p1", "-i", file)},
	}
	for b.Loop() {
		for _, r := range runners {
			b.StopTimer()
			dir := tempDir(b, place)
			if err := before.write(dir); err != nil {
				b.Fatal(err)
			}
			if r.name == "engine" {
				b.StartTimer()
			}
			start := time.Now()
			if err := r.run(dir); err != nil {
				b.Fatalf("%s: %v", r.name, err)
			}
			r.took += time.Since(start)
			b.StopTimer()
			verify(b, r.name, dir, after)
			b.StartTimer()
		}
	}
	b.ReportMetric(checking.Seconds()*1000/float64(b.N), "ms-check")
	report(b, runners)
}

func report(b *testing.B, runners []*runner) {
	took := map[string]float64{}
	for _, r := range runners {
		took[r.name] = r.took.Seconds() * 1000 / float64(b.N)
		b.ReportMetric(took[r.name], "ms-"+r.name)
	}
	b.ReportMetric(took["engine"]/took["git"], "engine/git")
	b.ReportMetric(took["command"]/took["git"], "command/git")
	b.ReportMetric(took["command"]/took["patch"], "command/patch")
}

func verify(b *testing.B, name, dir string, want tree) {
	b.Helper()
	got, err := readTree(dir)
	if err != nil {
		b.Fatal(err)
	}
	if differ("want", want, "got", got) != "" {
		b.Fatalf("%s made another tree", name)
	}
}

func difference(b *testing.B, before, after tree) string {
	b.Helper()
	dir := b.TempDir()
	script := "git init -q --template= repo\ncd repo\ngit fast-import --quiet\ngit diff r0-0 r0-1 >../patch\n"
	if err := shell(dir, script, fastImport([]commitHistory{{trees: []tree{before, after}}})); err != nil {
		b.Fatal(err)
	}
	patch, err := os.ReadFile(filepath.Join(dir, "patch"))
	if err != nil {
		b.Fatal(err)
	}
	return string(patch)
}

func inProcess(dir, home, patch string, checking *time.Duration) error {
	start := time.Now()
	result, root, err := checkIn(dir, "x.patch", patch, nil)
	if err != nil {
		return err
	}
	*checking += time.Since(start)
	defer root.Close()
	if !result.Applicable() {
		return fmt.Errorf("refused: %s", outcome{result: result}.describe())
	}
	return applyAll(nil, apply.ReplyOf(result, apply.Disk{Dir: root, Names: []string{"p"}, StateDir: filepath.Join(home, "state")}, "x.patch", "test"))
}

func other(home string, args ...string) func(dir string) error {
	return func(dir string) error {
		_, _, err := external(home, args...)(dir)
		return err
	}
}

// external returns a function that runs a command and returns its output and its processor time.
func external(home string, args ...string) func(dir string) ([]byte, time.Duration, error) {
	return func(dir string) ([]byte, time.Duration, error) {
		cmd := exec.Command(args[0], args[1:]...)
		cmd.Dir = dir
		cmd.Env = append(environment(home), "XDG_STATE_HOME="+home)
		out, err := cmd.Output()
		if err != nil {
			return nil, 0, fmt.Errorf("%w: %s", err, out)
		}
		return out, cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), nil
	}
}
