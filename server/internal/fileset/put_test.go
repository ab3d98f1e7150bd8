package fileset

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/aptix-dev/aptix/server/internal/text"
)

func TestRevisions(t *testing.T) {
	eachDatabase(t, func(t *testing.T, where string) {
		ctx, s := context.Background(), open(t, where)
		first := put(t, s, "r/a.txt", Base{}, "one")
		if first.Revision != 1 || first.SHA256 != text.SumHex("one") || first.Size != 3 || first.UpdatedBy != "cli" || first.UpdatedAt.IsZero() {
			t.Errorf("the first upload is %+v", first)
		}
		if diff := cmp.Diff(File{first, "one"}, get(t, open(t, where), "r/a.txt")); diff != "" {
			t.Errorf("what another handle reads (-want +got):\n%s", diff)
		}
		second := put(t, s, "r/a.txt", Base{Revision: 1}, "two")
		third := put(t, s, "r/a.txt", Base{SHA256: second.SHA256}, "\x00\xff\r\n")
		fourth := put(t, s, "r/a.txt", Base{third.Revision, third.SHA256}, "")
		if again := put(t, s, "r/a.txt", Base{Revision: 1}, ""); !cmp.Equal(again, fourth) {
			t.Errorf("what was there already is stored again: %+v, then %+v", fourth, again)
		}
		gone, err := s.put(ctx, "lsp", []upload{deletion("r/a.txt", Base{Revision: 4})})
		must(t, err)
		if gone[0].Revision != 5 || gone[0].Holds() || gone[0].UpdatedBy != "lsp" {
			t.Errorf("the deletion is %+v", gone[0])
		}
		if _, err := s.Get(ctx, "r/a.txt"); !errors.Is(err, ErrNotFound) {
			t.Errorf("a deleted file: %v", err)
		}
		if back := put(t, s, "r/a.txt", Base{}, ""); back.Revision != 6 {
			t.Errorf("made again, it has revision %d, want 6", back.Revision)
		}
	})
}

func TestPutIsAllOrNothing(t *testing.T) {
	ctx := context.Background()
	eachDatabase(t, func(t *testing.T, where string) {
		s := open(t, where)
		a, b := put(t, s, "a", Base{}, "1"), put(t, s, "b", Base{}, "1")
		put(t, s, "gone", Base{}, "1")
		_, err := s.put(ctx, "cli", []upload{deletion("gone", Base{Revision: 1})})
		must(t, err)
		_, err = s.Put(ctx, "mcp", []Upload{
			{DocPath: "new", Content: "2"},
			{DocPath: "b", Base: Base{Revision: 1, SHA256: text.SumHex("other")}, Content: "2"},
			{DocPath: "a", Base: Base{Revision: 1}, Content: "2"},
			{DocPath: "gone", Base: Base{Revision: 1}, Content: "2"},
			{DocPath: "never", Base: Base{Revision: 3}, Content: "2"},
		})
		conflict := new(ConflictError)
		if !errors.As(err, &conflict) {
			t.Fatalf("got %v, want a conflict", err)
		}
		var names []string
		for _, c := range conflict.Conflicts {
			names = append(names, c.DocPath)
		}
		if want := []string{"b", "gone", "never"}; !slices.Equal(names, want) {
			t.Errorf("conflicts of %q, want %q", names, want)
		}
		if got := conflict.Conflicts[0]; !cmp.Equal(got.Standing, b) || got.Base != (Base{1, text.SumHex("other")}) {
			t.Errorf("the conflict is %+v", got)
		}
		for _, says := range []string{`"b" was made from revision 1 (SHA-256 ` + short(text.SumHex("other")), "revision 1 (SHA-256 " + short(b.SHA256), `"gone" was made from revision 1, but the file set has no such file, because revision 2 (by `, "no such file"} {
			if !strings.Contains(err.Error(), says) {
				t.Errorf("it does not say %q: %v", says, err)
			}
		}
		known, err := s.Known(ctx, []string{"a", "b", "gone", "never", "new"})
		must(t, err)
		if diff := cmp.Diff(map[string]Entry{"a": a, "b": b}, known); diff != "" {
			t.Errorf("something was written (-want +got):\n%s", diff)
		}
	})
}

// deletion returns the upload that deletes a file.
func deletion(docPath string, base Base) upload {
	return upload{docPath: docPath, base: base, mayReplace: base.is}
}

func TestPutRefuses(t *testing.T) {
	eachDatabase(t, func(t *testing.T, where string) {
		s := open(t, where)
		for says, uploads := range map[string][]Upload{
			"lower case": {{DocPath: "ok"}, {DocPath: "R/a"}},
			"no file":    {{}},
			"NUL":        {{DocPath: "a\x00b"}},
			"UTF-8":      {{DocPath: "a\xff"}},
			"2049":       {{DocPath: strings.Repeat("a", 2049)}},
			"twice":      {{DocPath: "a"}, {DocPath: "b"}, {DocPath: "a"}},
		} {
			if _, err := s.Put(context.Background(), "cli", uploads); err == nil || !strings.Contains(err.Error(), says) {
				t.Errorf("%s: %v", says, err)
			}
		}
		if all, err := s.List(context.Background(), "", 10); err != nil || len(all) > 0 {
			t.Errorf("the set holds %v, %v", all, err)
		}
		longest := strings.Repeat("é", 1024) // the longest that is accepted, and hard to compress
		put(t, s, longest, Base{}, "x")
		get(t, s, longest)
	})
}

