package lspserver

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"go.lsp.dev/protocol"

	aptix "github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/format/jsonshape"
	"github.com/aptix-dev/aptix/server/internal/format/lines"
	"github.com/aptix-dev/aptix/server/internal/lenientjson"
	"github.com/aptix-dev/aptix/server/internal/lspconv"
	"github.com/aptix-dev/aptix/server/internal/mdblock"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// isLines reports whether a block is a line patch.
func isLines(b mdblock.Block) bool { return jsonshape.Of(&format.Region{Block: b}) == jsonshape.Lines }

// begunLines reports whether a block says of itself what only a line patch does, and
// nothing else yet.
func begunLines(b mdblock.Block) bool {
	root, _ := lenientjson.Parse(b.Body)
	for _, m := range root.Members {
		if !slices.Contains([]string{"batchKey", "batchLabel", "files", "$schema"}, m.Key.Text) {
			return false
		}
	}
	return root.Member("batchKey") != nil || root.Member("batchLabel") != nil
}

// ofFile reports whether h is the value of a member of an entry of files.
func (h hit) ofFile(name string) bool {
	return !h.isName && len(h.names) == 2 && h.names[0] == "files" && h.names[1] == name
}

// inChange reports whether h belongs to a change of lines.
func (h hit) inChange() bool { return len(h.objects) == 3 && h.names[1] == "changes" }

// aboutLines is what there is to say about a place in a line patch: the file that a
// docPath or a hash is about, or where a change stands.
func (s *Server) aboutLines(ctx context.Context, snapshot Snapshot, doc *Document, in mdblock.Block, h hit) (string, error) {
	c, err := s.check(ctx, snapshot, aptix.Target{URI: string(doc.URI)})
	if err != nil {
		return "", err
	}
	for i, b := range c.Blocks {
		switch {
		case b.Open != in.Open:
		case h.inChange():
			if part, ok := c.changePart(i, h); ok {
				return part.about(), nil
			}
		case c.view.folder != nil && h.ofFile("originalSha256"):
			return s.aboutSum(c.view, h), nil
		case c.view.folder != nil:
			return strings.TrimSpace(c.aboutEntry(b, h) + "\n\n" + s.aboutSum(c.view, h)), nil
		default:
			return c.aboutEntry(b, h), nil
		}
	}
	return "", nil
}

// changePart is the part that the change of lines is which holds h; false where it has
// an error.
func (c *checked) changePart(index int, h hit) (partHit, bool) {
	b := c.Blocks[index]
	at := b.HostSpan(h.objects[2].Span)
	for i, p := range b.Parts {
		if p.At == at {
			return partHit{c, b, i, at.Start}, true
		}
	}
	return partHit{}, false
}

// aboutSum says which hash the file of an entry has, and whether the patch is for it.
func (s *Server) aboutSum(v view, h hit) string {
	name, ok := s.fileOfKey(v, stringOf(h.entry(), "docPath"))
	if !ok {
		return ""
	}
	sum, decoded, ok := v.sum(name)
	if !ok {
		return ""
	}
	where := "on disk"
	if v.open[name] != nil {
		where = "as it is open here"
	}
	said := fmt.Sprintf("%s, %s, has the SHA-256\n`%s`", code(name), where, sum)
	switch wanted := strings.ToLower(stringOf(h.entry(), "originalSha256")); {
	case wanted == "":
		return said
	case lines.IsOf(wanted, decoded):
		return said + "\n\nThe patch is made for this text."
	}
	return said + "\n\n`originalSha256` is that of another text."
}

// fileOfKey is the file of a folder that a docPath is the key of; false where it is
// that of none, or of several.
func (s *Server) fileOfKey(v view, key string) (string, bool) {
	found, err := s.docPaths(v)(key)
	if err != nil || len(found) != 1 {
		return "", false
	}
	return found[0], true
}

// sum is the SHA-256 of a file as a patch is made for it: of the text that is open, or
// else of the bytes on disk; and the text. False where there is none.
func (v view) sum(name string) (sum, decoded string, ok bool) {
	data, err := fs.ReadFile(v.tree, name)
	if err != nil {
		return "", "", false
	}
	decoded, _, err = text.Decode(string(data))
	if err != nil {
		return "", "", false
	}
	return fmt.Sprintf("%x", sha256.Sum256(data)), decoded, true
}

// defineLines leads from a change of lines to its place, and from elsewhere in an
// entry to the file.
func (s *Server) defineLines(ctx context.Context, snapshot Snapshot, doc *Document, in mdblock.Block, h hit) (protocol.DefinitionResult, error) {
	c, err := s.check(ctx, snapshot, aptix.Target{URI: string(doc.URI)})
	if err != nil || c.view.folder == nil {
		return nil, err
	}
	origin := lspconv.Range(c.lines, in.HostSpan(h.node.Span))
	for i, b := range c.Blocks {
		if b.Open != in.Open || !h.inChange() {
			continue
		}
		part, ok := c.changePart(i, h)
		if !ok {
			continue
		}
		for _, p := range part.places() {
			spot := part.shown(p)
			if target, ok := c.view.document(spot.path); ok {
				return s.links(target, []protocol.Range{spot.at}, origin), nil
			}
		}
	}
	name, ok := s.fileOfKey(c.view, stringOf(h.entry(), "docPath"))
	if !ok {
		return nil, nil
	}
	target, ok := c.view.document(name)
	if !ok {
		return nil, nil
	}
	return s.links(target, []protocol.Range{{}}, origin), nil
}
