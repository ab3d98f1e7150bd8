package lspserver_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	lsp "go.lsp.dev/protocol"

	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/fileset"
	"github.com/aptix-dev/aptix/server/tools/meanwhile"
)

// A sharing is an editor that shares its files with others.
type sharing struct {
	*office
	set meanwhile.Shared
}

// openSharing starts an editor whose setting aptix.fileSet names a database. The environment variable names another
// database, which the setting overrides.
func openSharing(t *testing.T, files map[string]string) sharing {
	t.Helper()
	t.Setenv(fileset.Env, "postgres://nobody@/d?host="+t.TempDir())
	set := meanwhile.Share(t)
	return sharing{openOffice(t, files, withFileSet(set.URL)), set}
}

func withFileSet(where string) func(*office) {
	return func(o *office) { o.Settings = map[string]any{"aptix": map[string]any{"fileSet": where}} }
}

// applyReply applies a reply at once, as a person might, perhaps before the settings arrive.
func (o *office) applyReply(text string) protocol.ApplyResult {
	o.t.Helper()
	openReply(o.Client, text)
	return apply(o.t, o.Client, nil)
}

// upload uploads the next revision of a file as another user.
func (s sharing) upload(path, content string) {
	s.t.Helper()
	s.set.Upload("workspace/"+path, content)
}

// has checks the content of a file in the set, and who wrote it. "" means that the set does not have the file.
func (s sharing) has(path, content, by string) {
	s.t.Helper()
	s.set.Has("workspace/"+path, content, by)
}

// After a person's apply, and after its revert, the set has the resulting files, whatever the operations were.
func TestPersonAndSharedSet(t *testing.T) {
	s := openSharing(t, tree)
	s.upload("gone.txt", tree["gone.txt"])
	if r := s.applyReply(reply); !r.Verified || len(r.Warnings) > 0 {
		t.Fatalf("got %+v", r)
	}
	for path, content := range done {
		s.has(path, content, "lsp")
	}
	if r := revert(t, s.Client, protocol.RevertParams{}); !r.Verified || len(r.Warnings) > 0 {
		t.Fatalf("got %+v", r)
	}
	for path, content := range undo {
		s.has(path, content, "lsp")
	}
}

// Unsaved text is uploaded with a change. The set may hold the file on disk, or the text
// before the change.
func TestUnsavedTextAndSharedSet(t *testing.T) {
	s := openSharing(t, map[string]string{"a.txt": "one\r\n"})
	s.upload("a.txt", "one\r\n")
	s.Editor.Open("a.txt", "plaintext")
	s.Editor.Type("a.txt", lsp.TextEdit{NewText: "zero\r\n"})
	if r := s.applyReply(bundle(patch("a.txt", "one", "two"))); !r.Verified || len(r.Warnings) > 0 {
		t.Fatalf("got %+v", r)
	}
	s.has("a.txt", "zero\r\ntwo\r\n", "lsp")
	if onDisk, _ := s.Editor.ReadDisk("a.txt"); onDisk != "one\r\n" {
		t.Errorf("on disk is %q", onDisk)
	}
	job := s.applies(s.agent(), bundle(patch("a.txt", "two", "three")))
	s.next().answer <- true
	job.want("")
	if len(job.answer.Warnings) > 0 {
		t.Errorf("got %+v", job.answer.Warnings)
	}
	s.has("a.txt", "zero\r\nthree\r\n", "agent")
}

// If another user changed an open file in the set, the file is changed nevertheless, because its buffer counts. The
// person and the agent learn about the other user's change, and that user's text stays in the set.
func TestConflictOfOpenFile(t *testing.T) {
	s := openSharing(t, map[string]string{"a.txt": "one\n", "b.txt": "b\n"})
	s.upload("a.txt", "theirs\n")
	s.Editor.Open("a.txt", "plaintext")
	r := s.applyReply(bundle(patch("a.txt", "one", "two"), replace("b.txt", "B\n")))
	if !r.Applied || len(r.Warnings) != 1 || r.Warnings[0].Code != "not-uploaded" || !strings.Contains(r.Warnings[0].Message, `"workspace/a.txt" was made from SHA-256 `) || !strings.HasSuffix(r.Message, "; "+r.Warnings[0].Message) {
		t.Fatalf("got %+v", r)
	}
	shows(t, s.Client, map[string]string{"a.txt": "two\n", "b.txt": "B\n"})
	job := s.applies(s.agent(), bundle(patch("a.txt", "two", "three")))
	s.next().answer <- true
	job.want("")
	if w := job.answer.Warnings; len(w) != 1 || w[0].Code != "not-uploaded" {
		t.Errorf("got %+v", w)
	}
	back := revert(t, s.Client, protocol.RevertParams{})
	if !back.Applied || len(back.Warnings) != 1 || back.Warnings[0].Code != "not-uploaded" {
		t.Errorf("got %+v", back)
	}
	shows(t, s.Client, map[string]string{"a.txt": "two\n"})
	s.has("a.txt", "theirs\n", meanwhile.Other)
	s.has("b.txt", "", "")
}

