package toolcall

import (
	"cmp"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/edittools"
	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/format/jsonshape"
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/lenientjson"
)

// shaped reports whether a whole file consists of tool calls in JSON.
func shaped(r *format.Region) bool {
	if !jsonshape.Begins(r.Body) || !isJSON(r.Body, "", true) {
		return false
	}
	all := lenientjson.Values(r.Body)
	last := all[len(all)-1]
	end, closed := lenientjson.ValueEnd(r.Body, last.Start)
	return !closed || end == last.End
}

var saysCall = lazyregexp.New(`"command\\?"\s*:\s*\\?"(?:create|str_replace|insert|undo_edit)\\?"|"(?:name|tool|tool_name|toolName)"\s*:\s*"([^"\s]+)"`)

// saysAnything is a quick test before saysCall, which would otherwise take a tenth of the time for applying a large
// file bundle.
func saysAnything(body string) bool {
	return slices.ContainsFunc([]string{`"command`, `"name"`, `"tool`}, func(name string) bool { return strings.Contains(body, name) })
}

// isJSON reports whether a text consists of tool calls in JSON. `named` is the tool of values that name none. If
// `lenient` is true, broken JSON may be a call, too.
func isJSON(body, named string, lenient bool) bool {
	if named == "" && (!saysAnything(body) || !slices.ContainsFunc(saysCall.FindAllStringSubmatch(body, -1), func(m []string) bool {
		_, ok := edittools.ActionOf(m[1])
		return m[1] == "" || ok && !edittools.Reader(m[1])
	})) {
		return false
	}
	calls := false
	for _, at := range lenientjson.Values(body) {
		doc := jsonshape.ReadCalls(at.In(body))
		if !lenient && diag.HasErrors(doc.Diagnostics) {
			return false
		}
		broken := !doc.Whole() && mayCall.MatchString(at.In(body))
		calls = calls || broken || slices.ContainsFunc(callsIn(doc.Root), func(n *lenientjson.Node) bool { return isCall(n, named) })
	}
	return calls
}

// mayCall matches a member that would name a file in a call.
var mayCall = lazyregexp.New(`\\?"(?i:path|file_?path|target_?file|source)\\?"\s*:\s*\\?"`)

// parametersOf returns the object that names the tool of a call, and the object with the parameters: the same
// object, an object inside it, or JSON in a string of it.
func parametersOf(n *lenientjson.Node) (inner, input *lenientjson.Node) {
	inner = unwrapped(n)
	input = inputOf(inner)
	if input == nil {
		input = inner
	}
	if input.Kind == lenientjson.String {
		input = jsonshape.ReadCalls(input.Text).Root
	}
	return inner, input
}

// isCall reports whether a value is a call that changes a file, or is meant to. It needs a known tool or command,
// and values for the parameters, because a schema only describes parameters. `named` is the tool of a value that
// names none.
func isCall(n *lenientjson.Node, named string) bool {
	if n.Kind != lenientjson.Object {
		return false
	}
	inner, input := parametersOf(n)
	name := cmp.Or(nameOf(inner), named)
	if command := jsonshape.StringOf(input, "command"); slices.Contains(edittools.Commands, command) {
		name = command
	}
	path := hasPath(input)
	if name == "str_replace" || name == "undo_edit" {
		return path // no other JSON has these names
	}
	if _, known := edittools.ActionOf(name); !known && named != "" {
		return namesFile(input) // it counts as a call, although its effect is unknown
	}
	t, ok := edittools.Of(name, membersOf(input))
	if m := input.Member(t.List); ok && m != nil {
		return path || slices.ContainsFunc(m.Value.Elems, hasPath)
	}
	path = path || t.Does == edittools.Moves && jsonshape.StringOf(input, t.Path) != ""
	// The name `delete` next to the parameters may mean something else.
	return ok && path && (t.Does >= edittools.Deletes && (input != inner || named != "" || edittools.Bare(name) != "delete") || slices.ContainsFunc(t.Names()[1:], func(name string) bool { return input.Member(name) != nil }))
}

func hasPath(n *lenientjson.Node) bool {
	return n.Kind == lenientjson.Object && slices.ContainsFunc(membersOf(n), func(name string) bool {
		return edittools.IsOneOf(name, edittools.Paths) && jsonshape.StringOf(n, name) != ""
	})
}
