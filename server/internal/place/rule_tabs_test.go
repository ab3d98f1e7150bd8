package place_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/aptix-dev/aptix/server/internal/artifact"
)

// A deep is a list of lines with their depths. The file indents the lines by tabs and the model by spaces, or the
// reverse.
type deep struct {
	words  []string
	depths []int
}

// indent returns the lines, each indented by as many units as it is deep.
func (d deep) indent(unit string) string {
	lines := make([]string, len(d.words))
	for i, word := range d.words {
		lines[i] = strings.Repeat(unit, d.depths[i]) + word
	}
	return strings.Join(lines, "\n")
}

func (d deep) part(from, to int) deep { return deep{d.words[from:to], d.depths[from:to]} }

// adding returns the lines with a line inserted before line `at`.
func (d deep) adding(at int, word string, depth int) deep {
	return deep{slices.Insert(slices.Clone(d.words), at, word), slices.Insert(slices.Clone(d.depths), at, depth)}
}

func drawDeep(t *rapid.T, depth *rapid.Generator[int]) deep {
	d := deep{depths: rapid.SliceOfN(depth, 4, 9).Draw(t, "depths")}
	for i := range d.depths {
		d.words = append(d.words, fmt.Sprintf("call_%02d(argument)", i))
	}
	return d
}

// drawUnits draws the indentation of the file and the model's.
func drawUnits(t *rapid.T) (file, model string) {
	file, model = "\t", strings.Repeat(" ", rapid.SampledFrom([]int{2, 3, 4, 8}).Draw(t, "columns"))
	if rapid.Bool().Draw(t, "file has spaces") {
		return model, file
	}
	return file, model
}

// The rule for tabs forgives the other kind of indentation if each line keeps its depth. Such a find is fixed without a
// question, and the replacement gets the indentation of the file.
func TestTabsRuleForgives(t *testing.T) {
	tried := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		d := drawDeep(t, rapid.IntRange(0, 4))
		from := rapid.IntRange(0, len(d.depths)-1).Draw(t, "from")
		to := rapid.IntRange(from+1, len(d.depths)).Draw(t, "to")
		d.depths[rapid.IntRange(from, to-1).Draw(t, "shallow")] = 1 // a line of depth 1 shows the width of a tab
		find := d.part(from, to)
		file, model := drawUnits(t)
		ending := rapid.SampledFrom([]string{"", "\n"}).Draw(t, "ending")
		replace := find.adding(rapid.IntRange(0, to-from).Draw(t, "at"), "fresh(value)", rapid.IntRange(slices.Min(find.depths), 5).Draw(t, "depth"))

		src := d.indent(file) + "\n"
		offers := offersFor(t, src, find.indent(model)+ending, replace.indent(model)+ending)
		if len(offers) != 1 || !offers[0].certain || len(titled(offers, artifact.Tabs.Differs)) != 1 {
			t.Fatalf("%q in %q: %+v, want one certain fix by the rule", find.indent(model), src, offers)
		}
		if o := offers[0]; o.find != find.indent(file)+ending || o.replace != replace.indent(file)+ending {
			t.Fatalf("%q becomes %q, and the replacement %q; want %q and %q", find.indent(model), o.find, o.replace, find.indent(file), replace.indent(file))
		}
		tried["in "+file[:1]]++
	})
	floor(t, tried, 20, "in \t", "in  ")
}

// keepDepth reports whether, for some width of a tab, each line has the same depth in columns and
// in tabs.
func keepDepth(columns, tabs []int) bool {
	for width := 1; width <= 64; width++ {
		same := true
		for i := range columns {
			same = same && columns[i] == width*tabs[i]
		}
		if same {
			return true
		}
	}
	return false
}

// If no width of a tab keeps the depth of every line, this rule does not find the text.
func TestTabsRuleKeepsDepth(t *testing.T) {
	tried := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		d := drawDeep(t, rapid.IntRange(1, 4))
		find := d.part(1, rapid.IntRange(2, len(d.depths)).Draw(t, "to"))
		file, model := drawUnits(t)
		written := deep{find.words, slices.Clone(find.depths)}
		kind, first, last := "with one line moved", rapid.IntRange(0, len(find.depths)-1).Draw(t, "line"), 0
		if last = first; rapid.Bool().Draw(t, "all") {
			kind, first, last = "with all lines moved", 0, len(find.depths)-1
		}
		unit := model[:1]
		for i := range written.depths {
			written.depths[i] *= len(model)
		}
		step := rapid.SampledFrom([]int{-1, 1}).Draw(t, "by") * rapid.SampledFrom([]int{1, len(model)}).Draw(t, "units")
		for i := first; i <= last; i++ {
			written.depths[i] = max(written.depths[i]+step, 0)
		}
		columns, tabs := written.depths, find.depths
		if unit == "\t" {
			columns, tabs = make([]int, len(find.depths)), written.depths
			for i, n := range find.depths {
				columns[i] = n * len(file)
			}
		}
		if keepDepth(columns, tabs) || slices.Max(written.depths) == 0 {
			return // some width of a tab gives every line its depth; or nothing is indented, and the find is a part of a line
		}
		replace := written.adding(len(written.words), "fresh(value)", written.depths[0])
		src := d.indent(file) + "\n"
		if found := titled(offersFor(t, src, written.indent(unit), replace.indent(unit)), artifact.Tabs.Differs); len(found) > 0 {
			t.Fatalf("%q in %q: %+v, though a line moves", written.indent(unit), src, found)
		}
		tried[kind]++
	})
	floor(t, tried, 20, "with one line moved", "with all lines moved")
}

// If the replacement depends on the width of a tab, and the lines do not show it, no fix is
// certain.
func TestTabsRuleNeedsWidth(t *testing.T) {
	tried := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		kind := rapid.SampledFrom([]string{"at even depths", "at one depth"}).Draw(t, "kind")
		file, model := drawUnits(t)
		d := drawDeep(t, rapid.SampledFrom([]int{2, 4}))
		find, more := d.part(1, 3), 6
		d.depths[1], d.depths[2] = 2, 4
		if kind == "at one depth" {
			if model != "\t" {
				return // the replacement itself shows the width
			}
			for i := range d.depths {
				d.depths[i] = 2
			}
			more = 3
		}
		replace := find.adding(2, "fresh(value)", more)
		src := d.indent(file) + "\n"
		for _, o := range offersFor(t, src, find.indent(model), replace.indent(model)) {
			if o.certain || strings.Contains(o.title, artifact.Tabs.Differs) {
				t.Fatalf("%q in %q: %+v, though a tab may have another width", find.indent(model), src, o)
			}
		}
		tried[kind]++
	})
	floor(t, tried, 10, "at even depths", "at one depth")
}
