package history

import (
	"context"
	"errors"
	"io/fs"
	"testing"

	"pgregory.net/rapid"

	"github.com/aptix-dev/aptix/server/internal/text"
)

// tree holds the current files by path.
type tree map[string]text.Content

func (tr tree) current(path string) (text.Content, error) { return tr[path], nil }

func linkTo(target string) text.Content {
	return text.Content{Exists: true, Data: target, Mode: fs.ModeSymlink}
}

func known(t testing.TB, s *Store, key string, tr tree) bool {
	t.Helper()
	standing, err := s.Standing(context.Background(), root(), key, tr.current)
	must(t, err)
	for _, one := range standing {
		if one != Left {
			return false
		}
	}
	return len(standing) > 0
}

func TestKnown(t *testing.T) {
	program := func(mode fs.FileMode) text.Content { return text.Content{Exists: true, Data: "#!", Mode: mode} }
	edit := []File{did("a", stands("1"), stands("2")), did("new", text.Content{}, stands("n")), did("gone", stands("g"), text.Content{})}
	chmod := []File{did("run", program(0o644), program(0o755))}
	relink := []File{did("l", linkTo("a"), linkTo("b"))}
	folder := text.Content{Exists: true, Mode: fs.ModeDir | 0o755}
	s := open(t, t.TempDir())
	for _, c := range []struct {
		name  string
		files []File
		now   tree
		want  bool
	}{
		{"all as left", edit, tree{"a": stands("2"), "new": stands("n")}, true},
		{"mode differs, which the apply did not touch", edit, tree{"a": {Exists: true, Data: "2", Mode: 0o755}, "new": stands("n")}, true},
		{"other files do not matter", edit, tree{"a": stands("2"), "new": stands("n"), "b": stands("?")}, true},
		{"one as before", edit, tree{"a": stands("1"), "new": stands("n")}, false},
		{"one changed since", edit, tree{"a": stands("2\n"), "new": stands("n")}, false},
		{"a new one gone", edit, tree{"a": stands("2")}, false},
		{"a deleted one back", edit, tree{"a": stands("2"), "new": stands("n"), "gone": stands("g")}, false},
		{"a deleted one back, empty", edit, tree{"a": stands("2"), "new": stands("n"), "gone": stands("")}, false},
		{"empty is not missing", []File{did("e", text.Content{}, stands(""))}, tree{}, false},
		{"line endings count", []File{did("a", text.Content{}, stands("x\n"))}, tree{"a": stands("x\r\n")}, false},
		{"executable as left", chmod, tree{"run": program(0o700)}, true},
		{"no longer executable", chmod, tree{"run": program(0o644)}, false},
		{"a link as left", relink, tree{"l": linkTo("b")}, true},
		{"a link, whatever its mode", relink, tree{"l": {Exists: true, Data: "b", Mode: fs.ModeSymlink | 0o777}}, true},
		{"a link elsewhere", relink, tree{"l": linkTo("a")}, false},
		{"a file that holds the target", relink, tree{"l": stands("b")}, false},
		{"a target is no text", []File{did("l", text.Content{}, linkTo("\ufeffb"))}, tree{"l": linkTo("b")}, false},
		{"a link where a file was left", edit, tree{"a": linkTo("2"), "new": stands("n")}, false},
		{"a link where a file was deleted", edit, tree{"a": stands("2"), "new": stands("n"), "gone": linkTo("g")}, false},
		{"a script became a link", []File{did("l", program(0o755), linkTo("b"))}, tree{"l": {Exists: true, Data: "b", Mode: fs.ModeSymlink | 0o777}}, true},
		{"a folder as left", []File{did("d", text.Content{}, folder)}, tree{"d": {Exists: true, Data: "", Mode: fs.ModeDir | 0o700}}, true},
		{"a folder gone", []File{did("d", text.Content{}, folder)}, tree{}, false},
		{"a folder deleted", []File{did("d", folder, text.Content{})}, tree{}, true},
		{"an empty file for a folder", []File{did("d", text.Content{}, folder)}, tree{"d": stands("")}, false},
		{"a folder for an empty file", []File{did("d", text.Content{}, stands(""))}, tree{"d": folder}, false},
		{"a folder for the files in it", []File{did("d", stands("x"), text.Content{}), did("d/x", text.Content{}, stands("x"))}, tree{"d": folder, "d/x": stands("x")}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			must(t, s.Record(context.Background(), apply(c.name, c.files...)))
			if got := known(t, s, c.name, c.now); got != c.want {
				t.Errorf("known is %v, want %v", got, c.want)
			}
			if known(t, s, "other key", c.now) {
				t.Error("another key is known too")
			}
		})
	}
}

func TestKnownOnlyForItsRoot(t *testing.T) {
	s, now := open(t, t.TempDir()), tree{"a": stands("x")}
	must(t, s.Record(context.Background(), apply("k", did("a", text.Content{}, stands("x")))))
	if standing, err := s.Standing(context.Background(), root()+"2", "k", now.current); len(standing) > 0 || err != nil {
		t.Errorf("known for another root: %v, %v", standing, err)
	}
}

