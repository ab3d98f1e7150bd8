package main

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// A set is the samples that a row of the table counts.
type set struct {
	name    string
	peers   bool // other patch programs are tried, too
	unknown bool // the correct results are unknown, so only the texts about refusals count
	samples []sample
}

// A sample is a reply, the tree for which it was made, and the tree that it should give.
type sample struct {
	name          string
	file, text    string // the reply, and the name of its file, which determines how it is read
	before, after tree
	cut           bool // the reply was cut off, so a refusal is right
	refuse        bool // the intention is uncertain, so only a refusal is right
	mayRefuse     bool // a refusal is right, too
	letter        tree // the result of the reply's exact text; nil if it is not defined
	loose         bool // the format ignores blank lines, and white space at the ends of lines
	past          past // how the tree came into its current state
}

func (s sample) withText(text string) sample { s.text = text; return s }

// An outcome is the kind of result that a program gives for a sample.
type outcome int

const (
	right   outcome = iota
	letter          // the result is what the exact text of the reply says, but the commit has something else
	half            // some files are as intended, and others are unchanged
	wrong           // the exit status is 0, but the tree is not the intended one
	refused         // the exit status is not 0, and the tree is unchanged
	dirty           // the exit status is not 0, but the tree has changed, which must never happen
	outcomes
)

// A row counts the outcomes of a set for each program.
type row struct {
	name    string
	program string
	counts  [outcomes]int
}

type bench struct {
	aptix, work, show string
}

// patience is the longest time that a program may take for one sample.
const patience = 30 * time.Second

// A program runs with the file of a reply in the folder of its tree, and reports whether its exit
// status is 0.
type program struct {
	name string
	args func(dir, file string) []string
}

var peers = []program{
	{"git apply", func(_, file string) []string { return []string{"git", "apply", file} }},
	{"git apply --recount", func(_, file string) []string { return []string{"git", "apply", "--recount", file} }},
	{"patch -p1", func(_, file string) []string {
		return []string{"patch", "-p1", "--batch", "--forward", "--no-backup-if-mismatch", "-r-", "-i", file}
	}},
}

// measure tries the samples of a set with each program. It tries at most `most` samples; 0 means
// all. It also returns the counts of the texts about refused samples. Samples about which Aptix
// only asks do not count.
func (b *bench) measure(s set, most int) (rows []row, about helpCounts) {
	about.name = s.name
	if most > 0 && len(s.samples) > most {
		s.samples = s.samples[:most]
	}
	programs := []program{
		{"aptix apply --fix", func(dir, file string) []string {
			return []string{b.aptix, "apply", "--fix", "--allow-protected", "--root", dir, file}
		}},
		{"aptix apply --fix --yes", func(dir, file string) []string {
			return []string{b.aptix, "apply", "--fix", "--yes", "--allow-protected", "--root", dir, file}
		}},
	}
	if s.peers {
		programs = append(programs, peers...)
	}
	if s.unknown {
		for _, one := range s.samples {
			if b.try(programs[1], one) == refused {
				b.tell(&about, programs[1], one)
			}
		}
		return nil, about
	}
	for i, p := range programs {
		r := row{name: s.name, program: p.name}
		for _, one := range s.samples {
			got := b.try(p, one)
			r.counts[got]++
			if i < 2 {
				b.keep(s, p, one, got)
			}
			if i == 1 && got == refused {
				b.tell(&about, p, one)
			}
		}
		rows = append(rows, r)
	}
	return rows, about
}

// try applies a sample in a new folder.
func (b *bench) try(p program, s sample) outcome {
	root, err := b.lay(b.tree(), s)
	if err != nil {
		panic(err) // the temporary folder could not be made
	}
	return s.judge(b.run(root, p.args(root, b.reply(s))), readTree(root))
}

// reply writes the reply of a sample to a file.
func (b *bench) reply(s sample) (file string) {
	file = filepath.Join(b.work, s.file)
	if err := os.WriteFile(file, []byte(s.text), 0o600); err != nil {
		panic(err) // the temporary folder could not be made
	}
	return file
}

func (b *bench) tree() string { return filepath.Join(b.work, "tree") }

func (b *bench) env() []string {
	return append(os.Environ(), "XDG_STATE_HOME="+b.state(), "GIT_CEILING_DIRECTORIES="+b.work)
}

