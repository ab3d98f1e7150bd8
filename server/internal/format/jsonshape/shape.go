// Package jsonshape is what the formats that are written in JSON share: which
// family a block belongs to, and how members are read so that each thing that is
// wrong is reported where it is.
package jsonshape

import (
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/lenientjson"
	"github.com/aptix-dev/aptix/server/internal/mdblock"
)

// begins reports whether a text is JSON from its first byte on.
func begins(s string) bool {
	s = strings.TrimLeft(strings.TrimPrefix(s, "\ufeff"), " \t\r\n")
	return strings.HasPrefix(s, "{") || strings.HasPrefix(s, "[")
}

// A Family is a group of blocks that one format reads.
type Family int

// The families. Other is JSON that is none of our business, or no JSON at all.
const (
	Other Family = iota
	Bundle
	Structured
	Lines
)

// A reading is a body read as JSON in the dialect of edits: once, for all formats
// that are asked whether it is theirs.
type reading struct {
	root        *lenientjson.Node
	diagnostics []diag.Diagnostic
}

func readOnce(r *format.Region) *reading {
	if known, ok := r.Shared.(*reading); ok {
		return known
	}
	found := &reading{}
	found.root, found.diagnostics = lenientjson.ParseAs(r.Body, edits.names)
	r.Shared = found
	return found
}

// Of is the family of a region, broken or not.
func Of(r *format.Region) Family {
	read, ok := r.Shared.(*reading) // by another format in JSON
	if !ok && !mayBeOurs(r.Body) {
		return Other
	}
	if !ok {
		read = readOnce(r)
	}
	if family, _ := ofTree(read.root); family != Other {
		return family
	}
	if read.root.Kind == lenientjson.Array {
		return ofEntries(read.root)
	}
	if understood(read.diagnostics) {
		return Other
	}
	return ofWords(r.Body)
}

// Unmistakable is the family of a region that no tag vouches for: one whose entries say
// what to do with which file, and with nothing around it.
func Unmistakable(r *format.Region) Family {
	if !mayBeOurs(r.Body) || !strings.HasPrefix(strings.TrimLeft(r.Body, " \t\r\n\ufeff"), "{") {
		return Other
	}
	read := readOnce(r)
	family, certain := ofTree(read.root)
	if !certain || isCode(read.diagnostics) {
		return Other
	}
	return family
}

// isCode reports whether bare names are followed by the sign in place of a colon: such a text
// is in another language.
func isCode(diags []diag.Diagnostic) bool {
	has := func(code diag.Code) bool {
		return slices.ContainsFunc(diags, func(d diag.Diagnostic) bool { return d.Code == code })
	}
	return has(diag.JSONUnquotedName) && has(diag.JSONMissingColon)
}

// Claims is what a format in JSON claims: blocks of its family.
func Claims(f Family) format.Claims {
	return format.Claims{
		Fences:       mdblock.JSONTags, // what is in jsonc and json5 must still be JSON
		Shaped:       func(r *format.Region) bool { return Of(r) == f },
		Unmistakable: func(r *format.Region) bool { return Unmistakable(r) == f },
	}
}

// Files are those of every format in JSON.
var Files = format.Files{Names: []string{".aptix.json"}, SharedNames: []string{".json"}, Begins: begins}

// ofEntries is the family of a list of entries with no object around it. All of
// them must be ours, and have no members of anybody else.
func ofEntries(list *lenientjson.Node) Family {
	all := func(names []string, entry func(*lenientjson.Node) (is, certain bool)) bool {
		return len(list.Elems) > 0 && !slices.ContainsFunc(list.Elems, func(e *lenientjson.Node) bool {
			_, certain := entry(e)
			return !certain || !onlyHas(e, names...)
		})
	}
	switch {
	case all(fileMembers, isWholeFileEntry):
		return Bundle
	case all(patchMembers, isPatchEntry):
		return Structured
	case all(LineFileMembers, isLineEntry):
		return Lines
	}
	return Other
}

// isWholeFileEntry is isFileEntry, where the values have the right types as well.
func isWholeFileEntry(n *lenientjson.Node) (is, certain bool) {
	is, certain = isFileEntry(n)
	for _, m := range n.Members {
		switch {
		case m.Value.Kind == lenientjson.Null || m.Value.Kind == lenientjson.Invalid:
		case m.Key.Text == "patches":
			certain = certain && m.Value.Kind == lenientjson.Array
		case m.Key.Text == "operation":
			certain = certain && m.Value.Kind == lenientjson.String && same(m.Value.Text, Operations()) != ""
		default:
			certain = certain && m.Value.Kind == lenientjson.String
		}
	}
	return is, certain
}

// mayBeOurs is false for most JSON, at no cost.
func mayBeOurs(body string) bool {
	has := func(name string) bool { return strings.Contains(body, name) }
	if strings.HasPrefix(strings.TrimLeft(body, " \t\r\n\ufeff"), "[") {
		return has("path") || has("docPath")
	}
	return has("files") || has("patches") || has("docPath") || has(`\u00`)
}

// understood reports whether the tree is all that a body says, although it is no
// strict JSON: configuration files often have comments and trailing commas.
func understood(diags []diag.Diagnostic) bool {
	return !slices.ContainsFunc(diags, func(d diag.Diagnostic) bool {
		return d.Severity == diag.Error && d.Code != diag.JSONComment && d.Code != diag.JSONTrailingComma
	})
}

