package format

import (
	"fmt"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// Editor describes how an editor shows a block while a person reads or writes it. Spans and offsets are bytes of the
// block's body. The set argument is the result of Parse, or empty for a block that is not closed. All texts are plain,
// except where a comment says Markdown. Each function may be nil.
type Editor struct {
	// Outline returns the block's files, and the changes in them.
	Outline func(r *Region, set intent.Set) Outline
	// Mention returns the thing that the block names at an offset, such as a file. It returns false if the block names
	// nothing there.
	Mention func(r *Region, set intent.Set, at int) (Mention, bool)
	// Complete returns the completions at an offset. It returns false if the format offers none. If claimed is true,
	// the region is known to have this format. Otherwise, only a tag or a file name suggests the format.
	Complete func(r *Region, at int, claimed bool) (Completion, bool)
	// Where names the place at an offset in the words of the format, such as `files[0], changes[2]`. It returns "" if
	// the line number is the best name.
	Where func(r *Region, at int) string
	// Folds is true if the parts of a block can be folded. It is false for JSON, which editors fold by themselves.
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
	Select text.Span // the range within Span to select when a person goes to the symbol
	Edits  []Symbol  // edits of the file, if the symbol is a file
}

// A Subject is the kind of thing that a mention names. For some kinds, an editor shows more from the check of the
// block.
type Subject int

// The subjects.
const (
	Nothing Subject = iota
	File            // the file of an entry
	InFile          // another part of an entry; Go to Definition leads from it to the entry's file
	Sum             // the checksum of the entry's file
	Passage         // some text of the entry's file
	Part            // a part of the block, such as a hunk
	InPart          // a line in a part; Go to Definition leads from it to the place of the part in the file
)

// A Mention describes what a block names at one place.
type Mention struct {
	Span    text.Span // the range of the hover
	Doc     string    // the meaning of the thing in the format, as Markdown; "" if the format has no explanation
	Subject Subject

	Entry   text.Span // the entry or the part in which the mention is
	Name    FileName  // the entry's file, if the block names it
	SumName string    // the block's name for the checksum of its file
	// IsFor reports whether a text is the version of the file for which the entry was made; nil if the entry does not
	// identify the version
	IsFor func(text string) bool
	Text  string // the text of a Passage
	All   bool   // every occurrence of the Passage is meant, not only one
}

// A FileName is the name of a file in a block.
type FileName struct {
	Root    string // folder to which Path is relative; "" for the workspace
	Path    string
	DocPath bool // Path is a docPath, which is a key instead of a path (rule R27)
}

// A Completion holds the possible completions at a place.
type Completion struct {
	Typed text.Span   // the text that every item replaces
	Lead  string      // the beginning of Typed that no item's label has, such as a quote
	Also  []text.Edit // edits of the body that accompany any item, such as a missing comma

	Items []Item
	Ask   Ask
	Name  FileName // the file whose name or checksum Ask completes
	// Write converts a value that Ask found in the workspace to the notation of the block.
	Write func(value string) string
}

// An Ask is a kind of completion that requires a look into the workspace.
type Ask int

// The values of Ask.
const (
	NothingElse Ask = iota
	Paths           // paths of files below Name.Root that begin with Name.Path
	DocPaths        // docPaths that begin with Name.Path
	SumOf           // the checksum of the file with the docPath Name.Path
)

// An Item is one completion.
type Item struct {
	Label    string
	Text     string // the text to write
	Snippet  string // the text with tab stops, for editors that support them; "" to use Text
	Doc      string // plain text
	Required bool
	Kind     ItemKind
}

// An ItemKind is the kind of an item, which determines its icon.
type ItemKind int

// The kinds of items.
const (
	Keyword ItemKind = iota
	Member
	Value
)

// OutlineParts returns the outline function of a format whose parts are whole lines, such as the hunks of a patch.
// `name` is the name of a block, and `what` is the word for the things that the block lists. `describe` returns the
// name and the detail of an edit, given its lines. If `describe` is nil, the first line is the name.
func OutlineParts(name, what string, describe func(part string) (name, detail string)) func(*Region, intent.Set) Outline {
	return func(r *Region, set intent.Set) Outline {
		o := Outline{Name: name, Detail: Count(len(set.Changes), what)}
		for _, c := range set.Changes {
			file := part(r.Body, c.At)
			file.Name = c.Path
			for _, s := range c.Steps {
				for _, at := range s.Parts() {
					edit := part(r.Body, at)
					if edit.Name = at.In(r.Body); describe != nil {
						edit.Name, edit.Detail = describe(edit.Name)
					}
					file.Edits = append(file.Edits, edit)
				}
			}
			o.Files = append(o.Files, file)
		}
		return o
	}
}

func part(body string, at text.Span) Symbol {
	at.End = at.Start + len(strings.TrimRight(at.In(body), "\r\n"))
	end, _ := text.LineEnd(body, at.Start)
	return Symbol{Span: at, Select: text.Span{Start: at.Start, End: min(end, at.End)}}
}

// MentionPathOrPart returns the mention of a file if an offset is inside a path of the block or directly at the path's
// end. Elsewhere it does the same as [MentionPart].
func MentionPathOrPart(r *Region, set intent.Set, at int) (Mention, bool) {
	for _, c := range set.Changes {
		if path := c.PathAt.Span; !path.Empty() && path.Start <= at && at <= path.End {
			return Mention{Span: path, Subject: File, Entry: c.At, Name: FileName{Path: c.Path}}, true
		}
	}
	return MentionPart(r.Body, set, at)
}

// CompletePaths returns a completion function that offers the files of the workspace in the path of a change, and at
// both ends of the path.
func CompletePaths(parse func(*Region) Parsed) func(r *Region, at int, claimed bool) (Completion, bool) {
	return func(r *Region, at int, claimed bool) (Completion, bool) {
		if !claimed {
			return Completion{}, false
		}
		for _, c := range parse(r).Set.Changes {
			path := c.PathAt.Span
			if path.Empty() || at < path.Start || path.End < at {
				continue
			}
			typed := Completion{Typed: path, Ask: Paths, Write: func(name string) string { return c.PathAt.Set(name).New }}
			if strings.HasPrefix(path.In(r.Body), `"`) {
				typed.Lead, path.Start = `"`, min(path.Start+1, at)
			}
			typed.Name = FileName{Path: r.Body[path.Start:at]}
			return typed, true
		}
		return Completion{}, false
	}
}

// MentionPart returns the mention of the innermost part at an offset. On the first line of a part, it mentions the part
// itself; on any other line of the part, it mentions that line.
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

// LineAt returns the line that contains an offset, without its ending.
func LineAt(body string, at int) text.Span {
	start := strings.LastIndexAny(body[:at], "\r\n") + 1
	end, _ := text.LineEnd(body, start)
	return text.Span{Start: start, End: end}
}

// Count returns a number with a noun: "1 file", "3 files".
func Count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
