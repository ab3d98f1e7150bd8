package gitoracle_test

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/aptix-dev/aptix/server/internal/apply"
	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/disk"
	"github.com/aptix-dev/aptix/server/internal/fileset"
	"github.com/aptix-dev/aptix/server/internal/history"
	"github.com/aptix-dev/aptix/server/tools/trials"
)

// An outcome is the result of a trial in the engine.
type outcome struct {
	result *check.Result
	tree   tree // the tree on disk afterwards
}

func (o outcome) applied() bool { return o.result.Applicable() }
func (o outcome) changed() bool { return o.applied() && len(o.result.Plan.Files) > 0 }

// A judge compares results, and counts them.
type judge struct {
	t       *testing.T
	history *history.Store
	state   string

	counts  map[string]int
	printed []printed // the plans of the current script
}

func (j *judge) count(what string) { j.counts[what]++ }

func checkIn(dir, name, text string, h *history.Store) (*check.Result, *disk.Root, error) {
	root, err := disk.Open(dir)
	if err != nil {
		return nil, nil, err
	}
	files := root.Tree(nil)
	where := check.Where{Tree: files, Base: filepath.ToSlash(root.Dir()), Guard: check.Guard{ProtectedIs: diag.Warning}, Past: check.Past{History: h, Root: root.Dir()}}
	r, err := check.Check(context.Background(), []check.Document{{Name: name, Text: text}}, where)
	if err != nil {
		_ = root.Close()
		return nil, nil, err
	}
	return r, root, nil
}

// apply works like the command line: it checks the text, and applies it if it has no errors.
func (j *judge) apply(dir, id, text string) (outcome, error) {
	result, root, err := checkIn(dir, "x.patch", text, nil)
	if err != nil {
		return outcome{}, err
	}
	defer root.Close()
	o := outcome{result: result}
	if o.changed() {
		p := apply.ReplyOf(result, apply.Disk{Dir: root, Names: []string{"p"}, StateDir: j.state}, "x.patch", "test")
		p.Record.ID = id
		if err := applyAll(j.history, p); err != nil {
			return o, err
		}
	}
	o.tree, err = readTree(dir)
	return o, err
}

// applyAll applies a change without asking, as git does.
func applyAll(h *history.Store, p apply.Proposal) error {
	done, err := apply.New(h, func(context.Context, bool) (*fileset.Set, error) { return nil, nil }).
		Apply(context.Background(), apply.Request{
			AllowProtected: true,
			Propose:        func(context.Context) (apply.Proposal, error) { return p, nil },
			Ask:            func(context.Context, *apply.Proposal) (bool, error) { return true, nil },
		})
	if err := errors.Join(err, done.NotRecorded); err != nil || done.Refusal != nil {
		return fmt.Errorf("apply: %v %v", done.Refusal, err)
	}
	return nil
}

// judge compares the engine's answer with git's, and reports a difference.
func (j *judge) judge(s *script, t *trial) {
	git, err := s.answer(t, "")
	if err != nil {
		j.t.Fatal(err)
	}
	dir := filepath.Join(s.dir, "ours", t.name())
	if err := t.target.write(dir); err != nil {
		j.t.Fatal(err)
	}
	ours, err := j.apply(dir, t.name(), t.text)
	switch {
	case err != nil:
		j.mismatch(t, git, ours, "an error: "+err.Error())
	case len(ours.result.Blocks) == 0:
		j.noBlock(t, git)
	case !ours.applied():
		j.refused(t, git, ours)
	case !git.applied:
		j.onlyHere(s, t, git, ours)
	default:
		j.both(t, git, ours)
	}
	if err == nil && ours.changed() {
		j.printed = append(j.printed, printed{t.String(), t.target, ours.tree.withoutEmptyDirs(), unified(ours.result.Plan.Files)})
		j.again(t, dir, ours)
		j.takeBack(t, dir, ours)
	}
}

// noBlock judges a text in which the engine finds no change.
func (j *judge) noBlock(t *trial, git answer) {
	if git.applied {
		j.mismatch(t, git, outcome{}, "no block was found")
		return
	}
	j.count("both refuse: no patch")
}

