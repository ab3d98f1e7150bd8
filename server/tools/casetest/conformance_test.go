package casetest

import (
	"slices"
	"strings"
	"testing"

	"github.com/aptix-dev/aptix/server/tools/casefile"
)

// notOfATree lists the rules that the resulting tree cannot show. They are about editors,
// agents, hints, file sets, the names of other systems, or facts that only git or the history
// knows.
var notOfATree = strings.Fields("L25 R29 R30 R32 R33 R34 R35 R36 R37 R39 R41 R44 R46")

// Every rule that a tree can show has a case in the conformance suite, and every case there
// lists exactly the rules that name it.
func TestConformanceHasEveryRule(t *testing.T) {
	cases, err := casefile.Load(repoDir + "/testdata/conformance")
	if err != nil {
		t.Fatal(err)
	}
	named, shown := map[string][]string{}, map[string]bool{}
	rules := readRules(t)
	slices.SortStableFunc(rules, func(a, b rule) int { return strings.Compare(a.id[:1], b.id[:1]) })
	for _, r := range rules {
		for _, name := range r.names() {
			if !slices.Contains(named[name], r.id) {
				named[name] = append(named[name], r.id)
			}
		}
	}
	for _, c := range cases {
		want := named[c.Name]
		if base, fixed := strings.CutSuffix(c.Name, "-fixed"); fixed && want == nil {
			want = named[base]
		}
		if !slices.Equal(c.Rules, want) && *update {
			c.Rules = want
			if err := c.SetRules(want); err != nil {
				t.Fatal(err)
			}
		}
		if !slices.Equal(c.Rules, want) {
			t.Errorf("%s says rules: %v, but it is named by %v: -update writes that", c.Name, c.Rules, want)
		}
		for _, id := range want {
			shown[id] = true
		}
	}
	for _, r := range rules {
		if left := slices.Contains(notOfATree, r.id); left && shown[r.id] {
			t.Errorf("%s is in notOfATree and has a case in testdata/conformance", r.id)
		} else if !left && !shown[r.id] {
			t.Errorf("%s has no case in testdata/conformance: move one there from testdata/cases", r.id)
		}
	}
}

// No case of the suite uses a flag of our own, because other programs do not have it.
func TestConformanceIsForAnyProgram(t *testing.T) {
	cases, err := casefile.Load(repoDir + "/testdata/conformance")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		for _, flag := range c.Flags {
			if flag != "--fix" && flag != "--yes" {
				t.Errorf("%s has the flag %s: it belongs in testdata/cases", c.Name, flag)
			}
		}
	}
}
