// Package git reads git patches: docs/formats/git.md.
package git

import (
	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/gitdiff"
	"github.com/aptix-dev/aptix/server/internal/intent"
)

// Format is the git patch.
var Format = format.Format{
	Name:         "git",
	Fences:       []string{"patch", "diff", "udiff"},
	Extensions:   []string{"patch", "diff"},
	Begins:       gitdiff.Begins,
	Claims:       gitdiff.Shaped,
	Unmistakable: gitdiff.Begins,
	Parse:        parse,
}

func parse(body string) format.Parsed {
	p := gitdiff.Parse(body)
	// Sections of one file apply in order, and git takes that without a word.
	set := intent.Set{Changes: p.Changes, PathsRepeat: true}
	return format.Parsed{Set: set, Diagnostics: p.Diagnostics, Entries: p.Entries, Readable: p.Readable}
}
