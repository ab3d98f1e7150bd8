package fileset

import (
	"context"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// These names would have a meaning for a database if they were not passed as parameters.
var hostileNames = []string{
	`'; drop table aptix_file; --`, `" or "1"="1`, `a' or 'a'='a`, `%`, `_`, `a%b`, `\`, `\'`, `$1`, `:name`, `?`, `@x`, `/*`, `--`,
	"a\nb", "a\tb", "\x01", "\u202e", "e\u0301", "é", "null", "{}", "[]", "..", "../x", "/", " ", "a ", "\U0001f600", `e'\x00'`,
}

// A docPath is an opaque key: content is found only under the docPath with which it was
// stored.
func TestHostileNames(t *testing.T) {
	eachDatabase(t, func(t *testing.T, where string) {
		ctx, s := context.Background(), open(t, where)
		held := map[string]string{}
		add := func(fail func(string, ...any), name string) {
			if checkKey(name) != nil || held[name] != "" {
				return
			}
			content := "content of " + name
			if _, err := s.Put(ctx, name, []Upload{{DocPath: name, Content: content}}); err != nil {
				fail("put %q: %v", name, err)
			}
			held[name] = content
			if f, err := s.Get(ctx, name); err != nil || f.DocPath != name || f.Content != content || f.UpdatedBy != name {
				fail("%q came back as %+v, %v", name, f, err)
			}
		}
		for _, name := range hostileNames {
			add(t.Fatalf, name)
		}
		rapid.Check(t, func(r *rapid.T) {
			part := rapid.OneOf(rapid.SampledFrom(hostileNames), rapid.StringN(1, 8, 40))
			add(r.Fatalf, strings.ToLower(part.Draw(r, "first")+part.Draw(r, "second")))
		})
		if len(held) < 2*len(hostileNames) {
			t.Errorf("only %d names were tried", len(held))
		}
		listed, after := 0, ""
		for {
			page, err := s.List(ctx, after, 7)
			must(t, err)
			for _, e := range page {
				if held[e.DocPath] == "" || e.DocPath <= after {
					t.Fatalf("%q is listed after %q", e.DocPath, after)
				}
				listed, after = listed+1, e.DocPath
			}
			if len(page) < 7 {
				break
			}
		}
		if listed != len(held) {
			t.Errorf("%d are listed, want %d", listed, len(held))
		}
	})
}
