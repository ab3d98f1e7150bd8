package main

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/tools/codes"
)

const diagnosticsHead = `<!-- Generated from server/tools/codes by ` + "`make gen`" + `. Do not edit. -->

# Diagnostics

Every diagnostic, by code. An *error* stops an apply. A *warning* stops it with
` + "`--strict` or `aptix.strict`" + `; one that *asks* is a doubt, and the change is made only after someone has agreed
([rule R38](formats/README.md#r38)). *Info* and *hint* stop nothing.
`

// renderDiagnostics writes a section for each code. The heading is only the code, so the anchor
// is #code.
func renderDiagnostics(_, _ string) (string, error) {
	var b strings.Builder
	b.WriteString(diagnosticsHead)
	for _, d := range codes.All() {
		fmt.Fprintf(&b, "\n## %s\n\n%s %s\n", d.Code, severities(d), d.Meaning)
		example(&b, "Before", d.Before)
		example(&b, "After", d.After)
		if d.Fix != "" {
			fmt.Fprintf(&b, "\nQuick-fix: %s\n", d.Fix)
		}
	}
	return b.String(), nil
}

// severities lists the severities of a code. First comes the usual one, and then the others with
// their conditions.
func severities(d codes.Doc) string {
	text := title(named(d.Code, d.Code.Severity()))
	if len(codes.Exceptions[d.Code]) == 0 {
		return "*" + text + ".*"
	}
	text = "*" + text + "*"
	for _, e := range codes.Exceptions[d.Code] {
		text += "; *" + named(d.Code, e.Severity) + "* " + e.When
	}
	return text + "."
}

// named returns the name of a severity of a code, and adds whether the code asks.
func named(code diag.Code, s diag.Severity) string {
	if (diag.Diagnostic{Code: code, Severity: s}).Asks() {
		return s.String() + ", asks"
	}
	return s.String()
}

func title(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

var backticks = regexp.MustCompile("`{3,}")

// example writes a text in a fence that is longer than any fence in the text.
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
