package place_test

import (
	"context"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/aptix-dev/aptix/server/internal/findreplace"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/place"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// An offer is a fix for a find that a file does not contain, as the find and the replacement
// after the fix.
type offer struct {
	title, find, replace string
	certain              bool
}

// offersFor returns the fixes for a replacement that cannot be applied to src without one. It fails
// the test if the replacement can be applied.
func offersFor(t *rapid.T, src, find, replace string) []offer {
	out := findreplace.Replacement{Find: find, Replace: replace,
		FindAt:    intent.Literal{Span: text.Span{End: len(find)}},
		ReplaceAt: intent.Literal{Span: text.Span{Start: len(find) + 1, End: len(find) + 1 + len(replace)}},
	}.Resolve(intent.Target{Text: place.NewText(src)})
	if len(out.Edits) > 0 || len(out.Problems) != 1 {
		t.Fatalf("%q in %q: %d edits and %d problems, want one problem", find, src, len(out.Edits), len(out.Problems))
	}
	var offers []offer
	for _, fix := range out.Problems[0].AllFixes(context.Background()) {
		both, err := text.Apply(find+"\x00"+replace, fix.Edits)
		if err != nil {
			t.Fatal(err)
		}
		o := offer{title: fix.Title, certain: fix.Preferred}
		o.find, o.replace, _ = strings.Cut(both, "\x00")
		offers = append(offers, o)
	}
	return offers
}

// titled returns the offers whose titles contain the words of a rule.
func titled(offers []offer, words string) []offer {
	var out []offer
	for _, o := range offers {
		if strings.Contains(o.title, words) {
			out = append(out, o)
		}
	}
	return out
}

// floor fails a test that made fewer than `least` trials of some kind.
func floor(t *testing.T, tried map[string]int, least int, kinds ...string) {
	t.Helper()
	for _, kind := range kinds {
		if tried[kind] < least {
			t.Errorf("only %d draws %s were tried, want %d: the test says little", tried[kind], kind, least)
		}
	}
}