// For a closed file, the set's text counts. If the disk has an older text, nobody changes the
// file, and nobody is asked.
func TestBehindSharedSet(t *testing.T) {
	s := openSharing(t, map[string]string{"a.txt": "one\n", "b.txt": "b\n"})
	applied := s.applyReply(bundle(patch("a.txt", "one", "two")))
	if !applied.Verified {
		t.Fatalf("got %+v", applied)
	}
	s.Editor.SaveAll()
	s.Editor.Close("a.txt")
	s.upload("a.txt", "theirs\n")
	text := bundle(patch("a.txt", "two", "three"), replace("b.txt", "B\n"))
	s.Editor.Close(replyURI)
	refused := s.applyReply(text)
	if refused.Applied || !strings.HasPrefix(refused.Message, `Not applied: "workspace/a.txt" on disk (SHA-256 `) {
		t.Errorf("got %+v", refused)
	}
	back := revert(t, s.Client, protocol.RevertParams{ID: applied.ID})
	if back.Applied || !strings.HasPrefix(back.Message, `Not reverted: "workspace/a.txt" on disk`) {
		t.Errorf("got %+v", back)
	}
	agent := s.agent()
	s.applies(agent, text).want("file-set-differs")
	undo := s.call(agent, "aptix_revert", map[string]any{"id": applied.ID})
	undo.want("file-set-differs")
	if len(s.offers) > 0 {
		t.Error("the person was asked")
	}
	shows(t, s.Client, map[string]string{"a.txt": "two\n", "b.txt": "b\n"})
	s.has("a.txt", "theirs\n", meanwhile.Other)
	s.has("b.txt", "", "")

	s.Editor.WriteDisk("a.txt", "theirs\n")
	s.settle()
	job := s.applies(agent, bundle(patch("a.txt", "theirs", "ours")))
	s.next().answer <- true
	job.want("")
	s.has("a.txt", "ours\n", "agent")
}

// A model reads the buffer, or else the set, or else the disk (rule R29).
func TestReadThroughSharedSet(t *testing.T) {
	s := openSharing(t, map[string]string{"open.txt": "disk\n", "behind.txt": "disk\n", "disk.txt": "disk\n"})
	for _, path := range []string{"open.txt", "behind.txt", "elsewhere.txt"} {
		s.upload(path, "set\n")
	}
	s.Editor.Open("open.txt", "plaintext")
	s.Editor.Type("open.txt", lsp.TextEdit{NewText: "typed "})
	s.settle()
	agent := s.agent()
	for path, want := range map[string]struct{ source, content string }{
		"open.txt": {"active", "typed disk\n"}, "behind.txt": {"cloud", "set\n"}, "elsewhere.txt": {"cloud", "set\n"}, "disk.txt": {"disk", "disk\n"},
	} {
		job := s.call(agent, "workspace_read_file", map[string]any{"docPath": "workspace/" + path})
		job.want("")
		var read struct{ Source, Content string }
		if err := json.Unmarshal(job.answer.Result, &read); err != nil || read.Source != want.source || read.Content != want.content {
			t.Errorf("%s: %+v, want %+v: %v", path, read, want, err)
		}
	}
}

// If the database is down, nothing is changed, and no message contains the password.
func TestSharedSetIsDown(t *testing.T) {
	o := openOffice(t, tree, withFileSet("postgres://alice:s3cr3t@/d?host="+t.TempDir()))
	r := o.applyReply(reply)
	if r.Applied || !strings.Contains(r.Message, `file set (database "d"`) || strings.Contains(r.Message, "s3cr3t") {
		t.Errorf("got %+v", r)
	}
	job := o.applies(o.agent(), reply)
	job.want("file-set-failed")
	if said := job.answer.Errors[0].Message; strings.Contains(said, "s3cr3t") {
		t.Errorf("an agent is told %q", said)
	}
	shows(t, o.Client, undo)
}

// Without a setting, there is no set until a file is named by its docPath.
func TestSetOfThisMachine(t *testing.T) {
	o := openOffice(t, map[string]string{"a.txt": "one\n"}, nil)
	file := filepath.Join(o.state, "fileset.db")
	if r := o.applyReply(bundle(patch("a.txt", "one", "two"))); !r.Verified {
		t.Fatalf("got %+v", r)
	}
	if _, err := os.Stat(file); err == nil {
		t.Error("there is a file set")
	}
	o.Editor.Close(replyURI)
	lines := `{"files": [{"docPath": "workspace/a.txt", "originalSha256": "` + sumOf("two\n") + `", "changes": [{"operation": "insert", "afterLine": 1, "newLines": ["end"]}]}]}`
	if r := o.applyReply(fence(lines)); !r.Verified || len(r.Warnings) > 0 {
		t.Fatalf("got %+v", r)
	}
	set, err := fileset.Open(t.Context(), file)
	if err != nil {
		t.Fatal(err)
	}
	defer set.Close()
	if held, err := set.Get(t.Context(), "workspace/a.txt"); err != nil || held.Content != "two\nend\n" || held.Revision != 1 {
		t.Errorf("the set has %+v, %v", held, err)
	}
}
