package gitdiff

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/place"
	"github.com/aptix-dev/aptix/server/internal/text"
	"github.com/aptix-dev/aptix/server/tools/needs"
)

// A tree maps paths to files.
type tree map[string]file

type file struct {
	data string
	mode fs.FileMode // 0o644, 0o755 or the mode of a link
}

func (t tree) String() string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(t)) {
		fmt.Fprintf(&b, "%q %v %q\n", name, t[name].mode, t[name].data)
	}
	return b.String()
}

// apply makes the changes of a patch in the simplest way. Package plan must give the same result.
func (t tree) apply(p Patch) (tree, error) {
	now := maps.Clone(t)
	group, before, moved := 0, t, map[string]bool{}
	for _, c := range p.Set.Changes {
		if c.Group != group {
			group, before, moved = c.Group, maps.Clone(now), map[string]bool{}
		}
		if err := now.change(before, moved, c); err != nil {
			return nil, fmt.Errorf("%s: %w", c.Path, err)
		}
	}
	return now, nil
}

// change makes one change of a group. moved are the names to which other changes moved a
// file.
func (t tree) change(before tree, moved map[string]bool, c intent.Change) error {
	source, ok := t[c.Path]
	if c.Kind == intent.Rename || c.Kind == intent.Copy {
		source, ok = before[c.Path]
	}
	if !ok && c.Kind != intent.Create && !c.MayCreate {
		return fs.ErrNotExist
	}
	if !ok {
		source.mode = 0o644
	}
	if c.Kind == intent.Create {
		source.data = c.Content
	}
	for _, s := range c.Steps {
		out := s.Resolve(intent.Target{Text: place.NewText(source.data)})
		if diag.HasErrors(out.Problems) {
			return fmt.Errorf("%s", out.Problems[0].Message)
		}
		data, err := text.Apply(source.data, out.Edits)
		if err != nil {
			return err
		}
		source.data = data
	}
	if c.Mode != 0 {
		source.mode = c.Mode
	}
	switch c.Kind {
	case intent.Delete:
		if source.data != "" {
			return fmt.Errorf("%q is left", source.data)
		}
		delete(t, c.Path)
		return nil
	case intent.Rename:
		if !moved[c.Path] {
			delete(t, c.Path)
		}
		t[c.To], moved[c.To] = source, true
	case intent.Copy:
		t[c.To] = source
	default:
		t[c.Path] = source
	}
	return nil
}

func (t tree) write(tb testing.TB, dir string) {
	tb.Helper()
	for name, f := range t {
		path := filepath.Join(dir, name)
		must(tb, os.MkdirAll(filepath.Dir(path), 0o777))
		if f.mode&fs.ModeSymlink != 0 {
			must(tb, os.Symlink(f.data, path))
			continue
		}
		must(tb, os.WriteFile(path, []byte(f.data), f.mode))
	}
}

// readTree returns the files in a folder, except .git.
func readTree(tb testing.TB, dir string) tree {
	tb.Helper()
	found := tree{}
	must(tb, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			if d != nil && d.Name() == ".git" {
				return filepath.SkipDir
			}
			return err
		}
		name, _ := filepath.Rel(dir, path)
		if d.Type() == fs.ModeSymlink {
			target, err := os.Readlink(path)
			found[name] = file{target, fs.ModeSymlink | 0o777}
			return err
		}
		data, err := os.ReadFile(path)
		info, _ := d.Info()
		f := file{string(data), 0o644}
		if info.Mode()&0o100 != 0 {
			f.mode = 0o755
		}
		found[name] = f
		return err
	}))
	return found
}

func clear1(tb testing.TB, dir string) {
	tb.Helper()
	entries, err := os.ReadDir(dir)
	must(tb, err)
	for _, e := range entries {
		if e.Name() != ".git" {
			must(tb, os.RemoveAll(filepath.Join(dir, e.Name())))
		}
	}
}

func must(tb testing.TB, err error) {
	tb.Helper()
	if err != nil {
		tb.Fatal(err)
	}
}

// git runs git in a folder, independently of the user's settings.
func git(tb testing.TB, dir, stdin string, args ...string) (string, error) {
	tb.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir, cmd.Stdin = dir, strings.NewReader(stdin)
	cmd.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null", "GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@b.c",
		"GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@b.c", "GIT_AUTHOR_DATE=2020-01-01T00:00:00Z", "GIT_COMMITTER_DATE=2020-01-01T00:00:00Z", "GIT_CEILING_DIRECTORIES="+filepath.Dir(dir))
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		err = fmt.Errorf("git %v: %w: %s", args, err, stderr.String())
	}
	return string(out), err
}

func mustGit(tb testing.TB, dir string, args ...string) string {
	tb.Helper()
	out, err := git(tb, dir, "", args...)
	must(tb, err)
	return out
}

func needGit(tb testing.TB) {
	tb.Helper()
	needs.Program(tb, "git")
}
