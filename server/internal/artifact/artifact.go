// Package artifact describes the changes that viewers, web pages, terminals, chats and models make to a text between a
// file and a reply. Each kind of change is an [Artifact], with the function that undoes it. A search for a passage
// tolerates the artifacts in the order of [Table].
//
// The package reads no files. Offsets are in bytes.
package artifact

import (
	"path"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/text"
)

// An Artifact is one kind of change that happens to a text between a file and a reply.
type Artifact struct {
	Name string // the name in docs/matching.md

	// Differs describes the difference in a message, for example "only the indentation differs".
	Differs string
	// Fix is the title of the fix that restores the text.
	Fix string

	// Fold maps lines that differ only by the artifact to the same line. It is nil if single lines cannot show the
	// artifact.
	Fold func(line string) string

	// Undo returns the text as it was before. It returns false if the text shows no trace of the
	// artifact. Undo is nil if the artifact is visible only in comparison with the file.
	Undo func(s string) (string, bool)
	// Signs and Lost are for a quick test. A text with the artifact contains a character in Signs, and the original
	// text contains a character in Lost. In both, one non-ASCII character stands for all non-ASCII characters. An
	// empty string sets no condition.
	Signs, Lost string
	// Restore undoes an artifact that can be undone only with the help of the lines `old`, which the text replaces.
	Restore func(s string, old []string) (string, bool)
	// Several is true if only a text of several lines can show the artifact.
	Several bool
	// Sure is true if undoing the artifact is certainly right, provided that the file has the restored passage exactly
	// once.
	Sure bool
	// Loses names the information that undoing the artifact may lose. It is "" if undoing restores the exact text.
	Loses string

	// Asked is true if a person may ask for exactly this change to a text, for example for typographic quotes.
	Asked bool
	// Unwanted is true if nobody wants this artifact in a program, unless the file already has it.
	Unwanted bool
	// Adds is true if undoing the artifact adds characters. This is possible in nearly any text, so a text alone does
	// not show whether it has the artifact.
	Adds bool

	// Shows reports whether a text shows the artifact by itself, without the file. It is nil if no text does.
	Shows func(s string) bool
	// Ends is true if the artifact occurs only at the ends of a text, and not in each line.
	Ends bool
	// Prose is true if a document for people may have the artifact on purpose.
	Prose bool
}

// Table returns all artifacts, in the order in which the search for a passage tries them: the artifacts that change a
// text the least come first.
func Table() []*Artifact { return table[:] }

var table = [...]*Artifact{
	&Exact, &LineEnding, &TrailingSpace, &Tabs, &Indentation, &Spacing, &PageSpace, &LookAlike,
	&Terminal, &Buttons, &Fence, &ForeignEnd,
	&LostCharacter, &LostSign, &LetterCase,
	&LineNumber, &NumberLine, &DiffSign, &LineMark, &DoubleSpace,
	&Entity, &Escape, &QuoteEscape, &MarkdownEscape, &URLEscape, &Mojibake, &Markup, &Emphasis, &Bold, &Link, &Footnote, &Citation, &Grouping, &DecimalComma, &FullStop, &ParameterHint, &CharacterEscape, &Rewritten, &LostBreak,
	&LostBackslash, &BrokenString,
	&Wrapped, &Substitution, &EdgeLine, &Likeness,
}

// Undoable returns the artifacts that can be undone in a whole text: they have Undo but no Fold.
func Undoable() []*Artifact {
	return filtered(func(a *Artifact) bool { return a.Undo != nil && a.Fold == nil })
}

// Sure returns the artifacts of [Undoable] for which [Artifact.Sure] is true.
func Sure() []*Artifact {
	return filtered(func(a *Artifact) bool { return a.Undo != nil && a.Fold == nil && a.Sure })
}

// AtEnds returns the artifacts that occur only at the ends of a text.
func AtEnds() []*Artifact { return filtered(func(a *Artifact) bool { return a.Ends }) }

func filtered(keep func(*Artifact) bool) (out []*Artifact) {
	for _, a := range table {
		if keep(a) {
			out = append(out, a)
		}
	}
	return out
}

// lines returns the lines of a text without their endings, and their common ending. If the text ends with a line
// ending, the last line is empty.
func lines(s string) (lines []string, eol string) {
	eol = "\n"
	if strings.Contains(s, "\r\n") {
		eol = "\r\n"
	}
	return strings.Split(s, eol), eol
}

func eachLine(undo func(line string) string) func(string) (string, bool) {
	return func(s string) (string, bool) {
		all, eol := lines(s)
		for i, line := range all {
			all[i] = undo(line)
		}
		out := strings.Join(all, eol)
		return out, out != s
	}
}

const spaces = " \t"

// Characters is the set of characters in some texts. All non-ASCII characters count as one character.
type Characters [0x81]bool

// CharactersOf returns the set of characters in some texts.
func CharactersOf(texts ...string) *Characters {
	var c Characters
	for _, s := range texts {
		for i := range len(s) {
			c[min(s[i], 0x80)] = true
		}
	}
	return &c
}

// hasOneOf reports whether at least one of the characters in `signs` is in the set. It returns true if `signs` is "".
func (c *Characters) hasOneOf(signs string) bool {
	for i := range len(signs) {
		if c[min(signs[i], 0x80)] {
			return true
		}
	}
	return signs == ""
}

// HasAll reports whether all characters of a text are in the set.
func (c *Characters) HasAll(s string) bool {
	for i := range len(s) {
		if !c[min(s[i], 0x80)] {
			return false
		}
	}
	return true
}

// MayBeIn reports whether a text with the given characters may have the artifact.
func (a *Artifact) MayBeIn(c *Characters) bool { return c.hasOneOf(a.Signs) }

// IsDocument reports whether a file is meant for people to read. Such a file may quote code, fences and changes, or
// number its lines.
func IsDocument(name string) bool {
	ext := strings.ToLower(path.Ext(name))
	return documents[ext] || ext == "" && titles[path.Base(name)]
}

// IsMarkup reports whether a file is written as elements with tags, such as HTML.
func IsMarkup(name string) bool { return markup[strings.ToLower(path.Ext(name))] }

var (
	documents = text.WordSet(".md .mdx .markdown .txt .rst .rdoc .adoc .qmd .rmd .org .eml .snap")
	markup    = text.WordSet(".xml .html .htm .xhtml .svg .vue .svelte .xsl .rss .csproj .fsproj .props .xaml .plist .hbs .handlebars .mustache .liquid .twig .ejs .njk .erb .heex .cshtml .razor .jsp .ftl .astro .xslt .fxml")
)

// titles holds the usual names of documents without an extension. Other files without an extension, such as
// `Makefile`, count as programs.
var titles = text.WordSet("README LICENSE LICENCE COPYING COPYRIGHT NOTICE AUTHORS CONTRIBUTORS CONTRIBUTING MAINTAINERS CREDITS THANKS PATENTS CHANGES CHANGELOG ChangeLog HISTORY NEWS TODO INSTALL BUGS HACKING UPGRADING SECURITY FAQ")
