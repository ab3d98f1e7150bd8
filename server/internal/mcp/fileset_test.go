package mcp

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/tools/meanwhile"
)

// A sharing is a client that works on disk, with a file set that it shares with others.
type sharing struct {
	client
	set meanwhile.Shared
}

func openSharing(t *testing.T, dir string) sharing {
	t.Helper()
	set := meanwhile.Share(t)
	config := newConfig(t, dir)
	config.FileSet = set.Set
	return sharing{connect(t, config), set}
}

type content struct{ Source, SHA256, Content string }

// Reading a closed file returns the set's text, and says which changes can be made.
func TestReadThroughSharedSet(t *testing.T) {
	dir := folder(t, "demo", map[string]string{"Same.txt": "both\n", "behind.txt": "disk\n", "disk.txt": "disk\n"})
	s := openSharing(t, dir)
	for key, text := range map[string]string{"demo/same.txt": "both\n", "demo/behind.txt": "set\n", "demo/only.txt": "set\n", "other/only.txt": "set\n"} {
		s.set.Upload(key, text)
	}
	for key, want := range map[string]struct{ source, content, warning, says string }{
		"demo/same.txt":   {"cloud", "both\n", "", ""},
		"demo/behind.txt": {"cloud", "set\n", "file-set-differs", "differs from the shared file set, which has revision 1 "},
		"demo/only.txt":   {"cloud", "set\n", "file-set-only", "it can be read but not changed"},
		"other/only.txt":  {"cloud", "set\n", "file-set-only", "it can be read but not changed"},
		"demo/disk.txt":   {"disk", "disk\n", "", ""},
	} {
		read, answer := must[content](s.client, "workspace_read_file", object{"docPath": key})
		if read != (content{want.source, sum(want.content), want.content}) {
			t.Errorf("%s: %+v", key, read)
		}
		warned := protocol.ToolMessage{}
		if len(answer.Warnings) > 0 {
			warned = answer.Warnings[0]
		}
		if warned.Code != want.warning || !strings.Contains(warned.Message, want.says) {
			t.Errorf("%s: %+v", key, answer.Warnings)
		}
	}
	if code, _ := s.refused("workspace_read_file", object{"docPath": "demo/none.txt"}); code != "doc-path-unknown" {
		t.Error(code)
	}
}

// If the disk differs from the set, a patch made from the text in the set is refused with the
// file's name, and so is a patch made from the disk.
func TestPatchBehindSharedSet(t *testing.T) {
	dir := folder(t, "demo", map[string]string{"a.txt": "disk\n", "b.txt": "b\n"})
	s := openSharing(t, dir)
	s.set.Upload("demo/a.txt", "set\n")
	for _, base := range []string{"set", "disk"} {
		arguments := patch("demo/a.txt", sum(base+"\n"), base, "new")
		arguments["files"] = append(arguments["files"].([]object), patch("demo/b.txt", sum("b\n"), "b", "B")["files"].([]object)...)
		code, said := s.refused("workspace_write_patch", arguments)
		if code != "file-set-differs" || !strings.Contains(said, `"demo/a.txt" on disk (SHA-256 `) {
			t.Errorf("from the %s: %s %s", base, code, said)
		}
	}
	fileHas(t, "disk\n", dir, "a.txt")
	fileHas(t, "b\n", dir, "b.txt")
	s.set.Has("demo/a.txt", "set\n", meanwhile.Other)

	write(t, filepath.Join(dir, "a.txt"), "set\n")
	done, answer := must[written](s.client, "workspace_write_patch", patch("demo/a.txt", sum("set\n"), "set", "new"))
	if !done.Applied || len(answer.Warnings) > 0 {
		t.Errorf("%+v %+v", done, answer.Warnings)
	}
	s.set.Has("demo/a.txt", "new\n", "mcp")

	s.set.Upload("demo/a.txt", "theirs\n")
	if code, said := s.refused("aptix_revert", object{"id": done.ID}); code != "file-set-differs" || !strings.Contains(said, "demo/a.txt") {
		t.Errorf("%s %s", code, said)
	}
	fileHas(t, "new\n", dir, "a.txt")
	write(t, filepath.Join(dir, "a.txt"), "theirs\n")
	s.set.Upload("demo/a.txt", "new\n")
	write(t, filepath.Join(dir, "a.txt"), "new\n")
	must[protocol.RevertResult](s.client, "aptix_revert", object{"id": done.ID})
	fileHas(t, "set\n", dir, "a.txt")
	s.set.Has("demo/a.txt", "set\n", "mcp")
}

// If a set fails, the text on disk is not used instead.
func TestSharedSetFails(t *testing.T) {
	dir := folder(t, "demo", map[string]string{"a.txt": "one\n"})
	s := openSharing(t, dir)
	if err := s.set.Close(); err != nil {
		t.Fatal(err)
	}
	for name, arguments := range map[string]object{
		"workspace_read_file": {"docPath": "demo/a.txt"}, "workspace_write_patch": patch("demo/a.txt", sum("one\n"), "one", "two"), "aptix_apply": bundle("a.txt", "two\n"),
	} {
		if code, said := s.refused(name, arguments); !strings.HasPrefix(code, "file-set-") || !strings.Contains(said, "the shared file set failed, so it is unknown whether the text") {
			t.Errorf("%s: %s %s", name, code, said)
		}
	}
	fileHas(t, "one\n", dir, "a.txt")
}
