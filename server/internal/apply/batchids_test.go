package apply

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/history"
	"github.com/aptix-dev/aptix/server/internal/meter"
	"github.com/aptix-dev/aptix/server/internal/text"
	"github.com/aptix-dev/aptix/server/tools/needs"
)

func hexSum(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}

// linesReply returns a reply with one batch. The docPaths of its files begin with p/.
func linesReply(t testing.TB, batch protocol.Batch) string {
	t.Helper()
	raw, err := json.Marshal(batch)
	ok(t, err)
	asked := strings.NewReplacer(`"path":"",`, "", `"sha256":"",`, "").Replace(string(raw)) // these members are only for answers
	return "```json\n" + asked + "\n```\n"
}

// twoFiles returns a batch of two files, the first of which has two changes.
func twoFiles() protocol.Batch {
	top := 0
	return protocol.Batch{BatchID: "invented", BatchKey: "k", BatchLabel: "Why", Files: []protocol.FilePatch{
		{FilePatchID: "invented", FileKey: "fa", FileLabel: "A", DocPath: "p/a.txt", OriginalSHA256: hexSum("one\ntwo\n"), Changes: []protocol.PatchChange{
			{ChangeID: "invented", ChangeKey: "ca", Operation: "insert", Description: "why", AfterLine: &top, NewLines: []string{"zero"}},
			{Operation: "replace", StartLine: 2, EndLine: 2, ExpectedOriginalLines: []string{"two"}, NewLines: []string{}},
		}},
		{DocPath: "p/sub/b.txt", OriginalSHA256: hexSum("b\n"), Changes: []protocol.PatchChange{
			{Operation: "delete", StartLine: 1, EndLine: 1, ExpectedOriginalLines: []string{"b"}},
		}},
	}}
}

func (s *site) write(t testing.TB, files map[string]string) {
	t.Helper()
	for path, data := range files {
		s.put(t, path, text.Content{Exists: true, Data: data, Mode: 0o644})
	}
}

// check checks a document without the given parts of its first block.
func (s *site) check(t testing.TB, doc string, skip []int) *check.Result {
	t.Helper()
	docs, where := []check.Document{{Name: "reply.md", Text: doc}}, check.OnDisk(s.root, "p", s.history, false)
	r, err := check.Check(t.Context(), docs, where)
	ok(t, err)
	if skip != nil {
		left := map[string]history.LeftOut{r.Blocks[0].TextKey(): {Parts: skip}}
		where.LeftOut = func(context.Context) (map[string]history.LeftOut, error) { return left, nil }
		r, err = check.Check(t.Context(), docs, where)
		ok(t, err)
	}
	return r
}

// send applies a valid reply, and returns its line patches and the id of the record.
func (s *site) send(t testing.TB, doc string, skip []int) ([]protocol.Batch, string) {
	t.Helper()
	r := s.check(t, doc, skip)
	if !r.Applicable() {
		t.Fatalf("%+v", r.Diagnostics())
	}
	o, err := s.applier().Apply(t.Context(), propose(ReplyOf(r, s.writer(), "label", "cli")))
	ok(t, errors.Join(o.NotRecorded, err))
	return r.Batches(), o.Result.ID
}

// withoutIDs compares the contents of batches without their assigned ids.
var withoutIDs = cmp.Options{
	cmpopts.IgnoreFields(protocol.Batch{}, "BatchID"),
	cmpopts.IgnoreFields(protocol.FilePatch{}, "FilePatchID", "Path", "SHA256"),
	cmpopts.IgnoreFields(protocol.PatchChange{}, "ChangeID"),
}

