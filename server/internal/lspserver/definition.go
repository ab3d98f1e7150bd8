package lspserver

import (
	"context"
	"io/fs"
	"path"
	"strings"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/aptix-dev/aptix/server/internal/lspconv"
	"github.com/aptix-dev/aptix/server/internal/plan"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// maxOccurrences is how many places of a text are shown.
const maxOccurrences = 100

// definition leads from a path to its file, and from a text to look for, or one
// that was put in its place, or a change of lines, to where that stands in the file.
func (s *Server) definition(ctx context.Context, p *protocol.DefinitionParams) (protocol.DefinitionResult, error) {
	snapshot := SnapshotOf(ctx)
	doc := snapshot.Get(p.TextDocument.URI)
	b, h, ok := hitIn(doc, p.Position)
	f := s.folderOf(p.TextDocument.URI)
	if !ok {
		part, found, err := s.partHit(ctx, snapshot, doc, p.Position)
		if err != nil || !found {
			return nil, err
		}
		return s.definePart(part), nil
	}
	if f == nil || h.entry() == nil || h.isName {
		return nil, nil
	}
	if isLines(b) {
		return s.defineLines(ctx, snapshot, doc, b, h)
	}
	v := f.view(snapshot)
	name, ok := v.resolve(stringOf(h.objects[0], "root"), stringOf(h.entry(), "path"))
	if !ok {
		return nil, nil
	}
	target, ok := v.document(name)
	if !ok {
		return nil, nil
	}
	ranges := []protocol.Range{{}}
	if !h.isPath() {
		ranges = v.occurrences(name, h)
	}
	return s.links(target, ranges, lspconv.Range(text.NewLines(doc.Text), b.HostSpan(h.node.Span))), nil
}

// resolve is the file that a path in a block means, by its canonical path from
// the folder.
func (v view) resolve(root, p string) (string, bool) {
	joined := path.Join(root, p)
	if p == "" || path.IsAbs(root) || path.IsAbs(p) || !fs.ValidPath(joined) {
		return "", false
	}
	name, err := v.root.Canonical(joined)
	return name, err == nil
}

// document is the URI of a file: as the editor has it where it is open. False
// where there is no such file.
func (v view) document(name string) (uri.URI, bool) {
	if doc := v.open[name]; doc != nil {
		return doc.URI, true
	}
	info, err := fs.Stat(v.tree, name)
	if err != nil || !info.Mode().IsRegular() {
		return "", false
	}
	return v.uriOf(name)
}

// occurrences is where the text of a find or a replace stands in a file: all
// places where all are meant, else the first.
func (v view) occurrences(name string, h hit) []protocol.Range {
	if h.name() != "find" && h.name() != "replace" || h.node.Text == "" {
		return nil
	}
	most := 1
	if stringOf(h.objects[len(h.objects)-1], "limit") == "all" {
		most = maxOccurrences
	}
	return find(v.text(name), h.node.Text, most)
}

// text is that of a file as the editor shows it; "" where it is none.
func (v view) text(name string) string {
	info, err := fs.Stat(v.tree, name)
	if err != nil || info.Size() > plan.MaxFile {
		return ""
	}
	data, err := fs.ReadFile(v.tree, name)
	if err != nil {
		return ""
	}
	decoded, _, err := text.Decode(string(data))
	if err != nil {
		return ""
	}
	return decoded
}

// find is where pattern stands in content, whatever the line endings of both:
// a position does not depend on them.
func find(content, pattern string, most int) []protocol.Range {
	content, pattern = text.WithEOL(content, text.LF), text.WithEOL(pattern, text.LF)
	lines := text.NewLines(content)
	var ranges []protocol.Range
	for at := 0; len(ranges) < most; {
		i := strings.Index(content[at:], pattern)
		if i < 0 {
			break
		}
		at += i + len(pattern)
		ranges = append(ranges, lspconv.Range(lines, text.Span{Start: at - len(pattern), End: at}))
	}
	return ranges
}

// links leads from origin to places in one document.
func (s *Server) links(target uri.URI, ranges []protocol.Range, origin protocol.Range) protocol.DefinitionResult {
	can := s.capabilities().TextDocument
	if can == nil || can.Definition == nil || !isTrue(can.Definition.LinkSupport) {
		locations := protocol.LocationSlice{}
		for _, r := range ranges {
			locations = append(locations, protocol.Location{URI: target, Range: r})
		}
		return locations
	}
	links := protocol.DefinitionLinkSlice{}
	for _, r := range ranges {
		links = append(links, protocol.DefinitionLink{OriginSelectionRange: &origin, TargetURI: target, TargetRange: r, TargetSelectionRange: r})
	}
	return links
}
