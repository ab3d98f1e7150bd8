// Package check is what every front end calls: one document in, its blocks with
// diagnostics, states, fixes and a plan out. It knows the list of formats and no
// editor.
package check

import (
	"path"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/format/ap"
	"github.com/aptix-dev/aptix/server/internal/format/bundle"
	"github.com/aptix-dev/aptix/server/internal/format/git"
	"github.com/aptix-dev/aptix/server/internal/format/lines"
	"github.com/aptix-dev/aptix/server/internal/format/structured"
	"github.com/aptix-dev/aptix/server/internal/mdblock"
)

// Formats are all formats, in the order in which they are asked whether a block
// is theirs.
var Formats = []format.Format{bundle.Format, structured.Format, lines.Format, git.Format, ap.Format}

// A Document is a reply, or a file that is one block.
type Document struct {
	Name string // as reports name it; "-" for standard input
	Text string
	// How blocks are found: a format's name for a document that is one block,
	// Markdown, or "" to tell by the name and the text.
	Format string
}

// Markdown is the [Document.Format] of a reply with fenced blocks.
const Markdown = "markdown"

// FormatNames are the values that [Document.Format] can have, besides "".
func FormatNames() []string {
	names := []string{Markdown}
	for _, f := range Formats {
		names = append(names, f.Name)
	}
	return names
}

// A candidate is a block of a document that is ours.
type candidate struct {
	mdblock.Block
	format format.Format
}

// candidates finds the blocks that are ours. All others are left alone.
func candidates(doc Document) []candidate {
	if f, ok := wholeFormat(doc); ok {
		return []candidate{{mdblock.Whole(doc.Text, f.Fences[0]), f}}
	}
	var ours []candidate
	for _, b := range mdblock.Find(doc.Text) {
		if f, ok := claim(b); ok {
			ours = append(ours, candidate{b, f})
		}
	}
	return ours
}

// wholeFormat tells whether all of the document is one block.
func wholeFormat(doc Document) (format.Format, bool) {
	switch doc.Format {
	case Markdown:
		return format.Format{}, false
	case "":
		return guessWhole(doc)
	}
	for _, f := range Formats {
		if f.Name == doc.Format {
			return f, true
		}
	}
	return format.Format{}, false
}

// guessWhole goes by the name's extension, or by how the text begins: a Markdown
// reply begins otherwise.
func guessWhole(doc Document) (format.Format, bool) {
	ext := strings.TrimPrefix(path.Ext(strings.ToLower(doc.Name)), ".")
	if ext == "md" || ext == "markdown" {
		return format.Format{}, false
	}
	for _, f := range Formats {
		if (slices.Contains(f.Extensions, ext) || f.Begins(doc.Text)) && f.Claims(doc.Text) {
			return f, true
		}
	}
	return format.Format{}, false
}

// claim finds the format of a block. One without an info string must have a
// shape that nothing else has.
func claim(b mdblock.Block) (format.Format, bool) {
	for _, f := range Formats {
		claims := f.Unmistakable
		if b.Lang != "" {
			claims = f.Claims
		}
		if (b.Lang == "" || slices.Contains(f.Fences, b.Lang)) && claims(b.Body) {
			return f, true
		}
	}
	return format.Format{}, false
}
