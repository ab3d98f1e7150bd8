package place

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/aptix-dev/aptix/server/internal/text"
)

func drawText(t *rapid.T, label string, shortest, longest int, letters ...string) string {
	return strings.Join(rapid.SliceOfN(rapid.SampledFrom(letters), shortest, longest).Draw(t, label), "")
}

func TestOccurrences(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawText(t, "s", 0, 40, "a", "b")
		pattern := drawText(t, "pattern", 1, 6, "a", "b")
		var want []int
		for i := range s {
			if strings.HasPrefix(s[i:], pattern) {
				want = append(want, i)
			}
		}
		if got := Occurrences(s, pattern); fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("%q in %q: %v, want %v", pattern, s, got, want)
		}
	})
}

func spans(s string, found []text.Span) string {
	var out []string
	for _, span := range found {
		out = append(out, fmt.Sprintf("%d:%s", span.Start, span.In(s)))
	}
	return fmt.Sprintf("%q", out)
}

func TestFindTrailing(t *testing.T) {
	tests := []struct{ s, want, found string }{
		{"a\nb\n", "a  \nb", `["0:a\nb"]`},
		{"a \t\nb\nc", "a\nb", `["0:a \t\nb"]`},
		{"x = f(a, \n  b)", "f(a,\n  b)", `["4:f(a, \n  b)"]`},
		{"return 1\nreturn\n", "return  ", `["9:return"]`},
		{"a\n  b", "a\n    b", `[]`},
		{"a\n  b", "a\n ", `[]`},
		{"a\nb\na\nb \na", "a \nb", `["0:a\nb" "4:a\nb"]`},
		{"  ", " ", `[]`},
		{"ab\nab\nab\n", "ab \nab", `["0:ab\nab" "3:ab\nab"]`},
	}
	for _, tt := range tests {
		if got := spans(tt.s, findTrailing(tt.s, tt.want)); got != tt.found {
			t.Errorf("%q in %q: %s, want %s", tt.want, tt.s, got, tt.found)
		}
	}
}

func TestFindIndented(t *testing.T) {
	tests := []struct{ s, want, found string }{
		{"x\n    a\n      b\ny", "a\n  b", `["2:    a\n      b"]`},
		{"x\n\ta\n\t\tb\ny", "a\n    b\n", `["2:\ta\n\t\tb\n"]`},
		{"x\n  a\n", "    a\n", `["2:  a\n"]`},
		{"x\n  a", "    a\n", `["2:  a"]`},
		{"x\n  a b", "    a\n", `[]`},
		{"x\n  a\n  \n  b\n", "a\n\nb", `["2:  a\n  \n  b"]`},
		{"x\n  a\n  b\n", "a\n\nb", `[]`},
		{"x\n  a\n", "\n    a", `["1:\n  a"]`},
		{"x\n\n  a\n\ny", "\n\n    a\n\n", `["1:\n\n  a\n\n"]`},
		{"x\n  a\n", "\n\n    a", `[]`},
		{"  a\n", "\n    a", `[]`},
		{"  a\n    a\n  ab", "   a", `["0:  a" "4:    a"]`},
		{"  a\n  a\n  a", "a\na", `["0:  a\n  a" "4:  a\n  a"]`},
	}
	for _, tt := range tests {
		if got := spans(tt.s, findIndented(tt.s, tt.want)); got != tt.found {
			t.Errorf("%q in %q: %s, want %s", tt.want, tt.s, got, tt.found)
		}
	}
}

func TestShift(t *testing.T) {
	tests := []struct{ want, found, around, line, shifted string }{
		{"a\n  b", "    a\n      b", "", "    c", "        c"},
		{"    a\n      b", "a\n  b", "", "        c", "    c"},
		{"    a", "  a", "", " c", "?"}, // the line has less indentation than the shift removes
		{"a\n  b", "  a\n  b", "", "c", "no"},
		{"    a\n        b", "\ta\n\t\tb", "", "            c", "\t\t\tc"},
		{"a\n  b", "\ta\n\t\tb", "", "    c", "\t\t\tc"},
		{"    a\n        b", "\ta\n\t\tb", "", "      c", "no"}, // one level of indentation may also be two spaces
		{"    a\n    b", "\t\ta\n\t\tb", "", "        c", "no"},
		{"            a", "\t\t\ta", "", "            c", "\t\t\tc"},
		{"\ta\n\t\tb", "    a\n        b", "x\n    y", "\t\t\tc", "            c"},
		{"\ta", "  a", "x\n  y\n    z", "\t\tc", "    c"},
		{"\t\ta", "        a", "", "\t\tc", "        c"},
		{"\t\ta", "        a", "", "\t\t\tc", "no"}, // an additional tab may be 4 columns wide, or 8
		{"a", "\ta", "", "    c", "?"},              // tabs, then spaces
		{"a", "\ta", "", "\tc", "\t\tc"},
		{"a", "a", "", "  c", "  c"},
		{"", "", "", "  c", "no"},
	}
	for _, tt := range tests {
		s, ok := ShiftOf(strings.Split(tt.want, "\n"), strings.Split(tt.found, "\n"), tt.want+"\n"+tt.line, tt.found+"\n"+tt.around)
		got := "no"
		if ok {
			if got, ok = s.Line(tt.line); !ok {
				got = "?"
			}
		}
		if got != tt.shifted {
			t.Errorf("%q to %q: %q becomes %q, want %q", tt.want, tt.found, tt.line, got, tt.shifted)
		}
	}
}

