package lspserver

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"go.lsp.dev/protocol"

	"github.com/aptix-dev/aptix/server/internal/lenientjson"
	"github.com/aptix-dev/aptix/server/internal/lspconv"
	"github.com/aptix-dev/aptix/server/internal/mdblock"
	"github.com/aptix-dev/aptix/server/internal/schema"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// completionTriggers begin a string, a name in a path, and a directive of an ap
// patch behind its ID.
var completionTriggers = []string{`"`, "/", " "}

func (s *Server) completion(ctx context.Context, p *protocol.CompletionParams) (*protocol.CompletionList, error) {
	snapshot := SnapshotOf(ctx)
	list := &protocol.CompletionList{Items: []protocol.CompletionItem{}}
	doc := snapshot.Get(p.TextDocument.URI)
	if doc == nil || !isReply(doc) {
		return list, nil
	}
	b, at, ok := jsonBlockAt(doc, p.Position)
	if !ok {
		list.Items = s.completeAP(doc, p.Position)
		return list, nil
	}
	spot, ok := spotAt(b.Body, at)
	if !ok || !(isOurs(doc, b) || (b.Lang != "" && (spot.mayBecomeOurs() || begunLines(b)))) {
		return list, nil
	}
	c := completer{doc: doc, lines: text.NewLines(doc.Text), block: b, spot: spot, snippets: s.takesSnippets()}
	switch {
	case spot.isPath():
		return list, s.completePaths(ctx, c, snapshot, list)
	case spot.ofFile("docPath"):
		return list, s.completeDocPaths(ctx, c, snapshot, list)
	case spot.ofFile("originalSha256"):
		s.completeSum(c, snapshot, list)
	case s.hasSchemas(doc):
	case spot.isName:
		list.Items = c.members()
	default:
		list.Items = c.values()
	}
	return list, nil
}

// mayBecomeOurs reports whether the place is at the top of an object that holds
// nothing but what a block of ours has there.
func (s spot) mayBecomeOurs() bool {
	if !s.isName || len(s.names) > 0 {
		return false
	}
	for name := range s.present {
		if !slices.Contains([]string{"root", "files", "patches", "batchKey", "batchLabel", "$schema"}, name) {
			return false
		}
	}
	return true
}

// isPath reports whether the path of an entry is typed.
func (s spot) isPath() bool {
	return !s.isName && len(s.names) == 2 && s.names[1] == "path" && schema.At(s.names[0]).List()
}

// hasSchemas reports whether the editor itself completes a document's names and
// values, by the JSON Schemas.
func (s *Server) hasSchemas(doc *Document) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.options.Schemas && hasOurName(doc) && strings.HasPrefix(doc.LanguageID, "json")
}

func (s *Server) takesSnippets() bool {
	can := s.capabilities().TextDocument
	return can != nil && can.Completion != nil && can.Completion.CompletionItem != nil && isTrue(can.Completion.CompletionItem.SnippetSupport)
}

// A completer makes the items for one place.
type completer struct {
	doc      *Document
	lines    *text.Lines
	block    mdblock.Block
	spot     spot
	snippets bool
}

func (c completer) place() schema.Place { return placeIn(c.block, c.spot.names) }

// placeIn is the place that names lead to in a block.
func placeIn(b mdblock.Block, names []string) schema.Place {
	if isLines(b) || begunLines(b) {
		return schema.InLines(names...)
	}
	return schema.At(names...)
}

func (c completer) members() []protocol.CompletionItem {
	items := []protocol.CompletionItem{}
	for _, m := range c.place().Members(c.spot.present) {
		written := lenientjson.Quote(m.Name)
		if c.spot.follows(c.block.Body) != ':' {
			written += ": " + c.value(m.Place) + c.commaBehind()
		}
		item := c.item(len(items), m.Name, written, m.Place.Doc())
		item.Kind = protocol.CompletionItemKindProperty
		if c.snippets {
			item.InsertTextFormat = protocol.InsertTextFormatSnippet
		}
		if m.Required {
			item.Detail = protocol.NewOptional("required")
		}
		items = append(items, item)
	}
	return items
}

// value is what is written as the value of a new member.
func (c completer) value(p schema.Place) string {
	values := p.Values()
	switch {
	case !c.snippets && p.List():
		return "[]"
	case !c.snippets && p.Number():
		return "1"
	case !c.snippets:
		return `""`
	case p.Strings():
		return `["$1"]`
	case p.List():
		return "[{$1}]"
	case p.Number():
		return "${1:1}"
	case len(values) > 0:
		var names []string
		for _, v := range values {
			names = append(names, v.Name)
		}
		return `"${1|` + strings.Join(names, ",") + `|}"`
	}
	return `"$1"`
}

func (c completer) values() []protocol.CompletionItem {
	items := []protocol.CompletionItem{}
	for _, v := range c.place().Values() {
		item := c.item(len(items), v.Name, lenientjson.Quote(v.Name)+c.commaBehind(), v.Doc)
		item.Kind = protocol.CompletionItemKindEnumMember
		items = append(items, item)
	}
	return items
}

// commaBehind is a comma where another member follows without one.
func (c completer) commaBehind() string {
	if next := c.spot.follows(c.block.Body); next == '"' || next == '\'' || isWordByte(next) {
		return ","
	}
	return ""
}

// item writes text in the place of what is being typed. Items keep their order.
func (c completer) item(index int, label, written, doc string) protocol.CompletionItem {
	edit := c.block.HostEdit(text.Edit{Span: c.spot.token, New: written})
	// An editor compares what stands before the cursor, from the edit's start on: it
	// may begin with the prefix of a line, and with a quote.
	before := c.doc.Text[edit.Span.Start:c.block.HostOffset(c.spot.token.Start)]
	if c.spot.quoted {
		quote, _ := utf8.DecodeRuneInString(c.block.Body[c.spot.token.Start:])
		before += string(quote)
	}
	item := protocol.CompletionItem{
		Label:      label,
		SortText:   protocol.NewOptional(fmt.Sprintf("%04d", index)),
		FilterText: protocol.NewOptional(before + label),
		TextEdit:   &protocol.TextEdit{Range: lspconv.Range(c.lines, edit.Span), NewText: edit.New},
	}
	if doc != "" {
		item.Documentation = protocol.String(doc)
	}
	if c.spot.comma >= 0 {
		comma := c.block.HostEdit(text.Edit{Span: text.Span{Start: c.spot.comma, End: c.spot.comma}, New: ","})
		item.AdditionalTextEdits = lspconv.TextEdits(c.lines, []text.Edit{comma})
	}
	return item
}

// completePaths offers the files of the workspace.
func (s *Server) completePaths(ctx context.Context, c completer, snapshot Snapshot, list *protocol.CompletionList) error {
	f := s.folderOf(c.doc.URI)
	if f == nil {
		return nil
	}
	root, _ := lenientjson.Parse(c.block.Body)
	found, all := listFiles(ctx, f.view(snapshot).tree, path.Join(".", stringOf(root, "root")), c.spot.typed)
	list.IsIncomplete = !all
	for i, p := range found {
		item := c.item(i, p, lenientjson.Quote(p)+c.commaBehind(), "")
		item.Kind = protocol.CompletionItemKindFile
		list.Items = append(list.Items, item)
	}
	return ctx.Err()
}
