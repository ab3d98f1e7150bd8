package ap

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A word is a directive with its explanation and completion.
type word struct {
	name   string
	rule   string // the rule in docs/formats/ap.md
	doc    string
	only32 bool
	// the completion after the name: ID stands for the patch's ID, and $1 and $2 are parts to type
	rest string
}

// words lists the directives of ap 3.2 in the order of a patch.
var words = []word{
	{"FILE", "rule A13", "Begins the changes of one file. The value is the path, relative to the patch, without `..`. Write `LF`, `CRLF` or `CR` after it to set the line ending; otherwise the file keeps its own.", false, "\n$1"},
	{"REPLACE", "rule A14", "Replaces the `snippet`, or the range from it to the `snippet_tail`, with the `content`.", false, "\nID snippet\n$1\nID content\n$2"},
	{"INSERT_AFTER", "rule A14", "Inserts the `content` below the `snippet`.", false, "\nID snippet\n$1\nID content\n$2"},
	{"INSERT_BEFORE", "rule A14", "Inserts the `content` above the `snippet`.", false, "\nID snippet\n$1\nID content\n$2"},
	{"DELETE", "rule A17", "Deletes the `snippet`, or the range from it to the `snippet_tail`. Alone below `FILE`, it deletes the file or folder itself.", false, ""},
	{"CREATE", "rule A18", "Creates the file with the `content`; without one, a folder. If the file exists with different content, that is an error.", false, "\nID content\n$1"},
	{"RECREATE", "rule A19", "Gives the file a new `content`, whatever it contains now.", true, "\nID content\n$1"},
	{"RENAME", "rule A15", "Renames the file or folder. The value is the new path. The `FILE` block may have no other action.", false, "\n$1"},
	{"snippet", "rule A31", "The whole lines to look for. They must occur once below the `anchor`, or once in the file if there is no anchor. Blank lines, and white space at the ends of lines, are ignored. With a `snippet_tail`, the range begins here.", false, "\n$1"},
	{"snippet_tail", "rule A34", "The end of the range that begins with the `snippet`: the first place below it that has this text.", false, "\n$1"},
	{"anchor", "rule A32", "Lines above the `snippet` that narrow the search for it: the search begins below them.", false, "\n$1"},
	{"content", "rule A20", "The new lines. Blank lines around them are removed; their indentation is kept.", false, "\n$1"},
	{"include_leading_blank_lines", "rule A39", "Extends the change by up to this many blank lines above the `snippet`.", false, " ${1:1}"},
	{"include_trailing_blank_lines", "rule A39", "Extends the change by up to this many blank lines below the `snippet`.", false, " ${1:1}"},
	{"scope_end", "rule A23", "Extends the `snippet` to the end of the block that it opens, found by brackets or indentation.", true, " 1"},
	{"END", "rule A8", "Ends the patch: text after it is ignored. It shows that the patch was not cut off.", true, ""},
	{"AP", "rule A3", "The header: the first directive of a patch. The 8 hexadecimal digits before it are the patch's ID. Every directive begins with this ID, and every other line is content.", false, " 3.1"},
}

// begunLine matches a line that is, or can become, a directive. Its groups are the ID and the next word.
var begunLine = lazyregexp.New(`^([0-9A-Za-z_-]{1,64})[ \t]+([A-Za-z_]*)`)

var anyHeader = lazyregexp.New(`(?m)^([0-9A-Za-z_-]{1,64})[ \t]+AP[ \t]+(3\.[0-9]+)[ \t\r]*$`)

func identity(body string) (id, version string) {
	if m := anyHeader.FindStringSubmatch(body); m != nil {
		return m[1], m[2]
	}
	return "", ""
}

var summaryLine = lazyregexp.New(`^(?:#[ \t]*\r?\n)*#[ \t]*(?i:summary):[ \t]*(\S[^\r\n]*)`)

// complete offers directives after the patch's ID. At the start of a line, it offers them with the ID. If the patch
// has no header, it offers a header.
func complete(r *format.Region, at int, _ bool) (format.Completion, bool) {
	before := text.Span{Start: format.LineAt(r.Body, at).Start, End: at}
	typed := before.In(r.Body)
	id, version := identity(r.Body)
	c := format.Completion{Typed: before}
	switch m := begunLine.FindStringSubmatch(typed); {
	case id == "" && typed == "":
		header := words[len(words)-1]
		c.Lead = newID() + " "
		c.Items = []format.Item{{Label: "AP 3.1", Text: c.Lead + "AP 3.1", Doc: header.doc, Snippet: c.Lead + "AP 3.1\n\n" + c.Lead + "FILE\n$1"}}
	case id == "":
	case m != nil && m[1] == id && len(m[0]) == len(typed):
		c.Typed.Start = at - len(m[2])
		c.Items = items(id, version, "")
	case strings.HasPrefix(id, typed):
		c.Lead = id + " "
		c.Items = items(id, version, c.Lead)
	}
	return c, true
}

func newID() string {
	raw := make([]byte, 4)
	_, _ = rand.Read(raw) // Read never fails
	return hex.EncodeToString(raw)
}

func items(id, version, lead string) []format.Item {
	var found []format.Item
	for _, w := range words {
		if w.name == kwAP || w.only32 && version == "3.1" {
			continue
		}
		found = append(found, format.Item{Label: w.name, Text: lead + w.name, Doc: w.doc,
			Snippet: lead + w.name + strings.ReplaceAll(w.rest, "ID ", id+" ")})
	}
	return found
}

// mention returns the directive on the line, and the part of the patch that begins there.
func mention(r *format.Region, set intent.Set, at int) (format.Mention, bool) {
	m, ok := format.MentionPart(r.Body, set, at)
	line := format.LineAt(r.Body, at)
	if doc := about(r.Body, line.In(r.Body)); doc != "" {
		m.Doc = doc
		if m.Subject != format.Part {
			m.Span = line
		}
		ok = true
	}
	return m, ok
}

// about returns the documentation of the directive on a line, or "".
func about(body, line string) string {
	id, _ := identity(body)
	m := begunLine.FindStringSubmatch(line)
	if m == nil || m[1] != id {
		return ""
	}
	for _, w := range words {
		if w.name == m[2] {
			return fmt.Sprintf("`%s`: %s (%s)", w.name, w.doc, w.rule)
		}
	}
	return ""
}

// describe returns the directive of a modification without the patch's ID, and the first line of its first value.
func describe(modification string) (name, detail string) {
	head, rest, _ := strings.Cut(strings.TrimSpace(modification), "\n")
	id, name, found := strings.Cut(strings.TrimSpace(head), " ")
	if !found {
		name = id
	}
	for line := range strings.Lines(rest) {
		if s := strings.TrimSpace(line); s != "" && !strings.HasPrefix(s, id+" ") {
			return strings.TrimSpace(name), s
		}
	}
	return strings.TrimSpace(name), ""
}

// summary returns the text of a comment `# Summary: ...` at the top of a patch, or "".
func summary(body string) string {
	if m := summaryLine.FindStringSubmatch(body); m != nil {
		return m[1]
	}
	return ""
}
