package elision

import (
	"slices"
	"strings"
	"testing"

	"github.com/aptix-dev/aptix/server/internal/place"
)

func apply(t interface {
	Helper()
	Fatalf(string, ...any)
}, file string, r Reading) string {
	t.Helper()
	lines := place.NewLines(file, place.AfterEOL, nil)
	var b strings.Builder
	at := 0
	for _, p := range r.Parts {
		for _, h := range p.Hunks {
			if h.At < at || h.At < p.At || h.End > p.End {
				t.Fatalf("the hunk %+v is outside of its part %+v", h, p)
			}
			for ; at < h.At; at++ {
				b.WriteString(lines.Line(at))
			}
			for _, line := range h.Lines {
				b.WriteString(line + "\n")
			}
			at = h.End
		}
	}
	for ; at < lines.Count(); at++ {
		b.WriteString(lines.Line(at))
	}
	return b.String()
}

const goFile = `package a

import "fmt"

func one() {
	fmt.Println("one")
	fmt.Println("uno")
}

func two() {
	fmt.Println("two")
	fmt.Println("dos")
}

func three() {
	fmt.Println("three")
	fmt.Println("tres")
}
`

func TestRead(t *testing.T) {
	for name, test := range map[string]struct {
		text  string
		state State
		kinds []Kind
		from  string
		to    string
	}{
		"one line": {
			"// ... existing code ...\nfunc two() {\n\tfmt.Println(\"two\")\n\tfmt.Println(\"zwei\")\n}\n\nfunc three() {\n// ... existing code ...\n", Certain, nil, "dos", "zwei"},
		"any language": {
			"# … bestehender Code …\nfunc two() {\n\tfmt.Println(\"two\")\n\tfmt.Println(\"zwei\")\n}\n\nfunc three() {\n...\n", Certain, nil, "dos", "zwei"},
		"no elision above": {
			"package a\n\nimport \"fmt\"\n\nfunc one() {\n\tfmt.Println(\"one\")\n\tfmt.Println(\"eins\")\n}\n\nfunc two() {\n// rest of the code unchanged\n", Certain, nil, "uno", "eins"},
		"inside of a function": {
			"// ...\nfunc three() {\n\t// ...\n\tfmt.Println(\"tres\")\n\tfmt.Println(\"drei\")\n}\n", Certain, nil, "tres\")\n", "tres\")\n\tfmt.Println(\"drei\")\n"},
		"the same": {
			"// ...\nfunc two() {\n\tfmt.Println(\"two\")\n// ...\n", Refused, []Kind{NoChange}, "", ""},
		"a deletion": {
			"// ...\nfunc two() {\n\tfmt.Println(\"two\")\n}\n// ...\n", Asks, []Kind{Gone}, "\tfmt.Println(\"dos\")\n", ""},
		"dedented": {
			"// ...\nfmt.Println(\"two\")\nfmt.Println(\"half\")\nfmt.Println(\"dos\")\n// ...\n", Asks, []Kind{Shifted}, "two\")\n", "two\")\n\tfmt.Println(\"half\")\n"},
		"a line that moves in": {
			"// ...\nfunc one() {\n\tfmt.Println(\"one\")\n\tfmt.Println(\"half\")\n\tfmt.Println(\"uno\")\n// ...\nfunc two() {\n\tfmt.Println(\"dos\")\n\tfmt.Println(\"two\")\n// ...\n", Asks, []Kind{Moved}, "", ""},
		"a new edge": {
			"// ...\nfunc half() {}\n\nfunc two() {\n\tfmt.Println(\"two\")\n// ...\n", Asks, []Kind{NewEdge}, "func two", "func half() {}\n\nfunc two"},
		"a fragment below an elision": {
			"func one() {\n\tfmt.Println(\"one\")\n\tfmt.Println(\"eins\")\n}\n\nfunc two() {\n// ...\n", Asks, []Kind{Fragment}, "uno", "eins"},
		"edges that the file lacks":   {"// ...\nfunc six() {\n\tfmt.Println(\"six\")\n// ...\n", Refused, []Kind{NoAnchor}, "", ""},
		"not in order":                {"// ...\nfunc three() {\n\tfmt.Println(\"three\")\n// ...\nfunc one() {\n\tfmt.Println(\"one\")\n// ...\n", Refused, []Kind{NoOrder}, "", ""},
		"no elision":                  {goFile + "// the end\n", None, nil, "", ""},
		"only a new edge":             {"// ...\n}\n\nvar four = 4\n// ...\n\tfmt.Println(\"three\")\n// ...\n", Refused, []Kind{Tied}, "", ""},
		"an elision in unknown words": {"// sama kuin ennen\nfunc two() {\n\tfmt.Println(\"two\")\n\tfmt.Println(\"zwei\")\n}\n\nfunc three() {\n// ...\n", Asks, []Kind{Unknown}, "dos", "zwei"},
		"an elision that is forgotten": {
			"// ...\nfunc one() {\n\tfmt.Println(\"one\")\n\tfmt.Println(\"eins\")\n\tfmt.Println(\"uno\")\n}\n\tfmt.Println(\"dos\")\n}\n// ...\n", Asks, []Kind{Unclear, LongerRun, MayReplace}, "", ""},
		"a line that is reworded": {
			"// ...\nfunc three() {\n\tfmt.Println(\"drei\")\n\tfmt.Println(\"tres\")\n}\n", Certain, nil, "\"three\"", "\"drei\""},
	} {
		t.Run(name, func(t *testing.T) {
			r := Read(place.NewLines(goFile, place.AfterEOL, nil), test.text)
			var kinds []Kind
			for _, reason := range r.Reasons {
				kinds = append(kinds, reason.Kind)
				t.Log(reason)
			}
			if r.State != test.state || !slices.Equal(kinds, test.kinds) {
				t.Fatalf("state %d for %v, want %d for %v", r.State, kinds, test.state, test.kinds)
			}
			if r.State == Refused || r.State == None || test.kinds != nil && test.from == "" {
				return
			}
			if got, want := apply(t, goFile, r), strings.Replace(goFile, test.from, test.to, 1); got != want {
				t.Errorf("%s\nwant\n%s", got, want)
			}
		})
	}
}

