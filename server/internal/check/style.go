package check

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// topLevel lists the folders that an agent may assume to exist (rule R34).
var topLevel = []string{"ddrs", "src", "tests"}

// ddrName matches `{ID} - {Title}.md` (rule R36), such as `DDR-012 - Contract.md`.
var ddrName = lazyregexp.New(`^[A-Z]{2,5}-\d{3} - .+\.md$`)

// ddrID matches the name of a file that must be a design decision record (DDR).
var ddrID = lazyregexp.New(`^[A-Z]{2,5}-\d{3}\b.*\.(md|jsonl)$`)

// styleHints checks a block of a file bundle or a structured patch by the rules R34 to R37, which a team can require of
// its agents. The diagnostics are hints, which never block a change. Spans are byte offsets in `body`.
func styleHints(body string, set intent.Set) []diag.Diagnostic {
	var found []diag.Diagnostic
	for _, c := range set.Changes {
		if c.DocPath {
			continue // a docPath is a key and not a path, so its folders are not checked
		}
		if d := layout(path.Join(set.Root, c.Path), c); d != nil {
			d.Span = c.PathAt.Span
			found = append(found, *d)
		}
	}
	return append(found, pretty(body)...)
}

func layout(file string, c intent.Change) *diag.Diagnostic {
	top, _, nested := strings.Cut(file, "/")
	name := path.Base(file)
	switch {
	case ddrID.MatchString(name):
		return ddr(file, name)
	case nested && !slices.Contains(topLevel, top):
		return diag.Unplaced(diag.LintTopLevel, fmt.Sprintf("%s is not one of the folders ddrs, src and tests", top))
	case top == "tests" && c.Kind != intent.Delete && c.Kind != intent.Edit:
		return test(file, name)
	}
	return nil
}

// test checks the path of a new test: `tests/{ProjectName}.Tests/…Tests.cs` (rule R35).
func test(file, name string) *diag.Diagnostic {
	names := strings.Split(file, "/")
	switch {
	case len(names) < 3 || !strings.HasSuffix(names[1], ".Tests"):
		return diag.Unplaced(diag.LintTests, fmt.Sprintf("%s is not in a folder tests/{ProjectName}.Tests", file))
	case strings.HasSuffix(name, ".cs") && !strings.HasSuffix(name, "Tests.cs"):
		return diag.Unplaced(diag.LintTests, fmt.Sprintf("the name %s does not end with Tests.cs", name))
	}
	return nil
}

// ddr checks the path of a DDR: `ddrs/{ID} - {Title}.md` or `ddrs/jsonl/{ID}.jsonl` (rule R36).
func ddr(file, name string) *diag.Diagnostic {
	wrong := ""
	switch dir := path.Dir(file); {
	case strings.HasSuffix(name, ".md") && dir != "ddrs":
		wrong = "a DDR belongs in ddrs/"
	case strings.HasSuffix(name, ".jsonl") && dir != "ddrs/jsonl":
		wrong = "the JSONL file of a DDR belongs in ddrs/jsonl/"
	case strings.HasSuffix(name, ".md") && !ddrName.MatchString(name):
		wrong = "a DDR must be named `{ID} - {Title}.md`"
	default:
		return nil
	}
	return diag.Unplaced(diag.LintDDR, fmt.Sprintf("%s: %s", file, wrong))
}

// pretty requires one member per line and the same indentation throughout (rule R37). Its fix is safe, because white
// space between tokens has no meaning.
func pretty(body string) []diag.Diagnostic {
	formatted, ok := prettyPrinted(body)
	if !ok || formatted == strings.TrimRight(text.WithEOL(body, text.LF), "\n \t") {
		return nil
	}
	end, _ := text.LineEnd(body, 0)
	return []diag.Diagnostic{diag.New(diag.LintPretty, text.Span{End: end},
		"the block is not pretty-printed with one member per line and consistent indentation",
		diag.Fix{Title: "Format bundle", Edits: []text.Edit{{Span: text.Span{End: len(body)}, New: formatted + ending(body)}}})}
}

// prettyPrinted formats JSON with one member per line. It indents with a tab if the text does, otherwise with two
// spaces. It returns false if the text is not valid JSON.
func prettyPrinted(body string) (string, bool) {
	indent := "  "
	if strings.Contains(body, "\n\t\"") {
		indent = "\t"
	}
	var out bytes.Buffer
	if err := json.Indent(&out, []byte(strings.TrimSpace(body)), "", indent); err != nil {
		return "", false
	}
	return out.String(), true
}

// ending returns the line ending between the object and the closing fence.
func ending(body string) string {
	if eol := text.DominantEOL(body); eol != text.None {
		return string(eol)
	}
	return ""
}
