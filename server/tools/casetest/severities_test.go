package casetest

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/tools/codes"
)

// elsewhere lists codes that no text file can cause, with the tests that cause them.
var elsewhere = map[diag.Code]string{
	diag.Declined:       "lspserver.TestDeclined: the report has a member of its own for it",
	diag.NoWorkspace:    "lspserver.TestNoFolder: the command line always has a root",
	diag.MixedEndings:   "lspserver.TestMixedEndingsAsk: the command line keeps endings",
	diag.UnsavedText:    "lspserver.TestUnsavedTextAsks: the command line has no unsaved text",
	diag.NotebookOpen:   "lspserver.TestOpenNotebookAsks: the command line has no notebook open",
	diag.PathNotRegular: "plan.TestNotRegular: a pipe",
	diag.FileSetuid:     "cli's script setuid.txtar: a mode that no case has",
	diag.FileTooLarge:   "plan.TestTooLarge: a file above the limit",
	diag.JSONTooLarge:   "lenientjson: a block of four megabytes",
	diag.BaseRecovered:  "cli's script earlier.txtar: an earlier text of the file",
	diag.BaseConflict:   "cli's script earlier.txtar: an earlier text of the file",
	diag.SnippetSHA:     "agenttools.TestSnippetIsNoBase: a search of an agent",
	diag.AppliedBefore:  "check.TestEditedAfterApply: an edit after the apply",
	diag.PartSkipped:    "lspserver.TestSkippedIsDimmed: the command line leaves no parts out",
}

// editorOnly lists severities that occur only in an editor. The tests of lspserver cover
// them.
var editorOnly = map[diag.Code]diag.Severity{diag.PathProtected: diag.Warning}

// Every severity that a code may have is shown by a case, and no case shows another. So every
// code has a case, too.
func TestSeverities(t *testing.T) {
	shown := shownSeverities(t)
	for _, doc := range codes.All() {
		_, exempt := elsewhere[doc.Code]
		for _, s := range []diag.Severity{diag.Error, diag.Warning, diag.Info, diag.Hint} {
			listed := codes.MayBe(doc.Code, s)
			if got, want := shown[doc.Code][s], listed && !exempt && editorOnly[doc.Code] != s; got != want {
				t.Errorf("%s as %s: shown by a case: %v, want %v", doc.Code, s, got, want)
			}
		}
		delete(shown, doc.Code)
	}
	for code := range shown {
		t.Errorf("%s is not documented", code)
	}
}

// For every code that asks, a case has that warning as its only problem. The case is applied
// with --yes and refused without it.
func TestDoubtsAreRefused(t *testing.T) {
	refused := map[diag.Code]bool{}
	for _, c := range Load(t, repoDir) {
		if c.Exit != 0 || !slices.Contains(c.Flags, "--yes") {
			continue
		}
		t.Run(filepath.Base(c.File), func(t *testing.T) {
			dir, reply := setUp(t, c)
			var report protocol.Report
			args := append([]string{"apply", "--json", "--root", dir}, c.Flags...)
			args = slices.DeleteFunc(args, func(arg string) bool { return arg == "--yes" })
			if exit := runCLI(t, dir, append(args, reply), &report); exit != 1 || report.Applied {
				t.Errorf("without --yes: exit %d, applied %v", exit, report.Applied)
			}
			same(t, "after a refusal", c.Before, dir)
			for _, b := range report.Blocks {
				for _, d := range b.Diagnostics {
					refused[diag.Code(d.Code)] = refused[diag.Code(d.Code)] || d.Asks
				}
			}
			for _, u := range report.Unread {
				refused[diag.Unread] = refused[diag.Unread] || u.Asks
			}
		})
	}
	for _, doc := range codes.All() {
		_, exempt := elsewhere[doc.Code]
		if want := doc.Code.Asks() && !exempt && editorOnly[doc.Code] == 0; refused[doc.Code] != want {
			t.Errorf("a case shows that %s asks: %v, want %v", doc.Code, refused[doc.Code], want)
		}
	}
}

// shownSeverities returns the severities in the `want` sections of all cases. It ignores
// errors of cases with --strict, because that flag turns every warning into an error.
func shownSeverities(t *testing.T) map[diag.Code]map[diag.Severity]bool {
	t.Helper()
	severities := map[string]diag.Severity{"error": diag.Error, "warning": diag.Warning, "info": diag.Info, "hint": diag.Hint}
	shown := map[diag.Code]map[diag.Severity]bool{}
	for _, c := range Load(t, repoDir) {
		strict := slices.Contains(c.Flags, "--strict")
		for line := range strings.Lines(c.Want) {
			words := strings.Fields(line)
			if len(words) < 2 || severities[words[0]] == 0 || strict && words[0] == "error" {
				continue
			}
			code := diag.Code(words[1])
			if shown[code] == nil {
				shown[code] = map[diag.Severity]bool{}
			}
			shown[code][severities[words[0]]] = true
		}
	}
	return shown
}
