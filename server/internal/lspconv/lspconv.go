// Package lspconv converts between Aptix's own types and the types of the Language Server Protocol: bytes and UTF-16
// units, diagnostics, edits, paths and URIs. No other package does so.
package lspconv

import (
	"math"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/escape"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// Source is the source of every diagnostic.
const Source = "aptix"

// docsURL is the address of docs/diagnostics.md, which has a section for each code.
const docsURL = "https://github.com/aptix-dev/aptix/blob/main/docs/diagnostics.md"

// Position converts a byte offset to a position.
func Position(lines *text.Lines, offset int) protocol.Position {
	p := lines.Position(offset)
	return protocol.Position{Line: uint32(p.Line), Character: uint32(p.Character)}
}

// Range converts a span of bytes to a range.
func Range(lines *text.Lines, span text.Span) protocol.Range {
	return protocol.Range{Start: Position(lines, span.Start), End: Position(lines, span.End)}
}

// Offset converts a position to a byte offset. If the position is after the end of its line, Offset returns the end of
// the line. If it is after the last line, Offset returns the end of the text. LSP 3.18 requires both.
func Offset(lines *text.Lines, p protocol.Position) int {
	return lines.Offset(text.Position{Line: clamp(p.Line), Character: clamp(p.Character)})
}

// clamp converts a number to int. Larger numbers become math.MaxInt32, because they could be negative on 32-bit
// systems.
func clamp(n uint32) int { return int(min(n, math.MaxInt32)) }

// Span converts a range to a span of bytes. If the range ends before it begins, Span returns an empty span at the start
// of the range.
func Span(lines *text.Lines, r protocol.Range) text.Span {
	start := Offset(lines, r.Start)
	return text.Span{Start: start, End: max(start, Offset(lines, r.End))}
}

// TextEdits converts edits of a text to edits of the protocol. `lines` is the line index of that text.
func TextEdits(lines *text.Lines, edits []text.Edit) []protocol.TextEdit {
	converted := make([]protocol.TextEdit, len(edits))
	for i, e := range edits {
		converted[i] = protocol.TextEdit{Range: Range(lines, e.Span), NewText: e.New}
	}
	return converted
}

// Diagnostic converts a diagnostic of the document with the URI `u`. `lines` is the line index of the document's text.
func Diagnostic(u uri.URI, lines *text.Lines, d diag.Diagnostic) protocol.Diagnostic {
	return protocol.Diagnostic{
		Range:              Range(lines, d.Span),
		Severity:           severities[d.Severity],
		Code:               protocol.String(d.Code),
		CodeDescription:    protocol.CodeDescription{Href: uri.MustParse(docsURL + "#" + string(d.Code))},
		Source:             protocol.NewOptional(Source),
		Message:            protocol.String(escape.Message(d.Message)),
		RelatedInformation: related(u, lines, d.Related),
	}
}

var severities = map[diag.Severity]protocol.DiagnosticSeverity{
	diag.Error:   protocol.DiagnosticSeverityError,
	diag.Warning: protocol.DiagnosticSeverityWarning,
	diag.Info:    protocol.DiagnosticSeverityInformation,
	diag.Hint:    protocol.DiagnosticSeverityHint,
}

func related(u uri.URI, lines *text.Lines, places []diag.Related) []protocol.DiagnosticRelatedInformation {
	var converted []protocol.DiagnosticRelatedInformation
	for _, place := range places {
		converted = append(converted, protocol.DiagnosticRelatedInformation{
			Location: protocol.Location{URI: u, Range: Range(lines, place.Span)},
			Message:  escape.Message(place.Message),
		})
	}
	return converted
}
