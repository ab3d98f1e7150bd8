package toolcall

import (
	"path"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/edittools"
	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/format/jsonshape"
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/lenientjson"
	"github.com/aptix-dev/aptix/server/internal/reply"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A likelyEdit is JSON that calls no known tool but seems to be an edit (rule C18), so it is reported.
type likelyEdit struct {
	other  bool // the line above seems to name another tool, so no fix may name one
	inLine bool // the JSON has a patch, and other text is on its lines
}

// The names that models use for a list of edits and for a patch, in lower case and without separators.
var (
	listNames  = append([]string{"edits", "changes", "files", "operations", "patches", "replacements", "modifications", "updates", "toolcalls", "replacementchunks", "function", "functioncall"}, edittools.Holders...)
	patchNames = []string{"input", "patch", "diff", "command"}
)

// saysEdit is a quick test that excludes most JSON that is not an edit.
var saysEdit = lazyregexp.New(`(?i)"(?:[^"\s]+\.[a-z]\w{0,9}|old\w*|search|find|before|original|contents?|code\w*|target\w*|source\w*|(?:file_?|new_?|target_?)?(?:text|content|code))\\?"\s*:|\*\*\* Begin Patch`)

// seemsEdit reports whether a region is JSON that no format claims, with a value that seems to be an edit.
func (f *finder) seemsEdit(r *format.Region) bool {
	if jsonshape.Of(r) != jsonshape.Other || !saysEdit.MatchString(r.Body) {
		return false
	}
	_, titled := reply.Titled(f.doc)
	for _, at := range lenientjson.Values(r.Body) {
		if doc := jsonshape.ReadCalls(at.In(r.Body)); doc.Whole() && (hasEdit(doc.Root, false) || !titled && (f.hasFile(doc.Root) || f.hasMove(doc.Root))) {
			return true
		}
	}
	return false
}

// hasFile reports whether a value has a path and a text of several lines for it. The path must be that of a file in
// the tree, or of a new file in one of its folders.
func (f *finder) hasFile(n *lenientjson.Node) bool {
	return slices.ContainsFunc(reply.TextsIn(n), func(w reply.Written) bool { return strings.Contains(w.Text, "\n") && f.isPlace(w.Path) })
}

// hasMove reports whether a value names a file of the tree and a new path for it.
func (f *finder) hasMove(n *lenientjson.Node) bool {
	from, to := member(n, edittools.Sources), member(n, edittools.Targets)
	return from != nil && to != nil && reply.IsPath(to.Text) && f.isPlace(from.Text)
}

// isPlace reports whether a path is a file of the tree, or may be a new file in one of its folders except the root.
func (f *finder) isPlace(p string) bool {
	_, isFile := reply.FileText(f.doc, p)
	return isFile || path.Dir(path.Clean(p)) != "." && reply.MayHold(f.doc.Tree, p)
}

// hasEdit reports whether a value, at any depth, has a patch, or the texts before and after an edit. `named` is true
// if an outer value names a file.
func hasEdit(n *lenientjson.Node, named bool) bool {
	switch n.Kind {
	case lenientjson.Array:
		return slices.ContainsFunc(n.Elems, func(e *lenientjson.Node) bool { return hasEdit(e, named) })
	case lenientjson.String:
		return jsonshape.Begins(n.Text) && hasEdit(jsonshape.ReadCalls(n.Text).Root, named)
	case lenientjson.Object:
	default:
		return false
	}
	if file := member(n, edittools.Paths); file != nil {
		// The quotes around a path in JSON allow spaces in it.
		named = named || reply.IsPath(strings.ReplaceAll(strings.TrimPrefix(file.Text, "file://"), " ", "_"))
	}
	if named && member(n, edittools.Olds) != nil && member(n, edittools.News) != nil || patchIn(n) != nil {
		return true
	}
	return slices.ContainsFunc(n.Members, func(m lenientjson.Member) bool {
		return slices.Contains(listNames, edittools.Bare(m.Key.Text)) && hasEdit(m.Value, named)
	})
}

// patchIn returns the apply_patch patch in a parameter of a call or in a word of its command, or nil.
func patchIn(n *lenientjson.Node) *lenientjson.Node {
	for _, m := range n.Members {
		if !slices.Contains(patchNames, edittools.Bare(m.Key.Text)) {
			continue
		}
		for _, value := range append([]*lenientjson.Node{m.Value}, m.Value.Elems...) {
			if value.Kind == lenientjson.String && strings.HasPrefix(strings.TrimSpace(value.Text), beginPatch) {
				return value
			}
		}
	}
	return nil
}

// patchOf returns the patch in the parameters of a call, or nil.
func patchOf(n *lenientjson.Node) *lenientjson.Node {
	inner, input := parametersOf(n)
	if patch := patchIn(inner); patch != nil {
		return patch
	}
	return patchIn(input)
}

// member returns the first member with one of these names and a string as its value, or nil.
func member(n *lenientjson.Node, names string) *lenientjson.Node {
	for _, m := range n.Members {
		if m.Value.Kind == lenientjson.String && edittools.IsOneOf(m.Key.Text, names) {
			return m.Value
		}
	}
	return nil
}

func (l likelyEdit) parsed(body string) format.Parsed {
	at := lenientjson.Values(body)[0]
	root := jsonshape.ReadCalls(at.In(body)).Root
	d := diag.New(diag.CallUnknown, jsonshape.Bracket(root).Shift(at.Start),
		"this seems to be an edit, but this notation is not supported; Aptix supports "+edittools.Known())
	if strings.TrimSpace(body) == at.In(body) && !l.other {
		d.Fixes = certainFix(root, at)
	}
	if l.inLine && len(d.Fixes) > 0 {
		d.Fixes[0].Edits[0].New = "\n" + d.Fixes[0].Edits[0].New + "\n"
	}
	return format.Parsed{Entries: 1, Diagnostics: []diag.Diagnostic{d}}
}

const beginPatch = "*** Begin Patch"

func writePatch(at text.Span, patch string) diag.Fix {
	return diag.Fix{Title: "Write the patch itself", Preferred: true, Edits: []text.Edit{{Span: at, New: strings.TrimSpace(patch)}}}
}

// certainFix returns the fix for a block with a single value: it writes the value's apply_patch patch, or adds the
// name of the only tool with these parameters.
func certainFix(root *lenientjson.Node, at text.Span) []diag.Fix {
	if patch := patchOf(root); patch != nil {
		return []diag.Fix{writePatch(at, patch.Text)}
	}
	calls, fix := []*lenientjson.Node{root}, diag.Fix{Preferred: true}
	if root.Kind == lenientjson.Array {
		calls = root.Elems
		// Members besides the list of calls may be edits, and would be ignored.
	} else if len(root.Members) == 1 {
		if m := root.Members[0]; m.Value.Kind == lenientjson.Array && slices.Contains(listNames, edittools.Bare(m.Key.Text)) {
			calls, fix.Edits = m.Value.Elems, []text.Edit{{Span: m.Key.Span.Shift(at.Start), New: `"tool_calls"`}}
		}
	}
	if len(calls) == 0 {
		return nil
	}
	var tools []string
	for _, n := range calls {
		tool := toolOf(n, nil)
		if tool == "" {
			return nil
		}
		tools = append(tools, "`"+tool+"`")
		fix.Edits = append(fix.Edits, text.Insertion(at.Start+n.Span.Start+1, `"name": "`+tool+`", `))
	}
	fix.Title = "Name the tool: " + strings.Join(slices.Compact(tools), ", ")
	return []diag.Fix{fix}
}

// toolOf returns the known tool with the parameters of an object, or "" if the object names a tool or has another
// parameter. The path may be in `outer`, whose list has the object.
func toolOf(n, outer *lenientjson.Node) string {
	for _, name := range []string{"edit_file", "write_file"} {
		t, _ := edittools.Of(name, membersOf(n))
		lacks := func(parameter string) bool {
			return n.Member(parameter) == nil && !(parameter == t.Path && outer != nil && hasPath(outer))
		}
		switch list := n.Member(t.List); {
		case nameOf(n) != "", slices.ContainsFunc(n.Members, func(m lenientjson.Member) bool {
			return !slices.Contains(t.Names(), m.Key.Text) && t.MayMean(m.Key.Text, valueOf(m.Value), false)
		}):
		case list != nil && len(list.Value.Elems) > 0 && !slices.ContainsFunc(list.Value.Elems, func(e *lenientjson.Node) bool { return toolOf(e, n) != name }),
			list == nil && !slices.ContainsFunc(t.Names(), lacks):
			return name
		}
	}
	return ""
}
