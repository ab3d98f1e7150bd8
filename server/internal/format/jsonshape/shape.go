// Package jsonshape has the common parts of all formats in JSON. It determines the format of a block, and reads
// members so that each mistake is reported at its place.
package jsonshape

import (
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/edittools"
	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/lenientjson"
	"github.com/aptix-dev/aptix/server/internal/mdblock"
)

// Begins reports whether a text begins like JSON.
func Begins(s string) bool {
	s = strings.TrimLeft(s, " \t\r\n\ufeff")
	return strings.HasPrefix(s, "{") || strings.HasPrefix(s, "[")
}

// A Family is a format, or a group of formats, by the shape of a block.
type Family int

// Other is for unrelated JSON, and for text that is not JSON.
const (
	Other Family = iota
	Bundle
	Structured
	Lines
)

// A reading is the body of a block, read once as JSON for all formats that might claim the block.
type reading struct {
	root        *lenientjson.Node
	diagnostics []diag.Diagnostic
}

// argumentsOf returns the arguments of a call that writes a line patch (rule L1), or the value itself if it is not such
// a call. The name of the tool may have a prefix.
func argumentsOf(root *lenientjson.Node) *lenientjson.Node {
	if len(root.Members) == 2 && strings.HasSuffix(StringOf(root, "name"), "workspace_write_patch") {
		for _, name := range edittools.Holders {
			if m := root.Member(name); m != nil && m.Value.Kind == lenientjson.Object {
				return m.Value
			}
		}
	}
	return root
}

func readOnce(r *format.Region) *reading {
	if known, ok := r.Shared.(*reading); ok {
		return known
	}
	found := &reading{}
	found.root, found.diagnostics = lenientjson.ParseAs(r.Body, edits.names)
	found.root = argumentsOf(found.root)
	r.Shared = found
	return found
}

// Of returns the family of a region, broken or not.
func Of(r *format.Region) Family {
	read, ok := r.Shared.(*reading) // another JSON format may have stored the reading
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

// unmistakable returns the family of a region whose tag does not show it. An entry must name a file and an
// operation.
func unmistakable(r *format.Region) Family {
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

// isCode reports whether a text is code in another language: it has a name without quotes, before an operator other
// than a colon.
func isCode(diags []diag.Diagnostic) bool {
	has := func(code diag.Code) bool {
		return slices.ContainsFunc(diags, func(d diag.Diagnostic) bool { return d.Code == code })
	}
	return has(diag.JSONUnquotedName) && has(diag.JSONMissingColon)
}

// Claims returns the claims of a family's format.
func Claims(f Family) format.Claims {
	return format.Claims{
		Fences:       mdblock.Tags(mdblock.JSON), // in blocks with the tags jsonc and json5, too
		Shaped:       func(r *format.Region) bool { return Of(r) == f },
		Unmistakable: func(r *format.Region) bool { return unmistakable(r) == f },
	}
}

// Files lists the names of files in all JSON formats.
var Files = format.Files{Names: []string{".aptix.json"}, SharedNames: []string{".json"}, Begins: Begins}

// ofEntries returns the family of a list of entries without the object around it. Every entry must be of this family
// and have no other members.
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

// isWholeFileEntry is [isFileEntry], but certain only if the members have the right types.
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

// mayBeOurs is a quick test that excludes most unrelated JSON.
func mayBeOurs(body string) bool {
	has := func(name string) bool { return strings.Contains(body, name) }
	if strings.HasPrefix(strings.TrimLeft(body, " \t\r\n\ufeff"), "[") {
		return has("path") || has("docPath")
	}
	return has("files") || has("patches") || has("docPath") || has(`\u00`)
}

// understood reports whether the whole body was read. It need not be strict JSON, because configuration files often
// have comments and trailing commas.
func understood(diags []diag.Diagnostic) bool {
	return !slices.ContainsFunc(diags, func(d diag.Diagnostic) bool {
		return d.Severity == diag.Error && d.Code != diag.JSONComment && d.Code != diag.JSONTrailingComma
	})
}

// ofTree returns the family that the readable parts of a tree show. Only the entries decide, because much other JSON
// has a member `files`, such as the configuration of compilers.
func ofTree(root *lenientjson.Node) (family Family, certain bool) {
	files, patches := root.Member("files"), root.Member("patches")
	bundle, bundleCertain := isBundle(root, files)
	structured, structuredCertain := isList(root, patches, isPatchEntry)
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
	if files != nil && IsMap(files.Value) {
		return true, true
	}
	return isList(root, files, isFileEntry)
}

// IsMap reports whether an object maps paths to texts of files. At least one text must have several lines.
func IsMap(n *lenientjson.Node) bool {
	lines := false
	for _, m := range n.Members {
		if m.Value.Kind != lenientjson.String || !strings.ContainsAny(m.Key.Text, "./") || strings.ContainsAny(m.Key.Text, " :*") {
			return false
		}
		lines = lines || strings.Contains(m.Value.Text, "\n")
	}
	return n.Kind == lenientjson.Object && lines
}

// isList reports whether a member lists entries for which `entry` returns true. If it lists none, the other members
// decide.
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
		// The value is a single entry, without the array around it.
		return true, false
	}
	return hasRootOnly(root) && !hasPlainElements(list.Value) && list.Value.Kind != lenientjson.String, false
}

