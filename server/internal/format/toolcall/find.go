package toolcall

import (
	"strings"

	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/mdblock"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A finder reads a document line by line.
type finder struct {
	doc    format.Document
	fences []*format.Region // the fences that have not been passed yet
	found  []*format.Region
	noJSON bool // no value in the rest of the document ends
}

// find claims fences that contain calls, and calls outside of fences.
func find(d format.Document) []*format.Region {
	if !strings.Contains(d.Text, "path") && !strings.Contains(d.Text, "</") && !strings.Contains(d.Text, `"`) {
		return nil
	}
	f := &finder{doc: d, fences: d.Fences}
	for at := 0; at < len(d.Text); {
		at = f.next(at)
	}
	return f.found
}

// next reads the line at an offset, and returns the offset of the next line to read.
func (f *finder) next(at int) int {
	s := f.doc.Text
	end, next := text.LineEnd(s, at)
	for len(f.fences) > 0 && f.fences[0].Span.End <= at {
		f.fences = f.fences[1:]
	}
	if len(f.fences) > 0 && f.fences[0].Span.Start < next {
		r := f.fences[0]
		if holdsCalls(r) {
			f.found = append(f.found, &format.Region{Block: r.Block})
		} else if f.holdsSeeming(r) {
			f.found = append(f.found, &format.Region{Block: r.Block, Shared: seeming{}})
		} else if what, ok := holdsUnknown(r); ok {
			f.found = append(f.found, &format.Region{Block: r.Block, Shared: what})
		}
		return max(next, lineAfter(s, r.Span.End))
	}
	if end, ok := mdblock.MarkedEnd(s, at); ok {
		return end // its text is content of files
	}
	line := s[at:end]
	if end, closed, what := unknownEnd(s, at, f.doc.Meter); what != "" {
		r := format.Piece(s, text.Span{Start: at, End: end}, closed)
		r.Shared = what
		f.found = append(f.found, r)
		return end
	}
	switch {
	case mdblock.OpensCall(line):
		return f.tags(at, next)
	case !f.noJSON && beginsCall(s, at):
		return f.json(at, next)
	}
	return next
}

// lineAfter returns the beginning of the first line at or after an offset.
func lineAfter(s string, at int) int {
	if at == 0 || s[at-1] == '\n' || s[at-1] == '\r' {
		return at
	}
	_, next := text.LineEnd(s, at)
	return next
}

// jsonHead matches the beginning of JSON that may be a call, because its first member has a
// name that calls have.
var jsonHead = lazyregexp.New(`^(?:\[ ?)?\{ ?"(?:name|tool|tool_name|type|id|index|function|tool_calls|role|content|input|arguments|parameters|command|path|file_path|file_text|old_str|new_str|insert_line|insert_text|old_string|new_string|diff|description|explanation|file|filename|filePath|filepath|file_name|target_file|edits|changes|files|operations|op|operation|action|old|new|search|find|before|patch)" ?:`)

// beginsCall reports whether JSON that may be a call begins at an offset.
func beginsCall(s string, at int) bool {
	const enough = 200
	if s[at] != '{' && s[at] != '[' {
		return false
	}
	return jsonHead.MatchString(strings.Join(strings.Fields(s[at:min(len(s), at+enough)]), " "))
}

// json claims a value outside of fences, up to the end of its last line.
func (f *finder) json(at, next int) int {
	s := f.doc.Text
	end, closed := valueEnd(s, at)
	if !closed {
		f.noJSON, end = true, len(s)
	}
	after := max(next, lineAfter(s, end))
	if isJSON(s[at:end], true) {
		f.found = append(f.found, format.Piece(s, text.Span{Start: at, End: after}, closed))
	} else if r := format.Piece(s, text.Span{Start: at, End: after}, closed); closed && f.seemsEdit(r) {
		r.Shared = seeming{}
		f.found = append(f.found, r)
	} else if !closed {
		return next
	}
	return after
}

// tags claims a call in tags outside of fences, with the rest of its last line.
func (f *finder) tags(at, next int) int {
	s := f.doc.Text
	if !takesParameters(s[at:]) {
		return next
	}
	end, closed := mdblock.CallEnd(s, at)
	if closed {
		end = f.strayTags(at, lineAfter(s, end))
	}
	f.found = append(f.found, format.Piece(s, text.Span{Start: at, End: end}, closed || end < len(s)))
	return end
}

// strayTags returns the end of a call. If a later line before the next call has its last
// tag again, it returns the end of that line, because one of the call's texts contains the
// tag, and the call is refused.
func (f *finder) strayTags(at, end int) int {
	s, found := f.doc.Text, end
	last := mdblock.LastTag(s, at)
	for i := end; i < len(s); {
		to, next := text.LineEnd(s, i)
		if mdblock.OpensCall(s[i:to]) {
			break
		}
		if strings.TrimSpace(s[i:to]) == last {
			found = next
		}
		i = next
	}
	return found
}

// holdsCalls reports whether a fence contains calls: it begins with one. Under the tag of
// another language, the text must be valid JSON, because it may be code.
func holdsCalls(r *format.Region) bool {
	body := strings.TrimLeft(r.Body, " \t\r\n")
	if line, rest, _ := strings.Cut(body, "\n"); aroundCalls.MatchString(strings.TrimRight(line, "\r")) {
		body = strings.TrimLeft(rest, " \t\r\n")
	}
	if line, _, _ := strings.Cut(body, "\n"); mdblock.OpensCall(strings.TrimRight(line, "\r")) {
		return anyTakesParameters(body)
	}
	return begins(body) && isJSON(r.Body, mayBeJSON(r))
}

// holdsSeeming reports whether a closed fence contains JSON that seems to be an edit.
func (f *finder) holdsSeeming(r *format.Region) bool {
	return r.Closed && mayBeJSON(r) && begins(r.Body) && f.seemsEdit(r)
}

// mayBeJSON reports whether JSON in a fence with its tag is data and not code.
func mayBeJSON(r *format.Region) bool {
	switch r.Kind() {
	case mdblock.Untagged, mdblock.JSON, mdblock.Records, mdblock.PlainText, mdblock.Call:
		return true
	}
	return false
}

// anyTakesParameters reports whether one of the calls in tags of a text has parameters that
// we read, because the first ones may only read files.
func anyTakesParameters(body string) bool {
	for at := 0; at < len(body); {
		end, next := text.LineEnd(body, at)
		if mdblock.OpensCall(body[at:end]) && takesParameters(body[at:]) {
			return true
		}
		at = next
	}
	return false
}
