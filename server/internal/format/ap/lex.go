package ap

import (
	"strings"

	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// The keywords of the directives (rules A3, A8 and A10 to A23).
const (
	kwAP           = "AP"
	kwFile         = "FILE"
	kwRename       = "RENAME"
	kwReplace      = "REPLACE"
	kwInsertAfter  = "INSERT_AFTER"
	kwInsertBefore = "INSERT_BEFORE"
	kwDelete       = "DELETE"
	kwCreate       = "CREATE"
	kwRecreate     = "RECREATE"
	kwSnippet      = "snippet"
	kwTail         = "snippet_tail"
	kwAnchor       = "anchor"
	kwContent      = "content"
	kwLeading      = "include_leading_blank_lines"
	kwTrailing     = "include_trailing_blank_lines"
	kwScopeEnd     = "scope_end"
	kwEnd          = "END"
)

// A kind is the form of a directive.
type kind int

const (
	header    kind = iota
	fileStart      // a path is on the line below, and a line ending such as CRLF may follow the keyword
	action         // begins a modification
	keyValue       // the lines below are the value
	option         // a number follows the keyword
	end
)

var kinds = map[string]kind{
	kwAP: header, kwFile: fileStart, kwRename: keyValue,
	kwReplace: action, kwInsertAfter: action, kwInsertBefore: action, kwDelete: action, kwCreate: action, kwRecreate: action,
	kwSnippet: keyValue, kwTail: keyValue, kwAnchor: keyValue, kwContent: keyValue,
	kwLeading: option, kwTrailing: option, kwScopeEnd: option, kwEnd: end,
}

// since32 has the directives that 3.1 lacks.
var since32 = map[string]bool{kwRecreate: true, kwScopeEnd: true, kwEnd: true}

func hasValue(keyword string) bool {
	return keyword == kwFile || kinds[keyword] == keyValue
}

// synonyms maps words that models write instead of keywords to the keywords. The words are in lower case, with
// underscores for hyphens and spaces. After a patch's ID, they can have no other meaning.
var synonyms = map[string]string{
	"path": kwFile, "filename": kwFile, "file_path": kwFile,
	"move": kwRename, "rename_to": kwRename, "move_to": kwRename,
	"update": kwReplace, "modify": kwReplace, "edit": kwReplace, "change": kwReplace, "substitute": kwReplace,
	"insertafter": kwInsertAfter, "add_after": kwInsertAfter, "append_after": kwInsertAfter, "insert_below": kwInsertAfter,
	"insertbefore": kwInsertBefore, "add_before": kwInsertBefore, "prepend_before": kwInsertBefore, "insert_above": kwInsertBefore,
	"remove": kwDelete, "del": kwDelete, "erase": kwDelete,
	"create_directory": kwCreate, "create_folder": kwCreate, "mkdir": kwCreate,
	"overwrite": kwRecreate, "rewrite": kwRecreate,
	"search": kwSnippet, "find": kwSnippet, "old": kwSnippet, "start_snippet": kwSnippet, "snippet_start": kwSnippet, "snippet_head": kwSnippet, "snipet": kwSnippet, "locator": kwSnippet,
	"end_snippet": kwTail, "snippet_end": kwTail, "tail": kwTail, "tail_snippet": kwTail, "snippettail": kwTail,
	"anchor_snippet": kwAnchor,
	"contents":       kwContent, "new_content": kwContent, "replacement": kwContent, "replace_with": kwContent, "new": kwContent, "code": kwContent, "body": kwContent,
	"include_leading_blanks": kwLeading, "leading_blank_lines": kwLeading, "include_leading_blank_line": kwLeading,
	"include_trailing_blanks": kwTrailing, "trailing_blank_lines": kwTrailing, "include_trailing_blank_line": kwTrailing,
	"scopeend": kwScopeEnd, "end_patch": kwEnd, "eof": kwEnd, "end_of_patch": kwEnd,
}

var byLower = func() map[string]string {
	m := map[string]string{}
	for k := range kinds {
		m[strings.ToLower(k)] = k
	}
	return m
}()

// plain removes marks such as * around a keyword, and joins its words with underscores.
var plain = strings.NewReplacer("-", "_", " ", "_", "\t", "_", "`", "", "*", "", "[", "", "]", "", "\u00a0", "", "\u200b", "", "\ufeff", "")

// meant returns the keyword that the text after an ID begins with, or that its first words mean, and the length of
// these words in bytes. If there is none, `keyword` is "". The keyword is spelled correctly if it equals `rest[:n]`.
func meant(rest string) (keyword string, n int) {
	first := wordEnd(rest)
	if _, ok := kinds[rest[:first]]; ok {
		return rest[:first], first
	}
	second := first + len(rest[first:]) - len(strings.TrimLeft(rest[first:], " \t"))
	second += wordEnd(rest[second:])
	for _, n := range []int{first, second} { // one word, then two, such as INSERT AFTER
		word := strings.ToLower(strings.TrimRight(rest[:n], ":"))
		word = plain.Replace(word)
		if keyword, ok := byLower[word]; ok {
			return keyword, n
		}
		if keyword, ok := synonyms[word]; ok {
			return keyword, n
		}
	}
	return "", first
}

func wordEnd(s string) int {
	if i := strings.IndexAny(s, " \t"); i >= 0 {
		return i
	}
	return len(s)
}

var (
	strictHeader = lazyregexp.New(`^[0-9a-f]{8}[ \t]+AP[ \t]+3\.[12][ \t]*$`)
	// headerLine matches a header, even with an invalid ID or version. The ID may be in brackets, because the
	// specification writes `[ID]`.
	headerLine = lazyregexp.New(`^([0-9A-Za-z_-]{1,64}|\[[0-9A-Za-z_-]{1,64}\])[ \t]+(?i:AP)[ \t]+(v?[0-9][0-9.]*)[ \t]*$`)
	// directiveLine matches a line that looks like a directive of any patch.
	directiveLine = lazyregexp.New(`^([0-9A-Za-z_-]{1,64}|\[[0-9A-Za-z_-]{1,64}\])[ \t]+(?:(FILE)(?:[ \t]+\S.*)?|(REPLACE|INSERT_AFTER|INSERT_BEFORE|DELETE|CREATE|RECREATE|RENAME|END|snippet|snippet_tail|anchor|content)|(include_leading_blank_lines|include_trailing_blank_lines)[ \t]+[0-9]+|(scope_end)(?:[ \t]+1)?)[ \t]*$`)
)

func directiveOf(line string) (id, keyword string, ok bool) {
	m := directiveLine.FindStringSubmatch(line)
	if m == nil {
		return "", "", false
	}
	return m[1], m[2] + m[3] + m[4] + m[5], true
}

// A directive is a line that begins with the patch's ID, with the lines below it up to the next directive (rules A5
// to A7). Spans are in bytes of the body.
type directive struct {
	line    text.Span // without its ending
	id      text.Span
	word    text.Span // the keyword as written; empty if there is none
	keyword string    // the keyword that the word means; "" if unknown
	args    text.Span // the text after the keyword, without white space around it
	below   text.Span // the whole lines up to the next directive
}

// lex returns the directives from an offset on: the lines that begin with the patch's ID. In a version with END, it
// stops there (rule A8).
func lex(body, id string, from int, v version) []directive {
	ds := make([]directive, 0, 1+strings.Count(body[from:], "\n"+id))
	for line := range text.EachLine(body[from:]) {
		line = line.Shift(from)
		// A letter or digit may directly follow the ID: no content may have a line that begins with it.
		if id == "" || !strings.HasPrefix(line.In(body), id) {
			continue
		}
		if len(ds) > 0 {
			ds[len(ds)-1].below.End = line.Start
		}
		d := readDirective(body, line, len(id))
		ds = append(ds, d)
		if d.keyword == kwEnd && v == v32 {
			break
		}
	}
	return ds
}

func readDirective(body string, line text.Span, idLen int) directive {
	d := directive{line: line, id: text.Span{Start: line.Start, End: line.Start + idLen}}
	rest := text.Span{Start: d.id.End, End: line.End}.In(body)
	start := d.id.End + len(rest) - len(strings.TrimLeft(rest, " \t"))
	rest = strings.TrimRight(body[start:line.End], " \t")
	var n int
	d.keyword, n = meant(rest)
	d.word = text.Span{Start: start, End: start + n}
	args := strings.TrimLeft(rest[n:], " \t")
	d.args = text.Span{Start: start + len(rest) - len(args), End: start + len(rest)}
	_, next := text.LineEnd(body, line.End)
	d.below = text.Span{Start: next, End: len(body)}
	return d
}

// A value is the text below a directive, without the blank lines around it.
type value struct {
	// from the first line to the end of the last, without its ending; empty if there is no value
	at    text.Span
	lines []string // without their endings
	spans []text.Span
}

func trimmed(body string, span text.Span) value {
	v := value{at: text.Span{Start: span.Start, End: span.Start}}
	for line := range text.EachLine(span.In(body)) {
		v.spans = append(v.spans, line.Shift(span.Start))
	}
	for len(v.spans) > 0 && text.IsBlank(v.spans[0].In(body)) {
		v.spans = v.spans[1:]
	}
	for len(v.spans) > 0 && text.IsBlank(v.spans[len(v.spans)-1].In(body)) {
		v.spans = v.spans[:len(v.spans)-1]
	}
	if len(v.spans) == 0 {
		return v
	}
	v.at = text.Span{Start: v.spans[0].Start, End: v.spans[len(v.spans)-1].End}
	v.lines = text.Each(v.spans, func(s text.Span) string { return s.In(body) })
	return v
}

func (v value) empty() bool { return len(v.lines) == 0 }

func (v value) String() string { return strings.Join(v.lines, "\n") }
