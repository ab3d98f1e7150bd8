package format

import (
	"fmt"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// Editor describes how an editor shows a block while a person reads or writes it. Spans and offsets are bytes of the
// block's body. The argument `set` is the result of Parse, or empty for a block that is not closed. Texts are plain
// unless a comment says Markdown. Each function may be nil.
type Editor struct {
	// Outline returns the block's files and their changes.
	Outline func(r *Region, set intent.Set) Outline
	// Mention returns what the block names at an offset, such as a file. It returns false if the block names nothing
	// there.
	Mention func(r *Region, set intent.Set, at int) (Mention, bool)
	// Complete returns the completions at an offset. It returns false if the format offers none. `claimed` is false
	// if only a tag or a file name suggests the format.
	Complete func(r *Region, at int, claimed bool) (Completion, bool)
	// Where names the place at an offset in the words of the format, such as `files[0], changes[2]`. It returns ""
	// if the line number is the best name.
	Where func(r *Region, at int) string
	// Whether Aptix folds the parts of a block. Editors fold JSON by themselves.
	Folds bool
}

// An Outline is the tree of a block's symbols.
type Outline struct {
	Name   string
	Detail string
	Files  []Symbol
}

// A Symbol is a file of an outline, or an edit of a file.
type Symbol struct {
	Name   string
	Detail string
	Span   text.Span
	Select text.Span // the range within Span to select when a person goes to the symbol
	Edits  []Symbol  // of the file, if the symbol is a file
}

// A Subject is the kind of thing that a mention names. It determines what an editor shows from the check of the
// block.
type Subject int

const (
	Nothing Subject = iota
	File
	InFile  // another part of an entry, from which Go to Definition leads to the entry's file
	Sum     // the checksum of the entry's file
	Passage // some text of the entry's file
	Part    // a part of the block, such as a hunk
	InPart  // a line in a part, from which Go to Definition leads to the part's place in the file
)

// A Mention describes what a block names at an offset.
type Mention struct {
	Span    text.Span // the range of the hover
	Doc     string    // the meaning of the thing in the format, as Markdown, or ""
	Subject Subject

	Entry   text.Span // the entry or the part around the mention
	Name    FileName  // the entry's file, if the block names it
	SumName string    // the block's name for the checksum of its file
	// IsFor reports whether a text is the version of the file for which the entry was made. It is nil if the entry
	// does not identify the version.
	IsFor func(text string) bool
	Text  string // of a Passage
	All   bool   // every occurrence of the Passage is meant
}

// A FileName is the name of a file in a block.
type FileName struct {
	Root    string // the folder to which Path is relative; "" for the workspace
	Path    string
	DocPath bool // Path is a docPath, which is a key instead of a path (rule R27)
}

// A Completion is the possible completions at an offset.
type Completion struct {
	Typed text.Span   // the text that every item replaces
	Lead  string      // the start of Typed that no item's label has, such as a quote
	Also  []text.Edit // edits of the body that accompany any item, such as a missing comma

	Items []Item
	Ask   Ask
	Name  FileName // the file whose name or checksum Ask completes
	// Write writes a value from the workspace in the notation of the block.
	Write func(value string) string
}

// An Ask is a kind of completion that needs the workspace.
type Ask int

const (
	NothingElse Ask = iota
	Paths           // of files below Name.Root, beginning with Name.Path
	DocPaths        // beginning with Name.Path
	SumOf           // the checksum of the file with the docPath Name.Path
)

// An Item is one completion.
type Item struct {
	Label    string
	Text     string
	Snippet  string // Text with tab stops, for editors that support them; or ""
	Doc      string // plain text
	Required bool
	Kind     ItemKind
}

// An ItemKind determines the icon of an item.
type ItemKind int

const (
	Keyword ItemKind = iota
	Member
	Value
)

// OutlineParts returns the Outline function of a format whose parts are whole lines, such as hunks. `name` is the
// name of a block, and `what` is the word for its changes. `describe` returns the name and the detail of an edit,
// given its lines; if it is nil, the lines are the name.
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

// MentionPathOrPart returns the mention of a file if an offset is inside or directly after a path of the block.
// Otherwise, it does the same as [MentionPart].
func MentionPathOrPart(r *Region, set intent.Set, at int) (Mention, bool) {
	for _, c := range set.Changes {
		if path := c.PathAt.Span; !path.Empty() && path.Start <= at && at <= path.End {
			return Mention{Span: path, Subject: File, Entry: c.At, Name: FileName{Path: c.Path}}, true
		}
	}
	return MentionPart(r.Body, set, at)
}

// CompletePaths returns a Complete function that offers the files of the workspace inside the path of a change, and
// at both ends of it.
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

// MentionPart returns the mention of the innermost part at an offset: of the part itself on its first line,
// otherwise of the line.
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

// LineAt returns the line around an offset, without its ending.
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