func (j *judge) refused(t *trial, git answer, ours outcome) {
	codes := ours.codes(diag.Error)
	if d := differ("before", t.target, "after", ours.tree); d != "" {
		j.mismatch(t, git, ours, "refused and changed:\n"+d)
	}
	if !git.applied {
		j.count("both refuse: " + codes)
		return
	}
	for d := range ours.errors() {
		if departure, listed := departures[d.Code]; !listed || !departure.may(t, git, d) {
			j.mismatch(t, git, ours, "git applies, refused here")
			return
		}
	}
	j.count("git applies, refused here: " + codes)
}

// typeChange matches a file that is deleted and created again. If the file is missing, the
// deletion counts as done.
var typeChange = regexp.MustCompile(`(?m)^deleted file mode(.*\n)*new file mode`)

// onlyHere judges a patch that git refuses but Aptix applies. The tree may already have all of
// the change, or a part of it.
func (j *judge) onlyHere(s *script, t *trial, git answer, ours outcome) {
	d := differ("before", t.target, "after", ours.tree)
	switch {
	case !ours.changed() && d == "" && (t.truth != nil && differ("truth", t.truth, "before", t.target) == "" || s.takesBack(t)):
		j.count("git refuses, done here")
	case t.truth != nil && differ("truth", t.truth, "here", ours.tree) == "":
		j.count("git refuses, the rest done here")
	case s.restAgrees(t, ours):
		j.count("git refuses, the rest done here as git does")
	case t.truth != nil && strings.Contains(ours.codes(diag.Warning), "hunk-stands-already"):
		j.count("git refuses, the rest done here, warning: hunk-stands-already")
	case strings.Contains(git.said, "lacks filename information"):
		j.count("git cannot read the header that it wrote")
	case strings.Contains(git.said, "No such file") && typeChange.MatchString(t.text):
		j.count("git refuses, half of a type change done here")
	case s.zeroAgrees(t, ours):
		j.count("git applies with --unidiff-zero only")
	default:
		j.mismatch(t, git, ours, "git refuses, applied here:\n"+d)
	}
}

// zeroAgrees reports whether git gives the same result with --unidiff-zero.
func (s *script) zeroAgrees(t *trial, ours outcome) bool {
	git, err := s.answer(t, "--unidiff-zero")
	return err == nil && git.applied && differ("git", git.tree, "here", ours.tree) == ""
}

func (j *judge) both(t *trial, git answer, ours outcome) {
	if d := differ("git", git.tree, "here", ours.tree); d != "" && t.namesAll(git.tree, ours.tree) {
		j.count("git applies again what the index line names: done here")
		return
	} else if d != "" {
		j.mismatch(t, git, ours, "both apply, another result:\n"+d)
		return
	}
	if warned := ours.codes(diag.Warning); warned != "" {
		j.count("both apply, warning: " + warned)
	} else if git.moved {
		j.count("both apply, moved")
	} else {
		j.count("both apply")
	}
}

// again applies the patch a second time. The history knows that everything is done, even if the
// patch alone does not show it.
func (j *judge) again(t *trial, dir string, first outcome) {
	result, root, err := checkIn(dir, "x.patch", t.text, j.history)
	if err != nil {
		j.mismatch(t, answer{}, first, "applied twice: "+err.Error())
		return
	}
	defer root.Close()
	if !result.Applicable() || len(result.Plan.Files) > 0 {
		j.mismatch(t, answer{}, outcome{result: result}, "applied twice, remembered: there is something to do")
	}
}

// takeBack applies the inverse change.
func (j *judge) takeBack(t *trial, dir string, first outcome) {
	root, err := disk.Open(dir)
	if err != nil {
		j.t.Fatal(err)
	}
	defer root.Close()
	if err := applyAll(nil, apply.Proposal{Plan: first.result.Plan.Invert(), Writer: apply.Disk{Dir: root, Names: []string{"p"}, StateDir: j.state}}); err != nil {
		j.mismatch(t, answer{}, first, "taken back: "+err.Error())
		return
	}
	after, err := readTree(dir)
	if err != nil {
		j.t.Fatal(err)
	}
	if d := differ("before", t.target, "taken back", after.withoutEmptyDirs()); d != "" {
		j.mismatch(t, answer{}, first, "the inverse gives another tree:\n"+d)
	}
}

func (t tree) withoutEmptyDirs() tree {
	out := t.clone()
	for p, n := range t {
		if n.kind == emptyDir {
			delete(out, p)
		}
	}
	return out
}

func (o outcome) errors() iter.Seq[diag.Diagnostic] { return o.withSeverity(diag.Error) }

