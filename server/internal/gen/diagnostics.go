package main

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
)

const diagnosticsHead = `<!-- Generated from server/internal/diag by ` + "`make gen`" + `. Do not edit. -->

# Diagnostics

Every diagnostic, by code. An *error* stops an apply. A *warning* stops it with
` + "`--strict` or `aptix.strict`" + `, and makes an editor ask. *Info* and *hint* stop nothing.
`

// renderDiagnostics writes a section for each code. The heading is the code
// alone, so that the anchor is #code.
func renderDiagnostics(_, _ string) (string, error) {
	var b strings.Builder
	b.WriteString(diagnosticsHead)
	for _, d := range diag.Docs() {
		fmt.Fprintf(&b, "\n## %s\n\n%s %s\n", d.Code, severities(d), d.Meaning)
		example(&b, "Before", d.Before)
		example(&b, "After", d.After)
		if d.Fix != "" {
			fmt.Fprintf(&b, "\nQuick-fix: %s\n", d.Fix)
		}
	}
	return b.String(), nil
}

// severities names the usual severity first, then the others with their conditions.
func severities(d diag.Doc) string {
	if len(d.Exceptions()) == 0 {
		return "*" + title(d.Severity.String()) + ".*"
	}
	text := "*" + title(d.Severity.String()) + "*"
	for _, e := range d.Exceptions() {
		text += "; *" + e.Severity.String() + "* " + e.When
	}
	return text + "."
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
