package lspserver

import (
	"context"
	"fmt"
	"strings"

	"go.lsp.dev/protocol"

	aptix "github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/lenientjson"
	"github.com/aptix-dev/aptix/server/internal/lspconv"
	"github.com/aptix-dev/aptix/server/internal/mdblock"
	"github.com/aptix-dev/aptix/server/internal/plan"
	"github.com/aptix-dev/aptix/server/internal/schema"
	"github.com/aptix-dev/aptix/server/internal/text"
)

func (s *Server) hover(ctx context.Context, p *protocol.HoverParams) (*protocol.Hover, error) {
	snapshot := SnapshotOf(ctx)
	doc := snapshot.Get(p.TextDocument.URI)
	b, h, ok := hitIn(doc, p.Position)
	if !ok {
		return s.hoverPatch(ctx, snapshot, doc, p.Position)
	}
	said, err := "", error(nil)
	switch {
	case h.isPath():
		said, err = s.aboutPath(ctx, snapshot, doc, b, h)
	case !h.isName && (h.inChange() || h.ofFile("docPath") || h.ofFile("originalSha256")) && isLines(b):
		said, err = s.aboutLines(ctx, snapshot, doc, b, h)
	case !s.hasSchemas(doc):
		said = aboutString(b, h)
	}
	if said == "" || err != nil {
		return nil, err
	}
	at := lspconv.Range(text.NewLines(doc.Text), b.HostSpan(h.node.Span))
	return &protocol.Hover{Contents: &protocol.MarkupContent{Kind: protocol.MarkupKindMarkdown, Value: said}, Range: &at}, nil
}

// hitIn is the string at a position in one of our blocks.
func hitIn(doc *Document, p protocol.Position) (b mdblock.Block, h hit, ok bool) {
	if doc == nil || !isReply(doc) {
		return b, h, false
	}
	b, at, ok := jsonBlockAt(doc, p)
	if !ok || !isOurs(doc, b) {
		return b, h, false
	}
	root, _ := lenientjson.Parse(b.Body)
	h, ok = hitAt(root, at)
	return b, h, ok
}

// isPath reports whether h is the path of an entry.
func (h hit) isPath() bool {
	return !h.isName && len(h.names) == 2 && h.names[1] == "path" && schema.At(h.names[0]).List()
}

// aboutString is what there is to say about a member's name, or about a value out
// of a list.
func aboutString(b mdblock.Block, h hit) string {
	place := placeIn(b, h.names)
	if !h.isName {
		for _, v := range place.Values() {
			if v.Name == h.node.Text && v.Doc != "" {
				return fmt.Sprintf("`%s`: %s", v.Name, v.Doc)
			}
		}
		return ""
	}
	if place.Doc() == "" {
		return ""
	}
	var said strings.Builder
	fmt.Fprintf(&said, "`%s`: %s\n", h.name(), place.Doc())
	for _, v := range place.Values() {
		if v.Doc != "" {
			fmt.Fprintf(&said, "\n- `%s`: %s", v.Name, v.Doc)
		}
	}
	return said.String()
}

// aboutPath is what the entry with a path would do, and the first thing that is
// wrong with it.
func (s *Server) aboutPath(ctx context.Context, snapshot Snapshot, doc *Document, in mdblock.Block, h hit) (string, error) {
	c, err := s.check(ctx, snapshot, aptix.Target{URI: string(doc.URI)})
	if err != nil {
		return "", err
	}
	for _, b := range c.Blocks {
		if b.Open == in.Open {
			return c.aboutEntry(b, h), nil
		}
	}
	return "", nil
}

func (c *checked) aboutEntry(b check.Block, h hit) string {
	switch {
	case c.view.folder == nil:
		return "No folder is open, so the path leads nowhere."
	case b.State == check.Incomplete:
		return "The block is not closed yet."
	}
	var said []string
	problem := firstProblem(b.Diagnostics, b.HostSpan(h.entry().Span))
	switch f := c.fileOf(b, h); {
	case f == nil || f.State == plan.Failed:
	case f.State == plan.Done && problem != nil:
		said = append(said, "Nothing changes in "+code(f.Path)+".")
	default:
		said = append(said, aboutFile(*f))
	}
	if problem != nil {
		said = append(said, fmt.Sprintf("**%s:** %s", problem.Severity, problem.Message))
	}
	return strings.Join(said, "\n\n")
}

// fileOf is the planned file that an entry is about: one is planned for all
// entries of a block that name it.
func (c *checked) fileOf(b check.Block, h hit) *plan.File {
	path, ok := c.view.resolve(stringOf(h.objects[0], "root"), h.node.Text)
	for i, f := range b.Files {
		if f.At == h.node.Span || (ok && f.Path == path) {
			return &b.Files[i]
		}
	}
	return nil
}

// aboutFile says what becomes of a file.
func aboutFile(f plan.File) string {
	added, removed := f.Stat()
	switch {
	case f.State == plan.Done && !f.After.Exists:
		return fmt.Sprintf("%s does not exist: nothing is left to do.", code(f.Path))
	case f.State == plan.Done:
		return fmt.Sprintf("%s stands as the entry asks: already applied.", code(f.Target()))
	case f.Operation == plan.Rename:
		return fmt.Sprintf("rename %s to %s +%d −%d", code(f.Path), code(f.To), added, removed)
	case f.Operation == plan.Create:
		return fmt.Sprintf("create %s +%d\n\nIt does not exist: it will be created.", code(f.Path), added)
	case f.Operation == plan.Remove:
		return fmt.Sprintf("delete %s −%d", code(f.Path), removed)
	}
	return fmt.Sprintf("modify %s +%d −%d", code(f.Path), added, removed)
}

// code is s as code in Markdown, whatever it holds.
func code(s string) string {
	fence := "`"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	if len(fence) > 1 {
		s = " " + s + " "
	}
	return fence + s + fence
}

// firstProblem is the first error inside a span of the document, or else the
// first warning; nil where there is neither.
func firstProblem(ds []diag.Diagnostic, in text.Span) *diag.Diagnostic {
	var first *diag.Diagnostic
	for i, d := range ds {
		if in.Contains(d.Span) && d.Severity <= diag.Warning && (first == nil || d.Severity < first.Severity) {
			first = &ds[i]
		}
	}
	return first
}
