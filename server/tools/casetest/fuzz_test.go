package casetest

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/tools/casefile"
)

// everyTwentieth selects the cases that are seeds. With all cases, each `go test` would take
// as long as TestCases.
const everyTwentieth = 20

// Whatever the reply and the case whose tree it is applied to, a refusal leaves every byte
// unchanged. An apply changes only the files in the report, is done when it is repeated, and
// can be reverted.
func FuzzApply(f *testing.F) {
	cases := Load(f, repoDir)
	for i := 0; i < len(cases); i += everyTwentieth {
		f.Add(uint(i), cases[i].Text)
	}
	f.Fuzz(func(t *testing.T, index uint, text string) {
		c := *cases[index%uint(len(cases))]
		c.Text, c.Flags = text, append([]string{"--yes"}, c.Flags...)
		dir, reply := setUp(t, &c)
		exit, report := applyOnce(t, &c, dir, reply)
		if exit != 0 || !report.Applied {
			same(t, "of what is not applied", c.Before, dir)
			return
		}
		after, err := casefile.ReadTree(dir)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(without(c.Before, report), without(after, report)); diff != "" {
			t.Errorf("files that the report does not name (-before +after):\n%s", diff)
		}
		if exit, again := applyOnce(t, &c, dir, reply); exit != 0 || again.Applied {
			t.Errorf("the second apply: exit %d, applied %v\n%s", exit, again.Applied, Describe(again))
		}
		same(t, "after the second apply", after, dir)
		revertOnce(t, dir, report.ID)
		same(t, "after the revert", c.Before, dir)
	})
}

// without returns a tree without the files that a report names.
func without(all Tree, report protocol.Report) Tree {
	rest := Tree{}
	for path, f := range all {
		rest[path] = f
	}
	for _, b := range report.Blocks {
		for _, f := range b.Files {
			delete(rest, f.Path)
			delete(rest, f.To)
		}
	}
	return rest
}
