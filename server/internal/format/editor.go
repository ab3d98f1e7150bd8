package format

import (
	"fmt"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// Editor is what an editor shows of a block while a person reads or writes it. All spans
// and offsets are bytes of the body; texts are Markdown where they say so. set is what
// was parsed, and empty for a block that is not closed. Each function may be nil.
type Editor struct {
	// Outline is the block's files, and what changes in them.
	Outline func(r *Region, set intent.Set) Outline
	// Mention is what the place at an offset is about; false for nothing.
	Mention func(r *Region, set intent.Set, at int) (Mention, bool)
	// Complete is what can be typed at an offset; false where the format has no say.
	// claimed is whether the region is known to be of this format; else it only has one of
	// its tags or names so far.
	Complete func(r *Region, at int, claimed bool) (Completion, bool)
	// Where names the place at an offset as the writer of the block knows it, such as
	// `files[0], changes[2]`; "" for no better name than its line.
	Where func(r *Region, at int) string
	// Folds: the parts of a block can be folded. Editors fold JSON by themselves.
	Folds bool
}

// An Outline is the tree of a block's symbols.
type Outline struct {
	Name   string
	Detail string
	Files  []Symbol
}

// A Symbol is one file of an outline, or one edit of a file.
type Symbol struct {
	Name   string
	Detail string
	Span   text.Span
	Select text.Span // within Span: what is selected when a person goes there
	Edits  []Symbol  // of a file
}

// A Subject is what a mention is about, for what only the check of the block knows.
type Subject int

// The subjects.
const (
	Nothing Subject = iota
	File            // the file of an entry
	InFile          // something else in an entry, which leads to its file
	Sum             // the hash of that file
	Passage         // a text of that file
	Part            // a part of the block, such as a hunk
	InPart          // something in a part, which leads to its place
)

// A Mention is what one place of a block is about.
type Mention struct {
	Span    text.Span // what a hover underlines
	Doc     string    // what it means in the format, as Markdown; "" for nothing to say
	Subject Subject

	Entry   text.Span // the entry or the part that the place belongs to
	Name    FileName  // of the entry's file, where the block writes it
	SumName string    // what the block calls the hash of its file
	// IsFor reports whether the entry is made for a text of its file; nil where the entry
	// does not say.
	IsFor func(text string) bool
	Text  string // of a Passage
	All   bool   // of a Passage: every occurrence is meant
}

// A FileName is how a block names a file.
type FileName struct {
	Root    string // that Path is relative to; "" for the workspace
	Path    string
	DocPath bool // Path is a key of a workspace's files instead
}

// A Completion is what can be typed at a place.
type Completion struct {
	Typed text.Span   // what every item replaces
	Lead  string      // what Typed begins with besides the item's label: a quote
	Also  []text.Edit // of the body, made together with any item, such as a missing comma

	Items []Item
	Ask   Ask
	Name  FileName // what is asked about, as far as it is typed
	// Write is how the block writes a value that was asked for.
	Write func(value string) string
}

// Ask is what can be typed but is known to the workspace only.
type Ask int

// What can be asked for.
const (
	NothingElse Ask = iota
	Paths           // of files below Name.Root that begin with Name.Path
	DocPaths        // that begin with Name.Path
	SumOf           // the hash of the file with the docPath Name.Path
)

// An Item is one thing that can be typed.
type Item struct {
	Label    string
	Text     string // what is written
	Snippet  string // the same for editors that go from place to place; "" for Text
	Doc      string // plain text
	Required bool
	Kind     ItemKind
}

// An ItemKind is what an item is, for its icon.
type ItemKind int

// The kinds of items.
const (
	Keyword ItemKind = iota
	Member
	Value
)

// Parts is the outline of a block whose parts are lines of it, as those of a patch are.
// describe names an edit by its lines.
func Parts(body string, set intent.Set, describe func(part string) (name, detail string)) []Symbol {
	var files []Symbol
	for _, c := range set.Changes {
		file := part(body, c.At)
		file.Name = c.Path
		for _, s := range c.Steps {
			for _, at := range s.Parts() {
				edit := part(body, at)
				edit.Name, edit.Detail = describe(at.In(body))
				file.Edits = append(file.Edits, edit)
			}
		}
		files = append(files, file)
	}
	return files
}

func part(body string, at text.Span) Symbol {
	at.End = at.Start + len(strings.TrimRight(at.In(body), "\r\n"))
	end, _ := text.LineEnd(body, at.Start)
	return Symbol{Span: at, Select: text.Span{Start: at.Start, End: min(end, at.End)}}
}

// MentionPathOrPart is the mention of a file at an offset in its path as the block writes
// it, both ends of the path included; anywhere else it is that of [MentionPart].
func MentionPathOrPart(r *Region, set intent.Set, at int) (Mention, bool) {
	for _, c := range set.Changes {
		if path := c.PathAt.Span; !path.Empty() && path.Start <= at && at <= path.End {
			return Mention{Span: path, Subject: File, Entry: c.At, Name: FileName{Path: c.Path}}, true
		}
	}
	return MentionPart(r.Body, set, at)
}

// CompletePaths offers the files of the workspace for the path of a change that an offset
// is in, both ends included, and nothing elsewhere.
func CompletePaths(parse func(*Region) Parsed) func(r *Region, at int, claimed bool) (Completion, bool) {
	return func(r *Region, at int, claimed bool) (Completion, bool) {
		if !claimed {
			return Completion{}, false
		}
		for _, c := range parse(r).Set.Changes {
			if path := c.PathAt.Span; !path.Empty() && path.Start <= at && at <= path.End {
				return Completion{Typed: path, Ask: Paths, Name: FileName{Path: r.Body[path.Start:at]}, Write: func(path string) string { return path }}, true
			}
		}
		return Completion{}, false
	}
}

// MentionPart is the mention of the innermost part at an offset, by the same lines: on
// its first line of the part itself, and below of something in it.
func MentionPart(body string, set intent.Set, at int) (Mention, bool) {
	entry, ok := innermost(set, at)
	if !ok {
		return Mention{}, false
	}
	m := Mention{Span: LineAt(body, at), Subject: InPart, Entry: entry}
	if end, _ := text.LineEnd(body, entry.Start); at <= end {
		m.Span, m.Subject = text.Span{Start: entry.Start, End: end}, Part
	}
	return m, true
}

func innermost(set intent.Set, at int) (found text.Span, ok bool) {
	holds := func(s text.Span) bool { return s.Start <= at && at < s.End }
	for _, c := range set.Changes {
		if holds(c.At) && !ok {
			found, ok = c.At, true
		}
		for _, s := range c.Steps {
			for _, p := range s.Parts() {
				if holds(p) {
					return p, true
				}
			}
		}
	}
	return found, ok
}

// LineAt is the line that an offset is on, without its ending.
func LineAt(body string, at int) text.Span {
	start := strings.LastIndexAny(body[:at], "\r\n") + 1
	end, _ := text.LineEnd(body, start)
	return text.Span{Start: start, End: end}
}

// Count is how many of something there are, in words: "1 file", "3 files".
func Count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
