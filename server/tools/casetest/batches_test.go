package casetest

import (
	"reflect"
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/aptix-dev/aptix/protocol"
)

var uuidV7 = regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`)

// haveIDs checks that line patches have distinct ids at all levels (rule L24).
func haveIDs(t *testing.T, batches []protocol.Batch) {
	t.Helper()
	seen := map[string]bool{}
	check := func(id string) {
		if !uuidV7.MatchString(id) || seen[id] {
			t.Errorf("the id %q", id)
		}
		seen[id] = true
	}
	for _, b := range batches {
		check(b.BatchID)
		for _, f := range b.Files {
			check(f.FilePatchID)
			if f.DocPath == "" || f.Path == "" || len(f.OriginalSHA256) != 64 || len(f.SHA256) != 64 {
				t.Errorf("%+v", f)
			}
			for _, c := range f.Changes {
				check(c.ChangeID)
			}
		}
		if len(b.Files) == 0 || len(b.Files[0].Changes) == 0 {
			t.Errorf("%+v", b)
		}
	}
}

// reported returns the line patches of a report. It ignores other blocks.
func reported(t *testing.T, r protocol.Report) []protocol.Batch {
	t.Helper()
	var all []protocol.Batch
	for _, b := range r.Blocks {
		if (b.Batch != nil) != (b.Format == "lines") {
			t.Fatalf("block %d (%s) has the batch %+v", b.Index, b.Format, b.Batch)
		}
		if b.Batch != nil {
			all = append(all, *b.Batch)
		}
	}
	return all
}

// sameIDs checks the ids of a line patch. If the patch was applied, it keeps them afterwards.
func sameIDs(t *testing.T, applied bool, first, again []protocol.Batch) {
	t.Helper()
	haveIDs(t, first)
	haveIDs(t, again)
	if applied && !reflect.DeepEqual(first, again) {
		t.Errorf("the line patches are others the second time (-first +second):\n%s", cmp.Diff(first, again))
	}
}
