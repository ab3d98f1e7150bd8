package doubt

import (
	"cmp"
	"path"
	"slices"
	"testing"

	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/place"
	"github.com/aptix-dev/aptix/server/internal/text"

	"github.com/aptix-dev/aptix/server/internal/diff"
)

// change returns the change of an example: a change to a whole text, or to the lines that differ.
func (e Example) change() *Change {
	if e.Whole || e.New {
		c := Whole(cmp.Or(e.Path, "src/app.go"), e.Before, e.After, e.Facts)
		if e.Sibling != "" {
			c.Siblings = func(yield func(string, string) bool) { yield("other"+path.Ext(c.Path), e.Sibling) }
			c.Users = c.Siblings
		}
		return c
	}
	var steps Steps
	now := e.Before
	for _, after := range append(e.Between, e.After) {
		t := place.NewText(now)
		steps.Add(t, 0, Runs(t, diff.Edits(now, after), text.Span{Start: 1, End: 2}, intent.Written{}))
		now = after
	}
	return &Change{Path: cmp.Or(e.Path, "src/app.go"), Facts: e.Facts, Before: func() string { return e.Before }, After: func() string { return e.After }, Runs: steps.Runs()}
}

// TestExamples runs each rule on its own examples, and then all rules together: no other rule may
// hide a doubt, or add one to an example that has none.
func TestExamples(t *testing.T) {
	ids := map[string]bool{}
	for _, group := range rules {
		for _, rule := range group {
			if ids[rule.ID] {
				t.Errorf("two rules are called %s", rule.ID)
			}
			ids[rule.ID] = true
			positive, negative := 0, 0
			for _, e := range examples[rule.ID] {
				t.Run(rule.ID+"/"+e.Name, func(t *testing.T) { e.check(t, rule) })
				if e.Want == 0 {
					negative++
				} else {
					positive++
				}
			}
			if positive == 0 || negative == 0 {
				t.Errorf("%s has %d examples of what it doubts and %d of what only looks like it; it needs both", rule.ID, positive, negative)
			}
		}
	}
}

func (e Example) check(t *testing.T, rule Rule) {
	d, all := rule.Doubts(e.change()), Of(e.change())
	if e.Want == 0 {
		if d != nil || len(all) > 0 {
			t.Errorf("nothing is wrong with %q -> %q; found %+v, and by all rules %+v", e.Before, e.After, d, all)
		}
		return
	}
	if d == nil || d.Verdict != e.Want || d.Code != e.Code {
		t.Fatalf("%q -> %q: found %+v, want %v %s", e.Before, e.After, d, e.Want, e.Code)
	}
	if len(all) == 0 || slices.ContainsFunc(all, func(d Doubt) bool { return d.Verdict < e.Want }) {
		t.Errorf("all rules together find %+v", all)
	}
	c := e.change()
	if c.Content == "" {
		return
	}
	c.ContentAt = intent.Literal{Span: text.Span{Start: 0, End: len(c.Content)}}
	for _, fix := range rule.Doubts(c).Fixes {
		fixed, err := text.Apply(c.Content, fix.Edits)
		if err != nil {
			t.Fatal(err)
		}
		if d := rule.Doubts(Whole(c.Path, e.Before, fixed, e.Facts)); d != nil {
			t.Errorf("the fix %q of %q leaves %+v", fix.Title, c.Content, d)
		}
	}
}