// A reply's answer has all contents of its batch, with ids. The second apply, the report and
// a query for any of the ids give the same ids, even after a restart (rules L7, L24 and L25).
func TestBatchIsIdentified(t *testing.T) {
	s := newSite(t)
	s.write(t, map[string]string{"a.txt": "one\ntwo\n", "Sub/b.txt": "b\n"})
	doc := linesReply(t, twoFiles())
	batches, id := s.send(t, doc, nil)
	if len(batches) != 1 {
		t.Fatalf("%+v", batches)
	}
	b := batches[0]
	if diff := cmp.Diff(twoFiles(), b, withoutIDs); diff != "" {
		t.Error(diff)
	}
	for i, want := range []protocol.FilePatch{{Path: "a.txt", SHA256: hexSum("zero\none\n")}, {Path: "Sub/b.txt", SHA256: hexSum("")}} {
		if f := b.Files[i]; f.Path != want.Path || f.SHA256 != want.SHA256 {
			t.Errorf("%+v", f)
		}
	}
	again, second := s.send(t, doc, nil)
	if diff := cmp.Diff(batches, again); diff != "" || second != "" {
		t.Error(second, diff)
	}
	// The block keeps its ids in another reply, even if the file was edited elsewhere.
	more, _ := s.send(t, "Once more:\n\n"+doc+"```json\n"+`{"root": ".", "files": [{"path": "new.txt", "content": "x\n"}]}`+"\n```\n", nil)
	if diff := cmp.Diff(batches, more); diff != "" {
		t.Error(diff)
	}
	ok(t, s.history.Close())
	var err error
	s.history, err = history.Open(s.state)
	ok(t, err)
	for _, part := range []string{b.BatchID, b.Files[0].FilePatchID, b.Files[0].Changes[1].ChangeID} {
		info, err := PatchChange(t.Context(), s.history, part, nil)
		ok(t, err)
		if info.Apply != id || info.Root != s.root.Dir() || info.Status != protocol.PatchApplied || info.Batch.BatchLabel != "Why" || info.Files[0].Standing != protocol.StandsAsLeft {
			t.Errorf("%+v", info)
		}
	}
}

// A query for an id returns the part that has the id, and the levels above this part.
func TestPatchChange(t *testing.T) {
	s := newSite(t)
	s.write(t, map[string]string{"a.txt": "one\ntwo\n", "sub/b.txt": "b\n"})
	batches, id := s.send(t, linesReply(t, twoFiles()), nil)
	whole := batches[0]
	file, change := whole, whole
	file.Files = whole.Files[1:]
	change.Files = []protocol.FilePatch{whole.Files[0]}
	change.Files[0].Changes = whole.Files[0].Changes[1:]
	for _, tt := range []struct {
		id    string
		of    protocol.PatchPart
		batch protocol.Batch
		paths string
	}{
		{whole.BatchID, "batch", whole, "a.txt sub/b.txt"},
		{strings.ToUpper(whole.Files[1].FilePatchID), "file", file, "sub/b.txt"},
		{change.Files[0].Changes[0].ChangeID, "change", change, "a.txt"},
	} {
		info, err := PatchChange(t.Context(), s.history, tt.id, nil)
		ok(t, err)
		var paths []string
		for _, f := range info.Files {
			paths = append(paths, f.Path)
		}
		if diff := cmp.Diff(tt.batch, info.Batch); diff != "" || info.Of != tt.of || strings.Join(paths, " ") != tt.paths {
			t.Errorf("%s: %s %s %s", tt.of, info.Of, paths, diff)
		}
	}
	for _, unknown := range []string{"", "0", id, history.NewID()} {
		if _, err := PatchChange(t.Context(), s.history, unknown, nil); !errors.Is(err, history.ErrNoBatch) {
			t.Errorf("%q: %v", unknown, err)
		}
	}
}

// The answer says whether the apply is in force. It compares the apply with the files on disk, or with the tree that a
// program sees.
func TestPatchChangeLater(t *testing.T) {
	s := newSite(t)
	s.write(t, map[string]string{"a.txt": "one\ntwo\n", "sub/b.txt": "b\n"})
	batches, id := s.send(t, linesReply(t, twoFiles()), nil)
	is := func(seen func(string) fs.FS, status protocol.PatchStatus, standing ...protocol.PatchStanding) {
		t.Helper()
		info, err := PatchChange(t.Context(), s.history, batches[0].BatchID, seen)
		ok(t, err)
		var got []protocol.PatchStanding
		for _, f := range info.Files {
			got = append(got, f.Standing)
		}
		if diff := cmp.Diff(standing, got); diff != "" || info.Status != status {
			t.Errorf("%s %s", info.Status, diff)
		}
	}
	is(nil, "applied", "left", "left")
	s.write(t, map[string]string{"a.txt": "edited\n"})
	is(nil, "applied", "edited", "left")
	is(func(string) fs.FS { return nil }, "applied", "edited", "left")
	unsaved := fstest.MapFS{"a.txt": {Data: []byte("zero\none\n")}, "sub/b.txt": {Data: []byte("b\n")}}
	is(func(root string) fs.FS { return unsaved }, "applied", "left", "undone")
	s.write(t, map[string]string{"a.txt": "zero\none\n"})
	s.revert(t, id)
	is(nil, "reverted", "undone", "undone")

	// Applying it again creates another batch, and the first one is still known.
	next, _ := s.send(t, linesReply(t, twoFiles()), nil)
	if next[0].BatchID == batches[0].BatchID {
		t.Error("the id of what was reverted comes back")
	}
	is(nil, "reverted", "left", "left")
	t.Run("folder gone", func(t *testing.T) {
		needs.Unlinking(t)
		ok(t, os.RemoveAll(s.dir))
		is(nil, "reverted", "unknown", "unknown")
		ok(t, os.Mkdir(s.dir, 0o755))
	})
}

