package lsptest

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf16"

	"go.lsp.dev/protocol"
)

// A buffer is an open document as VS Code keeps it. It has no byte order mark, and the same line
// ending in all lines, regardless of the file.
type buffer struct {
	text       string
	version    int32
	languageID string
	dirty      bool
	encoding   string // "", or the byte order mark that the file had
	eol        string
}

const (
	utf8BOM    = "\xef\xbb\xbf"
	utf16LEBOM = "\xff\xfe"
	utf16BEBOM = "\xfe\xff"
)

// newBuffer returns the buffer of a file with the given bytes.
func newBuffer(content string) *buffer {
	b := &buffer{version: 1}
	for _, bom := range []string{utf8BOM, utf16LEBOM, utf16BEBOM} {
		if strings.HasPrefix(content, bom) {
			b.encoding, content = bom, content[len(bom):]
			break
		}
	}
	if b.encoding == utf16LEBOM || b.encoding == utf16BEBOM {
		content = decodeUTF16(content, b.encoding == utf16BEBOM)
	}
	b.eol = dominantEOL(content)
	b.text = b.normalize(content)
	return b
}

// bytes returns the bytes that are written when the buffer is saved.
func (b *buffer) bytes() string {
	if b.encoding == utf16LEBOM || b.encoding == utf16BEBOM {
		return b.encoding + encodeUTF16(b.text, b.encoding == utf16BEBOM)
	}
	return b.encoding + b.text
}

// dominantEOL returns the line ending that VS Code's text buffer chooses. This is CRLF if more than
// half of the line endings have a CR.
func dominantEOL(s string) string {
	crlf := strings.Count(s, "\r\n")
	cr := strings.Count(s, "\r") // counts CR alone, and the CR of each CRLF
	all := cr + strings.Count(s, "\n") - crlf
	if all > 0 && 2*cr > all {
		return "\r\n"
	}
	return "\n"
}

func (b *buffer) normalize(s string) string {
	s = strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(s)
	if b.eol == "\r\n" {
		s = strings.ReplaceAll(s, "\n", "\r\n")
	}
	return s
}

// edit makes edits whose positions all refer to the text before the edits. It returns the content
// changes from the last to the first, as VS Code sends them.
func (b *buffer) edit(edits []protocol.TextEdit) ([]protocol.TextDocumentContentChangeEvent, error) {
	if len(edits) == 0 {
		return nil, nil
	}
	units := utf16.Encode([]rune(b.text))
	starts := lineStarts(units)
	places := make([]place, len(edits))
	for i, e := range edits {
		from, to := offset(units, starts, e.Range.Start), offset(units, starts, e.Range.End)
		// The notification has the range after clamping, and not the requested range.
		told := protocol.Range{Start: position(starts, from), End: position(starts, to)}
		places[i] = place{from, to, told, b.normalize(e.NewText)}
	}
	slices.SortStableFunc(places, func(x, y place) int { return cmp.Or(cmp.Compare(x.from, y.from), cmp.Compare(x.to, y.to)) })
	var changes []protocol.TextDocumentContentChangeEvent
	end := len(units)
	for _, p := range slices.Backward(places) {
		if p.to < p.from || p.to > end {
			return nil, fmt.Errorf("edits overlap, or one ends before it begins, at %+v", p.at)
		}
		if splits(units, p.from) || splits(units, p.to) {
			return nil, fmt.Errorf("an edit splits a character at %+v", p.at)
		}
		end = p.from
		units = slices.Replace(units, p.from, p.to, utf16.Encode([]rune(p.text))...)
		changes = append(changes, &protocol.TextDocumentContentChangePartial{Range: p.at, Text: p.text})
	}
	b.text = string(utf16.Decode(units))
	b.version++
	b.dirty = true
	return changes, nil
}

// splits reports whether an offset is inside a character, or between CR and LF.
func splits(units []uint16, at int) bool {
	if at == 0 || at >= len(units) {
		return false
	}
	return units[at-1] == '\r' && units[at] == '\n' || utf16.DecodeRune(rune(units[at-1]), rune(units[at])) != unicode.ReplacementChar
}

// A place is an edit with its offsets in UTF-16 units.
type place struct {
	from, to int
	at       protocol.Range
	text     string
}

// lineStarts returns the offsets of lines in UTF-16 units.
func lineStarts(units []uint16) []int {
	starts := []int{0}
	for i, u := range units {
		if u == '\n' || u == '\r' && (i+1 == len(units) || units[i+1] != '\n') {
			starts = append(starts, i+1)
		}
	}
	return starts
}

// offset converts a position to an offset. If the position is outside the text, it is clamped as
// LSP requires.
func offset(units []uint16, starts []int, p protocol.Position) int {
	if int(p.Line) >= len(starts) {
		return len(units)
	}
	start := starts[p.Line]
	end := len(units)
	if int(p.Line)+1 < len(starts) {
		end = starts[p.Line+1]
	}
	for end > start && (units[end-1] == '\n' || units[end-1] == '\r') {
		end--
	}
	return min(start+int(p.Character), end)
}

func position(starts []int, offset int) protocol.Position {
	line, found := slices.BinarySearch(starts, offset)
	if !found {
		line--
	}
	return protocol.Position{Line: uint32(line), Character: uint32(offset - starts[line])}
}

func decodeUTF16(s string, bigEndian bool) string {
	units := make([]uint16, len(s)/2)
	for i := range units {
		lo, hi := s[2*i], s[2*i+1]
		if bigEndian {
			lo, hi = hi, lo
		}
		units[i] = uint16(lo) | uint16(hi)<<8
	}
	return string(utf16.Decode(units))
}

func encodeUTF16(s string, bigEndian bool) string {
	var out []byte
	for _, u := range utf16.Encode([]rune(s)) {
		lo, hi := byte(u), byte(u>>8)
		if bigEndian {
			lo, hi = hi, lo
		}
		out = append(out, lo, hi)
	}
	return string(out)
}
