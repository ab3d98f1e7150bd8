package gitdiff

import (
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/bluekeyes/go-gitdiff/gitdiff"

	"github.com/aptix-dev/aptix/server/tools/trials"
)

// Patches that git writes for generated trees, with all of its options, are read without a diagnostic, and turn the old
// tree into the new one.
func TestReadsGit(t *testing.T) {
	needGit(t)
	dir := t.TempDir()
	mustGit(t, dir, "init", "-q")
	rounds := trials.Rounds(t, 25)
	for round := range rounds {
		rng := rand.New(rand.NewPCG(uint64(round), 1))
		before := drawTree(rng)
		after := before.mutate(rng)
		old := commitTree(t, dir, before)
		new := commitTree(t, dir, after)
		for _, options := range []string{"", "-M -C --find-copies-harder", "-U0", "-U1 -M", "--no-prefix", "--src-prefix=old/ --dst-prefix=new/", "--full-index -B", "--ignore-submodules -R", "-c core.quotePath=false -c diff.mnemonicPrefix=true diff"} {
			args := strings.Fields(options)
			if len(args) == 0 || args[0] != "-c" {
				args = append([]string{"diff"}, args...)
			}
			from, to := before, after
			if slices.Contains(args, "-R") {
				from, to = after, before
			}
			if slices.Contains(args, "--no-prefix") && hasFolder(before, after) {
				continue // git itself removes the prefix a/ when it reads this patch
			}
			patch := mustGit(t, dir, append(args, "--binary", old, new)...)
			checkPatch(t, fmt.Sprintf("round %d %q", round, options), patch, from, to)
			oracle(t, patch)
		}
	}
}

// hasFolder reports whether a name in one of the trees begins with a folder that looks like a
// prefix.
func hasFolder(trees ...tree) bool {
	for _, t := range trees {
		for name := range t {
			if strings.HasPrefix(name, "a/") || strings.HasPrefix(name, "b/") {
				return true
			}
		}
	}
	return false
}

func checkPatch(t *testing.T, name, patch string, from, to tree) {
	t.Helper()
	if patch == "" {
		return
	}
	p := Parse(patch, nil)
	for _, d := range p.Diagnostics {
		t.Fatalf("%s: %s %s at %q\n%s", name, d.Code, d.Message, d.Span.In(patch), patch)
	}
	got, err := from.apply(p)
	if err != nil {
		t.Fatalf("%s: %v\n%s", name, err, patch)
	}
	if got.String() != to.String() {
		t.Fatalf("%s: got\n%swant\n%s%s", name, got, to, patch)
	}
	if p.Entries != p.Readable || p.Entries != len(p.Set.Changes) {
		t.Fatalf("%s: %d entries, %d readable, %d changes", name, p.Entries, p.Readable, len(p.Set.Changes))
	}
}

// oracle checks that another parser reads the same names, modes and hunks.
func oracle(t *testing.T, patch string) {
	t.Helper()
	files, _, err := gitdiff.Parse(strings.NewReader(patch))
	if err != nil {
		return // the other parser does not know all prefixes
	}
	p := Parse(patch, nil)
	if len(files) != len(p.Set.Changes) {
		t.Fatalf("%d changes, and %d of the oracle\n%s", len(p.Set.Changes), len(files), patch)
	}
	for i, f := range files {
		hunks := 0
		for _, s := range p.Set.Changes[i].Steps {
			hunks += len(s.Parts())
		}
		if !f.IsBinary && !f.IsNew && hunks != len(f.TextFragments) {
			t.Fatalf("%d hunks, and %d of the oracle\n%s", hunks, len(f.TextFragments), patch)
		}
	}
}

// The mails of format-patch, and the output of log and show, are read as consecutive commits.
func TestCommits(t *testing.T) {
	needGit(t)
	dir := t.TempDir()
	mustGit(t, dir, "init", "-q")
	for round := range trials.Rounds(t, 10) {
		rng := rand.New(rand.NewPCG(uint64(round), 2))
		now := drawTree(rng)
		first := now
		start := commitTree(t, dir, now)
		mustGit(t, dir, "reset", "-q", "--hard", start)
		for i := range 3 {
			now = now.mutate(rng)
			clear1(t, dir)
			now.write(t, dir)
			mustGit(t, dir, "add", "-A")
			mustGit(t, dir, "commit", "-q", "--allow-empty", "-m", fmt.Sprintf("Change %d\n\nA body with - and +:\n\n- one\n+ two\n@@ no hunk\n", i))
		}
		for _, args := range [][]string{
			{"format-patch", "-q", "--stdout", "--binary", "-M", start},
			{"log", "-p", "--reverse", "--binary", "-M", start + ".."},
			{"log", "-p", "--reverse", "--binary", "--stat", start + ".."},
			{"show", "--binary", "HEAD~2", "HEAD~1", "HEAD"},
		} {
			patch := mustGit(t, dir, args...)
			checkPatch(t, fmt.Sprintf("round %d %v", round, args), patch, first, now)
			p := Parse(patch, nil)
			for i := 1; i < len(p.Set.Changes); i++ {
				if p.Set.Changes[i].Group < p.Set.Changes[i-1].Group {
					t.Fatal("groups go back")
				}
			}
		}
	}
}

