package lspserver

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"regexp"
	"strings"

	"go.lsp.dev/protocol"

	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/lspconv"
	"github.com/aptix-dev/aptix/server/internal/mdblock"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// An apDirective is what an editor says of a directive, and writes for it.
type apDirective struct {
	name   string
	rule   string // of docs/formats/ap.md
	doc    string
	only32 bool
	// What follows the name where it is completed: ID stands for the patch's ID, and
	// $1 and so on for what is to be typed.
	rest string
}

// apDirectives are those of ap 3.2, in the order of a patch.
var apDirectives = []apDirective{
	{"FILE", "rule A13", "Begins the changes of one file. Its value is the path, relative to the patch, without `..`. `LF`, `CRLF` or `CR` behind it asks for that line ending; else the file keeps its own.", false, "\n$1"},
	{"REPLACE", "rule A14", "Replaces the `snippet`, or all from it to the `snippet_tail`, with the `content`.", false, "\nID snippet\n$1\nID content\n$2"},
	{"INSERT_AFTER", "rule A14", "Inserts the `content` below the `snippet`.", false, "\nID snippet\n$1\nID content\n$2"},
	{"INSERT_BEFORE", "rule A14", "Inserts the `content` above the `snippet`.", false, "\nID snippet\n$1\nID content\n$2"},
	{"DELETE", "rule A17", "Deletes the `snippet`, or all from it to the `snippet_tail`. Where it is all that follows `FILE`, the file or folder itself is deleted.", false, ""},
	{"CREATE", "rule A18", "Creates the file with the `content`; without one, a folder. A file that stands there with other content is an error.", false, "\nID content\n$1"},
	{"RECREATE", "rule A19", "Gives the whole file a new `content`, whatever it holds.", true, "\nID content\n$1"},
	{"RENAME", "rule A15", "Renames the file or folder. Its value is the new path. Nothing else may stand in the same `FILE` block.", false, "\n$1"},
	{"snippet", "rule A31", "The whole lines to look for. They must be there once below the `anchor`, or once in the file where there is none. White space around lines and blank lines do not count. With a `snippet_tail`, it is where the range begins.", false, "\n$1"},
	{"snippet_tail", "rule A34", "Where a range ends that begins with the `snippet`: the first place below it.", false, "\n$1"},
	{"anchor", "rule A32", "Lines above the `snippet` that narrow the search: it begins below them.", false, "\n$1"},
	{"content", "rule A20", "The new lines. Blank lines around them are taken off; their indentation stays as it is written.", false, "\n$1"},
	{"include_leading_blank_lines", "rule A39", "Takes up to so many blank lines above the `snippet` into what is changed.", false, " ${1:1}"},
	{"include_trailing_blank_lines", "rule A39", "Takes up to so many blank lines below the `snippet` into what is changed.", false, " ${1:1}"},
	{"scope_end", "rule A23", "Extends the `snippet` to the end of the block that it opens: its brackets, or its indentation.", true, " 1"},
	{"END", "rule A8", "Ends the patch: what follows is ignored. It proves that the patch was not cut off.", true, ""},
	{"AP", "rule A3", "The header: the first directive of a patch. The 8 hexadecimal digits before it are the patch's ID, with which every directive begins; no other line is one.", false, " 3.1"},
}

// apLine is a line that is a directive, or becomes one: its ID, and the word behind
// it.
var apLine = regexp.MustCompile(`^([0-9A-Za-z_-]{1,64})[ \t]+([A-Za-z_]*)`)

var apHeader = regexp.MustCompile(`(?m)^([0-9A-Za-z_-]{1,64})[ \t]+AP[ \t]+(3\.[0-9]+)[ \t\r]*$`)

// headerOf is the ID and the version of a patch.
func headerOf(body string) (id, version string) {
	if m := apHeader.FindStringSubmatch(body); m != nil {
		return m[1], m[2]
	}
	return "", ""
}

var apSummary = regexp.MustCompile(`^(?:#[ \t]*\r?\n)*#[ \t]*(?i:summary):[ \t]*(\S[^\r\n]*)`)

// said is what an ap patch that is all of the reply says of itself (rule A2).
func (c *checked) said() string {
	if len(c.Blocks) != 1 || c.Blocks[0].Format.Name != "ap" {
		return ""
	}
	if m := apSummary.FindStringSubmatch(c.Blocks[0].Body); m != nil {
		return " · " + firstLine(m[1])
	}
	return ""
}

