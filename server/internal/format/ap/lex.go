package ap

import (
	"iter"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/locate"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// The directives (rules A3, A8 and A10 to A23).
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

// A kind determines the parts of a directive.
type kind int

const (
	header    kind = iota
	fileStart      // the path is on the line below; the keyword may be followed by the name of a line ending
	action         // the directive begins a modification
	keyValue       // the lines below are its value
	option         // a number after the keyword
	end
)

var kinds = map[string]kind{
	kwAP: header, kwFile: fileStart, kwRename: keyValue,
	kwReplace: action, kwInsertAfter: action, kwInsertBefore: action, kwDelete: action, kwCreate: action, kwRecreate: action,
	kwSnippet: keyValue, kwTail: keyValue, kwAnchor: keyValue, kwContent: keyValue,
	kwLeading: option, kwTrailing: option, kwScopeEnd: option, kwEnd: end,
}

// since32 holds the directives that only ap 3.2 has.
var since32 = map[string]bool{kwRecreate: true, kwScopeEnd: true, kwEnd: true}

// hasValue reports whether the lines below a directive are its value.
func hasValue(keyword string) bool {
	return keyword == kwFile || kinds[keyword] == keyValue
}

// synonyms maps words that models write instead of keywords to the keywords. The words are in
// lower case, with underscores for - and spaces. After the patch's ID, they cannot mean anything
// else.
var synonyms = map[string]string{
	"path": kwFile, "filename": kwFile, "file_path": kwFile,
	"move": kwRename, "rename_to": kwRename, "move_to": kwRename,
	"update": kwReplace, "modify": kwReplace, "edit": kwReplace, "change": kwReplace, "substitute": kwReplace,
	"insertafter": kwInsertAfter, "add_after": kwInsertAfter, "append_after": kwInsertAfter, "insert_below": kwInsertAfter,
	"insertbefore": kwInsertBefore, "add_before": kwInsertBefore, "prepend_before": kwInsertBefore, "insert_above": kwInsertBefore,
	"remove": kwDelete, "del": kwDelete, "erase": kwDelete,
	"create_file": kwCreate, "new_file": kwCreate, "add_file": kwCreate, "create_directory": kwCreate, "create_folder": kwCreate, "mkdir": kwCreate,
	"overwrite": kwRecreate, "rewrite": kwRecreate,
	"search": kwSnippet, "find": kwSnippet, "old": kwSnippet, "start_snippet": kwSnippet, "snippet_start": kwSnippet, "snippet_head": kwSnippet, "snipet": kwSnippet, "locator": kwSnippet,
	"end_snippet": kwTail, "snippet_end": kwTail, "tail": kwTail, "tail_snippet": kwTail, "snippettail": kwTail,
	"anchor_snippet": kwAnchor,
	"contents":       kwContent, "new_content": kwContent, "replacement": kwContent, "replace_with": kwContent, "new": kwContent, "code": kwContent, "body": kwContent,
	"include_leading_blanks": kwLeading, "leading_blank_lines": kwLeading, "include_leading_blank_line": kwLeading,
	"include_trailing_blanks": kwTrailing, "trailing_blank_lines": kwTrailing, "include_trailing_blank_line": kwTrailing,
	"scopeend": kwScopeEnd, "end_patch": kwEnd, "eof": kwEnd, "end_of_patch": kwEnd,
}

// byLower maps lower-case keywords to keywords.
var byLower = func() map[string]string {
	m := map[string]string{}
	for k := range kinds {
		m[strings.ToLower(k)] = k
	}
	return m
}()

// plain removes the marks around a keyword, and joins its words with underscores.
var plain = strings.NewReplacer("-", "_", " ", "_", "\t", "_", "`", "", "*", "", "[", "", "]", "", "\u00a0", "", "\u200b", "", "\ufeff", "")

// meant returns the keyword for which the first words of rest, the text after an ID, stand, and the
// length of these words in bytes. It returns "" if they stand for none. If rest[:n] == keyword, the
// keyword is written correctly.
func meant(rest string) (keyword string, n int) {
	first := wordEnd(rest)
	if _, ok := kinds[rest[:first]]; ok {
		return rest[:first], first
	}
	second := first + len(rest[first:]) - len(strings.TrimLeft(rest[first:], " \t"))
	second += wordEnd(rest[second:])
	for _, n := range []int{first, second} { // first and second words may be one keyword, as in INSERT AFTER
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
	// headerLine also accepts invalid IDs and versions. The ID may be in brackets, because the
	// specification writes `[ID]`.
	headerLine = lazyregexp.New(`^([0-9A-Za-z_-]{1,64}|\[[0-9A-Za-z_-]{1,64}\])[ \t]+(?i:AP)[ \t]+(v?[0-9][0-9.]*)[ \t]*$`)
	// directiveLine matches a line that is written as a directive of some patch.
	directiveLine = lazyregexp.New(`^([0-9A-Za-z_-]{1,64}|\[[0-9A-Za-z_-]{1,64}\])[ \t]+(?:(FILE)(?:[ \t]+\S.*)?|(REPLACE|INSERT_AFTER|INSERT_BEFORE|DELETE|CREATE|RECREATE|RENAME|END|snippet|snippet_tail|anchor|content)|(include_leading_blank_lines|include_trailing_blank_lines)[ \t]+[0-9]+|(scope_end)(?:[ \t]+1)?)[ \t]*$`)
)

// directiveOf reads a line that is written as a directive of any patch.
func directiveOf(line string) (id, keyword string, ok bool) {
	m := directiveLine.FindStringSubmatch(line)
	if m == nil {
		return "", "", false
	}
	return m[1], m[2] + m[3] + m[4] + m[5], true
}

// A directive is a line of the patch that begins with the patch's ID, together with the lines
// below it, up to the next directive (rules A5 to A7). All spans are bytes of the body.
type directive struct {
	line    text.Span // the line, without its ending
	id      text.Span
	word    text.Span // the keyword as written; empty if there is none
	keyword string    // the intended keyword; "" if unknown
	args    text.Span // span of the text after the keyword, without the white space around it
	below   text.Span // span of the whole lines up to the next directive
}

// eachLine iterates over the lines of s, without their endings.
func eachLine(s string) iter.Seq[text.Span] {
	return func(yield func(text.Span) bool) {
		for at := 0; at < len(s); {
			lineEnd, next := text.LineEnd(s, at)
			if !yield(text.Span{Start: at, End: lineEnd}) {
				return
			}
			at = next
		}
	}
}

// lex splits body after the offset from into directives of the patch id. If END is a
// directive of the version, nothing after it is read (rule A8).
func lex(body, id string, from int, v version) []directive {
	ds := make([]directive, 0, 1+strings.Count(body[from:], "\n"+id))
	for line := range eachLine(body[from:]) {
		line = line.Shift(from)
		if id == "" || !strings.HasPrefix(line.In(body), id) {
			continue // a line counts even if a letter or a digit follows the ID, because the ID must not occur in content
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
	at    text.Span // span from the first line to the last one, without its ending; empty if the value is empty
	lines []string  // the lines without their endings
	spans []text.Span
}

// trimmed returns the value that consists of the whole lines in a span of the body.
func trimmed(body string, span text.Span) value {
	v := value{at: text.Span{Start: span.Start, End: span.Start}}
	for line := range eachLine(span.In(body)) {
		v.spans = append(v.spans, line.Shift(span.Start))
	}
	for len(v.spans) > 0 && locate.IsBlank(v.spans[0].In(body)) {
		v.spans = v.spans[1:]
	}
	for len(v.spans) > 0 && locate.IsBlank(v.spans[len(v.spans)-1].In(body)) {
		v.spans = v.spans[:len(v.spans)-1]
	}
	if len(v.spans) == 0 {
		return v
	}
	v.at = text.Span{Start: v.spans[0].Start, End: v.spans[len(v.spans)-1].End}
	for _, s := range v.spans {
		v.lines = append(v.lines, s.In(body))
	}
	return v
}

func (v value) empty() bool { return len(v.lines) == 0 }

func (v value) String() string { return strings.Join(v.lines, "\n") }
