package main

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
)

const diagnosticsHead = `<!-- Generated from server/internal/diag by ` + "`make gen`" + `. Do not edit. -->

# Diagnostics

Everything that Aptix can say about a block, by code. An *error* stops an apply. A *warning* does with
` + "`--strict` or `aptix.strict`" + `, and is asked about in an editor. *Info* and *hint* stop nothing.
`

// renderDiagnostics writes a section for each code. The heading is the code
// alone, so that the anchor is #code.
func renderDiagnostics(_, _ string) (string, error) {
	var b strings.Builder
	b.WriteString(diagnosticsHead)
	for _, d := range diag.Docs() {
		fmt.Fprintf(&b, "\n## %s\n\n*%s.* %s\n", d.Code, title(d.Severity.String()), d.Meaning)
		example(&b, "Before", d.Before)
		example(&b, "After", d.After)
		if d.Fix != "" {
			fmt.Fprintf(&b, "\nQuick-fix: %s\n", d.Fix)
		}
	}
	return b.String(), nil
}

func title(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

var backticks = regexp.MustCompile("`{3,}")

// example writes text in a fence that is longer than any in it.
func example(b *strings.Builder, name, text string) {
	if text == "" {
		return
	}
	fence := "```"
	for _, run := range backticks.FindAllString(text, -1) {
		fence = max(fence, run+"`")
	}
	fmt.Fprintf(b, "\n%s:\n\n%stext\n%s\n%s\n", name, fence, strings.TrimSuffix(text, "\n"), fence)
}
