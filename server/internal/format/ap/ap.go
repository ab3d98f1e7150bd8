// Package ap reads ap patches: directives that name a place in a file and the change there. The
// version in the header decides how strictly: 3.1 is read to the letter, and 3.2 with the
// additions of its specification. Comments name rules such as A31. docs/formats/ap.md has these
// rules.
//
// A patch is read in three steps: lines to directives (lex.go, header.go, drift.go), directives
// to files and modifications (document.go, fields.go, check.go), and these to changes
// (changes.go). Then its modifications are made. A first check finds out whether everything is
// done already (proof.go): taken back and made again, the modifications must give the present file
// (replay.go). If not, they are made from top to bottom (editor.go): the place of each is decided
// (locate.go) over lines that change on the way (target.go) and are found with an index of the
// file's lines (places.go).
package ap

import (
	"strings"
	"unicode/utf8"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/mdblock"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// Format is the ap patch.
var Format = format.Format{
	Name:  "ap",
	Title: "an ap patch",
	Noun:  "patch",
	Part:  "modification",
	Claims: format.Claims{
		Fences:       mdblock.Tags(mdblock.AP),
		Shaped:       func(r *format.Region) bool { return claims(r.Body) },
		Unmistakable: func(r *format.Region) bool { return unmistakable(r.Body) },
	},
	Files: format.Files{
		Names:      []string{".ap"},
		Begins:     unmistakable,
		Language:   "aptix-ap",
		BesideFile: true,
	},
	Parse:  parseRegion,
	Editor: format.Editor{Outline: format.OutlineParts("Aptix patch", "file", describe), Mention: mention, Complete: complete, Folds: true},
}

// claims reports whether a body has a line that looks like a directive. The body is said to be an
// ap patch.
func claims(body string) bool {
	for line := range eachLine(body) {
		if _, _, ok := directiveOf(line.In(body)); ok || headerLine.MatchString(line.In(body)) {
			return true
		}
	}
	return false
}

// unmistakable reports whether the first line, apart from comments, is a header.
func unmistakable(body string) bool {
	for line := range eachLine(body) {
		s := strings.TrimSpace(strings.TrimPrefix(line.In(body), "\ufeff"))
		if s != "" && s[0] != '#' {
			return strictHeader.MatchString(s)
		}
	}
	return false
}

// parseRegion reads the patch of a region. If the patch contains a fence, the region may end too
// early.
func parseRegion(r *format.Region) format.Parsed {
	p := Parse(r.Body)
	if d, ok := openFence(r.Body); r.Unsure && ok {
		p.Diagnostics = append(p.Diagnostics, d)
	}
	return p
}

// Parse reads a patch.
func Parse(body string) format.Parsed {
	at, message := invalid(body), "the patch is not UTF-8 from here on; save it as UTF-8"
	if at < 0 {
		at, message = strings.IndexByte(body, 0), "the patch has a NUL character here, which text never contains; remove it, or write it as an escape of the programming language"
	}
	if at >= 0 {
		return format.Parsed{Diagnostics: []diag.Diagnostic{diag.New(diag.APNotUTF8, text.Span{Start: at, End: at + 1}, message)}, Entries: 1}
	}
	p := read(body)
	set := p.changes()
	readable := len(set.Changes)
	return format.Parsed{Set: set, Diagnostics: p.sorted(), Entries: max(len(p.files), readable), Readable: readable, Summary: summary(body)}
}

// invalid returns the offset of the first byte that is not UTF-8, or -1.
func invalid(s string) int {
	if utf8.ValidString(s) {
		return -1
	}
	for i, r := range s {
		if r == utf8.RuneError {
			if _, size := utf8.DecodeRuneInString(s[i:]); size == 1 {
				return i
			}
		}
	}
	return -1
}
