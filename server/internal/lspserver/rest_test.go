package lspserver_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	lsp "go.lsp.dev/protocol"

	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/tools/lsptest"
)

// halfThere has two replacements. The first file contains the text to find, and the second does not.
var halfThere = bundle(patch("a.txt", "two", "2"), patch("b.txt", "nowhere to be found", "x"))

var halfTree = map[string]string{"a.txt": "one\ntwo\n", "b.txt": "b\n"}

// A reply with a missing find is refused, but the person can apply the rest of it. A question then lists the parts that
// are left out.
func TestApplyTheRest(t *testing.T) {
	for _, tt := range []struct {
		answers []string
		applied bool
	}{
		{[]string{"Apply the Rest…", "Apply"}, true},
		{[]string{"Apply the Rest…", "Cancel"}, false},
		{[]string{"Cancel"}, false},
		{[]string{""}, false},
	} {
		var asked []string
		c := serve(t, halfTree, func(c *lsptest.Client) {
			c.Choose = func(p *lsp.ShowMessageRequestParams) string {
				asked = append(asked, p.Message)
				return tt.answers[min(len(asked), len(tt.answers))-1]
			}
		})
		openReply(c, halfThere)
		r := apply(t, c, nil)
		if r.Applied != tt.applied || len(asked) != len(tt.answers) || r.Rest {
			t.Errorf("%q: asked %q, got %+v", tt.answers, asked, r)
		}
		if !strings.Contains(asked[0], "one of 2 replacements looks for text that is not in b.txt, so nothing in the reply is applied") {
			t.Errorf("%q: the refusal says %q", tt.answers, asked[0])
		}
		if len(asked) > 1 && !strings.Contains(asked[1], "\n• `find` is not in the file, so this replacement is left out") {
			t.Errorf("%q: the question is %q", tt.answers, asked[1])
		}
		want := map[string]string{"a.txt": halfTree["a.txt"], "b.txt": "b\n"}
		if tt.applied {
			want["a.txt"] = "one\n2\n"
		}
		shows(t, c, want)
	}
}

