package lspserver

import (
	"context"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"go.lsp.dev/protocol"

	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/escape"
	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/fspath"
	"github.com/aptix-dev/aptix/server/internal/lspconv"
	"github.com/aptix-dev/aptix/server/internal/lspserver/documents"
	"github.com/aptix-dev/aptix/server/internal/lspserver/editor"
	"github.com/aptix-dev/aptix/server/internal/lspserver/replies"
	"github.com/aptix-dev/aptix/server/internal/lspserver/workspace"
	"github.com/aptix-dev/aptix/server/internal/paths"
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

// The limits of one listing: the paths that it offers, and the names that it reads.
const (
	maxListed  = 200
	maxVisited = 20_000
)

// listFiles returns the files below the folder `root` whose path from that folder begins with `typed`, ignoring case.
// Files in outer folders come first. `all` is false if there may be more files.
func listFiles(ctx context.Context, tree fs.FS, root, typed string) (found []string, all bool) {
	folder, _ := path.Split(typed)
	if path.IsAbs(folder) {
		return nil, true
	}
	typed = strings.ToLower(typed)
	return list(ctx, tree, root, folder, func(p string) (name string, fits, above bool) {
		fits = strings.HasPrefix(strings.ToLower(p), typed)
		return p, fits, fits
	})
}

// listKeys returns the docPaths that begin with `typed`, which must be in lower case, for files below a folder. `all`
// is false if there may be more.
func listKeys(ctx context.Context, tree fs.FS, folder, typed string) (found []string, all bool) {
	return list(ctx, tree, ".", "", func(p string) (name string, fits, above bool) {
		key := paths.DocPath(folder, p)
		fits = strings.HasPrefix(key, typed)
		return key, fits, fits || strings.HasPrefix(typed, key+"/")
	})
}

// list returns the names of files below a folder. The path `folder` is relative to `root`, and is "" or ends in a
// slash. For a path from `root`, `match` returns the name to list, whether the path fits, and whether files that fit
// may be below the path. list skips folders that it cannot read.
func list(ctx context.Context, tree fs.FS, root, folder string, match func(p string) (name string, fits, above bool)) (found []string, all bool) {
	visited := 0
	for folders := []string{folder}; len(folders) > 0 && ctx.Err() == nil; folders = folders[1:] {
		entries, err := fs.ReadDir(tree, path.Join(root, folders[0]))
		if err != nil {
			continue
		}
		for _, e := range entries {
			if visited++; visited > maxVisited || len(found) == maxListed {
				return found, false
			}
			p := folders[0] + e.Name()
			switch name, fits, above := match(p); {
			case e.IsDir():
				if above && e.Name() != ".git" && e.Name() != "node_modules" {
					folders = append(folders, p+"/")
				}
			case fits && (e.Type().IsRegular() || fspath.IsFile(tree, path.Join(root, p))):
				found = append(found, name)
			}
		}
	}
	return found, true
}

// openKeys returns the sorted docPaths of open files that begin with `typed`. The document of the reply is left out.
func openKeys(v workspace.View, reply *documents.Document, typed string) []string {
	var keys []string
	for name, doc := range v.Open {
		if key := paths.DocPath(v.Names()[0], name); doc != reply && strings.HasPrefix(key, typed) {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys
}

// first returns the elements of `some`, and then the other elements of `all`. A document that was never saved is only
// in `some`.
func first(some, all []string) []string {
	out := append(slices.Clone(some), text.Only(all, func(s string) bool { return !slices.Contains(some, s) })...)
	return slices.Compact(out)
}
