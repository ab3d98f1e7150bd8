// Package reply reads the parts of a reply other than its edits, so that none of them is skipped silently: the file
// that a fence is for ([FileOf]), words that cast doubt on a block ([Alternative]), and parts that could change a file
// although no format reads them ([Unreads]). The package depends on the notation of no format.
//
// A part could change a file if it names a path of the tree, or a new path in a folder of the tree. The path must be
// between backticks, alone on its line, or in a command. A text that the file contains before or after the reply is
// only a quotation. Words can make an interpretation more certain, but they never decide it alone.
package reply

import (
	"cmp"
	"path"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/mdblock"
	"github.com/aptix-dev/aptix/server/internal/shellscript"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A Kind is the kind of an unread part of a reply, judged by its form.
type Kind string

// The kinds of unread parts.
const (
	Shell       Kind = "shell"       // a command that writes, moves or deletes a file
	Fence       Kind = "fence"       // a code block for a file
	Diff        Kind = "diff"        // a diff or a patch that no format reads, for example because it does not name its file
	ToolCall    Kind = "tool-call"   // a call of an unknown tool, or data with a path and a text
	Tag         Kind = "tag"         // an element in tags, with a path and a text
	Pair        Kind = "pair"        // an old text and its replacement
	Instruction Kind = "instruction" // a sentence that asks a person for an edit
)

// An Unread is a part of a reply that could change a file but that no format reads.
type Unread struct {
	Kind Kind
	At   text.Span // the span in the document
	Path string    // the path relative to the root; "" if the part names none
	What string    // a description for use in a sentence, such as `a shell command that writes src/new.ts`
	Sure bool      // the part certainly changes a file, so an apply without it would be incomplete
	// Unlabelled is true for a fence that would be read as an edit if a line above it had its path.
	Unlabelled bool
}

// A Document is a reply, with the parts of it that the formats read.
type Document struct {
	Text   string
	Fences []mdblock.Block // fenced and indented code, in order
	Read   []text.Span     // the spans of blocks, and of text that is not rendered; in order, without overlaps
	Rests  []Rest          // the parts of fences with blocks that no edit covers, in order
	Same   []text.Span     // the texts that a step of an edit replaces with themselves
	Files  *Files
}

const mostUnread = 100

// Unreads returns the unread parts of a reply, in order.
func Unreads(d Document) []Unread {
	a := &lister{doc: d.Text, document: d, files: d.Files, values: mostValues}
	a.preformatted()
	a.fences()
	a.besideCalls()
	fenced := a.found
	a.found = nil
	a.prose()
	a.stepGap()
	for _, r := range d.Rests {
		if !a.isFull() && a.files.Meter.Pay(eachSaid*(r.At.End-r.At.Start)) {
			a.rest(r)
		}
	}
	all := append(fenced, a.found...)
	slices.SortStableFunc(all, func(x, y Unread) int { return cmp.Compare(x.At.Start, y.At.Start) })
	return all[:min(len(all), mostUnread)]
}

// A lister collects the unread parts of a document in its field `found`.
type lister struct {
	doc      string
	document Document
	files    *Files
	found    []Unread
	used     []text.Span // sentences that introduce an unread fence
	item     text.Span   // the last argument of [lister.aboveList]
	list     text.Span   // the result of [lister.aboveList] for `item`; the zero value if there is none yet
	step     text.Span   // the last numbered item that [lister.aboveItem] looked at
	about    []mention   // the files that the nearest step above `step` names
	steps    int         // the number of items from that step to `step`
	values   int         // the number of JSON values outside of fences that may still be parsed
}

func (a *lister) add(u Unread) { a.found = append(a.found, u) }

func (a *lister) isFull() bool { return len(a.found) >= mostUnread }

func (a *lister) isRead(at text.Span) bool {
	read := a.document.Read
	i := sort.Search(len(read), func(i int) bool { return read[i].End > at.Start })
	return i < len(read) && read[i].Start < at.End
}

func (a *lister) fences() {
	all := a.document.Fences
	from := 0
	for i := 0; i < len(all) && !a.isFull(); i++ {
		b := &all[i]
		if a.isRead(b.Span) {
			a.besideEdits(b.Body, b.Open)
			a.statistics(b)
		} else {
			if i+1 < len(all) && a.pair(from, b, &all[i+1]) {
				i++
			} else {
				a.fence(from, b)
			}
		}
		from = all[i].Span.End
	}
}

func (a *lister) fence(from int, b *mdblock.Block) {
	label := a.label(from, b)
	switch {
	case strings.TrimSpace(b.Body) == "" || a.isOutput(from, b) || a.cutIn(b):
	case b.IsCommands() && isScript(b, label.Path) && !label.Alone && introduces(label.Line.In(a.doc)) == Add:
		a.labelled(b, label) // the fence has lines to add to a script, and is not a script to run
	case b.IsCommands() && isScript(b, label.Path) && a.files.resembles(label.Path, b.Body) && a.newPath(b, label) != "":
		a.labelled(b, label) // the label has the old and the new path of a script
	case b.IsCommands() && isScript(b, label.Path) && !a.files.isFile(label.Path) && Asks(lastSentence(label.Line.In(a.doc)), Create):
		a.labelled(b, label) // the fence is the text of a new script
	case b.IsCommands() && label.Alone && !isScript(b, label.Path) && a.files.resembles(label.Path, b.Body):
		a.labelled(b, label) // the tag is wrong
	case b.IsCommands() && !(label.Alone && isScript(b, label.Path)):
		a.shell(b.Body, "a shell command", false, func(line int) text.Span { return lineIn(b, line) })
	case a.callIn(b):
	case isDiff(b):
		// A patch in indented code is not an edit (rule G70).
		if b.Fenced {
			a.diff(b, label)
		}
	case b.Kind() == mdblock.Untagged && a.commands(b):
	case isTree(b.Body), label.Path == "" && isListing(b.Body), statusList.MatchString(b.Body):
		a.drawing(b.Body, func(line int) text.Span { return lineIn(b, line) })
	case a.deletes(b, label):
	case label.Path != "":
		a.labelled(b, label)
	case b.Kind() == mdblock.Shown || b.Kind() == mdblock.Untagged && shellscript.IsTerminal(b.Body):
	case a.message(b) || b.Kind() == mdblock.PlainText:
	default:
		if !a.introduced(from, b, label.Line) && !a.script(b) {
			a.version(b, label.Line)
		}
	}
}

// isOutput reports whether b has no language and is directly below a fence with a JSON call, so that it shows what the
// tool returned.
func (a *lister) isOutput(from int, b *mdblock.Block) bool {
	if from == 0 || b.Kind() != mdblock.Untagged && b.Kind() != mdblock.Shown && b.Kind() != mdblock.PlainText || strings.TrimSpace(a.doc[from:b.Open.Start]) != "" {
		return false
	}
	all := a.document.Fences
	above := all[max(0, sort.Search(len(all), func(i int) bool { return all[i].Span.Start >= b.Span.Start })-1)]
	return strings.HasPrefix(strings.TrimSpace(above.Body), "{") && namesTool.MatchString(above.Body)
}

// namesTool matches the member of a call in JSON that names the tool.
var namesTool = lazyregexp.New(`"(?:name|tool|tool_name|recipient_name|function)"\s*:\s*"\w`)

func (a *lister) commands(b *mdblock.Block) bool {
	n := len(a.found)
	if !slices.ContainsFunc(text.SplitLines(b.Body), func(line string) bool { return shellscript.IsTool(text.Cut(line, mostLine)) }) {
		return false
	}
	a.shell(b.Body, "a shell command", true, func(line int) text.Span { return lineIn(b, line) })
	return len(a.found) > n
}

// endings maps the kind of a fence to the extensions of files whose whole text may be in the fence. If the fence's file
// has any other extension, the fence has commands, a diff or output.
var endings = map[mdblock.Kind][]string{
	mdblock.Shell:      {".sh", ".bash", ".zsh", ".env", ".envrc", ".bashrc", ".zshrc", "profile"},
	mdblock.OtherShell: {".fish", ".ps1", ".psm1", ".psd1", ".nu", ".cmd", ".bat"},
	mdblock.Patch:      {".diff", ".patch"},
	mdblock.Shown:      {".mmd", ".http", ".log"},
}

// MayBeText reports whether the tag of a fence allows the fence to hold the text of the file at a path. If the path is
// "", a drawing or a listing of a file tree does not count as the text.
func MayBeText(b *mdblock.Block, path string) bool {
	if path == "" && (isTree(b.Body) || isListing(b.Body)) {
		return false
	}
	ends, other := endings[b.Kind()]
	return !other || slices.ContainsFunc(ends, func(end string) bool { return strings.HasSuffix(path, end) })
}

// isTree reports whether a text draws a tree of files: `├── main.go`.
func isTree(body string) bool { return strings.Contains(body, "── ") && treeLine.MatchString(body) }

var treeLine = lazyregexp.New(`(?m)^[ │|]*[├└]── \S+`)

// isListing reports whether a text lists the files of a project, one name on each line: at least one folder and two
// files, such as `src/`, `main.go` and `go.mod`. A comment may follow a name, and dots may stand for other names.
func isListing(body string) bool {
	folders, files := 0, 0
	for line := range strings.Lines(body) {
		switch name := listedName.FindStringSubmatch(text.TrimEOL(line)); {
		case name == nil:
			return false
		case strings.ContainsAny(strings.TrimSuffix(name[1], "..."), "."):
			files++
		case text.HasWord(name[1]):
			folders++
		}
	}
	return folders > 0 && files > 1
}

// listedName matches a line of a listing: a name or a path, dots, or a blank line.
var listedName = lazyregexp.New(`^\s*(?:[-*] )?((?:[\w@.()\[\]-]+/)*[\w@.()\[\]-]*|…)(?:\s+(?:#|//|<-|←|-)\s.*)?\s*$`)

func isScript(b *mdblock.Block, path string) bool {
	return path != "" && (MayBeText(b, path) || !strings.Contains(path[strings.LastIndexByte(path, '/')+1:], "."))
}

// lineIn converts a line of a fence's text, counted from 0, to its span in the document.
func lineIn(b *mdblock.Block, line int) text.Span {
	lines := text.NewLines(b.Body)
	return b.HostSpan(lines.Line(min(line, lines.Count()-1)))
}

// deletes adds a fence to the unread parts if the line above it asks to delete the fence's lines, and the file still
// has them after the reply. It reports whether it added the fence.
func (a *lister) deletes(b *mdblock.Block, l Label) bool {
	if sentence := l.Line.In(a.doc); !endsAsLabel(sentence) || !Asks(sentence, Delete) {
		return false
	}
	name := l.Path
	if name == "" {
		name, _ = a.files.holder(b.Body)
	}
	if _, is := a.files.becomes(name, b.Body); !is {
		return false
	}
	a.used = append(a.used, l.Line)
	a.add(Unread{Kind: Instruction, At: l.Line, Path: name, What: "an instruction to delete lines of " + name, Sure: true})
	return true
}

// labelled adds to the unread parts a fence whose label names a file, unless the fence only quotes the file.
func (a *lister) labelled(b *mdblock.Block, l Label) {
	if a.files.has(l.Path, b.Body) && !a.files.isRest(l.Path, b.Body) {
		if l.Path, l.Alone = a.newPath(b, l), true; l.Path == "" {
			return
		}
	}
	if (b.Kind() == mdblock.Shown || b.Kind() == mdblock.PlainText) && !(l.Alone && a.files.isFile(l.Path)) {
		return
	}
	sentence := l.Line.In(a.doc)
	words := wordsOf(sentence)
	_, old := say(words, Before)
	old = old && introduces(sentence) != Add && !saysAny(words, Add) // "Add this before the call" shows no old text
	sure := l.Alone
	if !l.Alone {
		resembles := a.files.resembles(l.Path, b.Body)
		switch {
		case old, a.files.isNew(l.Path):
			return
		case !a.files.isFile(l.Path) && mayHold(b, l.Path):
			last := lastSentence(sentence)
			sure = a.files.isPlace(l.Path) && isTold(last, len(last))
		case endsAsLabel(sentence):
			sure = a.files.isPlace(l.Path) && (!a.files.isFile(l.Path) || saysAny(words, Create, Add, Change, Below, Above) || resembles || leavesOut(b) || a.isData(b, l.Path) || a.files.isNear(l.Path, b.Body) || b.Kind() == mdblock.OtherCode && (isForeign(words) || a.quotesCode(sentence, l.Path)))
		case resembles, Asks(sentence, Add, Change):
			sure = a.files.isFile(l.Path)
		case !asks(sentence) && !a.files.isNear(l.Path, b.Body):
			return
		}
	}
	a.used = append(a.used, l.Line)
	a.add(Unread{Kind: Fence, At: b.Open, Path: l.Path, What: "a code block for " + l.Path, Sure: sure, Unlabelled: !l.Alone})
}

// quotesCode reports whether a sentence quotes code of a file, and not only a name.
func (a *lister) quotesCode(sentence, name string) bool {
	return slices.ContainsFunc(codesIn(sentence, mostValues), func(c code) bool {
		quoted := c.text.In(sentence)
		return !isName.MatchString(quoted) && !IsPath(quoted) && a.files.hasCode(name, quoted)
	})
}

// isData reports whether a fence has data in the notation of the file, or an editor's commands that replace code of the
// file. Other code may be only an example of how the file is used.
func (a *lister) isData(b *mdblock.Block, name string) bool {
	if kind := strings.TrimSuffix(strings.TrimPrefix(path.Ext(name), "."), "c"); dataKinds[kind] && strings.TrimSuffix(b.Lang, "c") == kind {
		return true
	}
	return slices.ContainsFunc(substitution.FindAllStringSubmatch(b.Body, mostValues), func(m []string) bool {
		return m[1] == m[3] && a.files.hasCode(name, strings.ReplaceAll(m[2], `\`, ""))
	})
}

// mayHold reports whether the tag of a fence allows it to hold a new file. Code may only mention a file of data, a log
// or a document that the program reads or writes, so the tag must fit the ending of its path.
func mayHold(b *mdblock.Block, name string) bool {
	ending, tag := strings.TrimPrefix(path.Ext(name), "."), strings.ToLower(b.Lang)
	switch {
	case documents[ending]:
		return b.Kind() == mdblock.Markdown && ending != "txt"
	case dataKinds[ending] || written[ending]:
		return tag == ending || ending == "yml" && tag == "yaml" || ending == "json" && tag == "jsonc"
	}
	return b.Kind() == mdblock.OtherCode
}

var (
	documents = text.WordSet("md mdx rst txt")
	written   = text.WordSet("log out lock db sqlite png svg pdf zip")
	dataKinds = text.WordSet("json yaml yml toml xml ini csv properties")
	// substitution matches a command of an editor for lines: `/main/s/40/38/`, `:%s|old|new|g`.
	substitution = lazyregexp.New(`(?m)^(?::?[\w/^$%,;. -]*[/%,$\d])?s([/|#,@!])((?:[^\\\n]|\\.)+?)([/|#,@!])(?:[^\\\n]|\\.)*?[/|#,@!]`)
)

// newPath returns the new path in a label with an old and a new path. If the fence has the text of the old file, the
// text belongs at the new path. newPath returns "" if the label has no new path.
func (a *lister) newPath(b *mdblock.Block, l Label) string {
	for _, m := range a.mentions(l.Line.In(a.doc)) {
		if m.code && !a.files.isFile(m.name) && endsAsLabel(l.Line.In(a.doc)) && MayBeText(b, m.name) {
			return m.name
		}
	}
	return ""
}

// endsAsLabel reports whether a line introduces the text below it: the line is bold or a heading, or ends with a colon
// or with words such as "as follows".
func endsAsLabel(line string) bool {
	if line := strings.TrimSpace(line); len(line) > 4 && strings.HasPrefix(line, "**") && strings.HasSuffix(line, "**") {
		return true
	}
	line = strings.TrimRight(line, " \t*_`")
	last, _ := utf8.DecodeLastRuneInString(line)
	return strings.ContainsRune(":：", last) || strings.HasPrefix(strings.TrimLeft(line, " \t>"), "#") || strings.ContainsRune(".。", last) && follows.isIn(line)
}

// asks reports whether a line has words for creating, adding or changing something, at any place. [Asks] is stricter.
func asks(line string) bool { return saysAny(wordsOf(line), Create, Add, Change) }

func (a *lister) script(b *mdblock.Block) bool {
	for _, written := range writtenBy(b.Body) {
		if name, ok := a.files.resolve(written); ok && strings.Contains(name, "/") && (a.files.isFile(name) || strings.Contains(name, "*") && a.files.matches(name)) {
			a.add(Unread{Kind: Shell, At: b.Open, Path: name, What: "a script that writes " + name, Sure: true})
			return true
		}
	}
	return false
}

// message looks at the items of a text without code, such as the message of a commit. It adds to the unread parts each
// item that names a value or code that an unchanged file lacks, and reports whether it added one.
func (a *lister) message(b *mdblock.Block) bool {
	if b.Kind() != mdblock.Untagged && b.Kind() != mdblock.PlainText {
		return false
	}
	n := len(a.found)
	for i, line := range text.SplitLines(b.Body) {
		line = text.TrimEOL(line)
		if !item.MatchString(line) || len(line) > mostLine || !a.files.Meter.Pay(eachSaid*len(line)) {
			continue
		}
		c := claim{text: line, words: wordsOf(line), names: a.mentions(line), named: true, told: isTold(line, len(line))}
		for _, m := range c.names {
			if a.files.isFile(m.name) && !a.files.changes(m.name) && !a.files.isDone(m.name) {
				c.files = append(c.files, m.name)
			}
		}
		if name, sure := a.disagrees(c); name != "" {
			a.add(Unread{Kind: Instruction, At: lineIn(b, i), Path: name, What: "new code or a new value for " + name, Sure: sure})
		}
	}
	return len(a.found) > n
}
