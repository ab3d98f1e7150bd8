package replies

import (
	"fmt"
	"strings"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/escape"
	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/lspconv"
	"github.com/aptix-dev/aptix/server/internal/paths"
	"github.com/aptix-dev/aptix/server/internal/plan"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A Mention is the target of a place in a document, such as a file or a part of a block. The format of the block finds
// the target. A Mention includes the check of its document.
type Mention struct {
	format.Mention
	*Reply
	block check.Block
	at    int // the offset in the document, or -1 if the editor does not show problems in hovers
}

// MentionAt returns the mention at a position. It returns false if the position is not inside a block, or if the format
// of the block has no mention at the position.
func (c *Reply) MentionAt(p protocol.Position) (Mention, bool) {
	at := lspconv.Offset(c.Lines, p)
	for _, b := range c.Blocks {
		if m, ok := mentionIn(b, at); ok {
			return Mention{m, c, b, at}, true
		}
	}
	if f, ok := check.OfFile(string(c.URI)); ok && len(c.Blocks) == 0 {
		b := check.Block{Region: format.Whole(c.Document.Text), Format: f}
		m, ok := mentionIn(b, at)
		return Mention{m, c, b, at}, ok
	}
	return Mention{}, false
}

func mentionIn(b check.Block, host int) (format.Mention, bool) {
	at, inside := b.BodyOffset(host)
	if !inside || b.Fenced && host <= b.Open.End || b.Format.Mention == nil {
		return format.Mention{}, false
	}
	return b.Format.Mention(b.Region, b.Set, at)
}

func (m Mention) aboutEntry() string {
	switch {
	case m.View.Folder == nil:
		return "No folder is open, so the file cannot be found."
	case m.block.State == check.Incomplete:
		return "The block is not closed yet."
	}
	var said []string
	problem := firstProblem(m.block.Diagnostics, m.block.HostSpan(m.Entry))
	switch f := m.entryFile(); {
	case f == nil || f.State == plan.Failed:
	case f.State == plan.Done && problem != nil:
		said = append(said, "Nothing changes in "+escape.Code(f.Path)+".")
	default:
		said = append(said, aboutFile(*f))
	}
	return strings.Join(append(said, m.problem(problem)...), "\n\n")
}

// problem returns the lines about a problem in a hover, or none if the editor's own hover already shows the problem.
func (m Mention) problem(d *diag.Diagnostic) []string {
	if d == nil || !d.AskOnly && d.Span.Start <= m.at && m.at <= d.Span.End {
		return nil
	}
	return []string{fmt.Sprintf("**%s:** %s", d.Severity, escape.Markdown(d.Message))}
}

// entryFile returns the planned file of an entry. If several entries of a block name the same file, they share its
// planned file.
func (m Mention) entryFile() *plan.BlockFile {
	path, ok := m.View.Resolve(m.Name)
	for i, f := range m.block.Files {
		if f.At == m.Span || ok && f.Path == path {
			return &m.block.Files[i]
		}
	}
	return nil
}

// aboutSum returns a text for a hover about the file that the docPath of an entry names: its path and the hash of its
// current text. If possible, the text also tells whether the patch was made for this version of the file.
func (m Mention) aboutSum() string {
	if !m.Name.DocPath || m.View.Folder == nil {
		return ""
	}
	name, ok := FileOfKey(m.DocPaths, m.Name.Path)
	if !ok {
		return ""
	}
	sum, decoded, ok := m.View.Sum(name)
	if !ok {
		return ""
	}
	where := "on disk"
	if m.View.Open[name] != nil {
		where = "as it is open here"
	}
	said := fmt.Sprintf("%s, %s, has the SHA-256\n`%s`", escape.Code(name), where, sum)
	switch {
	case m.IsFor == nil:
		return said
	case m.IsFor(decoded):
		return said + "\n\nThe patch was made for this text."
	}
	return said + "\n\n" + escape.Code(m.SumName) + " is the hash of a different text."
}

// FileOfKey returns the only file that has a docPath, or false if no file or several files have it.
func FileOfKey(docPaths paths.LookupFunc, key string) (string, bool) {
	found, err := docPaths(nil, key)
	if err != nil || len(found) != 1 {
		return "", false
	}
	return found[0], true
}

func aboutFile(f plan.BlockFile) string {
	added, removed := f.Stat()
	switch {
	case f.State == plan.Done && !f.Exists():
		return fmt.Sprintf("%s does not exist: nothing is left to do.", escape.Code(f.Path))
	case f.State == plan.Done:
		return fmt.Sprintf("%s already has the result of this entry.", escape.Code(f.Target()))
	case f.Operation == plan.Rename:
		return fmt.Sprintf("rename %s to %s +%d −%d", escape.Code(f.Path), escape.Code(f.To), added, removed)
	case f.Operation == plan.Create:
		return fmt.Sprintf("create %s +%d\n\nIt does not exist: it will be created.", escape.Code(f.Path), added)
	case f.Operation == plan.Remove:
		return fmt.Sprintf("delete %s −%d", escape.Code(f.Path), removed)
	}
	return fmt.Sprintf("modify %s +%d −%d", escape.Code(f.Path), added, removed)
}

// firstProblem returns the first error inside a span of the document or, if there is none, the first warning, or nil.
func firstProblem(ds []diag.Diagnostic, in text.Span) *diag.Diagnostic {
	var first *diag.Diagnostic
	for i, d := range ds {
		if in.Contains(d.Span) && d.Severity <= diag.Warning && (first == nil || d.Severity < first.Severity) {
			first = &ds[i]
		}
	}
	return first
}

// Hover returns the format's description of the place, and the findings of the check, or nil if there is neither. If
// the editor itself shows the problems (`showsProblems`) or describes the place (`describes`), Hover leaves them out.
func (m Mention) Hover(showsProblems, describes bool) *protocol.Hover {
	if !showsProblems {
		m.at = -1
	}
	var said []string
	if m.Doc != "" && !describes {
		said = append(said, m.Doc)
	}
	if more := m.about(); more != "" {
		said = append(said, more)
	}
	if len(said) == 0 {
		return nil
	}
	at := lspconv.Range(m.Lines, m.block.HostSpan(m.Span))
	text := strings.Join(said, "\n\n")
	return &protocol.Hover{Contents: &protocol.MarkupContent{Kind: protocol.MarkupKindMarkdown, Value: text}, Range: &at}
}

func (m Mention) about() string {
	switch m.Subject {
	case format.File:
		return strings.TrimSpace(m.aboutEntry() + "\n\n" + m.aboutSum())
	case format.Sum:
		if m.View.Folder == nil {
			return m.aboutEntry()
		}
		return m.aboutSum()
	case format.Part:
		if p, ok := m.part(); ok {
			return m.aboutPart(p)
		}
	}
	return ""
}

const maxOccurrences = 100

// Definition returns the places to which the mention leads, as links or else as locations. It returns nil if no such
// file exists.
func (m Mention) Definition(asLinks bool) protocol.DefinitionResult {
	for _, place := range m.destinations() {
		target, ok := m.View.Document(place.path)
		if ok && asLinks {
			return m.links(target, place.at)
		} else if ok {
			locate := func(r protocol.Range) protocol.Location { return protocol.Location{URI: target, Range: r} }
			return append(protocol.LocationSlice{}, text.Each(place.at, locate)...)
		}
	}
	return nil
}

// A destination is a file to which a definition leads, and the ranges in that file. The file may be missing.
type destination struct {
	path string
	at   []protocol.Range
}

func (m Mention) destinations() []destination {
	var found []destination
	switch m.Subject {
	case format.Nothing:
		return nil
	case format.Part, format.InPart:
		found = partPlaces(m)
	}
	name, ok := m.View.Resolve(m.Name)
	if m.Name.DocPath {
		name, ok = FileOfKey(m.DocPaths, m.Name.Path)
	}
	switch {
	case !ok:
	case m.Subject == format.Passage:
		found = append(found, destination{name, m.occurrences(name)})
	default:
		found = append(found, destination{name, []protocol.Range{{}}})
	}
	return found
}

// partPlaces returns the places that a part inside a file changes. If there are none, or if the part is a whole file,
// it returns the file.
func partPlaces(m Mention) []destination {
	p, ok := m.part()
	if !ok {
		return nil
	}
	var found []destination
	if p.itself().Of >= 0 {
		for _, place := range p.places() {
			shown := p.shown(place)
			found = append(found, destination{shown.path, []protocol.Range{shown.at}})
		}
	}
	if f := p.file(); len(found) == 0 && f != nil {
		for _, path := range []string{f.Path, f.Target()} {
			found = append(found, destination{path, []protocol.Range{{}}})
		}
	}
	return found
}

// occurrences returns the places of a text to find, or of its replacement, in a file. It returns only the first place
// unless the edit changes every place.
func (m Mention) occurrences(name string) []protocol.Range {
	most := 1
	if m.All {
		most = maxOccurrences
	}
	return find(m.View.Text(name), m.Text, most)
}

// find returns at most `most` places of a pattern in a text. It ignores the line endings of both texts, because
// positions do not depend on line endings.
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

// links returns links from the mention to the given ranges of one document.
func (m Mention) links(target uri.URI, ranges []protocol.Range) protocol.DefinitionLinkSlice {
	origin := lspconv.Range(m.Lines, m.block.HostSpan(m.Span))
	links := protocol.DefinitionLinkSlice{}
	for _, r := range ranges {
		links = append(links, protocol.DefinitionLink{OriginSelectionRange: &origin, TargetURI: target, TargetRange: r, TargetSelectionRange: r})
	}
	return links
}
