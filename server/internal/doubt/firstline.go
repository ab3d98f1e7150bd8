package doubt

import (
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// firstLine finds new lines above a line that has its meaning only at the beginning of the file, such as `#!/bin/sh`
// or `'use client'`.
var firstLine = Rule{
	ID: "first-line", existing: true,
	doubts: func(c *Change) *Doubt {
		if len(c.Runs) == 0 {
			return nil
		}
		r, old := c.Runs[0], c.oldLines()
		if len(r.Old) > 0 || !text.HasWord(strings.Join(r.New, " ")) || len(old) == 0 {
			return nil
		}
		for _, h := range heads {
			at := h.at(old)
			if at < 0 || r.Line-1 > at || len(h.in) > 0 && !slices.Contains(h.in, c.ext()) {
				continue
			}
			i := slices.IndexFunc(r.New, func(line string) bool { return !h.mayPrecede(line) })
			if i >= 0 && !slices.ContainsFunc(r.New[:i], h.line.MatchString) {
				return warn(c.at(r), diag.InvalidSyntax, "%q must be at the beginning of %s, but %q would be above it; write the new lines below it", text.Cut(old[at], 60), c.Path, text.Cut(strings.TrimSpace(r.New[i]), 60))
			}
		}
		return nil
	},
}

// A head is a line that must be at the beginning of a file.
type head struct {
	line          *lazyregexp.Regexp
	in            []string           // the extensions of the files; nil for any file
	belowComments bool               // comments and blank lines may be above the line
	allows        *lazyregexp.Regexp // matches other lines that may be above the line; nil for none
}

// at returns the index of the head in a file, or -1.
func (h head) at(lines []string) int {
	i := 0
	for i < len(lines) && h.belowComments && (text.IsBlank(lines[i]) || isRemark(lines[i])) {
		i++
	}
	if i < len(lines) && h.line.MatchString(lines[i]) {
		return i
	}
	return -1
}

// mayPrecede reports whether a line may be above the head.
func (h head) mayPrecede(line string) bool {
	return !text.HasWord(line) || h.line.MatchString(line) || h.belowComments && isRemark(line) || h.allows != nil && h.allows.MatchString(line)
}

var heads = []head{
	{line: lazyregexp.New(`^#!/`)},
	{line: lazyregexp.New(`^<\?xml\b`)},
	{line: lazyregexp.New(`^<\?php\b`), allows: lazyregexp.New(`^\s*<|^#!`)}, // a page may have tags above its code
	{line: lazyregexp.New(`^@charset "`), in: []string{".css"}},
	{line: lazyregexp.New(`^---$`), in: markdown},
	{line: lazyregexp.New(`^(?:'use \w+'|"use \w+");?\s*$`), in: []string{".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts"}, belowComments: true},
	{line: lazyregexp.New(`^package [\w.]+;?\s*$`), in: []string{".java", ".kt", ".kts", ".scala", ".groovy"}, belowComments: true, allows: lazyregexp.New(`^@file:`)},
	{line: lazyregexp.New(`^#!\[`), in: []string{".rs"}, belowComments: true},
}
