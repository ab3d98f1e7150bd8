package mdblock

import (
	"strings"

	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A TaggedFile is the state of reading an element such as `<file path="...">` or `<document>` that contains the whole
// text of a file. Tags of the same name inside the text must pair, except in CDATA.
type TaggedFile struct {
	Name string // the name of the element, such as "file" or "document"

	depth    int
	begun    bool
	cdata    bool
	cdataEnd bool // the last line ends CDATA if the closing tag follows
	complete bool
	broken   bool // the element is invalid: for example, a document that does not name its source or has no text
	inside   bool // the next line must contain an element that names the path
	content  bool // the next line must begin the element that has the text
}

// A Tag is an opening tag that begins a file.
type Tag struct {
	Name string    // the name of the tag, such as "file" or "document"
	End  int       // the offset after the tag
	Path text.Span // the path in the tag, without quotes; empty if an element below names it
	Lone bool      // the element is empty: it ends in `/>`
}

const (
	attributes = `(?:[ \t]+[\w:-]+(?:[ \t]*=[ \t]*(?:"[^"\n]*"|'[^'\n]*'|[^\s"'<>]+?))?)*`
	value      = `[ \t]*=[ \t]*(?:"([^"]*)"|'([^']*)'|([^\s"'<>]+?)(?:[ \t]|/?>))`
)

// fileTags matches the names that tools and models give to elements with the whole text of a file. A
// document, and a file without attributes, may name its file in an element inside or next to it.
const fileTags = `(?i:document|file|file_content|code_?file|code_?block|code|new_file|create_file|write_file|update_file)|boltAction|[a-z]+-(?:write|delete|rename)|(?:ant|xai)?[aA]rtifact`

var (
	fileTag    = lazyregexp.New(`^ {0,3}<(` + fileTags + `)` + attributes + `[ \t]*/?>`)
	anyTag     = lazyregexp.New(`<(?:` + fileTags + `)[ \t>]`)
	pathMember = lazyregexp.New(`[ \t](?:path|filePath|file_path)` + value)
	nameMember = lazyregexp.New(`[ \t](?:name|filename|fileName|file_name|file)` + value)
	// fromMember matches the old path in a tag that renames a file.
	fromMember = lazyregexp.New(`[ \t](?:original_file_path|from)` + value)
	// titleMember matches the title of an artifact, which may be a path.
	titleMember = lazyregexp.New(`[ \t]title[ \t]*=[ \t]*(?:"([^" ]*)"|'([^' ]*)')`)
	sourceTag   = lazyregexp.New(`^[ \t]*<(?:source|path|file_?path|file_?name)>[ \t]*([^<\s]*)[ \t]*</(?:source|path|file_?path|file_?name)>[ \t]*$`)
	contentTag  = lazyregexp.New(`^[ \t]*<(?:contents?|file_contents?)>`)
	closingTag  = lazyregexp.New(`^ {0,3}</(` + fileTags + `)>[ \t]*$`)
	variable    = lazyregexp.New(`[{}$<>*…|]|^[.\s]*$|://`)
)

// OpeningTag returns the tag with which a line, without its ending, begins a file. It returns false for any other line.
func OpeningTag(line string) (Tag, bool) {
	found := fileTag.FindStringSubmatch(line)
	if found == nil {
		return Tag{}, false
	}
	tag := found[0]
	m := pathMember.FindStringSubmatchIndex(tag)
	if m == nil {
		m = nameMember.FindStringSubmatchIndex(tag)
	}
	if strings.HasSuffix(found[1], "-rename") {
		m = fromMember.FindStringSubmatchIndex(tag)
	}
	if m == nil && strings.HasSuffix(found[1], "rtifact") {
		m = titleMember.FindStringSubmatchIndex(tag) // a title with a space is not a path
	}
	if bare := strings.HasSuffix(tag, "<file>"); m == nil {
		return Tag{Name: found[1], End: len(tag)}, bare || found[1] == "document" && !strings.HasSuffix(tag, "/>")
	}
	t := Tag{Name: found[1], End: len(tag), Lone: strings.HasSuffix(tag, "/>")}
	for i := 2; i < len(m); i += 2 {
		if m[i] >= 0 {
			t.Path = text.Span{Start: m[i], End: m[i+1]}
		}
	}
	return t, isFileName(t.Path.In(tag))
}

// OpensOther returns the name of the element that a line opens, if elements with this name may contain a file but this
// one does not, for example `<boltAction type="shell">`. Otherwise it returns "".
func OpensOther(line string) string {
	found := fileTag.FindStringSubmatch(line)
	if found == nil || strings.HasSuffix(found[0], "/>") || strings.Contains(line, "</"+found[1]+">") {
		return ""
	}
	if _, ok := OpeningTag(line); ok {
		return ""
	}
	return found[1]
}

// HasFileTags reports whether a document may contain a file between tags.
func HasFileTags(doc string) bool { return anyTag.MatchString(doc) }

// Source returns the path on a line such as `<source>PATH</source>`.
func Source(line string) (path text.Span, ok bool) {
	m := sourceTag.FindStringSubmatchIndex(line)
	if m == nil {
		return text.Span{}, false
	}
	path = text.Span{Start: m[2], End: m[3]}
	return path, isFileName(path.In(line))
}

// isFileName reports whether a path may name a file. A variable of a template, a URL or a plain word in lower case does
// not name a file.
func isFileName(path string) bool {
	return !variable.MatchString(path) && (strings.ContainsAny(path, "./") || strings.ToLower(path) != path)
}

// ClosingTag returns the name in the closing tag on a line, without its ending, or "" if the line is not a closing tag.
func ClosingTag(line string) string {
	if m := closingTag.FindStringSubmatch(line); m != nil {
		return m[1]
	}
	return ""
}

// BeginsTagged starts to read a file between tags if a line opens one. It returns nil if the line opens none, or closes
// it as well.
func BeginsTagged(line string) *TaggedFile {
	if !strings.HasPrefix(strings.TrimLeft(line, " "), "<") {
		return nil
	}
	tag, ok := OpeningTag(line)
	if !ok || tag.Lone || strings.HasSuffix(strings.TrimRight(line[tag.End:], " \t"), "</"+tag.Name+">") {
		return nil
	}
	e := &TaggedFile{Name: tag.Name, depth: 1, inside: tag.Path.Empty()}
	if e.first(line[tag.End:]); e.broken {
		return nil
	}
	return e
}

func (e *TaggedFile) Whole() bool { return e.complete }

// Read reads the next line, without its ending. It returns true if the element ends with the
// line, or is invalid.
func (e *TaggedFile) Read(line string) (over bool) {
	switch {
	case !e.begun:
		e.first(line)
	case e.cdata:
		e.inCDATA(line)
	default:
		e.text(line)
	}
	return e.complete || e.broken
}

func (e *TaggedFile) first(line string) {
	if isBlankLine(line) {
		return
	}
	e.begun = true
	switch rest, cdata := strings.CutPrefix(strings.TrimLeft(line, " \t"), "<![CDATA["); {
	case e.content:
		e.content, e.broken = false, !contentTag.MatchString(line)
	case e.inside:
		_, ok := Source(line)
		e.inside, e.broken = false, !ok
		e.content = e.Name != "document" // other XML may also list paths, so the element with the text must follow
		e.begun = !e.content
	case cdata:
		e.cdata = true
		e.inCDATA(rest)
	default:
		e.text(line)
	}
}

// inCDATA reads a line of CDATA. `]]>` ends the CDATA only if the closing tag follows, because a text about XML may
// contain `]]>`.
func (e *TaggedFile) inCDATA(line string) {
	tail := strings.TrimRight(line, " \t")
	switch {
	case e.cdataEnd && ClosingTag(line) == e.Name, strings.HasSuffix(tail, "]]></"+e.Name+">"):
		e.complete = true
	case !isBlankLine(line) || !e.cdataEnd:
		e.cdataEnd = strings.HasSuffix(tail, "]]>")
	}
}

func (e *TaggedFile) text(line string) {
	if ClosingTag(line) == e.Name {
		e.depth--
		e.complete = e.depth == 0
	} else if inner := BeginsTagged(line); inner != nil && inner.Name == e.Name {
		e.depth++
	}
}
