package bundle

import (
	"fmt"
	"slices"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/format/jsonshape"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/lenientjson"
	"github.com/aptix-dev/aptix/server/internal/text"
)

type entry struct {
	jsonshape.Object
	doc *jsonshape.Document
}

func (e entry) changes() (changes []intent.Change, ok bool) {
	before := e.doc.Errors()
	c := intent.Change{At: e.Node.Span}
	if path, ok := e.String("path", diag.MissingPath, diag.PathNotString, "it names the file, relative to `root`"); ok {
		c.Path, c.PathAt = path.Text, jsonshape.Literal(path)
	}
	name, node, ok := e.operationName()
	switch {
	case ok && name == "gitPatch":
		changes = e.gitPatch(c)
	case ok:
		e.operation(&c, name, node)
		changes = append(changes, c)
	}
	return changes, ok && e.doc.Errors() == before
}

// operation reads the members that the operation needs (rules B4 to B8).
func (e entry) operation(c *intent.Change, name string, node *lenientjson.Node) {
	if node != nil {
		c.KindAt = jsonshape.Literal(node)
	}
	c.Kind = kinds[name]
	switch c.Kind {
	case intent.Delete:
		e.noMember("content", diag.ContentNotAllowed, "an entry that deletes a file must not have `content`; remove `content`, or use \"replace\"", node, "replace")
	case intent.Edit:
		e.patches(c, node)
		e.noMember("content", diag.ContentIgnored, "`content` is ignored, because the operation \"patch\" uses only `patches`", nil, "")
		return
	default:
		e.content(c, node)
	}
	e.noPatches(node)
}

// operationName returns the name of the operation. It returns "" if there is none, because the entry then creates or
// replaces the file.
func (e entry) operationName() (name string, node *lenientjson.Node, ok bool) {
	if e.Member("operation") == nil {
		e.doc.Report(diag.MissingOperation, jsonshape.Bracket(e.Node), "`operation` is missing; the entry creates the file or replaces it")
		return "", nil, true
	}
	node, ok = e.String("operation", diag.MissingOperation, diag.OperationNotString, "one of create, replace, delete, patch, gitPatch")
	if !ok {
		return "", nil, false
	}
	if !slices.Contains(jsonshape.Operations(), node.Text) {
		e.doc.UnknownOperation(node)
		return "", nil, false
	}
	return node.Text, node, true
}

func (e entry) content(c *intent.Change, node *lenientjson.Node) {
	var fixes []diag.Fix
	if e.Member("patches") != nil {
		fixes = append(fixes, e.setOperation(node, "patch"))
	}
	needed := "an entry that writes a file needs the whole text of the file"
	if content, ok := e.String("content", diag.MissingContent, diag.ContentNotString, needed, fixes...); ok {
		c.Content, c.ContentAt = content.Text, jsonshape.Literal(content)
	}
}

// patches reads the nested replacements (rule B7).
func (e entry) patches(c *intent.Change, node *lenientjson.Node) {
	m := e.Member("patches")
	if m == nil {
		var fixes []diag.Fix
		if e.Member("content") != nil {
			fixes = append(fixes, e.setOperation(node, "replace"))
		}
		e.doc.Report(diag.MissingPatches, jsonshape.Bracket(e.Node), "`patches` is missing; the operation \"patch\" needs a list of replacements", fixes...)
		return
	}
	c.Steps = e.doc.Replacements(m, true, diag.PatchesNotArray, diag.EmptyPatches)
}

// noMember reports a member that the operation does not use. The fix that removes the member is certain if the member
// is empty or only ignored (rule B11). The other fix changes the operation `node` to one that uses the member.
func (e entry) noMember(name string, code diag.Code, message string, node *lenientjson.Node, instead string) {
	m := e.Member(name)
	if m == nil {
		return
	}
	fixes := []diag.Fix{e.Remove(m)}
	fixes[0].Preferred = instead == "" || m.Value.Kind == lenientjson.String && m.Value.Text == "" || m.Value.Kind == lenientjson.Array && len(m.Value.Elems) == 0
	if instead != "" {
		fixes = append(fixes, e.setOperation(node, instead))
	}
	e.doc.Report(code, m.Key.Span, message, fixes...)
}

func (e entry) noPatches(node *lenientjson.Node) {
	e.noMember("patches", diag.PatchesNotAllowed, "`patches` belongs to the operation \"patch\" only; remove it, or change the operation", node, "patch")
}

// setOperation returns the fix that changes the operation `node`, or adds one if `node` is nil.
func (e entry) setOperation(node *lenientjson.Node, name string) diag.Fix {
	if node == nil {
		return diag.Fix{Title: fmt.Sprintf("Insert `\"operation\": %q`", name), Edits: []text.Edit{e.Append("operation", name)}}
	}
	return diag.Fix{Title: fmt.Sprintf("Change the operation to %q", name), Edits: []text.Edit{jsonshape.Literal(node).Set(name)}}
}
