package casetest

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/cli"
)

func throughCLI(t *testing.T, c *Case) {
	dir, reply := setUp(t, c)
	exit, report := applyOnce(t, c, dir, reply)
	got := Describe(report)
	if *update && c.File != "" && got != c.Want {
		if err := c.Update(got); err != nil {
			t.Fatal(err)
		}
		c.Want = got
	}
	if diff := cmp.Diff(c.Want, got); c.File != "" && diff != "" {
		t.Errorf("report (-want +got):\n%s", diff)
	}
	if c.State != "" && (len(report.Blocks) != 1 || report.Blocks[0].State != c.State) {
		t.Errorf("want one block that is %s, got\n%s", c.State, got)
	}
	if exit != c.Exit {
		t.Errorf("exit %d, want %d", exit, c.Exit)
	}
	same(t, "after apply", c.After, dir)
	if exit != 0 {
		same(t, "after a refusal", c.Before, dir)
		return
	}
	if wrote := !cmp.Equal(c.Before, c.After); wrote != report.Applied || wrote != (report.ID != "") {
		t.Errorf("applied %v with id %q, but the tree changed: %v", report.Applied, report.ID, wrote)
	}
	exit, again := applyOnce(t, c, dir, reply)
	if exit != 0 || again.Applied {
		t.Errorf("the second apply: exit %d, applied %v\n%s", exit, again.Applied, Describe(again))
	}
	sameIDs(t, report.Applied, reported(t, report), reported(t, again))
	same(t, "after the second apply", c.After, dir)
}

func applyOnce(t *testing.T, c *Case, dir, reply string) (int, protocol.Report) {
	t.Helper()
	var out, errs bytes.Buffer
	args := append([]string{"apply", "--json", "--root", dir}, append(c.Flags, reply)...)
	exit := cli.Run(context.Background(), args, cli.IO{In: strings.NewReader(""), Out: &out, Err: &errs}, "test")
	var report protocol.Report
	if err := json.Unmarshal(out.Bytes(), &report); err != nil {
		t.Fatalf("the report is no JSON: %v\n%s%s", err, &out, &errs)
	}
	return exit, report
}
