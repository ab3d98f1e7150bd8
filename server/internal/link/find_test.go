package link

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestWhoServes(t *testing.T) {
	state, ws := folder(t), folder(t)
	must(t, os.MkdirAll(filepath.Join(ws, "a", "b"), 0o755))
	must(t, os.Symlink(ws, filepath.Join(state, "link")))
	if who := whoServes(t, filepath.Join(state, "none"), ws); who != "" {
		t.Errorf("%q serves without a state folder", who)
	}
	listen(t, state, named("inner"), filepath.Join(ws, "a"))
	if who := whoServes(t, state, ws); who != "" {
		t.Errorf("%q serves a folder around its own", who)
	}
	listen(t, state, named("outer"), ws)
	listen(t, state, named("beside"), folder(t))
	for _, c := range []struct {
		want  string
		roots []string
	}{
		{"inner", []string{filepath.Join(ws, "a")}},
		{"inner", []string{filepath.Join(ws, "a", "b")}},
		{"inner", []string{filepath.Join(state, "link", "a")}},
		{"", []string{folder(t)}},
		{"", []string{ws, folder(t)}},
	} {
		if who := whoServes(t, state, c.roots...); who != c.want {
			t.Errorf("%q serves %q, want %q", who, c.roots, c.want)
		}
	}
}

// If two windows have a folder open, Dial chooses the one that the person used last.
func TestLastSeen(t *testing.T) {
	state, ws := folder(t), folder(t)
	first := listen(t, state, named("first"), ws)
	second := listen(t, state, named("second"), ws)
	old := time.Now().Add(-time.Hour)
	for _, l := range []*Listener{first, second} {
		must(t, os.Chtimes(l.record.name+recordFile, old, old))
	}
	must(t, first.Seen())
	if who := whoServes(t, state, ws); who != "first" {
		t.Errorf("%q answers", who)
	}
	must(t, os.Chtimes(first.record.name+recordFile, old, old))
	must(t, second.Seen())
	if who := whoServes(t, state, ws); who != "second" {
		t.Errorf("%q answers", who)
	}
	second.Close()
	if who := whoServes(t, state, ws); who != "first" {
		t.Errorf("%q answers for one that is closed", who)
	}
}

func TestFoldersChange(t *testing.T) {
	state, one, two := folder(t), folder(t), folder(t)
	l := listen(t, state, named("it"), one)
	if who := whoServes(t, state, one, two); who != "" {
		t.Errorf("%q serves a folder that it was not given", who)
	}
	must(t, l.Serve([]string{one, two}))
	if who := whoServes(t, state, one, two); who != "it" {
		t.Error("a folder that was added is not served")
	}
	must(t, l.Serve([]string{two}))
	if who := whoServes(t, state, one); who != "" {
		t.Error("a folder that was removed is served")
	}
	l.Close()
	must(t, l.Serve([]string{two}))
	must(t, l.Seen())
	if left := files(t, state); len(left) > 0 {
		t.Errorf("%q are left", left)
	}
}

// If one folder is missing, the others are still served.
func TestFolderGone(t *testing.T) {
	state, one := folder(t), folder(t)
	l := listen(t, state, named("it"))
	if err := l.Serve([]string{filepath.Join(one, "gone"), one}); err == nil {
		t.Error("nobody is told")
	}
	if who := whoServes(t, state, one); who != "it" {
		t.Errorf("%q serves", who)
	}
}

// A search for servers removes the files of a killed server, but not the files of a running one.
func TestKilledIsForgotten(t *testing.T) {
	for _, c := range []struct {
		name string
		look func(t *testing.T, state, ws string)
	}{
		{"by dial", func(t *testing.T, state, ws string) {
			if who := whoServes(t, state, ws); who != "" {
				t.Errorf("%q answers", who)
			}
		}},
		{"by listen", func(t *testing.T, state, _ string) { listen(t, state, named("new")).Close() }},
	} {
		t.Run(c.name, func(t *testing.T) {
			state, ws := folder(t), folder(t)
			listen(t, state, named("living"), folder(t))
			alive := files(t, state)
			killed, _ := process(t, state, ws)
			if len(files(t, state)) != 2*len(alive) {
				t.Fatalf("the files are %q", files(t, state))
			}
			must(t, killed.Process.Kill())
			_ = killed.Wait()
			c.look(t, state, ws)
			if left := files(t, state); strings.Join(left, " ") != strings.Join(alive, " ") {
				t.Errorf("left are %q, want %q", left, alive)
			}
		})
	}
}

// An unreadable record belongs to no server and does no harm.
func TestBrokenRecord(t *testing.T) {
	state, ws := folder(t), folder(t)
	listen(t, state, named("it"), ws)
	for name, text := range map[string]string{"a": "{", "b": "null", "c": `{"folders":["` + ws + `"],"socket":"relative"}`, "d": ""} {
		must(t, os.WriteFile(filepath.Join(runDir(state), name+recordFile), []byte(text), 0o600))
	}
	must(t, os.Mkdir(filepath.Join(runDir(state), "e"+recordFile), 0o700))
	if who := whoServes(t, state, ws); who != "it" {
		t.Errorf("%q serves", who)
	}
}

// The path of a socket is always short enough. If the state folder's path is long, the
// socket is elsewhere.
func TestLongStateDir(t *testing.T) {
	state, ws := filepath.Join(folder(t), strings.Repeat("long", 30)), folder(t)
	temp := t.TempDir()
	t.Setenv("XDG_RUNTIME_DIR", temp)
	if len(temp) > 60 {
		t.Skip("the temporary folder is too long, too")
	}
	l := listen(t, state, named("it"), ws)
	if who := whoServes(t, state, ws); who != "it" {
		t.Errorf("%q serves", who)
	}
	if dir := filepath.Dir(l.record.Socket); filepath.Dir(dir) != temp {
		t.Errorf("the socket is in %s", dir)
	}
	killed, _ := process(t, state, ws)
	must(t, killed.Process.Kill())
	_ = killed.Wait()
	l.Close()
	if who := whoServes(t, state, ws); who != "" {
		t.Errorf("%q serves", who)
	}
	if left, _ := os.ReadDir(temp); len(left) > 0 {
		t.Errorf("%v are left", left)
	}
}