// The same text counts as the same in any encoding, for example in an editor's buffer or another front end. A text in
// which one byte differs never counts as the same.
func TestKnownInEveryEncoding(t *testing.T) {
	s := open(t, t.TempDir())
	encodings := rapid.SampledFrom([]text.Encoding{text.UTF8, text.UTF8BOM, text.UTF16LE, text.UTF16BE})
	texts := rapid.StringOf(rapid.SampledFrom([]rune("ab\r\n é😀")))
	rapid.Check(t, func(rt *rapid.T) {
		content, other := texts.Draw(rt, "text"), texts.Draw(rt, "other")
		a := apply(newID(), did("a", text.Content{}, stands(encodings.Draw(rt, "recorded").Encode(content))))
		must(t, s.Record(context.Background(), a))
		now := encodings.Draw(rt, "now")
		if !known(t, s, a.Key, tree{"a": stands(now.Encode(content))}) {
			rt.Fatal("the same text is not known")
		}
		if got := known(t, s, a.Key, tree{"a": stands(now.Encode(other))}); got != (content == other) {
			rt.Fatalf("%q for %q: known is %v", other, content, got)
		}
	})
}

func TestKnownBinary(t *testing.T) {
	s := open(t, t.TempDir())
	must(t, s.Record(context.Background(), apply("k", did("a", text.Content{}, stands("\xff\x00\x01")))))
	if !known(t, s, "k", tree{"a": stands("\xff\x00\x01")}) || known(t, s, "k", tree{"a": stands("\xff\x00\x02")}) {
		t.Error("binary content is not told by its bytes")
	}
}

func TestKnownGoesByTheLatestInForce(t *testing.T) {
	ctx, s := context.Background(), open(t, t.TempDir())
	first := apply("k", did("a", stands("0"), stands("1")))
	second := apply("k", did("a", stands("1"), stands("2")))
	second.Time = first.Time.AddDate(-1, 0, 0) // a clock that was set back
	must(t, s.Record(ctx, first))
	must(t, s.Record(ctx, second))
	one, two := tree{"a": stands("1")}, tree{"a": stands("2")}
	if known(t, s, "k", one) || !known(t, s, "k", two) {
		t.Error("the second apply does not count")
	}
	must(t, s.MarkReverted(ctx, second.ID))
	if !known(t, s, "k", one) || known(t, s, "k", two) {
		t.Error("with the second reverted, the first does not count")
	}
	must(t, s.MarkReverted(ctx, first.ID))
	if known(t, s, "k", one) || known(t, s, "k", two) {
		t.Error("a reverted apply counts")
	}
}

func TestKnownPassesErrorsOn(t *testing.T) {
	s := open(t, t.TempDir())
	must(t, s.Record(context.Background(), apply("k", did("a", text.Content{}, stands("x")))))
	broken := errors.New("a: the disk is gone")
	standing, err := s.Standing(context.Background(), root(), "k", func(string) (text.Content, error) { return text.Content{}, broken })
	if standing != nil || !errors.Is(err, broken) {
		t.Errorf("got %v, %v", standing, err)
	}
}

func TestStanding(t *testing.T) {
	s := open(t, t.TempDir())
	must(t, s.Record(context.Background(), apply("k",
		did("left", stands("1"), stands("2")), did("undone", stands("1"), stands("2")), did("moved", stands("1"), stands("2")),
		did("new-undone", text.Content{}, stands("n")), did("gone-undone", stands("g"), text.Content{}), did("gone-moved", stands("g"), text.Content{}),
		did("link-undone", linkTo("a"), linkTo("b")), did("link-moved", linkTo("a"), linkTo("b")), did("turned-undone", stands("a"), linkTo("a")),
		did("dir-undone", text.Content{Exists: true, Mode: fs.ModeDir}, stands("a")), did("new-dir-moved", stands("a"), stands("b")))))
	now := tree{"left": stands("2"), "undone": stands("1"), "moved": stands("3"), "gone-undone": stands("g"), "gone-moved": stands("x"),
		"link-undone": linkTo("a"), "link-moved": stands("a"), "turned-undone": stands("a"), "dir-undone": {Exists: true, Data: "", Mode: fs.ModeDir | 0o755},
		"new-dir-moved": {Exists: true, Data: "", Mode: fs.ModeDir | 0o755}}
	standing, err := s.Standing(context.Background(), root(), "k", now.current)
	must(t, err)
	want := map[string]Standing{"left": Left, "undone": Undone, "moved": Moved, "new-undone": Undone, "gone-undone": Undone, "gone-moved": Moved,
		"link-undone": Undone, "link-moved": Moved, "turned-undone": Undone, "dir-undone": Undone, "new-dir-moved": Moved}
	for path, w := range want {
		if standing[path] != w {
			t.Errorf("%s: %v, want %v", path, standing[path], w)
		}
	}
}