// ofTree judges by what could be read. Much other JSON has a member files, such
// as the configuration of compilers: only the entries decide.
func ofTree(root *lenientjson.Node) (family Family, certain bool) {
	files, patches := root.Member("files"), root.Member("patches")
	bundle, bundleCertain := isBundle(root, files)
	structured, structuredCertain := isStructured(root, patches)
	lines, linesCertain := isLinePatch(root, files, patches)
	switch {
	case lines && !bundleCertain && !structuredCertain:
		return Lines, linesCertain
	case bundle || (structured && files != nil):
		return Bundle, bundleCertain || structuredCertain
	case structured:
		return Structured, structuredCertain
	}
	return Other, false
}

func isBundle(root *lenientjson.Node, files *lenientjson.Member) (is, certain bool) {
	return isList(root, files, isFileEntry)
}

func isStructured(root *lenientjson.Node, patches *lenientjson.Member) (is, certain bool) {
	return isList(root, patches, isPatchEntry)
}

// isList judges a member by its entries, and where it has none, by what is
// around it.
func isList(root *lenientjson.Node, list *lenientjson.Member, entry func(*lenientjson.Node) (is, certain bool)) (is, certain bool) {
	if list == nil {
		return false, false
	}
	for _, e := range list.Value.Elems {
		isEntry, certainEntry := entry(e)
		is, certain = is || isEntry, certain || certainEntry
	}
	if is {
		return is, certain
	}
	if one, _ := entry(list.Value); one {
		return true, false // the entry without its array
	}
	return hasRootOnly(root) && !hasPlainElements(list.Value) && list.Value.Kind != lenientjson.String, false
}

// hasRootOnly reports whether an object has a root and nothing foreign.
func hasRootOnly(root *lenientjson.Node) bool {
	r := root.Member("root")
	return r != nil && r.Value.Kind == lenientjson.String && onlyHas(root, "root", "files", "patches")
}

// hasPlainElements reports whether an array lists something else than objects.
func hasPlainElements(n *lenientjson.Node) bool {
	return slices.ContainsFunc(n.Elems, func(e *lenientjson.Node) bool { return e.Kind != lenientjson.Object })
}

func onlyHas(n *lenientjson.Node, names ...string) bool {
	return !slices.ContainsFunc(n.Members, func(m lenientjson.Member) bool { return !slices.Contains(names, m.Key.Text) })
}

// isFileEntry: a path alone is an entry that lacks its content; a path beside
// foreign members is a listing of files.
func isFileEntry(n *lenientjson.Node) (is, certain bool) {
	path, does := has(n, "path"), has(n, "operation") || has(n, "content") || has(n, "patches")
	switch {
	case has(n, "docPath") && !path:
		return false, false // a line patch
	case path:
		return does || onlyHas(n, "path"), does
	}
	return does && onlyHas(n, fileMembers...) || has(n, "content"), false
}

var (
	fileMembers  = []string{"path", "operation", "content", "patches"}
	patchMembers = []string{"path", "replacements", "find", "replace", "limit"}
)

// isPatchEntry: much other JSON has patches with a path.
func isPatchEntry(n *lenientjson.Node) (is, certain bool) {
	path := has(n, "path")
	literal := has(n, "find") && has(n, "replace")
	does := literal || has(n, "replacements")
	whole := has(n, "content") || has(n, "operation") // a mistake that must be told
	return does || has(n, "find") || (path && whole), path && does
}

func has(n *lenientjson.Node, name string) bool { return n.Member(name) != nil }

// ofWords judges a text that is no JSON by the names in it. The first of files
// and patches decides: the other is in an entry or in a file's content.
func ofWords(body string) Family {
	files, patches := named(body, "files"), named(body, "patches")
	if linesOfWords(body, files >= 0 || patches >= 0) {
		return Lines
	}
	if files < 0 && patches < 0 {
		return Other
	}
	if named(body, "path") < 0 && named(body, "find") < 0 && named(body, "content") < 0 {
		return Other
	}
	if files >= 0 && (patches < 0 || files < patches) {
		return Bundle
	}
	return Structured
}

// named is the offset at which name is written as the name of a member, in any
// quoting or none; -1 where it does not.
func named(body, name string) int {
	for at := 0; ; {
		i := strings.Index(body[at:], name)
		if i < 0 {
			return -1
		}
		start := at + i
		at = start + len(name)
		if (start == 0 || !inWord(body[start-1])) && colonFollows(body[at:min(at+64, len(body))]) {
			return start
		}
	}
}

func inWord(c byte) bool {
	return c == '_' || c == '-' || c == '.' || c == '/' || c == '$' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// colonFollows reports whether s begins with a colon, after a closing quote of
// any kind. After such a quote "=" is meant for one; after a bare name it is code.
func colonFollows(s string) bool {
	s = strings.TrimLeft(s, `\`)
	for _, quote := range []string{`"`, "'", "`", "“", "”", "„", "‘", "’", "«", "»", "&quot;", "&#34;", "&#39;"} {
		if rest, ok := strings.CutPrefix(s, quote); ok {
			s = rest
			if strings.HasPrefix(strings.TrimLeft(s, " \t"), "=") {
				return true
			}
			break
		}
	}
	return strings.HasPrefix(strings.TrimLeft(s, " \t\r\n"), ":")
}
