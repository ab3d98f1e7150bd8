// Package filetags reads whole files between tags (docs/formats/file-tags.md). Tools that pack repositories write
// such files, and models imitate them.
package filetags

import (
	"path"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/artifact"
	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/mdblock"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// Format is the format of files between tags.
var Format = format.Format{
	Name:   "file-tags",
	Title:  "a file between tags",
	Noun:   "patch",
	Part:   "part",
	Guest:  true,
	Claims: format.Claims{Find: find},
	Parse:  parse,
	Editor: format.Editor{Outline: format.OutlineParts("Files", "file", nil), Mention: format.MentionPathOrPart, Complete: format.CompletePaths(parse), Folds: true},
}

type reader struct {
	body   string
	lines  *text.Lines
	parsed format.Parsed
}

func parse(r *format.Region) format.Parsed { return read(r).parsed }

func read(r *format.Region) *reader {
	rd := &reader{body: r.Body, lines: text.NewLines(r.Body)}
	for i := 0; i < rd.lines.Count(); {
		i = rd.line(i, r.Fenced)
	}
	if rd.parsed.Entries == 0 && !diag.HasErrors(rd.parsed.Diagnostics) {
		rd.parsed.Report(diag.TagsBroken, rd.lines.Line(0), "there is no file here: `<file path=\"PATH\">` begins one")
	}
	rd.parsed.Summary = format.Count(rd.parsed.Entries, "file")
	return rd
}

// line reads the element that begins on a line, or skips the line. It returns the next line to read. If `alone` is
// true, text between elements is an error.
func (r *reader) line(i int, alone bool) int {
	line := r.lines.Line(i)
	if to, whole, ok := element(r.body, r.lines, i); ok {
		r.parsed.Entries++
		if whole {
			r.file(i, to)
		} else {
			r.parsed.Report(diag.TagsBroken, line, "this tag is not closed; write "+closing+" on a line of its own")
		}
		return to
	}
	switch s := line.In(r.body); {
	case mdblock.ClosingTag(s) != "":
		r.parsed.Report(diag.TagsBroken, line, "there is no file for this tag to close: the file above ended at an earlier tag, so its text may be cut off there; put a text with such tags between `<![CDATA[` and `]]>`")
	case alone && strings.TrimSpace(s) != "" && !isAround(s):
		r.parsed.Report(diag.TagsBroken, line, "the line is outside of any file; "+closing+" ended the file above")
	}
	return i + 1
}

const closing = "`</file>` (or `</document>`)"

// element returns the line after the element that begins on line i, and whether the element is complete. ok is false
// if no element with a path begins there.
func element(body string, lines *text.Lines, i int) (to int, whole, ok bool) {
	line := lines.Line(i).In(body)
	tag, ok := mdblock.OpeningTag(line)
	if !ok {
		return 0, false, false
	}
	if tag.Lone {
		kind := actionIn(line[:tag.End])
		return i + 1, true, kind == intent.Delete || kind == intent.Rename
	}
	e := mdblock.BeginsTagged(line)
	if e == nil {
		return i + 1, true, !tag.Path.Empty()
	}
	for to = i + 1; to < lines.Count(); to++ {
		if e.Read(lines.Line(to).In(body)) {
			return to + 1, e.Whole(), e.Whole()
		}
	}
	return to, false, true
}

// isAround reports whether a line is a tag around several files.
func isAround(line string) bool {
	switch line = strings.TrimSpace(line); line {
	case "<files>", "</files>", "<documents>", "</documents>", "<repomix>", "</repomix>":
		return true
	}
	return strings.HasPrefix(line, "<boltArtifact") || line == "</boltArtifact>"
}

func (r *reader) file(from, to int) {
	errors := len(r.parsed.Diagnostics)
	at := text.Span{Start: r.lines.Start(from), End: r.lines.Start(to)}
	tag, _ := mdblock.OpeningTag(r.lines.Line(from).In(r.body))
	c := intent.Change{At: at, MayBePart: true, OpenEnd: true}
	inner := r.inner(tag, from, to)
	if tag.Path.Empty() {
		c.Kind, c.NeedsFolder = intent.Write, true
		if tag.Name == "document" {
			c.Kind, c.NeedsFolder = intent.Replace, false
		}
		c.PathAt.Span, inner = r.source(inner)
	} else {
		c.PathAt.Span = tag.Path.Shift(at.Start)
		r.attributes(&c, text.Span{Start: at.Start, End: at.Start + tag.End})
	}
	c.Path = c.PathAt.Span.In(r.body)
	r.content(&c, inner)
	if diag.HasErrors(r.parsed.Diagnostics[errors:]) {
		return
	}
	r.parsed.Readable++
	r.parsed.Set.Changes = append(r.parsed.Set.Changes, c)
}

// inner returns the text between the tags of an element, as whole lines if the tags are alone on their lines.
func (r *reader) inner(tag mdblock.Tag, from, to int) text.Span {
	last := r.lines.Line(to - 1)
	in := text.Span{Start: r.lines.Start(from) + tag.End, End: last.End}
	if tag.Lone {
		return text.Span{Start: in.Start, End: in.Start}
	}
	in.End = last.Start + strings.LastIndex(last.In(r.body), "</")
	if to-1 > from && strings.TrimSpace(r.body[last.Start:in.End]) == "" {
		in.End = last.Start
	}
	return r.withoutFirstEnd(in)
}

// withoutFirstEnd skips the first line of a span if it is blank.
func (r *reader) withoutFirstEnd(in text.Span) text.Span {
	end, next := text.LineEnd(r.body, in.Start)
	if next <= in.End && strings.TrimSpace(r.body[in.Start:end]) == "" {
		in.Start = next
	}
	return in
}

// source returns the path of a document, which is in its text, and the rest of the text.
func (r *reader) source(in text.Span) (path, rest text.Span) {
	in = r.skipBlank(in)
	end, next := text.LineEnd(r.body, in.Start)
	path, _ = mdblock.Source(r.body[in.Start:min(end, in.End)])
	path = path.Shift(in.Start)
	in.Start = min(next, in.End)
	return path, r.unwrapped(in)
}

// unwrapped returns the text inside an element such as `<document_content>`, or the whole text.
func (r *reader) unwrapped(in text.Span) text.Span {
	inner := strings.TrimSpace(in.In(r.body))
	for _, name := range []string{"document_content", "document_contents", "content", "contents", "file_content", "file_contents"} {
		if !strings.HasPrefix(inner, "<"+name+">") {
			continue
		}
		start := in.Start + strings.Index(in.In(r.body), inner)
		if !strings.HasSuffix(inner, "</"+name+">") {
			r.parsed.Report(diag.TagsBroken, firstLine(r.body, text.Span{Start: start, End: in.End}), "this tag is not closed before the document ends, so its text may be cut off")
			return in
		}
		in = text.Span{Start: start + len(name) + 2, End: start + len(inner) - len(name) - 3}
		if start := strings.LastIndexByte(in.In(r.body), '\n') + 1; start > 0 && strings.TrimSpace(r.body[in.Start+start:in.End]) == "" {
			in.End = in.Start + start
		}
		return r.withoutFirstEnd(in)
	}
	return in
}

func (r *reader) skipBlank(in text.Span) text.Span {
	for in.Start < in.End {
		end, next := text.LineEnd(r.body, in.Start)
		if strings.TrimSpace(r.body[in.Start:min(end, in.End)]) != "" {
			break
		}
		in.Start = min(next, in.End)
	}
	return in
}

func (r *reader) content(c *intent.Change, in text.Span) {
	inner, cdata := r.cdata(in)
	if c.Kind == intent.Delete || c.Kind == intent.Rename {
		if strings.TrimSpace(inner.In(r.body)) != "" {
			r.parsed.Report(diag.TagsContent, c.PathAt.Span, "the tag deletes or renames the file, but also contains text for it; keep only one of the two")
		}
		return
	}
	if !cdata {
		inner = r.unfenced(c, inner)
	}
	s := inner.In(r.body)
	if message := notContent(c.Path, s); message != "" {
		r.parsed.Report(diag.TagsContent, firstLine(r.body, r.skipBlank(inner)), message)
		return
	}
	if text.IndentedAs(r.body, c.At.Start, inner) {
		r.parsed.Report(diag.TagsContent, firstLine(r.body, r.skipBlank(inner)), "all lines of the text are indented like its tag, so it is unclear whether the indentation is part of the text; write the tag and the text without indentation")
		return
	}
	c.ContentAt.Span = inner
	if c.Content = s; !cdata && artifact.Escaped(s) {
		c.Content, c.Escaped = artifact.Unescape(s), text.Ended(s)
		c.ContentAt.As, c.ContentAt.Name = escaped{}, firstLine(r.body, r.skipBlank(inner))
	} else if cdata && strings.Contains(s, splitEnd) {
		c.Content, c.ContentAt.As = strings.ReplaceAll(s, splitEnd, "]]>"), inCDATA{}
	}
	c.Content = text.Ended(c.Content)
}

// splitEnd stands for `]]>` in a CDATA section, which `]]>` itself would end.
const splitEnd = "]]]]><![CDATA[>"

func (r *reader) cdata(in text.Span) (inner text.Span, ok bool) {
	s := strings.TrimSpace(in.In(r.body))
	if !strings.HasPrefix(s, "<![CDATA[") || !strings.HasSuffix(s, "]]>") {
		return in, false
	}
	start := in.Start + strings.Index(in.In(r.body), s)
	return r.withoutFirstEnd(text.Span{Start: start + len("<![CDATA["), End: start + len(s) - len("]]>")}), true
}

var markupTags = []string{"md", "mdx", "markdown", "txt", "text", "rst", "adoc"}

// unfenced removes the fence around a text. In a document, such as a Markdown file, the fence may belong to the
// text, so it stays.
func (r *reader) unfenced(c *intent.Change, in text.Span) text.Span {
	first := firstLine(r.body, r.skipBlank(in))
	fence, info := mdblock.FenceOf(first.In(r.body))
	end := in.Start + len(strings.TrimRight(in.In(r.body), " \t\r\n"))
	last := max(in.Start, strings.LastIndexByte(r.body[:end], '\n')+1)
	if fence == "" {
		return in
	}
	document := artifact.IsDocument(c.Path) || path.Ext(c.Path) == ""
	mark := strings.TrimSpace(r.body[last:end])
	if last <= first.Start || len(mark) < len(fence) || strings.Trim(mark, fence[:1]) != "" {
		if !document {
			r.parsed.Report(diag.TagsContent, first, "the fence around the text of the file is not closed at its end, so the text may be cut off")
		}
		return in
	}
	if document && !slices.Contains(markupTags, strings.ToLower(info)) {
		r.parsed.Report(diag.TagsReading, first, "the fence around the whole text is read as a part of "+c.Path+", but perhaps it does not belong to the file; if so, remove the fence")
		return in
	}
	_, start := text.LineEnd(r.body, first.Start)
	return text.Span{Start: start, End: last}
}

func firstLine(body string, in text.Span) text.Span {
	end, _ := text.LineEnd(body, in.Start)
	return text.Span{Start: in.Start, End: min(end, in.End)}
}

var (
	elementLine = lazyregexp.New(`^[ \t]*<(?:changes?|edits?|diff|search|replace|content|description|code)>`)
	patches     = []string{".diff", ".patch"}
)

// notContent returns the reason why a text cannot be the whole text of a file, or "".
func notContent(name, s string) string {
	ext := strings.ToLower(path.Ext(name))
	lines := strings.Split(strings.TrimLeft(s, " \t\r\n"), "\n")
	first := strings.TrimRight(lines[0], " \t\r")
	switch {
	case slices.Contains(patches, ext):
	case strings.HasPrefix(first, "@@ "), strings.HasPrefix(first, "diff --git "), mdblock.BeginsPatch(first), mdblock.MarkOf(first) == mdblock.SearchMark,
		strings.HasPrefix(first, "--- ") && len(lines) > 1 && strings.HasPrefix(lines[1], "+++ "),
		elementLine.MatchString(first) && !artifact.IsMarkup(name):
		return "the text is a change to the file, not the whole file; write the change without the tags, or write the whole file"
	}
	return ""
}

type escaped struct{}

// Write implements [intent.Notation].
func (escaped) Write(s string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(s)
}

type inCDATA struct{}

// Write implements [intent.Notation].
func (inCDATA) Write(s string) string { return strings.ReplaceAll(s, "]]>", splitEnd) }
