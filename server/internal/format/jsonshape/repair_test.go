package jsonshape_test

import (
	"context"
	"encoding/json"
	"maps"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/format/bundle"
	"github.com/aptix-dev/aptix/server/internal/format/lines"
	"github.com/aptix-dev/aptix/server/internal/format/structured"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/text"
	"github.com/aptix-dev/aptix/server/tools/trials"
)

// A block is broken in any number of ways. After every certain repair, it has exactly the
// intended meaning, or it still has an error. APTIX_ROUNDS sets how many blocks are broken,
// APTIX_SEED which ones.
func TestRepairIsExactOrRefused(t *testing.T) {
	rounds, seed := trials.Rounds(t, 4000), trials.Setting(t, "APTIX_SEED", 1)
	tally := map[string]*share{}
	for round := range rounds {
		r := rand.New(rand.NewPCG(uint64(seed), uint64(round)))
		b := breakBlock(r)
		if b.kinds == nil {
			continue
		}
		got, where := repaired(t, r, b.src)
		if got != nil && !reflect.DeepEqual(*got, b.meaning) {
			t.Fatalf("round %d (%v, %s): repaired to something else (-meant +got):\n%s\nthe broken block:\n%s",
				round, b.kinds, where, written(b.meaning)+"\n"+written(*got), b.src)
		}
		name := "several"
		if len(b.kinds) == 1 {
			name = b.kinds[0]
		}
		if tally[name] == nil {
			tally[name] = &share{}
		}
		tally[name].all++
		if got != nil {
			tally[name].repaired++
		}
	}
	all, mended := 0, 0
	for _, name := range slices.Sorted(maps.Keys(tally)) {
		t.Logf("%-34s %6d broken %6d repaired %5.1f %%", name, tally[name].all, tally[name].repaired, 100*float64(tally[name].repaired)/float64(tally[name].all))
		all, mended = all+tally[name].all, mended+tally[name].repaired
	}
	if all < rounds*3/4 || mended < all/4 {
		t.Errorf("of %d blocks %d were broken, and %d repaired", rounds, all, mended)
	}
}

// written returns a meaning in a readable form.
func written(m meaning) string {
	raw, err := json.Marshal(m)
	if err != nil {
		panic(err)
	}
	return string(raw)
}

type share struct{ all, repaired int }

// repaired returns the meaning of a block after every certain repair, or nil if it still
// has an error. Some of the blocks are repaired inside a reply.
func repaired(t *testing.T, r *rand.Rand, src string) (m *meaning, where string) {
	t.Helper()
	if r.IntN(6) > 0 {
		return inBody(t, src), "as a body"
	}
	eol := "\n"
	if strings.Contains(src, "\r\n") {
		eol = "\r\n"
	}
	prefix := pick(r, "", "", "> ", "   ")
	reply := "Do this:" + eol + eol + indent(prefix, "````json"+eol+src+eol+"````"+eol, eol) + eol + "Bye." + eol
	result, err := check.Repair(context.Background(), []check.Document{{Name: "reply.md", Text: reply}}, check.Where{})
	if err != nil {
		t.Fatalf("%v\n%s", err, reply)
	}
	if len(result.Blocks) != 1 || !result.Blocks[0].Closed {
		return nil, reply
	}
	return understood(t, result.Blocks[0].Body), reply
}

func indent(prefix, s, eol string) string {
	lines := strings.SplitAfter(s, eol)
	for i, line := range lines {
		if line != "" {
			lines[i] = prefix + line
		}
	}
	return strings.Join(lines, "")
}

func inBody(t *testing.T, body string) *meaning {
	t.Helper()
	for range 20 {
		parsed, ok := parse(body)
		if !ok {
			return nil
		}
		edits := certain(body, parsed.Diagnostics)
		if len(edits) == 0 {
			return understood(t, body)
		}
		var err error
		if body, err = text.Apply(body, edits); err != nil {
			t.Fatalf("%v\n%s", err, body)
		}
	}
	t.Fatalf("the certain repairs have no end:\n%s", body)
	return nil
}

func parse(body string) (format.Parsed, bool) {
	for _, f := range []format.Format{bundle.Format, structured.Format, lines.Format} {
		if r := format.Whole(body); f.Shaped(r) {
			return f.Parse(r), true
		}
	}
	return format.Parsed{}, false
}

func certain(body string, ds []diag.Diagnostic) []text.Edit {
	var edits []text.Edit
	for _, d := range ds {
		for _, f := range d.Fixes {
			more := append(edits[:len(edits):len(edits)], f.Edits...)
			if _, err := text.Sorted(body, more); f.Preferred && err == nil {
				edits = more
				break
			}
		}
	}
	return edits
}

// meaning is the content of a block, as another reader of JSON reads it.
type meaning struct {
	Root    string
	Files   []fileEntry
	Patches []fileEntry
}

type fileEntry struct {
	Path, Operation, Content string
	Patches, Replacements    []replacement
	replacement

	DocPath, OriginalSha256, FileLabel string // for a line patch, like Changes
	Changes                            []lineChange
}

type lineChange struct {
	Operation, Description          string
	AfterLine, StartLine, EndLine   int
	ExpectedOriginalLines, NewLines []string
}

type replacement struct{ Find, Replace, Limit string }

func understood(t *testing.T, body string) *meaning {
	t.Helper()
	parsed, ok := parse(body)
	if !ok || diag.HasErrors(parsed.Diagnostics) {
		return nil
	}
	var m meaning
	if err := json.Unmarshal([]byte(body), &m); err != nil {
		t.Fatalf("no error is told, but %v\n%s", err, body)
	}
	m.normal()
	agrees(t, parsed.Set, m)
	return &m
}

// normal fills in optional members.
func (m *meaning) normal() {
	if m.Root == "" {
		m.Root = "."
	}
	for _, list := range [][]fileEntry{m.Files, m.Patches} {
		for i := range list {
			e := &list[i]
			for _, rs := range [][]replacement{e.Patches, e.Replacements, {}} {
				for j := range rs {
					rs[j].normal()
				}
			}
			if e.Find != "" {
				e.replacement.normal()
			}
		}
	}
}

func (r *replacement) normal() {
	if r.Limit == "" {
		r.Limit = "once"
	}
}

// agrees fails the test unless the change set has the same meaning.
func agrees(t *testing.T, set intent.Set, m meaning) {
	t.Helper()
	entries := append(slices.Clone(m.Files), m.Patches...)
	if len(set.Changes) != len(entries) {
		t.Fatalf("%d changes of %d entries", len(set.Changes), len(entries))
	}
	for i, c := range set.Changes {
		e := entries[i]
		if c.DocPath {
			if c.Path != e.DocPath || len(c.Steps[0].Parts()) != len(e.Changes) {
				t.Fatalf("the change %+v is not the entry %+v", c, e)
			}
			continue
		}
		steps := len(e.Patches) + len(e.Replacements)
		if e.Find != "" {
			steps++
		}
		if c.Path != e.Path || c.Content != e.Content || len(c.Steps) != steps {
			t.Fatalf("the change %+v is not the entry %+v", c, e)
		}
	}
}

func pick[T any](r *rand.Rand, list ...T) T { return list[r.IntN(len(list))] }
