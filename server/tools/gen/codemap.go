package main

import (
	"fmt"
	"strings"

	"github.com/aptix-dev/aptix/server/tools/layers"
)

// renderCodeMap replaces the table between the markers with the list of packages.
func renderCodeMap(_, old string) (string, error) {
	var b strings.Builder
	b.WriteString("| Layer | Package | Holds |\n| --- | --- | --- |\n")
	for i, layer := range layers.Layers {
		for _, p := range layer {
			fmt.Fprintf(&b, "| %d | `%s` | %s |\n", i+1, shortPath(p), p.Holds)
		}
	}
	for _, p := range layers.Tools {
		fmt.Fprintf(&b, "| tools | `%s` | %s |\n", shortPath(p), p.Holds)
	}
	return replaceMarked(old, "codemap", b.String())
}

// shortPath removes the name of the folder that contains most packages.
func shortPath(p layers.Package) string { return strings.TrimPrefix(p.Path, "server/internal/") }
