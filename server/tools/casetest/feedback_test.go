package casetest

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/disk"
	"github.com/aptix-dev/aptix/server/tools/trials"
)

const (
	usualFeedback = 2000 // bytes, for a reply with one or two problems
	anyFeedback   = 6000
)

// For every case, the feedback to the model is short, names the files, and leaves out
// problems that no model can fix.
func TestFeedback(t *testing.T) {
	for i, c := range Load(t, repoDir) {
		if i%trials.OneIn(1) > 0 {
			continue
		}
		t.Run(c.Name, func(t *testing.T) {
			dir, _ := setUp(t, c)
			root, err := disk.Open(dir)
			if err != nil {
				t.Fatal(err)
			}
			defer root.Close()
			r := checkOnce(t, c, root)
			feedbackFits(t, r, r.Feedback(t.Context()))
		})
	}
}

func feedbackFits(t *testing.T, r *check.Result, s string) {
	t.Helper()
	problems, mendable := 0, false
	for _, b := range r.Blocks {
		for _, d := range b.Diagnostics {
			if d.Severity <= diag.Warning {
				problems++
			}
		}
		mendable = mendable || b.State == check.Failed && !slices.ContainsFunc(b.Diagnostics, func(d diag.Diagnostic) bool { return d.Code == diag.PathProtected })
	}
	switch {
	case len(s) > anyFeedback, problems <= 2 && len(s) > usualFeedback:
		t.Errorf("%d bytes for %d problems:\n%s", len(s), problems, s)
	case s == "" && mendable:
		t.Error("nothing is said of a block that cannot be applied")
	case strings.Contains(s, "is protected"), regexp.MustCompile(`lines \d+, \d+`).MatchString(s), !utf8.ValidString(s) && utf8.ValidString(r.Documents[0].Text):
		t.Error(s)
	}
	for _, b := range r.Blocks {
		for _, d := range b.Diagnostics {
			if d.Passage != "" && d.Severity <= diag.Warning && problems <= 2 && !strings.Contains(s, d.Path) {
				t.Errorf("%s is not named:\n%s", d.Path, s)
			}
		}
	}
	if testing.Verbose() && s != "" {
		t.Log(s)
	}
}
