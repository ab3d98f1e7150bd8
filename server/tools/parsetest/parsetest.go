// Package parsetest tests properties of the parser of every format that finds its own
// blocks in a document.
package parsetest

import (
	"io/fs"
	"path"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/mdblock"
	"github.com/aptix-dev/aptix/server/internal/text"
	"github.com/aptix-dev/aptix/server/tools/casefile"
)

// A Subject is a format under test.
type Subject struct {
	format.Format
	// Say describes each change of a block, so that two readings can be compared.
	Say func(p format.Parsed) []string
}

// Regions returns the regions of a document that the format claims. The tree may be nil.
func (s Subject) Regions(doc string, tree fs.FS) []*format.Region {
	d := format.NewDocument(mdblock.Read(doc))
	d.Tree = tree
	if s.Find == nil {
		return d.Fences
	}
	return s.Find(d)
}

// Said returns the descriptions of all changes in the complete blocks of a document that
// have no error.
func (s Subject) Said(doc string, tree fs.FS) []string {
	return s.said(doc, tree, func(r *format.Region, p format.Parsed) bool {
		return r.Closed && !diag.HasErrors(p.Diagnostics)
	})
}

func (s Subject) said(doc string, tree fs.FS, counts func(r *format.Region, p format.Parsed) bool) (changes []string) {
	for _, r := range s.Regions(doc, tree) {
		if p := s.Parse(r); counts(r, p) {
			changes = append(changes, s.Say(p)...)
		}
	}
	return changes
}

// CheckRegions fails the test unless each document has the given regions. Final line
// endings do not count.
func (s Subject) CheckRegions(t *testing.T, wants map[string][]string) {
	t.Helper()
	for doc, want := range wants {
		var got []string
		for _, r := range s.Regions(doc, nil) {
			got = append(got, r.Span.In(doc))
		}
		if !slices.EqualFunc(got, want, func(a, b string) bool { return strings.TrimRight(a, "\n") == strings.TrimRight(b, "\n") }) {
			t.Errorf("%q has the regions %q, want %q", doc, got, want)
		}
	}
}

// Prefixes says which differences are allowed while a reply is incomplete.
type Prefixes struct {
	// Exempt are the names of cases whose texts contain the end of a block.
	Exempt []string
	// Undecided reports whether the first bytes of a reply, up to the offset `at`, can be read only
	// with the next byte. If Undecided is nil, this is never so.
	Undecided func(reply string, at int) bool
	// LaterErrors is true if an error in a block refuses the changes that the block contained
	// before the error.
	LaterErrors bool
}

// CheckPrefixes fails the test if a prefix of a case contains a change that the whole reply does
// not contain. A prefix is the reply while the model is writing it.
func (s Subject) CheckPrefixes(t *testing.T, p Prefixes) {
	t.Helper()
	changes := 0
	for _, c := range s.cases(t, enough) {
		if slices.Contains(p.Exempt, path.Base(c.Name)) || strings.HasSuffix(c.Reply, ".json") {
			continue // a JSON file is one block as a whole
		}
		changes += s.checkPrefixes(t, c, p)
	}
	if changes < enough {
		t.Errorf("only %d changes", changes)
	}
}

func (s Subject) checkPrefixes(t *testing.T, c *casefile.Case, p Prefixes) int {
	t.Helper()
	tree := before(c)
	whole := s.said(c.Text, tree, func(r *format.Region, read format.Parsed) bool {
		return p.LaterErrors || r.Closed && !diag.HasErrors(read.Diagnostics)
	})
	for at := range len(c.Text) {
		if p.Undecided != nil && p.Undecided(c.Text, at) {
			continue
		}
		for _, change := range s.Said(c.Text[:at], tree) {
			if !slices.Contains(whole, change) {
				t.Errorf("%s: the first %d bytes say %s", c.Name, at, change)
			}
		}
	}
	return len(whole)
}

// enough is the smallest number of cases, and of changes in them, for a meaningful test.
const enough = 40

// cases returns the cases of testdata for the format. It fails the test if there are fewer than
// `least`.
func (s Subject) cases(t testing.TB, least int) []*casefile.Case {
	t.Helper()
	cases, err := casefile.Load("../../../../testdata/conformance/" + s.Name)
	if err != nil || len(cases) < least {
		t.Fatal(len(cases), err)
	}
	return cases
}

func before(c *casefile.Case) fs.FS {
	tree := fstest.MapFS{}
	for name, f := range c.Before {
		tree[name] = &fstest.MapFile{Data: []byte(f.Data)}
	}
	return tree
}

// Fuzz reads texts derived from the cases. For any text, regions must be in order, spans must be
// inside the text, fixes must be possible, and the readable entries must be counted. The function
// check tests further properties.
func (s Subject) Fuzz(f *testing.F, tree fs.FS, check func(t *testing.T, r *format.Region, p format.Parsed)) {
	for _, c := range s.cases(f, 1) {
		f.Add(c.Text)
	}
	f.Fuzz(func(t *testing.T, doc string) {
		last := 0
		for _, r := range append(s.Regions(doc, tree), format.Whole(doc)) {
			if r.Span.Start < last && r.Span != (text.Span{End: len(doc)}) || r.Span.End > len(doc) {
				t.Fatalf("a region at %v after %d", r.Span, last)
			}
			last = r.Span.End
			p := s.Parse(r)
			checkParsed(t, r.Body, p)
			check(t, r, p)
		}
	})
}

func checkParsed(t *testing.T, body string, p format.Parsed) {
	if p.Readable > p.Entries || p.Readable > len(p.Set.Changes) || p.Readable < p.Entries && !diag.HasErrors(p.Diagnostics) {
		t.Fatalf("%d of %d are readable, %d changes, %v", p.Readable, p.Entries, len(p.Set.Changes), p.Diagnostics)
	}
	for _, d := range p.Diagnostics {
		checkSpan(t, body, d.Span)
		for _, fix := range d.Fixes {
			if _, err := text.Apply(body, fix.Edits); err != nil {
				t.Fatalf("%s: %v", fix.Title, err)
			}
		}
	}
	for _, c := range p.Set.Changes {
		checkSpan(t, body, c.At, c.PathAt.Span, c.ContentAt.Span)
		for _, step := range c.Steps {
			checkSpan(t, body, step.Span())
		}
	}
}

func checkSpan(t *testing.T, body string, spans ...text.Span) {
	for _, s := range spans {
		if s.Start < 0 || s.Start > s.End || s.End > len(body) {
			t.Fatalf("%v of %d bytes", s, len(body))
		}
	}
}