// If a change is already made but the history does not know it, the answer has ids, but they are not recorded. A
// refused change gets no ids.
func TestBatchThatWasDone(t *testing.T) {
	s := newSite(t)
	s.write(t, map[string]string{"a.txt": "zero\none\n", "sub/b.txt": ""})
	doc := linesReply(t, twoFiles())
	first, id := s.send(t, doc, nil)
	second, _ := s.send(t, doc, nil)
	if id != "" || first[0].BatchID == "" || first[0].BatchID == second[0].BatchID {
		t.Errorf("%s\n%+v\n%+v", id, first, second)
	}
	if _, err := PatchChange(t.Context(), s.history, first[0].BatchID, nil); !errors.Is(err, history.ErrNoBatch) {
		t.Error(err)
	}
	s.write(t, map[string]string{"a.txt": "other\n"})
	r := s.check(t, doc, nil)
	ok(t, r.Identify(t.Context(), s.history, s.root.Dir()))
	if r.Applicable() || len(r.Batches()) > 0 || r.Report(t.Context()).Blocks[0].Batch != nil {
		t.Errorf("%+v", r.Batches())
	}
}

// Parts that a person leaves out are not applied, and are not in the batch.
func TestBatchWithoutParts(t *testing.T) {
	for name, tt := range map[string]struct {
		skip []int // of file, change, change, file, change
		want string
	}{
		"a change":             {[]int{1}, "a.txt replace sub/b.txt delete"},
		"a file":               {[]int{0}, "sub/b.txt delete"},
		"all changes of one":   {[]int{1, 2}, "sub/b.txt delete"},
		"the last":             {[]int{4}, "a.txt insert replace"},
		"a file and a change ": {[]int{2, 3}, "a.txt insert"},
	} {
		s := newSite(t)
		s.write(t, map[string]string{"a.txt": "one\ntwo\n", "sub/b.txt": "b\n"})
		doc := linesReply(t, twoFiles())
		batches, _ := s.send(t, doc, tt.skip)
		var got []string
		for _, f := range batches[0].Files {
			got = append(got, f.Path)
			for _, c := range f.Changes {
				got = append(got, c.Operation)
			}
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%s: %v", name, got)
		}
		if again, _ := s.send(t, doc, tt.skip); !cmp.Equal(batches, again) {
			t.Errorf("%s: %s", name, cmp.Diff(batches, again))
		}
	}
}

// Two batches of a reply are recorded separately.
func TestBatchesOfReply(t *testing.T) {
	s := newSite(t)
	s.write(t, map[string]string{"a.txt": "one\n"})
	after := 1
	one := func(before, line string) protocol.Batch {
		return protocol.Batch{BatchKey: line, Files: []protocol.FilePatch{{DocPath: "p/a.txt", OriginalSHA256: hexSum(before),
			Changes: []protocol.PatchChange{{Operation: "insert", AfterLine: &after, NewLines: []string{line}}}}}}
	}
	doc := linesReply(t, one("one\n", "x")) + linesReply(t, one("one\nx\n", "y"))
	batches, id := s.send(t, doc, nil)
	if len(batches) != 2 || batches[0].Files[0].SHA256 != hexSum("one\nx\n") || batches[1].Files[0].SHA256 != hexSum("one\ny\nx\n") {
		t.Fatalf("%+v", batches)
	}
	kept, err := s.history.Batches(t.Context(), id)
	ok(t, err)
	if diff := cmp.Diff(batches, kept); diff != "" {
		t.Error(diff)
	}
	again, _ := s.send(t, doc, nil)
	if diff := cmp.Diff(batches, again); diff != "" {
		t.Error(diff)
	}
}

