package filetags

import (
	"path"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/artifact"
	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/mdblock"
	"github.com/aptix-dev/aptix/server/internal/text"
)

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
