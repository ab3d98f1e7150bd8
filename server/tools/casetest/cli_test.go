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
	"github.com/aptix-dev/aptix/server/internal/diag"
)

// throughCLI applies a case with `aptix apply` twice, and reverts it with `aptix revert`.
func throughCLI(t *testing.T, c *Case) {
	dir, reply := setUp(t, c)
	newState(t, stateOf(dir))
	exit, report := applyOnce(t, c, dir, reply)
	checkReport(t, c, report)
	if exit != c.Exit {
		t.Errorf("exit %d, want %d", exit, c.Exit)
	}
	if exit != 0 {
		same(t, "after a refusal", c.Before, dir)
		return
	}
	same(t, "after apply", c.After, dir)
	if wrote := !cmp.Equal(c.Before, c.After); wrote != report.Applied || wrote != (report.ID != "") {
		t.Errorf("applied %v with id %q, but the tree changed: %v", report.Applied, report.ID, wrote)
	}
	exit, again := applyOnce(t, c, dir, reply)
	if exit != 0 || again.Applied {
		t.Errorf("the second apply: exit %d, applied %v\n%s", exit, again.Applied, Describe(again))
	}
	sameIDs(t, report.Applied, reported(t, report), reported(t, again))
	same(t, "after the second apply", c.After, dir)
	if report.Applied {
		revertOnce(t, dir, report.ID)
		same(t, "after the revert", c.Before, dir)
	}
}

// checkReport compares the report of the first apply with the expected one.
func checkReport(t *testing.T, c *Case, report protocol.Report) {
	t.Helper()
	for _, b := range report.Blocks {
		for _, d := range b.Diagnostics {
			if want := d.Severity == "warning" && diag.Code(d.Code).Asks(); d.Asks != want {
				t.Errorf("%s %s asks: %v, want %v", d.Severity, d.Code, d.Asks, want)
			}
		}
	}
	got := Describe(report)
	if *update && c.File != "" && got != c.Want {
		if err := c.Update(got); err != nil {
			t.Fatal(err)
		}
		c.Want, c.Codes = got, errorCodes(got)
	}
	if diff := cmp.Diff(c.Want, got); c.File != "" && diff != "" {
		t.Errorf("report (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(c.Codes, errorCodes(got)); diff != "" {
		t.Errorf("codes of the errors (-want +got):\n%s", diff)
	}
	if c.State != "" && (len(report.Blocks) != 1 || report.Blocks[0].State != c.State) {
		t.Errorf("want one block that is %s, got\n%s", c.State, got)
	}
}

func applyOnce(t *testing.T, c *Case, dir, reply string) (int, protocol.Report) {
	t.Helper()
	var report protocol.Report
	args := append([]string{"apply", "--json", "--root", dir}, append(c.Flags, reply)...)
	return runCLI(t, dir, args, &report), report
}

func revertOnce(t *testing.T, dir, id string) {
	t.Helper()
	var result protocol.RevertResult
	exit := runCLI(t, dir, []string{"revert", "--json", "--root", dir, id}, &result)
	if exit != 0 || !result.Applied || !result.Verified {
		t.Errorf("revert: exit %d, %+v", exit, result)
	}
}

// runCLI runs a command that prints JSON for a case in dir.
func runCLI(t *testing.T, dir string, args []string, into any) (exit int) {
	t.Helper()
	var out, errs bytes.Buffer
	exit = cli.Run(context.Background(), args, cli.IO{In: strings.NewReader(""), Out: &out, Err: &errs, StateDir: stateOf(dir)}, "test")
	if err := json.Unmarshal(out.Bytes(), into); err != nil {
		t.Fatalf("%v: not JSON: %v\n%s%s", args, err, &out, &errs)
	}
	return exit
}