// If a patch was made for a snippet, or for an older text, the answer says which.
func TestHistoryKnowsTheHash(t *testing.T) {
	s := newSite(t)
	s.write(t, map[string]string{"a.txt": "one\ntwo\n", "sub/b.txt": "b\n"})
	_, id := s.send(t, linesReply(t, twoFiles()), nil)
	ok(t, s.history.RememberSnippet(t.Context(), []history.Snippet{{SHA: hexSum("gone"), DocPath: "p/a.txt", Start: 120, End: 185}}))
	top := 0
	refused := func(sum string) string {
		t.Helper()
		r := s.check(t, linesReply(t, protocol.Batch{Files: []protocol.FilePatch{{DocPath: "p/a.txt", OriginalSHA256: sum,
			Changes: []protocol.PatchChange{{Operation: "insert", AfterLine: &top, NewLines: []string{"x"}}}}}}), nil)
		if len(r.Diagnostics()) != 1 || r.Applicable() {
			t.Fatalf("%+v", r.Diagnostics())
		}
		return r.Diagnostics()[0].Code + ": " + r.Diagnostics()[0].Message
	}
	for sum, want := range map[string]string{
		hexSum("gone"):       "snippet-sha: `originalSha256` is the hash of lines 120 to 185",
		hexSum("one\ntwo\n"): "sha256-mismatch: `originalSha256` is the hash of the file before the change " + id,
		hexSum("b\n"):        "sha256-mismatch: `originalSha256` is not the hash of the file's current text",
	} {
		if got := refused(sum); !strings.HasPrefix(got, want) {
			t.Errorf("%s, not %s", got, want)
		}
	}
}

// Ten thousand changes of one file can be applied, are recognized as done, and can be
// reverted.
func TestTenThousandChanges(t *testing.T) {
	const n = 10_000
	s := newSite(t)
	before, after, batch := manyChanges(n)
	s.write(t, map[string]string{"a.txt": before})
	doc := linesReply(t, batch)
	batches, id := s.send(t, doc, nil)
	if stands, err := os.ReadFile(filepath.Join(s.dir, "a.txt")); err != nil || string(stands) != after {
		t.Fatal("the file is not as planned", err)
	}
	again, second := s.send(t, doc, nil)
	if second != "" || len(batches[0].Files[0].Changes) != n || !reflect.DeepEqual(batches, again) {
		t.Errorf("the second time: %q", second)
	}
	if info, err := PatchChange(t.Context(), s.history, batches[0].Files[0].Changes[n-1].ChangeID, nil); err != nil || len(info.Batch.Files[0].Changes) != 1 {
		t.Error(info, err)
	}
	s.revert(t, id)
	if stands, err := os.ReadFile(filepath.Join(s.dir, "a.txt")); err != nil || string(stands) != before {
		t.Error("the file is not as before", err)
	}
}

// manyChanges returns a file with CRLF, the same file after n changes of all kinds, and the
// changes.
func manyChanges(n int) (before, after string, batch protocol.Batch) {
	var old, now strings.Builder
	f := protocol.FilePatch{DocPath: "p/a.txt"}
	for i := range n {
		line, stays := fmt.Sprintf("line %d", i), fmt.Sprintf("stays %d", i/7)
		at := 2*i + 1
		c := protocol.PatchChange{Operation: []string{"insert", "replace", "delete"}[i%3], Description: "change " + line}
		kept, written := "", ""
		switch c.Operation {
		case "insert":
			c.AfterLine, c.NewLines = &at, []string{"new", ""}
			kept, written = line+"\r\n", "new\r\n\r\n"
		case "replace":
			c.NewLines = []string{"new " + line}
			written = "new " + line + "\r\n"
		}
		if c.AfterLine == nil {
			c.StartLine, c.EndLine, c.ExpectedOriginalLines = at, at, []string{line}
		}
		f.Changes = append(f.Changes, c)
		old.WriteString(line + "\r\n" + stays + "\r\n")
		now.WriteString(kept + written + stays + "\r\n")
	}
	f.OriginalSHA256 = hexSum(old.String())
	return old.String(), now.String(), protocol.Batch{Files: []protocol.FilePatch{f}}
}

// BenchmarkManyChanges shows that ten times as many changes take about ten times as long.
func BenchmarkManyChanges(b *testing.B) {
	for _, n := range []int{1_000, 10_000, 100_000} {
		before, _, batch := manyChanges(n)
		doc := linesReply(b, batch)
		files := fstest.MapFS{"a.txt": {Data: []byte(before), Mode: 0o644}}
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				r, err := check.Check(b.Context(), []check.Document{{Name: "reply.md", Text: doc}}, check.Where{Tree: files, DocPath: func(*meter.Meter, string, ...string) ([]string, error) { return []string{"a.txt"}, nil }})
				if err != nil || !r.Applicable() {
					b.Fatal(r, err)
				}
				ok(b, r.Identify(b.Context(), nil, "/"))
			}
		})
	}
}