// The state of a block says which finds are missing.
func TestStateNamesMissingFinds(t *testing.T) {
	for reply, want := range map[string]string{
		bundle(patch("b.txt", "nowhere", "x")): "1 error: the replacement looks for text that is not in b.txt",
		halfThere:                              "1 error: one of 2 replacements looks for text that is not in b.txt",
		bundle(patch("a.txt", "nowhere", "x"), patch("b.txt", "nowhere", "x")):                                "2 errors: 2 of 2 replacements look for text that is not in a.txt, b.txt",
		bundle(patch("a.txt", "two", "2"), patch("b.txt", "nowhere", "x"), patch("none.txt", "nowhere", "x")): "2 errors\n",
	} {
		c := serve(t, halfTree, nil)
		openReply(c, reply)
		if got := titles(t, c); !strings.Contains(got, "Apply Aptix bundle, Copy problems for the model, "+want) {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// An editor with its own dialog learns that the rest of a reply can be applied.
func TestRestIsTold(t *testing.T) {
	var asked []protocol.QuestionParams
	c := serve(t, halfTree, answering(&asked, "Apply"))
	openReply(c, halfThere)
	if r := apply(t, c, nil); r.Applied || !r.Rest || len(asked) > 0 {
		t.Errorf("got %+v", r)
	}
	var r protocol.ApplyResult
	if err := command(c, protocol.CommandApply, protocol.Target{URI: replyURI, SkipMissing: true}, &r); err != nil {
		t.Fatal(err)
	}
	if !r.Applied || r.Rest || len(asked) != 1 || len(asked[0].Reasons) != 1 {
		t.Errorf("the rest: %+v, asked %+v", r, asked)
	}
}

// After the rest of a reply was applied, its lenses and rows still name what was left out, also after a later edit, until
// the person includes it again.
func TestRestStaysNamed(t *testing.T) {
	var asked []protocol.QuestionParams
	c := serve(t, halfTree, answering(&asked, "Apply"))
	openReply(c, halfThere+"\n"+bundle(patch("b.txt", "nor is this", "y")))
	var r protocol.ApplyResult
	if err := command(c, protocol.CommandApply, protocol.Target{URI: replyURI, SkipMissing: true}, &r); err != nil || !r.Applied {
		t.Fatalf("got %+v, %v", r, err)
	}
	says := func(first, second string) {
		t.Helper()
		if got := titles(t, c); !strings.Contains("\n"+got, "\n0: "+first) || !strings.Contains(got, "\n10: "+second) {
			t.Errorf("the lenses are %q, want %q and %q", got, first, second)
		}
	}
	says("Show Changes, Revert, Copy problems for the model, already applied, 1 left out", "Preview, Apply Aptix bundle, Copy problems for the model, nothing to change, 1 left out")
	if got := listing(c); strings.Count(got, "b.txt: left out") != 2 {
		t.Errorf("the rows are\n%s", got)
	}
	if r := apply(t, c, nil); r.Applied || !strings.HasSuffix(r.Message, "already applied, 2 left out") || len(asked) != 1 {
		t.Errorf("a second apply: %+v, asked %+v", r, asked)
	}
	c.Editor.Type("a.txt", lsp.TextEdit{Range: lsp.Range{Start: lsp.Position{Line: 1}, End: lsp.Position{Line: 2}}, NewText: "mine\n"})
	says("Show Changes, Revert, Copy problems for the model, applied, changed since, 1 left out", "Preview, Apply Aptix bundle, Copy problems for the model, nothing to change, 1 left out")
}

// If a reply has other errors, or if it has no other parts, no rest is offered.
func TestNoRest(t *testing.T) {
	for name, reply := range map[string]string{
		"another error": bundle(patch("a.txt", "two", "2"), patch("b.txt", "nowhere", "x"), patch("none.txt", "a", "b")),
		"nothing left":  bundle(patch("b.txt", "nowhere", "x")),
	} {
		c := serve(t, halfTree, func(c *lsptest.Client) {
			c.Choose = func(p *lsp.ShowMessageRequestParams) string { t.Errorf("%s: asked %q", name, p.Message); return "" }
		})
		openReply(c, reply)
		if r := apply(t, c, nil); r.Applied || r.Message == "" {
			t.Errorf("%s: %+v", name, r)
		}
	}
}

// The quick-fix for a missing find leaves out only that replacement. An apply still asks.
func TestLeaveOut(t *testing.T) {
	var asked []string
	c := serve(t, halfTree, func(c *lsptest.Client) {
		c.Choose = func(p *lsp.ShowMessageRequestParams) string { asked = append(asked, p.Message); return "Apply" }
	})
	openReply(c, bundle(patch("a.txt", "two", "2"), patch("b.txt", "nowhere to be found", "x"), patch("b.txt", "nor is this", "y")))
	await := func(severities string) []lsp.Diagnostic {
		return c.AwaitDiagnostics(replyURI, func(ds []lsp.Diagnostic) bool { return missing(ds) == severities })
	}
	const out, in = "Leave this replacement out", "Include this replacement again"
	runAction(t, c, await("error error"), 0, out)
	runAction(t, c, await("warning error"), 0, in)
	runAction(t, c, await("error error"), 1, out)
	await("error warning")
	if r := apply(t, c, nil); r.Applied || len(asked) != 1 || !strings.Contains(asked[0], "one of 3 replacements") {
		t.Errorf("asked %q, got %+v", asked, r)
	}
	runAction(t, c, await("error warning"), 0, out)
	await("warning warning")
	if r := apply(t, c, nil); !r.Applied || len(asked) != 2 || strings.Count(asked[1], "so this replacement is left out") != 2 {
		t.Errorf("asked %q, got %+v", asked, r)
	}
	shows(t, c, map[string]string{"a.txt": "one\n2\n", "b.txt": "b\n"})
}

// missing returns the severities of the diagnostics about missing finds.
func missing(ds []lsp.Diagnostic) string {
	var severities []string
	for _, d := range ds {
		if isMissing(d) {
			severities = append(severities, map[lsp.DiagnosticSeverity]string{lsp.DiagnosticSeverityError: "error", lsp.DiagnosticSeverityWarning: "warning"}[d.Severity])
		}
	}
	return strings.Join(severities, " ")
}

func isMissing(d lsp.Diagnostic) bool { return strings.Contains(fmt.Sprint(d.Code), "find-not-found") }

// runAction runs the command of an action, found by its title, for the n-th missing find.
func runAction(t *testing.T, c *lsptest.Client, ds []lsp.Diagnostic, n int, title string) {
	t.Helper()
	at := slices.DeleteFunc(slices.Clone(ds), func(d lsp.Diagnostic) bool { return !isMissing(d) })[n].Range
	var actions []lsp.CodeAction
	c.MustCall(lsp.MethodTextDocumentCodeAction, &lsp.CodeActionParams{TextDocument: lsp.TextDocumentIdentifier{URI: replyURI}, Range: at}, &actions)
	run(t, c, actions, title)
}
