package lspserver

import (
	"context"
	"io/fs"
	"path"
	"slices"
	"strings"

	"go.lsp.dev/protocol"

	"github.com/aptix-dev/aptix/server/internal/docpath"
	"github.com/aptix-dev/aptix/server/internal/lenientjson"
)

// ofFile reports whether the value of a member of an entry of files is typed.
func (s spot) ofFile(name string) bool {
	return !s.isName && len(s.names) == 2 && s.names[0] == "files" && s.names[1] == name
}

// completeDocPaths offers the keys of the folder's files, those of open ones first.
func (s *Server) completeDocPaths(ctx context.Context, c completer, snapshot Snapshot, list *protocol.CompletionList) error {
	f := s.folderOf(c.doc.URI)
	if f == nil {
		return nil
	}
	v := f.view(snapshot)
	typed := strings.ToLower(c.spot.typed)
	found, all := listKeys(ctx, v.tree, v.names()[0], typed)
	list.IsIncomplete = !all
	for i, key := range first(v.openKeys(c.doc, typed), found) {
		item := c.item(i, key, lenientjson.Quote(key)+c.commaBehind(), "")
		item.Kind = protocol.CompletionItemKindFile
		list.Items = append(list.Items, item)
	}
	return ctx.Err()
}

// openKeys are the docPaths of open files but the reply that begin with typed, sorted.
func (v view) openKeys(reply *Document, typed string) []string {
	var keys []string
	for name, doc := range v.open {
		if key := docpath.Key(v.names()[0], name); doc != reply && strings.HasPrefix(key, typed) {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys
}

// first puts those of all in front that come first, which need not be in it: what an
// editor has open may never have been saved. None comes twice.
func first(some, all []string) []string {
	out := slices.Clone(some)
	for _, s := range all {
		if !slices.Contains(some, s) {
			out = append(out, s)
		}
	}
	return slices.Compact(out)
}

// completeSum offers the hash of the file that an entry is about, as it stands.
func (s *Server) completeSum(c completer, snapshot Snapshot, list *protocol.CompletionList) {
	f := s.folderOf(c.doc.URI)
	if f == nil {
		return
	}
	v := f.view(snapshot)
	name, ok := s.fileOfKey(v, c.spot.present["docPath"])
	if !ok {
		return
	}
	sum, _, ok := v.sum(name)
	if !ok {
		return
	}
	item := c.item(0, sum, lenientjson.Quote(sum)+c.commaBehind(), "The SHA-256 of "+name+" as it stands.")
	item.Kind = protocol.CompletionItemKindValue
	item.Detail = protocol.NewOptional(name)
	list.Items = append(list.Items, item)
}

// listKeys is the docPaths of a folder that begin with typed, which is in lower case;
// the bounds, and the order, are those of [listFiles].
func listKeys(ctx context.Context, tree fs.FS, name, typed string) (found []string, all bool) {
	visited := 0
	for folders := []string{"."}; len(folders) > 0 && ctx.Err() == nil; folders = folders[1:] {
		entries, err := fs.ReadDir(tree, folders[0])
		if err != nil {
			continue
		}
		for _, e := range entries {
			p := path.Join(folders[0], e.Name())
			key := docpath.Key(name, p)
			if visited++; visited > maxVisited || len(found) == maxListed {
				return found, false
			}
			switch {
			case e.IsDir():
				under := strings.HasPrefix(key, typed) || strings.HasPrefix(typed, key+"/")
				if under && e.Name() != ".git" && e.Name() != "node_modules" {
					folders = append(folders, p)
				}
			case strings.HasPrefix(key, typed) && (e.Type().IsRegular() || isFile(tree, p)):
				found = append(found, key)
			}
		}
	}
	return found, true
}