// The text fits two places equally well.
func TestTied(t *testing.T) {
	file := "a1\n{\n x\n}\nb1\n{\n x\n}\nc1\n"
	r := Read(place.NewLines(file, place.AfterEOL, nil), "...\n{\n x\n y\n}\n...\n")
	if r.State != Refused || len(r.Reasons) != 1 || r.Reasons[0].Kind != Tied || len(r.Parts) != 1 || !slices.Equal(r.Parts[0].Others, []Place{{5, 8}}) {
		t.Errorf("%+v", r)
	}
	put, ok := PutAt(place.NewLines(file, place.AfterEOL, nil), "...\n{\n x\n y\n}\n...\n", 0, Place{5, 8})
	if want := "...\nb1\n{\n x\n y\n}\n...\n"; !ok || put != want {
		t.Errorf("%q, want %q", put, want)
	}
}

// At one place, the file has the text's lines with another indentation. At a second place, the
// file has the text's edges next to each other.
func TestShiftedRival(t *testing.T) {
	file := "send(a) {\n  if (head) {\n  // skip the body\n    end()\n  }\n\n  // respond\n  end(body, encoding)\n\n  return this\n}\nset(b) {\n  for (x of b) {\n    put(x)\n  }\n  return this\n}\n"
	r := Read(place.NewLines(file, place.AfterEOL, nil), "// ... existing code ...\n  }\n\n  if (head) {\n    // skip the body\n    end()\n  } else {\n    // respond\n    end(body, encoding)\n  }\n\n  return this\n// ... existing code ...\n")
	if r.State == Certain {
		t.Errorf("%+v", r)
	}
}

// The text fits two places, and at one of them it inserts as many lines as it deletes.
func TestLikely(t *testing.T) {
	file := "a = 1\n  )\n  add(\n    '--copypaste',\n    default=False,\n    help='watch the clipboard',\n  )\n  group = 1\nb = 2\n"
	was, is := file[strings.Index(file, "    '--"):strings.Index(file, "  )\n  group")], "    '--copy-paste',\n    default=False,\n    help='copy and paste between both',\n"
	r := Read(place.NewLines(file, place.AfterEOL, nil), "# ... existing code ...\n  )\n  add(\n"+is+"  )\n  group = 1\n# ... existing code ...\n")
	if r.State == Refused || apply(t, file, r) != strings.Replace(file, was, is, 1) {
		t.Errorf("%+v", r)
	}
}

func TestGuess(t *testing.T) {
	for name, test := range map[string]struct {
		text  string
		state State
		from  string
		to    string
	}{
		"a function": {"func two() {\n\tfmt.Println(\"two\")\n\tfmt.Println(\"zwei\")\n}\n", Asks, "dos", "zwei"},
		"another":    {"func nine() {\n}\n", None, "", ""},
		"unknown words": {
			"package a\n\n// ja niin edelleen\n\nfunc two() {\n\tfmt.Println(\"two\")\n\tfmt.Println(\"zwei\")\n}\n\n// ja niin edelleen\n", Asks, "dos", "zwei"},
	} {
		t.Run(name, func(t *testing.T) {
			r := Guess(place.NewLines(goFile, place.AfterEOL, nil), test.text)
			if r.State != test.state {
				t.Fatalf("state %d for %v, want %d", r.State, r.Reasons, test.state)
			}
			if r.State == None {
				return
			}
			if got, want := apply(t, goFile, r), strings.Replace(goFile, test.from, test.to, 1); got != want {
				t.Errorf("%s\nwant\n%s", got, want)
			}
		})
	}
}