// commitTree returns the id of a commit of a tree.
func commitTree(t *testing.T, dir string, tr tree) string {
	t.Helper()
	clear1(t, dir)
	tr.write(t, dir)
	mustGit(t, dir, "add", "-A")
	id := strings.TrimSpace(mustGit(t, dir, "write-tree"))
	return strings.TrimSpace(mustGit(t, dir, "commit-tree", "-m", "x", id))
}

var someNames = []string{"a.txt", "b.txt", "dir/c.txt", "dir/sub/d", "with blank.txt", "two  blanks/x y", "tab\tname", "quote\"name", "back\\slash", "ünï.txt", "a/b/a", "b/a", "-dash", "x b/x", " lead", "trail ", "new\nline", "i/w"}

func drawTree(rng *rand.Rand) tree {
	t := tree{}
	for _, i := range rng.Perm(len(someNames))[:6] {
		t[someNames[i]] = drawFile(rng)
	}
	return t
}

func drawFile(rng *rand.Rand) file {
	f := file{mode: 0o644}
	switch rng.IntN(10) {
	case 0:
		return file{"target", fs.ModeSymlink | 0o777}
	case 1:
		f.mode = 0o755
	case 2:
		var b strings.Builder
		for range 300 {
			b.WriteByte(byte(rng.IntN(256)))
		}
		f.data = b.String() + "\x00"
		return f
	case 3:
		return f
	}
	f.data = strings.Join(drawLines(rng, 5+rng.IntN(40)), "")
	if rng.IntN(4) == 0 {
		f.data = strings.TrimSuffix(f.data, "\n")
	}
	if rng.IntN(5) == 0 {
		f.data = strings.ReplaceAll(f.data, "\n", "\r\n")
	}
	return f
}

func drawLines(rng *rand.Rand, n int) []string {
	lines := make([]string, n)
	for i := range lines {
		lines[i] = []string{"line ", "-- ", "++ ", "@@ -1 +1 @@ ", "\t", "", "diff --git a/x b/x ", "\\ No newline ", "  "}[rng.IntN(9)] + fmt.Sprint(rng.IntN(1000)) + "\n"
		if rng.IntN(8) == 0 {
			lines[i] = "\n"
		}
	}
	return lines
}

// mutate returns the tree after some changes.
func (t tree) mutate(rng *rand.Rand) tree {
	after := maps.Clone(t)
	for _, name := range slices.Sorted(maps.Keys(t)) {
		f := t[name]
		free := someNames[rng.IntN(len(someNames))]
		_, taken := after[free]
		switch rng.IntN(8) {
		case 0:
			delete(after, name)
		case 1:
			if !taken {
				delete(after, name)
				after[free] = f
			}
		case 2:
			if !taken {
				after[free] = f.edited(rng)
			}
		case 3:
			if f.mode&fs.ModeSymlink == 0 {
				f.mode ^= 0o111
				after[name] = f
			}
		case 4, 5, 6:
			after[name] = f.edited(rng)
		case 7:
			after[name] = drawFile(rng)
		}
	}
	for _, name := range []string{"a/b/a", "b/a"} { // an earlier change may have made a folder of this name
		if _, ok := after[name]; ok {
			delete(after, "a")
			delete(after, "b")
		}
	}
	return after
}

func (f file) edited(rng *rand.Rand) file {
	if f.mode&fs.ModeSymlink != 0 {
		f.data += "2"
		return f
	}
	lines := strings.SplitAfter(f.data, "\n")
	for range 1 + rng.IntN(3) {
		i := rng.IntN(len(lines))
		lines = slices.Replace(lines, i, min(i+rng.IntN(2), len(lines)), drawLines(rng, rng.IntN(3))...)
		if len(lines) == 0 {
			break
		}
	}
	f.data = strings.Join(lines, "")
	return f
}
