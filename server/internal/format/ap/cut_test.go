package ap_test

import (
	"testing"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/format/ap"
)

// Text files of cases end with a newline. A patch that was cut off does not, so it is tested
// here.
func TestCutOff(t *testing.T) {
	const start = "e4a2f1b8 AP 3.1\n\ne4a2f1b8 FILE\na.txt\n\n"
	const replace = start + "e4a2f1b8 REPLACE\ne4a2f1b8 snippet\nb\n"
	for name, body := range map[string]string{
		"keyword":    replace + "e4a2f1b8 conten",
		"action":     start + "e4a2f1b8 DELET",
		"ID alone":   replace + "e4a2f1b8 content\nB\ne4a2f1b8",
		"in the ID":  replace + "e4a2f1b8 content\nB\ne4a2f",
		"in its end": start + "e4a2f1b8 DELETE\ne4a2f1b8 snippet\nb\n\ne4a",
	} {
		t.Run(name, func(t *testing.T) {
			for _, d := range ap.Parse(body).Diagnostics {
				if d.Code != diag.APTruncated {
					continue
				}
				if d.Severity != diag.Error || len(d.Fixes) > 0 || d.Span.End != len(body) {
					t.Errorf("got %v %v with %d fixes", d.Severity, d.Span, len(d.Fixes))
				}
				return
			}
			t.Error("not told")
		})
	}
}