func hasRootOnly(root *lenientjson.Node) bool {
	r := root.Member("root")
	return r != nil && r.Value.Kind == lenientjson.String && onlyHas(root, "root", "files", "patches")
}

func hasPlainElements(n *lenientjson.Node) bool {
	return slices.ContainsFunc(n.Elems, func(e *lenientjson.Node) bool { return e.Kind != lenientjson.Object })
}

func onlyHas(n *lenientjson.Node, names ...string) bool {
	return !slices.ContainsFunc(n.Members, func(m lenientjson.Member) bool { return !slices.Contains(names, m.Key.Text) })
}

// isFileEntry reports whether a value is an entry of `files`. A value with only a path is an entry that lacks its
// content. A value with a path and other members belongs to another kind of list.
func isFileEntry(n *lenientjson.Node) (is, certain bool) {
	path, does := has(n, "path"), has(n, "operation") || has(n, "content") || has(n, "patches")
	switch {
	case has(n, "docPath") && !path:
		// The value is an entry of a line patch.
		return false, false
	case path:
		return does || onlyHas(n, "path"), does
	}
	return does && onlyHas(n, fileMembers...) || has(n, "content"), false
}

var (
	fileMembers  = []string{"path", "operation", "content", "patches"}
	patchMembers = []string{"path", "replacements", "find", "replace", "limit"}
)

// isPatchEntry reports whether a value is an entry of `patches`. A path alone proves nothing, because much other
// JSON has patches with a path.
func isPatchEntry(n *lenientjson.Node) (is, certain bool) {
	path := has(n, "path")
	literal := has(n, "find") && has(n, "replace")
	does := literal || has(n, "replacements")
	// These members are a mistake in an entry of `patches`, which must be reported even if nothing else shows that
	// the entry belongs to a patch.
	whole := has(n, "content") || has(n, "operation")
	return does || has(n, "find") || (path && whole), path && does
}

func has(n *lenientjson.Node, name string) bool { return n.Member(name) != nil }

// ofWords returns the family of a text that is not JSON, by the names in it. Of `files` and `patches`, the first
// decides, because the second is inside an entry or the content of a file.
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

// named returns the offset of a member's name in a text, with or without quotes, or -1.
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
	return lenientjson.IsWord(c) || c == '-' || c == '.' || c == '/'
}

// colonFollows reports whether the text after a name begins with a colon, perhaps after a closing quote of any kind.
// After a quote, "=" counts as a colon; without quotes, "=" is code.
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