// withSeverity returns all diagnostics of a severity.
func (o outcome) withSeverity(severity diag.Severity) iter.Seq[diag.Diagnostic] {
	return func(yield func(diag.Diagnostic) bool) {
		for _, b := range o.result.Blocks {
			for _, d := range b.Diagnostics {
				if d.Severity == severity && !yield(d) {
					return
				}
			}
		}
	}
}

// codes lists the codes of a severity, each once.
func (o outcome) codes(severity diag.Severity) string {
	var codes []string
	for d := range o.withSeverity(severity) {
		codes = append(codes, string(d.Code))
	}
	slices.Sort(codes)
	return strings.Join(slices.Compact(codes), " ")
}

func (o outcome) describe() string {
	if o.result == nil {
		return ""
	}
	var b strings.Builder
	for _, block := range o.result.Blocks {
		fmt.Fprintf(&b, "  block: %s\n", block.State)
		for _, f := range block.Files {
			fmt.Fprintf(&b, "    %s %q %s\n", f.Operation, f.Path, f.State)
		}
		for _, d := range block.Diagnostics {
			fmt.Fprintf(&b, "    %s %s: %s\n", d.Severity, d.Code, d.Message)
		}
	}
	return b.String()
}

// mismatch reports a difference, with all information that is needed to understand it.
func (j *judge) mismatch(t *trial, git answer, ours outcome, how string) {
	kind, _, _ := strings.Cut(how, "\n")
	j.count("MISMATCH " + kind)
	dir := os.Getenv("APTIX_KEEP")
	if dir != "" {
		keep(filepath.Join(dir, t.name()), t)
	}
	j.t.Errorf("%v: %s\ngit:\n%s\nhere:\n%s\npatch:\n%s", t, how, git.said, ours.describe(), shortened(t.text))
}

func shortened(patch string) string {
	if len(patch) > 4000 {
		return patch[:4000] + "..."
	}
	return patch
}

// keep writes a trial to a folder, so that a person can repeat it.
func keep(dir string, t *trial) {
	_ = os.RemoveAll(dir)
	_ = t.target.write(filepath.Join(dir, "tree"))
	_ = os.WriteFile(filepath.Join(dir, "x.patch"), []byte(t.text), 0o644)
}

// TestAgreesWithGitApply is the differential test. APTIX_ROUNDS is the number of repositories,
// APTIX_ROUND selects a single one, and mismatches are kept in the folder APTIX_KEEP.
func TestAgreesWithGitApply(t *testing.T) {
	history, err := history.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	j := &judge{t: t, history: history, state: t.TempDir(), counts: map[string]int{}}
	for _, rounds := range scripts(t, rounds(t, 80)) {
		j.script(t, rounds)
	}
	_ = history.Close()
	j.report()
}

func scripts(t *testing.T, rounds int) [][]uint64 {
	if only := trials.Setting(t, "APTIX_ROUND", -1); only >= 0 {
		return [][]uint64{{uint64(only)}}
	}
	all := make([]uint64, rounds)
	for i := range all {
		all[i] = uint64(i)
	}
	return slices.Collect(slices.Chunk(all, perScript))
}

func (j *judge) script(t *testing.T, rounds []uint64) {
	dir := t.TempDir()
	s, err := run(dir, rounds)
	if err != nil {
		t.Fatal(err)
	}
	for _, trial := range s.trials {
		j.judge(s, trial)
	}
	gitAgrees(t, filepath.Join(dir, "printed"), j.printed)
	j.printed = nil
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
}

// enough fails the test if too few patches were applied, or too many were refused as departures.
// The comparison then shows nothing.
func (j *judge) enough() {
	all, both, departed := 0, 0, 0
	for name, n := range j.counts {
		all += n
		switch {
		case strings.HasPrefix(name, "both apply"):
			both += n
		case strings.HasPrefix(name, "git applies, refused here"):
			departed += n
		}
	}
	if all >= 100 && (both < all/4 || departed > all/10) {
		j.t.Errorf("of %d patches only %d were applied by both, and %d refused as departures", all, both, departed)
	}
}

func (j *judge) report() {
	names := make([]string, 0, len(j.counts))
	for name := range j.counts {
		names = append(names, name)
	}
	j.enough()
	slices.SortFunc(names, func(a, b string) int { return j.counts[b] - j.counts[a] })
	for _, name := range names {
		j.t.Logf("%6d %s", j.counts[name], name)
	}
}
