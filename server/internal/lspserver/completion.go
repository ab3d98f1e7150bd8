package lspserver

import (
	"context"
	"fmt"
	"path"
	"strings"

	"go.lsp.dev/protocol"

	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/escape"
	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/lspconv"
	"github.com/aptix-dev/aptix/server/internal/lspserver/documents"
	"github.com/aptix-dev/aptix/server/internal/lspserver/editor"
	"github.com/aptix-dev/aptix/server/internal/lspserver/replies"
	"github.com/aptix-dev/aptix/server/internal/lspserver/workspace"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// completionTriggers are the characters after which an editor requests completions: they begin a string, a name in a
// path, or the part of an ap directive after the ID.
var completionTriggers = []string{`"`, "/", " "}

// completion handles textDocument/completion with names and values from the format at the position, and with paths of
// the workspace.
func (s *Server) completion(ctx context.Context, p *protocol.CompletionParams) (*protocol.CompletionList, error) {
	snapshot := documents.SnapshotOf(ctx)
	list := &protocol.CompletionList{Items: []protocol.CompletionItem{}}
	doc := snapshot.Get(p.TextDocument.URI)
	if doc == nil || !replies.MayHold(doc) {
		return list, nil
	}
	c := completer{doc: doc, lines: text.NewLines(doc.Text), snippets: s.takesSnippets()}
	if !c.find(lspconv.Offset(c.lines, p.Position)) {
		return list, nil
	}
	if c.Ask == format.NothingElse && !s.hasSchemas(doc) {
		for _, item := range c.Items {
			list.Items = append(list.Items, c.item(len(list.Items), item))
		}
	}
	all := true
	list.Items = append(list.Items, s.fromWorkspace(ctx, c, snapshot, &all)...)
	list.IsIncomplete = !all
	return list, ctx.Err()
}

type completer struct {
	format.Completion
	doc      *documents.Document
	lines    *text.Lines
	region   *format.Region
	snippets bool
}

// find looks for completions at an offset, in each format that the text at the offset may have. It returns false if no
// format has a completion.
func (c *completer) find(at int) bool {
	doc := replies.ForCheck(c.doc)
	if f, ok := check.OfLanguage(c.doc.LanguageID); ok && replies.IsWhole(c.doc) {
		// The language decides the format, because the document may still be empty.
		doc.Format = f.Name
	}
	candidate, ok := check.CandidateAt(doc, at)
	if !ok {
		return false
	}
	c.region = candidate.Region
	at, _ = c.region.BodyOffset(at)
	for _, f := range candidate.Formats {
		if f.Complete == nil {
			continue
		}
		if c.Completion, ok = f.Complete(c.region, at, candidate.Claimed); ok {
			return true
		}
	}
	return false
}

// hasSchemas reports whether the editor has the JSON Schemas, and itself explains and completes the members and values
// of a document.
func (s *Server) hasSchemas(doc *documents.Document) bool {
	f, ok := check.OfFile(string(doc.URI))
	return s.editor.Options().Schemas && ok && f.Schema != nil && strings.HasPrefix(doc.LanguageID, "json")
}

func (s *Server) takesSnippets() bool {
	can := s.editor.Capabilities().TextDocument
	return can != nil && can.Completion != nil && can.Completion.CompletionItem != nil && editor.Yes(can.Completion.CompletionItem.SnippetSupport)
}

var itemKinds = map[format.ItemKind]protocol.CompletionItemKind{
	format.Keyword: protocol.CompletionItemKindKeyword,
	format.Member:  protocol.CompletionItemKindProperty,
	format.Value:   protocol.CompletionItemKindEnumMember,
}

// item converts an item of a format into a completion item. `index` is the item's place in the list that the editor
// shows.
func (c completer) item(index int, offered format.Item) protocol.CompletionItem {
	written := offered.Text
	if c.snippets && offered.Snippet != "" {
		written = offered.Snippet
	}
	item := c.typed(index, offered.Label, written)
	item.Kind = itemKinds[offered.Kind]
	if c.snippets && offered.Snippet != "" {
		item.InsertTextFormat = protocol.InsertTextFormatSnippet
	}
	if offered.Required {
		item.Detail = protocol.NewOptional("required")
	}
	if offered.Doc != "" {
		item.Documentation = protocol.String(offered.Doc)
	}
	return item
}

// typed returns an item that replaces the text typed so far with `written`.
func (c completer) typed(index int, label, written string) protocol.CompletionItem {
	edit := c.region.HostEdit(text.Edit{Span: c.Typed, New: written})
	start := c.region.HostOffset(c.Typed.Start)
	if strings.Contains(written, "\n") { // editors themselves indent all lines except the first
		edit = text.Edit{Span: text.Span{Start: start, End: c.region.HostOffset(c.Typed.End)}, New: written}
	}
	item := protocol.CompletionItem{
		Label:    escape.Line(label),
		SortText: protocol.NewOptional(fmt.Sprintf("%04d", index)),
		// An editor compares FilterText with the text between the start of the edit and the cursor. That text may begin
		// with a quote, or with the prefix of the line.
		FilterText: protocol.NewOptional(c.doc.Text[edit.Span.Start:start] + c.Lead + label),
		TextEdit:   &protocol.TextEdit{Range: lspconv.Range(c.lines, edit.Span), NewText: edit.New},
	}
	for _, e := range c.Also {
		item.AdditionalTextEdits = append(item.AdditionalTextEdits, lspconv.TextEdits(c.lines, []text.Edit{c.region.HostEdit(e)})...)
	}
	return item
}

// fromWorkspace returns the completions that depend on the files of the workspace, such as paths. It sets *all to false
// if there may be more.
func (s *Server) fromWorkspace(ctx context.Context, c completer, snapshot documents.Snapshot, all *bool) []protocol.CompletionItem {
	f := s.folders.For(c.doc.URI)
	if f == nil || c.Ask == format.NothingElse {
		return nil
	}
	v := f.View(snapshot)
	var found []string
	switch c.Ask {
	case format.Paths:
		found, *all = listFiles(ctx, v.Tree, path.Join(".", c.Name.Root), c.Name.Path)
	case format.DocPaths:
		typed := strings.ToLower(c.Name.Path)
		found, *all = listKeys(ctx, v.Tree, v.Names()[0], typed)
		found = first(openKeys(v, c.doc, typed), found)
	case format.SumOf:
		return s.sumItem(c, v)
	}
	var items []protocol.CompletionItem
	for i, name := range found {
		item := c.typed(i, name, c.Write(name))
		item.Kind = protocol.CompletionItemKindFile
		items = append(items, item)
	}
	return items
}

func (s *Server) sumItem(c completer, v workspace.View) []protocol.CompletionItem {
	name, ok := replies.FileOfKey(s.folders.DocPaths(v), c.Name.Path)
	if !ok {
		return nil
	}
	sum, _, ok := v.Sum(name)
	if !ok {
		return nil
	}
	item := c.typed(0, sum, c.Write(sum))
	item.Kind, item.Detail = protocol.CompletionItemKindValue, protocol.NewOptional(escape.Line(name))
	item.Documentation = protocol.String("The SHA-256 of " + escape.Line(name) + " as it is now.")
	return []protocol.CompletionItem{item}
}
