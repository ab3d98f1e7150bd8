package filetags

import (
	"fmt"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/text"
)

var (
	attribute = lazyregexp.New(`[ \t]+([\w:-]+)(?:[ \t]*=[ \t]*("[^"\n]*"|'[^'\n]*'|[^\s"'<>]+?))?(?:[ \t]|/?>|$)`)

	actionNames = []string{"action", "operation", "op", "status"}
	// about lists attributes that do not describe the file's text.
	about = []string{"path", "filepath", "file_path", "name", "filename", "file_name", "file", "identifier", "artifact_id", "artifact_version_id", "contenttype", "version", "index", "id", "new", "active", "language", "lang", "type", "title", "description", "reason", "summary"}
	// actions maps values of an attribute to the operation on the file.
	actions = map[string]intent.Kind{
		"create": intent.Create, "created": intent.Create, "add": intent.Create, "added": intent.Create, "new": intent.Create,
		"update": intent.Replace, "updated": intent.Replace, "modify": intent.Replace, "modified": intent.Replace, "edit": intent.Replace, "edited": intent.Replace,
		"replace": intent.Replace, "replaced": intent.Replace, "rewrite": intent.Replace, "change": intent.Replace, "changed": intent.Replace,
		"write": intent.Write, "overwrite": intent.Write,
		"delete": intent.Delete, "deleted": intent.Delete, "remove": intent.Delete, "removed": intent.Delete,
	}
)

// attributes reads the attributes of a tag, some of which name the operation on the file. An
// unknown attribute may mean that the text is only a part of the file.
func (r *reader) attributes(c *intent.Change, tag text.Span) {
	c.Kind = intent.Write
	said := tagSays(tag.In(r.body))
	for _, m := range members(tag.In(r.body)) {
		at := m.at.Shift(tag.Start)
		kind, known := actions[m.value]
		switch {
		case m.name == "new":
			c.Kind, said = intent.Create, true
		case slices.Contains(about, m.name):
		case slices.Contains(actionNames, m.name) && known:
			c.Kind, said = kind, true
		default:
			r.parsed.Report(diag.TagsAttribute, at, fmt.Sprintf("`%s` may mean that the text is only a part of the file; if it is the whole file, remove the attribute", at.In(r.body)),
				diag.Fix{Title: "Remove the attribute", Edits: []text.Edit{{Span: text.Span{Start: at.Start - 1, End: at.End}}}})
		}
	}
	c.NeedsFolder = !said
	if end := c.PathAt.Span.End; !said && end < len(r.body) {
		if q := r.body[end]; q == '"' || q == '\'' {
			end++
		}
		c.KindAt = intent.Literal{Span: text.Span{Start: end, End: end}, Name: c.PathAt.Span, As: actionNotation{}}
	}
}

// tagSays reports whether the name of a tag asks to write the file, whether the file already exists or
// not.
func tagSays(tag string) bool {
	tag, _, _ = strings.Cut(strings.TrimLeft(tag, " <"), " ")
	return slices.ContainsFunc([]string{"boltaction", "create", "write", "new"}, func(word string) bool { return strings.Contains(strings.ToLower(tag), word) })
}

// actionNotation writes the operation on a file as an attribute.
type actionNotation struct{}

// Write implements [intent.Notation].
func (actionNotation) Write(kind string) string { return ` action="` + kind + `"` }

// A member is one attribute of a tag.
type member struct {
	name, value string    // the name is in lower case
	at          text.Span // the attribute without the blank before it
}

func members(tag string) (found []member) {
	name := strings.IndexByte(tag, '<') + 1 // the tag may be indented
	for at := name + strings.IndexAny(tag[name:], " \t"); at >= name && at < len(tag); {
		m := attribute.FindStringSubmatchIndex(tag[at:])
		if m == nil || m[0] > 0 {
			break
		}
		a := member{name: strings.ToLower(tag[at+m[2] : at+m[3]]), at: text.Span{Start: at + m[2], End: at + m[3]}}
		if m[4] >= 0 {
			a.value, a.at.End = strings.ToLower(strings.Trim(tag[at+m[4]:at+m[5]], `"'`)), at+m[5]
		}
		found = append(found, a)
		at = a.at.End
	}
	return found
}

// actionIn returns the operation that a tag names for its file.
func actionIn(tag string) intent.Kind {
	for _, m := range members(tag) {
		if kind, ok := actions[m.value]; ok && slices.Contains(actionNames, m.name) {
			return kind
		}
	}
	return intent.Write
}
