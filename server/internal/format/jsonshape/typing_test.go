package jsonshape

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/aptix-dev/aptix/server/internal/lenientjson"
	"github.com/aptix-dev/aptix/server/internal/text"
)

const typedIn = `{
  "root": ".",
  "files": [
    {"path": "a b.txt", "operation": "create", "content": "{\"x\": [\n\"😀, \\"},
    {
      "operation" : "patch",
      "patches": [{"find": "a", "replace": "", "limit": "once"}, {"find": "\"b\": ", "replace": ","}],
      "path": "é.txt"
    }
  ]
}
`

// At every place in a block, the typed text is recognized as the same name or value that the
// reader finds there, whether or not the following text already exists.
func TestTyping(t *testing.T) {
	body := typedIn
	root, diags := lenientjson.Parse(body)
	if len(diags) > 0 {
		t.Fatal(diags)
	}
	tested := 0
	for at := range body {
		a, ok := AddressAt(root, at)
		if !ok || at == a.Node.Span.Start || at == a.Node.Span.End {
			continue
		}
		tested++
		names := a.Names
		if a.IsName {
			names = names[:len(names)-1]
		}
		for _, c := range []struct {
			body string
			end  int
		}{{body, a.Node.Span.End}, {body[:at], at}} {
			s, ok := typingAt(c.body, at)
			want := text.Span{Start: a.Node.Span.Start, End: c.end}
			if !ok || s.token != want || s.isName != a.IsName || !slices.Equal(s.names, names) {
				t.Errorf("at %q‸%q: %+v, want the token %v, names %v", c.body[:at], c.body[at:], s, want, names)
			}
		}
	}
	if tested < 150 {
		t.Errorf("only %d places", tested)
	}
}

// For any text, the replaced range contains the cursor and lies on one line.
func TestTypingAnywhere(t *testing.T) {
	parts := []string{`{`, `}`, `[`, `]`, `"`, `:`, `,`, ` `, "\n", "\r\n", `'`, "“", "`", `\`, `\"`, `files`, `path`, `"root"`, `"a"`, `x`, `é`, `😀`, `//`, `1`, "\xff"}
	rapid.Check(t, func(t *rapid.T) {
		body := strings.Join(rapid.SliceOfN(rapid.SampledFrom(parts), 0, 25).Draw(t, "parts"), "")
		at := rapid.IntRange(0, len(body)).Draw(t, "at")
		s, ok := typingAt(body, at)
		if !ok {
			return
		}
		if s.token.Start > at || s.token.End < at || s.token.End > len(body) || strings.ContainsAny(s.token.In(body), "\r\n") {
			t.Fatalf("%q at %d: %v", body, at, s.token)
		}
		if s.lacksComma > s.token.Start {
			t.Fatalf("%q at %d: a comma at %d", body, at, s.lacksComma)
		}
	})
}
