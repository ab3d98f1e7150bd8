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

	// the names of the two paths of a rename
	oldPaths, newPaths = []string{"original_file_path", "from"}, []string{"new_file_path", "to"}

	actionNames = []string{"action", "operation", "op", "status"}
	// about has the attributes that do not affect the meaning of the text between the tags.
	about = []string{"path", "filepath", "file_path", "name", "filename", "file_name", "file", "identifier", "artifact_id", "artifact_version_id", "contenttype", "version", "index", "id", "new", "active", "language", "lang", "type", "title", "description", "reason", "summary"}
	// actions maps values of an attribute to operations on the file.
	actions = map[string]intent.Kind{
		"create": intent.Create, "created": intent.Create, "add": intent.Create, "added": intent.Create, "new": intent.Create,
		"update": intent.Replace, "updated": intent.Replace, "modify": intent.Replace, "modified": intent.Replace, "edit": intent.Replace, "edited": intent.Replace,
		"replace": intent.Replace, "replaced": intent.Replace, "rewrite": intent.Replace, "change": intent.Replace, "changed": intent.Replace,
		"write": intent.Write, "overwrite": intent.Write,
		"delete": intent.Delete, "deleted": intent.Delete, "remove": intent.Delete, "removed": intent.Delete,
	}
)

// attributes reads the attributes of a tag, some of which give the operation on the file. An unknown attribute is an
// error, because it may mean that the text is only a part of the file.
func (r *reader) attributes(c *intent.Change, tag text.Span) {
	c.Kind = actionOf(tag.In(r.body))
	said := c.Kind != intent.Write || tagSays(tag.In(r.body))
	for _, m := range members(tag.In(r.body)) {
		at := m.at.Shift(tag.Start)
		kind, known := actions[m.value]
		switch {
		case m.name == "new":
			c.Kind, said = intent.Create, true
		case c.Kind == intent.Rename && slices.Contains(newPaths, m.name):
			c.ToAt.Span = m.valueAt.Shift(tag.Start)
			c.To = c.ToAt.Span.In(r.body)
		case slices.Contains(about, m.name), c.Kind == intent.Rename && slices.Contains(oldPaths, m.name):
		case slices.Contains(actionNames, m.name) && known:
			c.Kind, said = kind, true
		default:
			r.parsed.Report(diag.TagsAttribute, at, fmt.Sprintf("`%s` may mean that the text is only a part of the file; if it is the whole file, remove the attribute", at.In(r.body)),
				diag.Fix{Title: "Remove the attribute", Edits: []text.Edit{{Span: text.Span{Start: at.Start - 1, End: at.End}}}})
		}
	}
	if c.Kind == intent.Rename && c.To == "" {
		r.parsed.Report(diag.TagsAttribute, tag, "the tag renames a file, but does not say to which path")
	}
	c.NeedsFolder = !said
	if end := c.PathAt.Span.End; !said && end < len(r.body) {
		if q := r.body[end]; q == '"' || q == '\'' {
			end++
		}
		c.KindAt = intent.Literal{Span: text.Span{Start: end, End: end}, Name: c.PathAt.Span, As: actionNotation{}}
	}
}

// tagSays reports whether the name of a tag requests writing the file even if it does not exist.
func tagSays(tag string) bool {
	tag, _, _ = strings.Cut(strings.TrimLeft(tag, " <"), " ")
	return slices.ContainsFunc([]string{"boltaction", "create", "write", "new"}, func(word string) bool { return strings.Contains(strings.ToLower(tag), word) })
}

type actionNotation struct{}

// Write implements [intent.Notation].
func (actionNotation) Write(kind string) string { return ` action="` + kind + `"` }

type member struct {
	name, value string    // in lower case
	at          text.Span // without the blank before it
	valueAt     text.Span // without quotes
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
			a.at.End, a.valueAt = at+m[5], text.Span{Start: at + m[4], End: at + m[5]}
			if q := tag[a.valueAt.Start]; q == '"' || q == '\'' {
				a.valueAt = text.Span{Start: a.valueAt.Start + 1, End: a.valueAt.End - 1}
			}
			a.value = strings.ToLower(a.valueAt.In(tag))
		}
		found = append(found, a)
		at = a.at.End
	}
	return found
}

func actionOf(tag string) intent.Kind {
	name, _, _ := strings.Cut(strings.TrimLeft(tag, " <"), " ")
	switch {
	case strings.HasSuffix(name, "-delete"):
		return intent.Delete
	case strings.HasSuffix(name, "-rename"):
		return intent.Rename
	}
	return intent.Write
}

func actionIn(tag string) intent.Kind {
	for _, m := range members(tag) {
		if kind, ok := actions[m.value]; ok && slices.Contains(actionNames, m.name) {
			return kind
		}
	}
	return actionOf(tag)
}
