package replies

import (
	"strings"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/lspconv"
	"github.com/aptix-dev/aptix/server/internal/text"
)

const maxOccurrences = 100

// Definition returns the places to which the mention leads, as links or else as locations. It returns nil if no file
// is there.
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

// links returns links from the mention to ranges in one document.
func (m Mention) links(target uri.URI, ranges []protocol.Range) protocol.DefinitionLinkSlice {
	origin := lspconv.Range(m.Lines, m.block.HostSpan(m.Span))
	links := protocol.DefinitionLinkSlice{}
	for _, r := range ranges {
		links = append(links, protocol.DefinitionLink{OriginSelectionRange: &origin, TargetURI: target, TargetRange: r, TargetSelectionRange: r})
	}
	return links
}
