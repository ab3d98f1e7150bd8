package history

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/google/uuid"
	"pgregory.net/rapid"

	"github.com/aptix-dev/aptix/server/internal/text"
)

// lockName is the name of the lock beside FileName during migration.
const lockName = "history.lock"

func open(t testing.TB, dir string) *Store {
	t.Helper()
	s, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// Record records an apply that is already made.
func (s *Store) Record(ctx context.Context, a Apply) error {
	p, err := s.Begin(ctx, a)
	if err != nil {
		return err
	}
	return p.Finish(ctx, a.Made, a.Pruned)
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// root returns a path that is absolute on every system.
func root() string {
	dir, err := filepath.Abs(filepath.Join(string(filepath.Separator), "home", "project"))
	if err != nil {
		panic(err)
	}
	return dir
}

func newID() string { return uuid.Must(uuid.NewV7()).String() }

func stands(data string) text.Content { return text.Content{Exists: true, Data: data, Mode: 0o644} }

func apply(key string, files ...File) Apply {
	return Apply{ID: newID(), Time: time.UnixMicro(1_700_000_000_123_456), Root: root(), Key: key,
		Label: "Rename the thing", Source: "cli", Files: files}
}

// asRecorded ignores the fields that only reading from the history sets.
var asRecorded = cmpopts.IgnoreUnexported(File{})

func did(path string, before, after text.Content) File {
	return File{Path: path, Before: before, After: after}
}

// withoutData returns an apply as List returns it.
func withoutData(a Apply) Apply {
	files := make([]File, len(a.Files))
	for i, f := range a.Files {
		f.Before.Data, f.After.Data = "", ""
		files[i] = f
	}
	a.Files = files
	return a
}

func TestRecordComesBackWhole(t *testing.T) {
	ctx, s := context.Background(), open(t, t.TempDir())
	paths := rapid.SliceOfNDistinct(rapid.StringMatching(`[a-cé/ \xff]{1,6}`), 1, 5, rapid.ID)
	content := rapid.Custom(func(t *rapid.T) text.Content {
		if rapid.Bool().Draw(t, "missing") {
			return text.Content{}
		}
		data := rapid.OneOf(rapid.String(), rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) }))
		mode := rapid.SampledFrom([]fs.FileMode{0, 0o600, 0o644, 0o755, fs.ModeSymlink, fs.ModeDir | 0o755})
		return text.Content{Exists: true, Data: data.Draw(t, "data"), Mode: mode.Draw(t, "mode")}
	})
	var want []Apply
	rapid.Check(t, func(rt *rapid.T) {
		a := apply(rapid.String().Draw(rt, "key"))
		a.Label, a.Source = rapid.String().Draw(rt, "label"), rapid.SampledFrom([]string{"cli", "lsp", "mcp"}).Draw(rt, "source")
		a.Time = time.UnixMicro(rapid.Int64Range(-1<<50, 1<<52).Draw(rt, "time"))
		for _, path := range paths.Draw(rt, "paths") {
			a.Files = append(a.Files, did(path, content.Draw(rt, "before"), content.Draw(rt, "after")))
		}
		folders := rapid.SliceOfN(rapid.StringMatching(`[a-c\xff]/[a-z]{1,3}`), 0, 3)
		if a.Made = folders.Draw(rt, "made"); len(a.Made) == 0 {
			a.Made = nil
		}
		if a.Pruned = folders.Draw(rt, "pruned"); len(a.Pruned) == 0 {
			a.Pruned = nil
		}
		must(t, s.Record(ctx, a))
		other := a
		other.ID, other.Root = newID(), filepath.Join(a.Root, "other")
		must(t, s.Record(ctx, other)) // the folders of this apply are its own
		got, err := s.Get(ctx, a.ID)
		must(t, err)
		if diff := cmp.Diff(a, got, asRecorded); diff != "" {
			rt.Fatalf("recorded (-), came back (+):\n%s", diff)
		}
		want = append([]Apply{withoutData(a)}, want...)
	})
	for _, limit := range []int{0, 1, 7} {
		got, err := s.List(ctx, root(), limit)
		must(t, err)
		part := want
		if limit > 0 {
			part = want[:min(limit, len(want))]
		}
		if diff := cmp.Diff(part, got, asRecorded); diff != "" {
			t.Errorf("the last %d recorded (-), listed (+):\n%s", limit, diff)
		}
	}
}

func TestRootsAreApart(t *testing.T) {
	ctx, s := context.Background(), open(t, t.TempDir())
	a := apply("k", did("a", text.Content{}, stands("x")))
	must(t, s.Record(ctx, a))
	for dir, want := range map[string]int{root(): 1, root() + string(filepath.Separator): 1, filepath.Join(root(), "sub"): 0, filepath.Dir(root()): 0} {
		got, err := s.List(ctx, dir, 0)
		must(t, err)
		if len(got) != want {
			t.Errorf("%s has %d applies, want %d", dir, len(got), want)
		}
	}
}