// apBlockAt is the ap patch at a position, closed or not, and the part of its line
// before that.
func apBlockAt(doc *Document, p protocol.Position) (b mdblock.Block, before text.Span, ok bool) {
	host := lspconv.Offset(text.NewLines(doc.Text), p)
	blocks := mdblock.Find(doc.Text)
	if hasExtension(doc.URI, ".ap") || doc.LanguageID == apLanguage {
		whole := mdblock.Whole(doc.Text)
		whole.Lang = "ap"
		blocks = []mdblock.Block{whole}
	}
	for _, b := range blocks {
		at, inside := b.BodyOffset(host)
		if b.Lang != "ap" || !inside || b.Fenced && host <= b.Open.End {
			continue
		}
		start := strings.LastIndexAny(b.Body[:at], "\r\n") + 1
		return b, text.Span{Start: start, End: at}, true
	}
	return mdblock.Block{}, text.Span{}, false
}

// completeAP offers the directives of a patch behind its ID, or with it at the
// start of a line, and a header where there is none.
func (s *Server) completeAP(doc *Document, p protocol.Position) []protocol.CompletionItem {
	items := []protocol.CompletionItem{}
	b, before, ok := apBlockAt(doc, p)
	if !ok {
		return items
	}
	id, version := headerOf(b.Body)
	typed := before.In(b.Body)
	switch m := apLine.FindStringSubmatch(typed); {
	case id == "" && typed == "":
		id = newID()
		return append(items, s.apItem(doc, b, before, id, id+" ", apDirective{name: "AP 3.1", rest: "\n\nID FILE\n$1", doc: apDirectives[len(apDirectives)-1].doc}))
	case id == "":
		return items
	case m != nil && m[1] == id && len(m[0]) == len(typed):
		word := text.Span{Start: before.End - len(m[2]), End: before.End}
		return s.apItems(doc, b, word, id, version, "")
	case strings.HasPrefix(id, typed):
		return s.apItems(doc, b, before, id, version, id+" ")
	}
	return items
}

func newID() string {
	raw := make([]byte, 4)
	_, _ = rand.Read(raw) // it never fails
	return hex.EncodeToString(raw)
}

func (s *Server) apItems(doc *Document, b mdblock.Block, typed text.Span, id, version, prefix string) []protocol.CompletionItem {
	items := []protocol.CompletionItem{}
	for _, d := range apDirectives {
		if d.name == "AP" || d.only32 && version == "3.1" {
			continue
		}
		item := s.apItem(doc, b, typed, id, prefix, d)
		item.SortText = protocol.NewOptional(fmt.Sprintf("%04d", len(items)))
		items = append(items, item)
	}
	return items
}

// apItem writes a directive in the place of what is typed, and what belongs to it
// where the editor can go from place to place.
func (s *Server) apItem(doc *Document, b mdblock.Block, typed text.Span, id, prefix string, d apDirective) protocol.CompletionItem {
	written := prefix + d.name
	item := protocol.CompletionItem{Label: d.name, Kind: protocol.CompletionItemKindKeyword, Documentation: protocol.String(d.doc),
		FilterText: protocol.NewOptional(prefix + d.name)}
	if s.takesSnippets() {
		written += strings.ReplaceAll(d.rest, "ID ", id+" ")
		item.InsertTextFormat = protocol.InsertTextFormatSnippet
	}
	at := text.Span{Start: b.HostOffset(typed.Start), End: b.HostOffset(typed.End)}
	item.TextEdit = &protocol.TextEdit{Range: lspconv.Range(text.NewLines(doc.Text), at), NewText: written}
	return item
}

// aboutDirective is what there is to say about the directive at an offset of the
// document, and where it stands; "" for no directive.
func aboutDirective(doc string, b check.Block, host int) (string, text.Span) {
	at, ok := b.BodyOffset(host)
	if !ok || b.Format.Name != "ap" {
		return "", text.Span{}
	}
	start := strings.LastIndexAny(b.Body[:at], "\r\n") + 1
	end, _ := text.LineEnd(b.Body, start)
	id, _ := headerOf(b.Body)
	m := apLine.FindStringSubmatch(b.Body[start:end])
	if m == nil || m[1] != id {
		return "", text.Span{}
	}
	for _, d := range apDirectives {
		if d.name == m[2] {
			return fmt.Sprintf("`%s`: %s (%s)", d.name, d.doc, d.rule), b.HostSpan(text.Span{Start: start, End: end})
		}
	}
	return "", text.Span{}
}
