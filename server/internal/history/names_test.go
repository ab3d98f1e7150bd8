package history

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/aptix-dev/aptix/server/internal/text"
)

// Names cannot be mistaken for SQL: a record is found only under the names that it was stored
// with.
func TestHostileNames(t *testing.T) {
	ctx, s := context.Background(), open(t, t.TempDir())
	top, err := filepath.Abs("/")
	must(t, err)
	name := rapid.OneOf(rapid.SampledFrom([]string{`'; DROP TABLE apply; --`, `" OR "1"="1`, `%`, `_`, `?`, `:x`, "a\nb", "\u202e", `\`}),
		rapid.StringN(1, 8, 40)).Filter(func(s string) bool { return !strings.ContainsRune(s, 0) })
	tried := 0
	rapid.Check(t, func(r *rapid.T) {
		a := apply(name.Draw(r, "key"), did(name.Draw(r, "path"), text.Content{}, stands("x")))
		a.Root, a.Label, a.Source = filepath.Clean(top+NewID()+"/"+name.Draw(r, "root")), name.Draw(r, "label"), name.Draw(r, "source")
		if err := s.Record(ctx, a); err != nil {
			r.Fatal(err)
		}
		got, err := s.Get(ctx, a.ID)
		if err != nil || got.Root != a.Root || got.Label != a.Label || got.Key != a.Key || got.Source != a.Source || got.Files[0].Path != a.Files[0].Path {
			r.Fatalf("%+v came back as %+v, %v", a, got, err)
		}
		if list, err := s.List(ctx, a.Root, 0); err != nil || len(list) != 1 || list[0].ID != a.ID {
			r.Fatalf("%q has the applies %+v, %v", a.Root, list, err)
		}
		tried++
	})
	if all, err := s.List(ctx, "", 0); err != nil || len(all) != tried {
		t.Errorf("%d applies, want %d: %v", len(all), tried, err)
	}
}
