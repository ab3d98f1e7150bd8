package jsonshape

import (
	"slices"
	"strings"
	"sync"

	"github.com/aptix-dev/aptix/server/internal/lenientjson"
	"github.com/aptix-dev/aptix/server/internal/place"
	"github.com/aptix-dev/aptix/server/internal/schema"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A dialect is the vocabulary of some formats: the names of members, and other words that models use for them. A
// member with a meaning in the dialect is never ignored.
type dialect struct {
	names lenientjson.Names
	// Other names for each member that models use, in lower case, without dashes and underscores.
	aliases        map[string][]string
	operations     func() []string
	operationWords map[string]string // the operation for each word that models use
}

var edits = &dialect{
	names: lenientjson.Names{"root": false, "files": false, "patches": false, "path": false, "operation": false, "content": true,
		"replacements": false, "find": true, "replace": true, "limit": false,
		"docPath": false, "originalSha256": false, "changes": false},
	aliases: map[string][]string{
		"path":         {"file", "filepath", "filename", "name", "docpath", "target", "relativepath"},
		"operation":    {"op", "action", "type", "mode", "kind", "command"},
		"content":      {"contents", "text", "body", "code", "newcontent", "filecontent", "fulltext", "data"},
		"patches":      {"replacements", "edits", "changes", "patch"},
		"replacements": {"patches", "edits", "changes"},
		"find":         {"search", "old", "oldtext", "oldstring", "oldstr", "original", "match", "pattern"},
		"replace":      {"replacement", "new", "newtext", "newstring", "newstr", "with", "replacewith"},
		"limit":        {"limits", "scope"},
	},
	operations: Operations,
	operationWords: map[string]string{
		"add": "create", "new": "create", "insert": "create", "createfile": "create",
		"update": "replace", "modify": "replace", "overwrite": "replace", "write": "replace", "change": "replace", "replacefile": "replace", "upsert": "replace",
		"remove": "delete", "del": "delete", "rm": "delete", "unlink": "delete", "deletefile": "delete",
		"edit": "patch", "diff": "gitPatch", "unified": "gitPatch", "unifieddiff": "gitPatch",
	},
}

// meaning returns the name in `names` that a member seems to mean. The meaning is certain if the two differ only in
// case, dashes and underscores.
func (d *dialect) meaning(m *lenientjson.Member, names []string) (name string, certain bool) {
	folded := fold(m.Key.Text)
	for _, name := range names {
		if folded == fold(name) {
			return name, true
		}
	}
	for _, name := range names {
		if slices.Contains(d.aliases[name], folded) && d.plausible(m, name) {
			return name, false
		}
	}
	return "", false
}

// plausible reports whether the value of a member suits the name that the member may mean. Members such as `type`
// and `mode` often mean other things.
func (d *dialect) plausible(m *lenientjson.Member, name string) bool {
	switch name {
	case "operation":
		return m.Value.Kind == lenientjson.String && nearest(m.Value.Text, d.operations(), d.operationWords) != ""
	case "files", "patches", "replacements", "changes", "newLines", "expectedOriginalLines":
		return m.Value.Kind == lenientjson.Array
	case "afterLine", "startLine", "endLine", "insert_line":
		return m.Value.Kind == lenientjson.Number
	}
	return m.Value.Kind == lenientjson.String
}

// fold returns a name in lower case, without dashes, underscores and spaces.
func fold(s string) string { return separators.Replace(strings.ToLower(s)) }

var separators = strings.NewReplacer("-", "", "_", "", " ", "")

// Operations returns the operations of an entry in a file bundle.
var Operations = sync.OnceValue(func() []string { return words(schema.At("files", "operation")) })

func words(p schema.Place) []string {
	return text.Each(p.Values(), func(v schema.Value) string { return v.Name })
}

var limits = sync.OnceValue(func() []string { return words(schema.At("patches", "limit")) })

var limitWords = map[string]string{
	"1": "once", "one": "once", "first": "once", "single": "once",
	"every": "all", "each": "all", "global": "all", "any": "all", "-1": "all", "unlimited": "all",
}

// same returns the known word that equals s except for case, dashes and underscores, or "".
func same(s string, known []string) string {
	return text.Find(known, func(word string) bool { return fold(strings.TrimSpace(s)) == fold(word) })
}

// nearest returns the known word that s seems to mean, or "".
func nearest(s string, known []string, words map[string]string) string {
	if word := same(s, known); word != "" {
		return word
	}
	folded := fold(strings.TrimSpace(s))
	if word := words[folded]; word != "" {
		return word
	}
	return text.Find(known, func(word string) bool { return len(folded) > 3 && distance(folded, fold(word)) <= 2 })
}

// distance returns the [place.Distance] of two names. If a is more than twice as long as b, it returns the length of
// a without comparing.
func distance(a, b string) int {
	if len(a) > 2*len(b) {
		return len(a)
	}
	return place.Distance(a, b)
}

func isOff(n *lenientjson.Node) bool {
	return n.Kind == lenientjson.Null || (n.Kind == lenientjson.Bool && n.Text == "false")
}

// options are members of other tools that would change the meaning of an entry, in lower case, without dashes and
// underscores.
var options = []string{"encoding", "base64", "isbase64", "regex", "isregex", "useregex", "regexp", "isregexp", "flags",
	"replaceall", "all", "global", "multiple", "count", "occurrence", "occurrences", "expectedreplacements", "expectedoccurrences", "index",
	"ignorecase", "ignorewhitespace", "caseinsensitive",
	"to", "newpath", "newname", "oldpath", "renameto", "moveto", "from", "append", "prepend", "insertafter", "insertbefore", "after", "before"}

// isOption reports whether a member requests something that Aptix does not do. It returns false for an encoding of
// UTF-8.
func isOption(m *lenientjson.Member) bool {
	name := fold(m.Key.Text)
	if name == "encoding" && slices.Contains([]string{"utf8", "text", "plain"}, fold(m.Value.Text)) {
		return false
	}
	return slices.Contains(options, name)
}