func TestGetByPrefix(t *testing.T) {
	ctx, s := context.Background(), open(t, t.TempDir())
	ids := []string{"0192f000-0000-7000-8000-00000000000a", "0192f000-0000-7000-8000-00000000000b", "0192f0ff-0000-7000-8000-00000000000a"}
	for _, id := range ids {
		a := apply("k", did("a", text.Content{}, stands(id)), did("b", stands(id), text.Content{}))
		a.ID = id
		must(t, s.Record(ctx, a))
	}
	for _, c := range []struct {
		prefix, want string
		err          error
	}{
		{ids[0], ids[0], nil},
		{strings.ToUpper(ids[0]), ids[0], nil},
		{"0192f0f", ids[2], nil},
		{"0192f00", "", ErrAmbiguous},
		{"0", "", ErrAmbiguous},
		{"0193", "", ErrNotFound},
		{"%", "", ErrNotFound},
		{"", "", ErrNotFound},
		{ids[0] + "0", "", ErrNotFound},
	} {
		got, err := s.Get(ctx, c.prefix)
		if !errors.Is(err, c.err) || got.ID != c.want {
			t.Errorf("%q found %q, %v; want %q, %v", c.prefix, got.ID, err, c.want, c.err)
		}
	}
}

func TestMarkReverted(t *testing.T) {
	ctx, s := context.Background(), open(t, t.TempDir())
	a := apply("k", did("a", text.Content{}, stands("x")))
	must(t, s.Record(ctx, a))
	for range 2 {
		must(t, s.MarkReverted(ctx, a.ID))
		if got, err := s.Get(ctx, a.ID); err != nil || !got.Reverted {
			t.Fatalf("after MarkReverted it is %v, %v", got.Reverted, err)
		}
	}
	for _, id := range []string{"", a.ID[:8], newID()} {
		if err := s.MarkReverted(ctx, id); !errors.Is(err, ErrNotFound) {
			t.Errorf("%q gave %v, want ErrNotFound", id, err)
		}
	}
}

// If a record is refused, nothing of it remains, not even its contents.
func TestRecordRefused(t *testing.T) {
	ctx, s := context.Background(), open(t, t.TempDir())
	file := did("a", text.Content{}, stands("new"))
	first := apply("k", did("a", text.Content{}, stands("old")))
	must(t, s.Record(ctx, first))
	noID, relative, sameID := apply("k", file), apply("k", file), apply("k", file)
	noID.ID, relative.Root, sameID.ID = "", "project", first.ID
	for name, a := range map[string]Apply{
		"no id": noID, "relative root": relative, "an id twice": sameID,
		"no files": apply("k"), "a path twice": apply("k", file, file),
	} {
		if err := s.Record(ctx, a); err == nil || !strings.Contains(err.Error(), s.path) {
			t.Errorf("%s gave %v, want an error that names the file", name, err)
		}
	}
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	if err := s.Record(cancelled, apply("k", file)); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled gave %v", err)
	}
	applies, err := s.List(ctx, root(), 0)
	must(t, err)
	if got := count(t, s, "blob"); len(applies) != 1 || got != 1 {
		t.Errorf("the history has %d applies and %d contents, want 1 and 1", len(applies), got)
	}
}

func TestContentsAreStoredOnceAndCompressed(t *testing.T) {
	ctx, s := context.Background(), open(t, t.TempDir())
	long := strings.Repeat("the quick brown fox\n", 50_000)
	must(t, s.Record(ctx, apply("1", did("a", text.Content{}, stands(long)), did("b", stands(long), stands("")))))
	must(t, s.Record(ctx, apply("2", did("a", stands(long), stands("")))))
	var bytes int
	must(t, s.db.QueryRow("SELECT sum(length(data)) FROM blob").Scan(&bytes))
	if got := count(t, s, "blob"); got != 2 || bytes > len(long)/20 {
		t.Errorf("%d contents in %d bytes, want 2 in far less than %d", got, bytes, len(long))
	}
}

func TestFilesAreTheUsersOwn(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "state", "aptix")
	s := open(t, dir)
	must(t, s.Record(context.Background(), apply("k", did("a", text.Content{}, stands("x")))))
	want := map[string]fs.FileMode{".": 0o700 | fs.ModeDir, FileName: 0o600, FileName + "-wal": 0o600, FileName + "-shm": 0o600, lockName: 0o600}
	if runtime.GOOS == "windows" { // Windows has no such bits; the folder's own access list protects it
		want = map[string]fs.FileMode{FileName: 0o666}
	}
	for name, mode := range want {
		info, err := os.Stat(filepath.Join(dir, name))
		must(t, err)
		if info.Mode() != mode {
			t.Errorf("%s has mode %v, want %v", name, info.Mode(), mode)
		}
	}
}

// The folder's name may contain characters that have a meaning in a URI.
func TestStateFolderNames(t *testing.T) {
	for _, name := range []string{"a b", "100%41", "q#x", "é", "a&mode=memory"} {
		dir := filepath.Join(t.TempDir(), name)
		a := apply("k", did("a", text.Content{}, stands("x")))
		must(t, open(t, dir).Record(context.Background(), a))
		if _, err := open(t, dir).Get(context.Background(), a.ID); err != nil {
			t.Errorf("%q: %v", name, err)
		}
		if info, err := os.Stat(filepath.Join(dir, FileName)); err != nil || info.Size() == 0 {
			t.Errorf("%q: the file is not there: %v", name, err)
		}
	}
}

func count(t testing.TB, s *Store, table string) (n int) {
	t.Helper()
	must(t, s.db.QueryRow(fmt.Sprintf("SELECT count(*) FROM %s", table)).Scan(&n))
	return n
}

func BenchmarkOpen(b *testing.B) {
	dir := b.TempDir()
	must(b, open(b, dir).Record(context.Background(), apply("k", did("a", text.Content{}, stands("x")))))
	for b.Loop() {
		s, err := Open(dir)
		must(b, err)
		must(b, s.Close())
	}
}
