package doubt

import (
	"iter"
	"path"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// firstLine finds new lines above a line that has its meaning only at the beginning of the file, such as `#!/bin/sh`
// or `'use client'`, and a copy of that line further down. It also finds a new page whose front matter has no such line.
var firstLine = Rule{
	ID: "first-line",
	doubts: func(c *Change) *Doubt {
		if len(c.Runs) == 0 {
			return nil
		}
		if d := c.bareMatter(); d != nil || c.New {
			return d
		}
		if d := c.headAgain(); d != nil {
			return d
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

// bareMatter finds a new or a whole page that begins with members of front matter, without `---` above them, if the old
// page or another page of its folder has several of these members in its front matter.
func (c *Change) bareMatter() *Doubt {
	lines := c.new
	if c.New {
		lines = c.Runs[0].New
	}
	members := membersOf(lines)
	if len(members) < 2 || !slices.Contains(markdown, c.ext()) {
		return nil
	}
	for file, other := range c.pages() {
		if rest, ok := strings.CutPrefix(other, "---\n"); ok && len(text.Only(membersOf(linesOf(rest)), func(name string) bool { return slices.Contains(members, name) })) > 1 {
			return warn(c.textAt(), diag.InvalidSyntax, "%s begins with %q, but %s has such lines between lines of `---`; write these lines, too", c.Path, text.Cut(lines[0], 60), file)
		}
	}
	return nil
}

// pages yields the name and the text of the old page, or of the other pages in the folder of a new page.
func (c *Change) pages() iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		if !c.New {
			yield("the file", c.Before())
		} else if c.Siblings != nil {
			for file, other := range c.Siblings {
				// The files of the same folder come first.
				if strings.Contains(file, "/") || path.Ext(file) == path.Ext(c.Path) && !yield(file, other) {
					return
				}
			}
		}
	}
}

// membersOf returns the names of the members with which a text begins.
func membersOf(lines []string) (names []string) {
	for _, line := range lines {
		m := keyAndValue.FindStringSubmatch(line)
		if m == nil {
			break
		}
		names = append(names, m[1])
	}
	return names
}

// headAgain finds a copy of the file's head in new lines further down. Below a `?>`, PHP begins again.
func (c *Change) headAgain() *Doubt {
	old := c.oldLines()
	for _, h := range heads {
		at := h.at(old)
		if at < 0 || old[at] == "---" || len(h.in) > 0 && !slices.Contains(h.in, c.ext()) || strings.Contains(c.Before(), "?>") {
			continue
		}
		for run, r := range c.Runs {
			i := slices.Index(r.New, old[at])
			if i >= 0 && r.Line-1 > at && !slices.Contains(r.Old, old[at]) && !c.isQuoted(run, i) {
				return warn(c.at(r), diag.InvalidSyntax, "%q must be at the beginning of %s, but the new text has it again further down; leave that line out", text.Cut(old[at], 60), c.Path).with(c.leavingOut(r, i))
			}
		}
	}
	return nil
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
