// Package casetest runs the cases of testdata/conformance and testdata/cases. Each case is a
// text file and runs on every front end. CONTRIBUTING.md describes the format.
package casetest

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/escape"
	"github.com/aptix-dev/aptix/server/tools/casefile"
)

// A Case is a case together with results that only our front ends report.
type Case struct {
	casefile.Case
	Codes []string            // the codes of the errors; for a case in a file, they are read from Want
	State protocol.BlockState // the state of the only block, for a case that is not in a file
}

// A Tree is the files of a case, and a File is one of them.
type (
	Tree = casefile.Tree
	File = casefile.File
)

// Load reads all cases of the repository; `root` is its folder.
func Load(t testing.TB, root string) (cases []*Case) {
	t.Helper()
	files, err := casefile.Load(root+"/testdata/conformance", root+"/testdata/cases")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		cases = append(cases, &Case{Case: *f, Codes: errorCodes(f.Want)})
	}
	return cases
}

// errorCodes lists the codes of the errors in a `want` section, sorted.
func errorCodes(want string) []string {
	var codes []string
	for line := range strings.Lines(want) {
		if words := strings.Fields(line); len(words) > 1 && words[0] == "error" {
			codes = append(codes, words[1])
		}
	}
	slices.Sort(codes)
	return slices.Compact(codes)
}

// Describe formats a report as the `want` section of a case.
func Describe(r protocol.Report) string {
	var b strings.Builder
	for _, block := range r.Blocks {
		fmt.Fprintf(&b, "block %d %s %s line %d\n", block.Index, block.Format, block.State, block.Line)
		for _, f := range block.Files {
			path := f.Path
			if f.To != "" {
				path += " -> " + f.To
			}
			fmt.Fprintf(&b, "  %s %s %s +%d -%d\n", f.Operation, escape.Line(path), f.State, f.Added, f.Removed)
		}
		for _, d := range block.Diagnostics {
			describe(&b, d)
		}
	}
	for _, u := range r.Unread {
		fmt.Fprintf(&b, "%s %s %s %s\n", map[bool]string{true: "warning", false: "info"}[u.Asks], diag.Unread, u.Kind, u.Message)
	}
	if len(r.Blocks) == 0 {
		b.WriteString("no block\n")
	}
	if r.Declined {
		b.WriteString("declined\n")
	}
	return b.String()
}

func describe(b *strings.Builder, d protocol.Diagnostic) {
	from, to := d.Range.Start, d.Range.End
	fmt.Fprintf(b, "  %s %s %d:%d-%d:%d %s\n", d.Severity, d.Code, from.Line+1, from.Character+1, to.Line+1, to.Character+1, d.Message)
	for _, f := range d.Fixes {
		certain := ""
		if f.Preferred {
			certain = " (certain)"
		}
		fmt.Fprintf(b, "    fix%s: %s\n", certain, f.Title)
	}
}
