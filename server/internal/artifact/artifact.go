// Package artifact knows what a text goes through between a file and a reply: viewers,
// web pages, terminals, chat windows, and the habits of models. Each such step is an
// [Artifact], with its undoing. The table of them is also the ladder of rules by which a
// passage is found that a reply does not have exactly.
//
// The package sees texts only. Offsets are bytes.
package artifact

import "strings"

// An Artifact is one thing that happens to a text on its way, and that lets it still be
// recognized.
type Artifact struct {
	Name   string // in docs/matching.md
	Origin string // what does it to a text, as a sentence; "" for none that is known

	// Differs says in a message what differs: "only the indentation differs".
	Differs string
	// Fix is the title of the fix that writes the text as it was.
	Fix string

	// In docs/matching.md, a sentence each.
	Forgives    string // what may differ
	Certain     string // whether a fix is made unasked, and why
	Replacement string // what becomes of the text that is put in

	// Fold returns what lines have in common that are the same but for the artifact. Nil for
	// an artifact that lines alone do not show.
	Fold func(line string) string

	// Undo returns a text as it was before. False: it shows no trace of the artifact. Nil for
	// an artifact that is seen only beside the file.
	Undo func(s string) (string, bool)
	// Restore returns a text as it was, by the old lines that it replaces, for an artifact that
	// is not undone without them.
	Restore func(s string, old []string) (string, bool)
	// Loses says what undoing cannot tell apart, so that it may change what was meant. "" for
	// an artifact whose undoing gives exactly the text that was.
	Loses string

	// Adds: undoing adds characters that were lost. So it can be done to nearly any text.
	Adds bool

	// Shows reports whether a text shows the artifact by itself, with no file beside it. Nil
	// for an artifact that never does.
	Shows func(s string) bool
	// Ends: it is at the ends of a text, and not in each of its lines.
	Ends bool
	// Prose says that a document for people may be so on purpose.
	Prose bool

	// Silent says, for a whole text, a piece or a new file, why it is applied without a question
	// although it went through the artifact.
	Silent map[string]string
	// Own says why an edit of a file that is so itself may ask.
	Own string

	// Do are the ways in which it is done to a text. Undo takes back each.
	Do []func(s string) string
	// Examples are texts that show it, and texts that only look so.
	Examples []Example
}

// An Example is a text and what Undo makes of it. A text that only looks like one that went
// through the artifact has an empty Was.
type Example struct{ Text, Was string }

// The places of a text for which [Artifact.Silent] may have a reason.
const (
	WholeText = "whole text"
	Piece     = "piece"
	NewFile   = "new file"
)

// Table is all artifacts, the closest to the file's text first. A passage is looked for in
// this order.
func Table() []*Artifact {
	return []*Artifact{
		&Exact, &LineEnding, &TrailingSpace, &Tabs, &Indentation, &Spacing, &LookAlike,
		&PageSpace, &Terminal, &Buttons, &Fence, &ForeignEnd,
		&FlatText, &LostCharacter,
		&LineNumber, &NumberLine, &Column, &DiffSign, &LineMark, &LineEndMark, &DoubleSpace,
		&Entity, &Escape, &QuoteEscape, &Backslash, &MarkdownEscape, &URLEscape, &Mojibake, &Markup, &Caret,
		&LostQuoteEscape, &LostBackslash, &LostEscape, &BrokenString, &Rendered, &RenderedQuotes,
		&EdgeLine, &Likeness,
	}
}

// Undoable are the artifacts that are undone in a text as a whole. Those by which lines are
// compared are none of them.
func Undoable() []*Artifact {
	var out []*Artifact
	for _, a := range Table() {
		if a.Undo != nil && a.Fold == nil {
			out = append(out, a)
		}
	}
	return out
}

// lines returns the lines of a text without their endings, and the ending that they have. An
// empty last line stands for an ending of the last line.
func lines(s string) (lines []string, eol string) {
	eol = "\n"
	if strings.Contains(s, "\r\n") {
		eol = "\r\n"
	}
	return strings.Split(s, eol), eol
}

// eachLine undoes what is done to lines, each by itself.
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

// perLine does something to each line of a text, an empty last one aside.
func perLine(do func(i int, line string) string) func(string) string {
	return func(s string) string {
		all, eol := lines(s)
		for i, line := range all {
			if i < len(all)-1 || line != "" {
				all[i] = do(i, line)
			}
		}
		return strings.Join(all, eol)
	}
}

func isBlank(s string) bool { return strings.TrimSpace(s) == "" }

// spaces are what indentation and the ends of lines are made of.
const spaces = " \t"

// indentation returns the white space that a line begins with.
func indentation(line string) string { return line[:len(line)-len(strings.TrimLeft(line, spaces))] }
