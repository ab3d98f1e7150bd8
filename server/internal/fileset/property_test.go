package fileset

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/aptix-dev/aptix/server/internal/text"
)

// state returns the revision and the content of a file in the database, or "-" if it has
// none.
func state(t interface{ Fatal(...any) }, s *Set, docPath string) string {
	rows, err := standing(context.Background(), s.db, []string{docPath})
	if err != nil {
		t.Fatal(err)
	}
	content := "-"
	if rows[docPath].Holds() {
		f, err := s.Get(context.Background(), docPath)
		if err != nil {
			t.Fatal(err)
		}
		content = f.Content
	}
	return fmt.Sprintf("%d %s", rows[docPath].Revision, content)
}

// modelled is the expected state of a file in a set.
type modelled struct {
	revision int64
	holds    bool
	content  string
}

func (m modelled) allows(b Base) bool {
	if b == (Base{}) {
		return !m.holds
	}
	return m.holds && (b.Revision == 0 || b.Revision == m.revision) && (b.SHA256 == "" || b.SHA256 == text.SumHex(m.content))
}

// After any puts, deletes and reads by several handles, the set equals a map.
func TestAgreesWithModel(t *testing.T) {
	eachDatabase(t, func(t *testing.T, where string) {
		handles := []*Set{open(t, where), open(t, where), open(t, where)}
		round := 0
		rapid.Check(t, func(t *rapid.T) {
			round++ // each round uses docPaths of its own
			prefix := fmt.Sprintf("%d/", round)
			m := model{map[string]modelled{}, rapid.SampledFrom([]string{prefix + "a", prefix + "b", prefix + "ç"})}
			t.Repeat(map[string]func(*rapid.T){
				"put":  func(t *rapid.T) { m.put(t, rapid.SampledFrom(handles).Draw(t, "handle")) },
				"list": func(t *rapid.T) { m.list(t, rapid.SampledFrom(handles).Draw(t, "handle"), prefix) },
			})
		})
	})
}

type model struct {
	files map[string]modelled
	names *rapid.Generator[string]
}

func (m model) put(t *rapid.T, s *Set) {
	uploads := rapid.SliceOfNDistinct(rapid.Custom(m.upload), 1, 3, func(u upload) string { return u.docPath }).Draw(t, "uploads")
	next, conflicts := maps.Clone(m.files), []string(nil)
	for _, u := range uploads {
		f, holds := next[u.docPath], u.sha256 != ""
		switch {
		case f.holds == holds && f.content == u.content:
		case !f.allows(u.base):
			conflicts = append(conflicts, u.docPath)
		default:
			next[u.docPath] = modelled{f.revision + 1, holds, u.content}
		}
	}
	stored, err := s.put(context.Background(), "cli", uploads)
	var got []string
	if conflict := new(ConflictError); errors.As(err, &conflict) {
		for _, c := range conflict.Conflicts {
			got = append(got, c.DocPath)
		}
	} else if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got, conflicts) {
		t.Fatalf("conflicts of %q, want %q", got, conflicts)
	}
	if len(conflicts) > 0 {
		return
	}
	maps.Copy(m.files, next)
	for i, u := range uploads {
		if f := m.files[u.docPath]; stored[i].DocPath != u.docPath || stored[i].Revision != f.revision || stored[i].Holds() != f.holds {
			t.Fatalf("stored is %+v, want %+v", stored[i], f)
		}
	}
}

func (m model) upload(t *rapid.T) upload {
	name := m.names.Draw(t, "docPath")
	f := m.files[name]
	base := rapid.SampledFrom([]Base{{}, {Revision: f.revision}, {SHA256: text.SumHex(f.content)}, {f.revision, text.SumHex(f.content)},
		{Revision: f.revision + 1}, {f.revision, text.SumHex("x")}}).Draw(t, "base")
	if rapid.Bool().Draw(t, "delete") {
		return deletion(name, base)
	}
	return Upload{name, base, rapid.SampledFrom([]string{"", "1", "2\xff", "3\x00"}).Draw(t, "content")}.hashed()
}

func (m model) list(t *rapid.T, s *Set, prefix string) {
	entries, err := s.List(context.Background(), prefix, 10)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]Entry{}
	for _, e := range entries {
		found[e.DocPath] = e
	}
	for name, f := range m.files {
		if e, listed := found[name]; listed != f.holds || listed && (e.Revision != f.revision || e.Size != int64(len(f.content))) {
			t.Fatalf("%s is listed as %+v, want %+v", name, e, f)
		}
		want := fmt.Sprintf("%d -", f.revision)
		if f.holds {
			want = fmt.Sprintf("%d %s", f.revision, f.content)
		}
		if got := state(t, s, name); got != want {
			t.Fatalf("%s is %q, want %q", name, got, want)
		}
	}
}
