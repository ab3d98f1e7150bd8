// Package check finds the blocks of a document, with their diagnostics, states and fixes, and plans their changes. Every
// front end calls it. The package depends on the list of formats, but on no editor.
package check

import (
	"io/fs"
	"slices"
	"sort"
	"strings"
	"sync"

	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/format/shell"
	"github.com/aptix-dev/aptix/server/internal/mdblock"
	"github.com/aptix-dev/aptix/server/internal/meter"
	"github.com/aptix-dev/aptix/server/internal/paths"
	"github.com/aptix-dev/aptix/server/internal/reply"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A Document is a reply, or a file that is one block.
type Document struct {
	Name string // the name in reports; "-" for standard input
	Text string
	// Format is the name of a format if the whole document is one block of that format. It is [Markdown] if the
	// document is a reply with blocks, and "" if the name and the text of the document decide.
	Format string
	// Reply is true if the text is certainly a reply, for example from a chat or the clipboard. A certain reply does
	// not count as documentation, even with front matter or a title.
	Reply bool
	// OwnOnly leaves out the blocks of formats that are [format.Format.Guest]. The other blocks keep their numbers.
	OwnOnly bool
}

// Markdown is the [Document.Format] of a reply with fenced blocks.
const Markdown = "markdown"

type claim struct {
	*format.Region
	format format.Format
	below  int // the line, from 1, of an earlier fence that ended too early; 0 if there is none
}

// claims finds the blocks of a document, in order. The structure is empty if the whole document is one block, or is
// documentation.
func claims(doc Document, tree fs.FS, m *meter.Meter) ([]claim, mdblock.Structure) {
	whole, ok := wholeClaim(doc)
	if ok && (doc.Format != "" || named(doc.Name, whole.format)) {
		return []claim{whole}, mdblock.Structure{}
	}
	if !ok && !doc.Reply && reply.IsPage(doc.Text) {
		return nil, mdblock.Structure{}
	}
	structure := mdblock.Read(doc.Text)
	found := parts(structure, doc.Reply, tree, m)
	switch {
	case ok && !hasOtherBlocks(found, whole):
		return []claim{whole}, mdblock.Structure{}
	case len(found) == 0:
		return byName(doc, structure), structure
	}
	return found, structure
}

// hasOtherBlocks reports whether a document that begins like a single block is in fact a reply, because blocks of other
// formats follow the first block.
func hasOtherBlocks(found []claim, whole claim) bool {
	isOther := func(c claim) bool { return c.format.Name != whole.format.Name }
	return len(found) > 1 && !isOther(found[0]) && strings.Trim(whole.Body[:found[0].Span.Start], "\ufeff \t\r\n") == "" && slices.ContainsFunc(found, isOther)
}

// parts finds the blocks in a reply. If the search reaches the limit of work, the whole reply becomes one block.
func parts(read mdblock.Structure, isReply bool, tree fs.FS, m *meter.Meter) []claim {
	doc := format.NewDocument(read)
	doc.Reply, doc.Tree, doc.Meter = isReply, tree, m
	doc.Names = sync.OnceValues(func() (map[string][]string, bool) {
		named, all := paths.ByName(tree, func() bool { return m.Pay(eachFile) })
		return paths.Folded(named), all
	})
	var found []claim
	// Any other edit of the reply makes a script an edit, too (rule H1), so scripts are looked for once more at the end.
	for _, f := range append(slices.Clone(Formats), shell.Format) {
		var own []claim
		for _, r := range regions(f, doc) {
			if _, taken := overlapping(found, r.Span); !taken && !isHidden(read.Hidden, r.Span) && (len(own) == 0 || own[len(own)-1].Span.End <= r.Span.Start) {
				own = append(own, claim{Region: r, format: f})
			}
		}
		found = append(found, own...)
		doc.Claimed = append(doc.Claimed, text.Each(own, func(c claim) text.Span { return c.Span })...)
		slices.SortFunc(doc.Claimed, func(a, b text.Span) int { return a.Start - b.Start })
		slices.SortFunc(found, func(a, b claim) int { return a.Span.Start - b.Span.Start })
		if m.Spent() {
			// Check reports the exceeded limit.
			return []claim{{Region: format.Piece(doc.Text, text.Span{End: len(doc.Text)}, true), format: f}}
		}
	}
	misfence(doc, found)
	return found
}

// eachFile is the cost of listing one path of the tree, in units of the meter.
const eachFile = 1000

// isHidden reports whether a span is in a part of the reply that is not rendered, such as a comment (rules R1 and R51).
func isHidden(hidden []text.Span, span text.Span) bool {
	i := sort.Search(len(hidden), func(i int) bool { return hidden[i].End > span.Start })
	return i < len(hidden) && hidden[i].Contains(span)
}

// byName claims a whole document for the only format that uses its name, if no format recognizes its text. That format
// reports the mistakes in the document.
func byName(doc Document, read mdblock.Structure) []claim {
	f, ok := OfFile(doc.Name)
	if !ok || doc.Format != "" {
		return nil
	}
	if _, declined := read.Declined(); declined {
		return nil
	}
	return []claim{{Region: format.Whole(doc.Text), format: f}}
}

// overlapping returns the first part that overlaps a span of the document. The parts are sorted and disjoint.
func overlapping[T interface{ At() text.Span }](parts []T, span text.Span) (part T, ok bool) {
	i := sort.Search(len(parts), func(i int) bool { return parts[i].At().End > span.Start })
	if i == len(parts) || parts[i].At().Start >= span.End {
		return part, false
	}
	return parts[i], true
}

// regions returns the regions that one format claims, in order: fences with its tags or shapes, and regions that the
// format finds itself.
func regions(f format.Format, doc format.Document) []*format.Region {
	var found []*format.Region
	for i, r := range doc.Fences {
		if len(found) > mostBlocks {
			// find cuts off the blocks beyond the limit.
			break
		}
		shaped := f.Unmistakable
		if r.Lang != "" {
			shaped = f.Shaped
		}
		if (r.Lang == "" || slices.Contains(f.Fences, r.Lang)) && shaped != nil && shaped(r) {
			found = append(found, r)
		} else if i > mostBlocks {
			// Drop the parsed body, so that each format parses it again: to keep it for every fence would take too much
			// memory.
			r.Shared = nil
		}
	}
	if f.Find == nil {
		return found
	}
	found = append(found, text.Only(f.Find(doc), func(r *format.Region) bool { return !cutsFence(doc, r.Span) })...)
	slices.SortStableFunc(found, func(a, b *format.Region) int { return a.Span.Start - b.Span.Start })
	return found
}

// cutsFence reports whether a span contains only a part of a fenced block. It returns false for a span within one
// fence.
func cutsFence(doc format.Document, span text.Span) bool {
	for _, at := range []text.Span{{Start: span.Start, End: span.Start + 1}, {Start: span.End - 1, End: span.End}} {
		fence, ok := overlapping(doc.Fences, at)
		if !ok {
			continue
		}
		inside := fence.Open.End < span.Start && span.End <= fence.Span.End
		whole := span.Start <= fence.Span.Start && fence.Span.End <= span.End
		if !inside && !whole {
			return true
		}
	}
	return false
}

func wholeClaim(doc Document) (claim, bool) {
	region := format.Whole(doc.Text)
	switch doc.Format {
	case Markdown:
		return claim{}, false
	case "":
		f, ok := guessWhole(doc.Name, region)
		return claim{Region: region, format: f}, ok
	}
	f, ok := FormatOf(doc.Format)
	return claim{Region: region, format: f}, ok
}

// guessWhole chooses the format of a whole document by its name or by the beginning of its text. No format uses a
// beginning that a Markdown reply may have.
func guessWhole(name string, r *format.Region) (format.Format, bool) {
	if endsIn(name, []string{".md", ".markdown"}) {
		return format.Format{}, false
	}
	return first(func(f format.Format) bool {
		return (named(name, f) || f.Begins != nil && f.Begins(r.Body)) && f.Shaped != nil && f.Shaped(r)
	})
}

func named(name string, f format.Format) bool {
	return endsIn(name, f.Names) || endsIn(name, f.SharedNames)
}

// indented reports whether white space precedes a block's fence, not counting the mark of a quotation. If so, the same
// white space was removed from each line of the block, and a JSON string over several lines may have lost spaces.
func indented(doc string, r *format.Region) bool {
	return r.Fenced && strings.ContainsAny(strings.ReplaceAll(r.BeforeFence(doc), "> ", ""), " \t")
}

// Limits of one reply (rule R45). The limits count work and not time, so that every machine stops at the same place.
const (
	mostBlocks  = 5_000
	mostContent = 256 << 20 // the most bytes that all blocks may unpack to, in addition to their own text
)

func meterOf(docs []Document) *meter.Meter {
	size := 0
	for _, doc := range docs {
		size += len(doc.Text)
	}
	return meter.New(size)
}