func TestListAndKnown(t *testing.T) {
	ctx := context.Background()
	eachDatabase(t, func(t *testing.T, where string) {
		s := open(t, where)
		names := []string{"a", "a-b", "a/b", "a_b", "ab", "b", "z", "à", "日本", "\U0001f600"}
		var uploads []Upload
		for _, name := range names {
			uploads = append(uploads, Upload{DocPath: name, Content: name})
		}
		_, err := s.Put(ctx, "cli", append(uploads, Upload{DocPath: "ac", Content: "x"}))
		must(t, err)
		_, err = s.put(ctx, "cli", []upload{deletion("ac", Base{Revision: 1})})
		must(t, err)
		var paged []string
		for after := ""; ; {
			page, err := s.List(ctx, after, 3)
			must(t, err)
			for _, e := range page {
				paged, after = append(paged, e.DocPath), e.DocPath
			}
			if len(page) < 3 {
				break
			}
		}
		if !slices.Equal(paged, names) { // sorted by their bytes
			t.Errorf("pages have %q, want %q", paged, names)
		}
		if none, err := s.List(ctx, "", -1); err != nil || len(none) > 0 {
			t.Errorf("a page of -1: %v, %v", none, err)
		}
		many := make([]string, 2*inOneQuery+1)
		for i := range many {
			many[i] = strings.Repeat("x", 1+i/100) + string(rune('a'+i%26))
		}
		known, err := s.Known(ctx, append(many, "a", "ac", "B", "a\x00", "z"))
		must(t, err)
		if len(known) != 2 || known["a"].SHA256 != text.SumHex("a") || known["z"].Revision != 1 {
			t.Errorf("known are %v", known)
		}
	})
}

func TestUploadAfterApply(t *testing.T) {
	here := func(data string) text.Content { return text.Content{Exists: true, Data: data} }
	none := text.Content{}
	for _, c := range []struct {
		name                 string
		inSet                []string // revisions; "-" deletes
		before, after, saved text.Content
		want                 string // the revision and the content afterwards, or "conflict"
	}{
		{"made", nil, none, here("n"), none, "1 n"},
		{"changed, and never uploaded", nil, here("o"), here("n"), none, "1 n"},
		{"changed, and deleted in the set", []string{"o", "-"}, here("o"), here("n"), none, "3 n"},
		{"changed", []string{"o"}, here("o"), here("n"), none, "2 n"},
		{"changed by somebody else", []string{"o", "x"}, here("o"), here("n"), none, "conflict"},
		{"changed to the same by somebody else", []string{"o", "n"}, here("o"), here("n"), none, "2 n"},
		{"changed in an unsaved buffer", []string{"s"}, here("o"), here("n"), here("s"), "2 n"},
		{"changed in an unsaved buffer and by somebody else", []string{"s", "x"}, here("o"), here("n"), here("s"), "conflict"},
		{"made twice", []string{"x"}, none, here("n"), none, "conflict"},
		{"made twice alike", []string{"n"}, none, here("n"), none, "1 n"},
		{"made where it was deleted", []string{"x", "-"}, none, here("n"), none, "3 n"},
		{"deleted", []string{"o"}, here("o"), none, none, "2 -"},
		{"deleted, and never uploaded", nil, here("o"), none, none, "0 -"},
		{"deleted, and changed by somebody else", []string{"o", "x"}, here("o"), none, none, "conflict"},
		{"emptied", []string{"o"}, here("o"), here(""), none, "2 "},
		{"nothing to something, with an empty file saved", []string{""}, here("o"), here("n"), here(""), "2 n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			eachDatabase(t, func(t *testing.T, where string) {
				ctx, s := context.Background(), open(t, where)
				for i, content := range c.inSet {
					base := Base{Revision: int64(i)}
					var err error
					if content == "-" {
						_, err = s.put(ctx, "cli", []upload{deletion("r/f", base)})
					} else {
						_, err = s.Put(ctx, "cli", []Upload{{"r/f", base, content}})
					}
					must(t, err)
				}
				was := state(t, s, "r/f")
				err := s.Upload(ctx, "mcp", []Change{{"r/f", c.before, c.after, c.saved}})
				want := c.want
				if conflict := new(ConflictError); errors.As(err, &conflict) {
					err, want = nil, was
					if c.want != "conflict" {
						t.Error(conflict)
					}
				} else if c.want == "conflict" {
					t.Fatalf("got %v, want a conflict", err)
				}
				must(t, err)
				if got := state(t, s, "r/f"); got != want {
					t.Errorf("the set has %q, want %q", got, want)
				}
			})
		})
	}
}