// lay writes the tree of a sample, with its past, and returns its root.
func (b *bench) lay(dir string, s sample) (root string, err error) {
	if err := errors.Join(os.RemoveAll(dir), os.RemoveAll(b.state())); err != nil {
		return "", err
	}
	if s.past.kind != "" {
		return b.age(dir, s)
	}
	return dir, s.before.write(dir)
}

func (b *bench) state() string { return filepath.Join(b.work, "state") }

// run runs a command, and reports whether its exit status is 0.
func (b *bench) run(dir string, args []string) bool {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, args[0], args[1:]...)
	cmd.Dir = dir
	cmd.Env = b.env()
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	return cmd.Run() == nil
}

func (s sample) judge(done bool, now tree) outcome {
	switch {
	case s.refuse && !done && now.equal(s.before):
		return right
	case s.refuse && done:
		return wrong
	case s.mayRefuse && !done && now.equal(s.before):
		return right
	case s.cut && !done && now.equal(s.before), s.cut && done && s.isHalf(now):
		// If a text ends with a whole file, nothing shows that the text was cut off.
		return right
	case !done && now.equal(s.before):
		return refused
	case !done:
		return dirty
	case s.same(now, s.after):
		return right
	case s.same(now, s.letter):
		return letter
	case s.isHalf(now):
		return half
	}
	return wrong
}

// same reports whether two trees are equal. It ignores differences that the format cannot express.
func (s sample) same(a, b tree) bool {
	return a.equal(b) || s.loose && a.trimmed().equal(b.trimmed())
}

var (
	endOfLine  = regexp.MustCompile(`[ \t]+(\r?\n|$)`)
	blankLines = regexp.MustCompile(`(?m)^\r?\n`)
)

// trimmed returns the tree t without white space at the ends of lines, and without blank lines.
func (t tree) trimmed() tree {
	if t == nil {
		return nil
	}
	out := make(tree, len(t))
	for path, data := range t {
		out[path] = blankLines.ReplaceAllString(endOfLine.ReplaceAllString(data, "$1"), "")
	}
	return out
}

// isHalf reports whether each file is either as intended or unchanged.
func (s sample) isHalf(now tree) bool {
	for _, t := range []tree{now, s.before, s.after} {
		for path := range t {
			if now[path] != s.after[path] && now[path] != s.before[path] {
				return false
			}
		}
	}
	return true
}

// keep writes a sample to a folder, so that a person can read it. The result of the sample is not
// right.
func (b *bench) keep(s set, p program, one sample, got outcome) {
	if b.show == "" || got == right {
		return
	}
	dir := filepath.Join(b.show, dashed(s.name), dashed(titles[got]+strings.TrimPrefix(p.name, "aptix apply --fix")), dashed(one.name))
	err := errors.Join(one.past.was.write(filepath.Join(dir, "was")), one.before.write(filepath.Join(dir, "before")), one.after.write(filepath.Join(dir, "after")),
		os.WriteFile(filepath.Join(dir, one.file), []byte(one.text), 0o600))
	if err != nil {
		panic(err)
	}
}

// keepText writes the text that a model gets to a file.
func (b *bench) keepText(set string, kind help, s sample, text string) {
	if b.show == "" {
		return
	}
	dir := filepath.Join(b.show, "told", dashed(set), []string{"place", "block", "nothing", "neither"}[kind])
	if err := errors.Join(os.MkdirAll(dir, 0o700), os.WriteFile(filepath.Join(dir, dashed(s.name)+".txt"), []byte(text), 0o600)); err != nil {
		panic(err)
	}
}

func dashed(s string) string { return strings.NewReplacer(" ", "-", "/", "-", ",", "").Replace(s) }

func (t tree) write(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	for path, data := range t {
		full := filepath.Join(dir, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(full), 0o700); err != nil {
			return err
		}
		if err := os.WriteFile(full, []byte(data), 0o600); err != nil {
			return err
		}
	}
	return nil
}

func readTree(dir string) tree {
	t := tree{}
	err := filepath.WalkDir(dir, func(full string, d fs.DirEntry, err error) error {
		if err == nil && d.Name() == ".git" {
			return filepath.SkipDir
		}
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		data, err := os.ReadFile(full)
		rel, _ := filepath.Rel(dir, full)
		t[filepath.ToSlash(rel)] = string(data)
		return err
	})
	if err != nil {
		panic(err)
	}
	return t
}