func TestSame(t *testing.T) {
	tests := []struct{ s, want, found string }{
		{"a\nfoo( bar,  baz )\nb", "foo(bar, baz)", `["2:foo( bar,  baz )"]`},
		{"x\n\tfoo(\n\n\t\tbar)\ny", "    foo(\n        bar)\n", `["2:\tfoo(\n\n\t\tbar)\n"]`},
		{`say("it's…")`, "say(“it’s...”)", `["0:say(\"it's…\")"]`},
		{"ab\u200bcdefghij", "ab cdefghij", `["0:ab\u200bcdefghij"]`},
		{"nothing here", "abcdefghij", `[]`},
		{"abcdefgh\nabcdefgh\n", "abcdefgh", `["0:abcdefgh" "9:abcdefgh"]`},
	}
	for _, tt := range tests {
		if got := spans(tt.s, Fold(tt.s, nil).Same(tt.want, 3)); got != tt.found {
			t.Errorf("%q in %q: %s, want %s", tt.want, tt.s, got, tt.found)
		}
	}
}

const program = `package shop

// Total adds up a cart.
func Total(items []Item, rate float64) (float64, error) {
	sum := 0.0
	for _, item := range items {
		if item.Price < 0 {
			return 0, fmt.Errorf("item %s has a negative price", item.Name)
		}
		sum += item.Price * float64(item.Quantity)
	}
	return sum * (1 + rate), nil
}

func Count(items []Item) int {
	n := 0
	for _, item := range items {
		n += item.Quantity
	}
	return n
}
`

func TestClosest(t *testing.T) {
	tests := []struct {
		name, want, found string
		percent           int
	}{
		{"a word", "\tfor _, item := range items {\n\t\tn += item.Amount\n\t}\n", "\tfor _, item := range items {\n\t\tn += item.Quantity\n\t}\n", 91},
		{"a part of a line", "range itemz { ", "range items {", 92},
		{"the end of one line and the start of another", "fmt.Errorf(\"item %s has negative price\", item.Name)\n\t\t}\n\t\tsum += item.Price *", "fmt.Errorf(\"item %s has a negative price\", item.Name)\n\t\t}\n\t\tsum += item.Price *", 98},
		{"a line too many", "\tsum := 0.0\n\tcount := 0\n\tfor _, item := range items {\n\t\tif item.Price < 0 {", "\tsum := 0.0\n\tfor _, item := range items {\n\t\tif item.Price < 0 {", 91},
		{"a line too few", "\tsum := 0.0\n\t\tif item.Price < 0 {\n\t\t\treturn 0, fmt.Errorf(\"item %s has a negative price\", item.Name)\n", "\tsum := 0.0\n\tfor _, item := range items {\n\t\tif item.Price < 0 {\n\t\t\treturn 0, fmt.Errorf(\"item %s has a negative price\", item.Name)\n", 86},
		{"a line too many at the end", "func Count(items []Item) int {\n\tn := 0\n\tlog.Print(n)\n", "func Count(items []Item) int {\n\tn := 0\n", 85},
		{"nothing alike", "class Cart extends Base {\n  constructor() { super(); }\n}", "", 0},
		{"too short", "x = 1", "", 0},
	}
	for _, tt := range tests {
		found := Fold(program, nil).Closest(context.Background(), tt.want, 1)
		got, percent := "", 0
		if len(found) > 0 {
			got, percent = found[0].Span.In(program), int(100*found[0].Likeness)
		}
		if got != tt.found || percent != tt.percent {
			t.Errorf("%s: %d %% %q, want %d %% %q", tt.name, percent, got, tt.percent, tt.found)
		}
	}
}

// The longest common subsequence agrees with the usual table.
func TestCommon(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		letters := []string{"a", "b", "ab", "c", strings.Repeat("abc", 12)}
		a, b := drawText(t, "a", 0, 12, letters...), drawText(t, "b", 0, 12, letters...)
		want := make([]int, len(b)+1)
		for i := range len(a) {
			before := 0
			for j := range len(b) {
				next := max(want[j], want[j+1])
				if a[i] == b[j] {
					next = before + 1
				}
				before, want[j+1] = want[j+1], next
			}
		}
		if got := newComparer(a).common(b); got != want[len(b)] {
			t.Fatalf("%q and %q: %d, want %d", a, b, got, want[len(b)])
		}
	})
}
