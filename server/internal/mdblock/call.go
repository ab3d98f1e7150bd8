package mdblock

import (
	"strings"

	"github.com/aptix-dev/aptix/server/internal/edittools"
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// toolTag, withPath, named, invoke and function match the first tag of a call. paramEnds matches the end of a parameter.
var (
	toolTag   = lazyregexp.New(`^ {0,3}<([a-z_]+)>[ \t]*(?:$|<)`)
	withPath  = lazyregexp.New(`^ {0,3}<([a-z_]+)(?: [a-z_]+="[^"<>\n]*")+>[ \t]*(?:$|<)`)
	named     = lazyregexp.New(`^ {0,3}<(tool_call)>[ \t]*[\w.-]+[ \t]*(?:$|<arg_key>)`)
	invoke    = lazyregexp.New(`^ {0,3}<(` + edittools.TagPrefix + `?(?:invoke|tool_call|tool_use)) name="[^"\n]+">[ \t]*(?:$|<)`)
	function  = lazyregexp.New(`^ {0,3}<(function)=[\w.-]+>[ \t]*(?:$|<)`)
	paramEnds = lazyregexp.New(`</` + edittools.TagPrefix + `?\w+>[ \t]*$`)
)

// OpensCall reports whether a line, without its ending, begins a call that is written as tags.
func OpensCall(line string) bool { return callTag(line) != "" }

func callTag(line string) string {
	if !strings.HasPrefix(strings.TrimLeft(line, " "), "<") {
		return ""
	}
	for _, opens := range []*lazyregexp.Regexp{toolTag, withPath, named, invoke, function} {
		if m := opens.FindStringSubmatch(line); m != nil && (opens != toolTag || edittools.InTags(m[1])) && (opens != withPath || edittools.InTags(m[1]) && edittools.Replacer(m[1])) {
			return m[1]
		}
	}
	return ""
}

// LastTag returns the closing tag of the call whose first line begins at the offset `at`.
func LastTag(doc string, at int) string {
	end, _ := text.LineEnd(doc, at)
	return "</" + callTag(doc[at:end]) + ">"
}

// CallEnd returns the offset after the closing tag of the call whose first line begins at the offset `at`. `closed` is
// false if another call or the end of the document comes first.
func CallEnd(doc string, at int) (end int, closed bool) {
	lineEnd, next := text.LineEnd(doc, at)
	e := element{tag: callTag(doc[at:lineEnd])}
	for !e.Read(doc[at:lineEnd]) {
		if next == len(doc) {
			return next, false
		}
		at = next
		lineEnd, next = text.LineEnd(doc, at)
	}
	return at + e.end, e.complete
}

// An element is the state of reading a call that is written as tags. The closing tag ends the call only directly after
// the end of a parameter, because the text of a parameter may contain the same tag.
type element struct {
	tag      string
	begun    bool
	ended    bool // the last nonblank line ends a parameter
	complete bool
	end      int // offset after the closing tag, in the last line
}

func (e *element) Whole() bool { return e.complete }

func (e *element) Read(line string) (over bool) {
	if e.begun && OpensCall(line) {
		return true
	}
	e.begun = true
	last := "</" + e.tag + ">"
	for from := 0; ; {
		i := strings.Index(line[from:], last)
		if i < 0 {
			break
		}
		before := line[:from+i]
		from += i + len(last)
		if isBlankLine(before) && e.ended || paramEnds.MatchString(before) {
			e.complete, e.end = true, from
			return true
		}
	}
	if !isBlankLine(line) {
		e.ended = paramEnds.MatchString(line)
	}
	return false
}

// A countedHunk is the state of reading a hunk of a unified diff whose header counts its lines. The counts show where
// the hunk ends, even without a fence.
type countedHunk struct {
	hunk
	broken bool // a line was read that cannot belong to the hunk, or is one too many
}

// BeginsHunk reports whether a line is the header of a hunk, with line counts.
func BeginsHunk(line string) bool {
	return strings.HasPrefix(line, "@@ -") && hunkHeader.MatchString(line)
}

// beginsHunk returns the state of reading the hunk that a line begins, or nil. A hunk without lines does not count.
func beginsHunk(line string) marked {
	if !BeginsHunk(line) {
		return nil
	}
	if h := readHunkHeader(line); h.owes() {
		return &countedHunk{hunk: h}
	}
	return nil
}

func (h *countedHunk) Whole() bool { return !h.broken && !h.owes() }

func (h *countedHunk) Read(line string) (over bool) {
	if line != "" && strings.IndexByte(` +-\`, line[0]) < 0 {
		h.broken = true
		return true
	}
	h.read(line)
	h.broken = h.old < 0 || h.new < 0
	return h.broken || !h.owes()
}

// resultTag matches the tag before the result of a call of a tool, with the name of the element.
var resultTag = lazyregexp.New(`^ {0,3}<((?:[a-z]+:)?(?:(?:function|tool|command)_(?:call_|use_)?(?:results?|responses?|outputs?)|observations?|system-reminder))(?:[ \t][^<>]*)?>`)

// result records the result of a call, which begins on the line of the cursor, and returns the offset after it. A result
// is text that the model read, not text that it wrote, so no block begins in it. Without its closing tag, a result below
// a tag that is alone on its line reaches to the end of the document, which may still grow. result returns false if no
// result begins here.
func (s *scanner) result(c cursor) (next int, ok bool) {
	if strings.IndexByte(s.doc[c.start:c.end], '<') < 0 || s.leaf == indentedCode || s.inComment() {
		return 0, false
	}
	m := resultTag.FindStringSubmatchIndex(s.doc[c.start:c.end])
	if m == nil {
		return 0, false
	}
	begin, last := c.start+m[1], "</"+s.doc[c.start+m[2]:c.start+m[3]]+">"
	if i := strings.Index(s.doc[begin:], last); i >= 0 {
		_, next = text.LineEnd(s.doc, begin+i+len(last))
	} else if next = len(s.doc); !isBlankLine(s.doc[begin:c.end]) {
		return 0, false
	}
	s.hidden = append(s.hidden, text.Span{Start: c.start, End: next})
	return next, true
}
