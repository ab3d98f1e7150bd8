package gitoracle_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/aptix-dev/aptix/server/tools/trials"
)

// perScript is the number of rounds in one script for git.
const perScript = 40

// rounds returns the number of rounds: a fifth of usual in the quick run.
func rounds(t testing.TB, usual int) int {
	if trials.Few() {
		usual /= 5
	}
	return trials.Rounds(t, usual)
}

// A script holds the trials of some rounds, with git's answers.
type script struct {
	dir    string
	trials []*trial
}

// run lets git write the differences of some rounds as patches, and apply them.
func run(dir string, rounds []uint64) (*script, error) {
	s := &script{dir: dir}
	histories, sources, manners := []commitHistory{}, []source{}, []manner{}
	for _, round := range rounds {
		r := newSource(round, 0)
		h := commitHistory{round: round, trees: []tree{r.repository()}}
		for len(h.trees) < 2 || r.one(3) {
			h.trees = append(h.trees, r.commit(h.trees[len(h.trees)-1]))
		}
		histories, sources, manners = append(histories, h), append(sources, r), append(manners, r.manner())
	}
	if err := s.writePatches(histories, manners); err != nil {
		return nil, err
	}
	for i, h := range histories {
		texts, text, err := s.patches(h, manners[i])
		if err != nil {
			return nil, err
		}
		s.trials = append(s.trials, sources[i].trials(h, manners[i], texts, text)...)
	}
	return s, s.applyAll()
}

// writePatches writes each patch that git should apply to a file in the folder patches.
func (s *script) writePatches(histories []commitHistory, manners []manner) error {
	var b strings.Builder
	b.WriteString("git init -q --template= repo\ncd repo\ngit fast-import --quiet\nmkdir ../patches\n")
	for i, h := range histories {
		m := manners[i]
		if m.plain && !h.plainEnough() {
			m = manner{diff: []string{"--binary"}}
			manners[i] = m
		}
		options := strings.Join(m.diff, " ")
		last := len(h.trees) - 1
		switch {
		case m.plain:
			for _, n := range []int{0, last} {
				if err := h.trees[n].write(filepath.Join(s.dir, "plain", h.ref(n))); err != nil {
					return err
				}
			}
			fmt.Fprintf(&b, "(cd ../plain; diff -ruN %s %s %s >../patches/%d.0 || test $? = 1)\n", options, h.ref(0), h.ref(last), h.round)
		case m.log:
			fmt.Fprintf(&b, "git log -p --reverse --no-decorate %s %s..%s >../patches/%d.all\n", options, h.ref(0), h.ref(last), h.round)
			for n := range last {
				fmt.Fprintf(&b, "git log -p -1 %s %s >../patches/%d.%d\n", options, h.ref(n+1), h.round, n)
			}
		case m.mails:
			fmt.Fprintf(&b, "git format-patch --stdout %s %s..%s >../patches/%d.all\n", options, h.ref(0), h.ref(last), h.round)
			for n := range last {
				fmt.Fprintf(&b, "git format-patch --stdout -1 %s %s >../patches/%d.%d\n", options, h.ref(n+1), h.round, n)
			}
		case m.joint:
			for n := range last {
				fmt.Fprintf(&b, "git diff %s %s %s >>../patches/%d.0\n", options, h.ref(n), h.ref(n+1), h.round)
			}
		default:
			fmt.Fprintf(&b, "git diff %s %s %s >../patches/%d.0\n", options, h.ref(0), h.ref(last), h.round)
		}
	}
	return shell(s.dir, b.String(), fastImport(histories))
}

// plainEnough reports whether diff can express the difference between the first and the last
// tree.
func (h commitHistory) plainEnough() bool {
	for _, t := range []tree{h.trees[0], h.trees[len(h.trees)-1]} {
		for p, n := range t {
			if n.kind == link || n.data == "" || strings.Contains(n.data, "\x00") || strings.ContainsAny(p, "\"\\\n\t") || strings.ContainsFunc(p, func(c rune) bool { return c < ' ' || c > '~' }) {
				return false
			}
			for other := range h.trees[0] {
				if strings.HasPrefix(other, p+"/") || strings.HasPrefix(p, other+"/") {
					return false
				}
			}
		}
	}
	return true
}

// patches reads the files that [script.writePatches] wrote.
func (s *script) patches(h commitHistory, m manner) (texts []string, text string, err error) {
	n := 1
	if m.mails {
		n = len(h.trees) - 1
	}
	for i := range n {
		data, err := os.ReadFile(filepath.Join(s.dir, "patches", fmt.Sprintf("%d.%d", h.round, i)))
		if err != nil {
			return nil, "", err
		}
		texts = append(texts, string(data))
	}
	if !m.mails {
		return texts, texts[0], nil
	}
	data, err := os.ReadFile(filepath.Join(s.dir, "patches", fmt.Sprintf("%d.all", h.round)))
	return texts, string(data), err
}

// applyAll lets git apply every trial to its own tree. If the hunks of some file have no context,
// it also applies the trial to another tree with --unidiff-zero.
func (s *script) applyAll() error {
	var b strings.Builder
	b.WriteString("mkdir said\n")
	for _, t := range s.trials {
		for i, text := range t.texts {
			if err := os.WriteFile(filepath.Join(s.dir, fmt.Sprintf("applied-%s.%d", t.name(), i)), []byte(t.forGit(text)), 0o644); err != nil {
				return err
			}
		}
		if err := s.applyOne(&b, t, ""); err != nil {
			return err
		}
		if !contextFree(t.text) || slices.Contains(t.manner.apply, "--unidiff-zero") {
			continue
		}
		if err := s.applyOne(&b, t, "--unidiff-zero"); err != nil {
			return err
		}
	}
	return shell(s.dir, b.String(), nil)
}

func (s *script) applyOne(b *strings.Builder, t *trial, option string) error {
	name := t.name() + option
	if err := t.target.write(filepath.Join(s.dir, "git", name)); err != nil {
		return err
	}
	fmt.Fprintf(b, "(cd git/%s", name)
	for i := range t.texts {
		fmt.Fprintf(b, " && git apply -v %s %s ../../applied-%s.%d", strings.Join(t.options(), " "), option, t.name(), i)
	}
	fmt.Fprintf(b, ") >said/%s 2>&1 || echo REFUSED >>said/%s\n", name, name)
	return nil
}

// An answer is git's result for a trial.
type answer struct {
	applied bool
	moved   bool // git applied a hunk at another place than its header says
	said    string
	tree    tree
}

func (s *script) answer(t *trial, option string) (answer, error) {
	said, err := os.ReadFile(filepath.Join(s.dir, "said", t.name()+option))
	if err != nil {
		return answer{}, err
	}
	after, err := readTree(filepath.Join(s.dir, "git", t.name()+option))
	return answer{
		applied: !bytes.Contains(said, []byte("REFUSED")),
		moved:   bytes.Contains(said, []byte("succeeded at")),
		said:    string(said), tree: after,
	}, err
}
