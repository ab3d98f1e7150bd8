package toolcall

import (
	"cmp"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/edittools"
	"github.com/aptix-dev/aptix/server/internal/format/jsonshape"
	"github.com/aptix-dev/aptix/server/internal/lenientjson"
	"github.com/aptix-dev/aptix/server/internal/reply"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// This file finds the calls in JSON, also in recorded conversations (rule C26): messages with calls, results and text.

// A recorded is a call of a conversation, or a value that is expected to be a call.
type recorded struct {
	node *lenientjson.Node
	in   *reader    // the reader of its value
	id   string     // connects the call with its result; "" if the call has none
	says reply.Verb // what the result says; [reply.Nothing] if there is none
}

// A conversation collects the calls of one or several values, in order.
type conversation struct {
	calls []recorded
	// the indexes of the calls that may still have no result, in order, by id and by the name of the tool
	byID, byTool map[string][]int
}

var (
	// envelopes has the members that hold messages, or the calls of a message, in their [edittools.Bare] form.
	envelopes = text.WordSet("messages message contents content parts payload toolcalls toolcall value choices output items item events history")
	// wrappers are the members that hold the name and the parameters of a call.
	wrappers = []string{"function", "functionCall", "function_call", "toolUse", "tool_use", "toolCall"}
	// the types of entries in a message that are not calls
	speeches = []string{"text", "thinking", "redacted_thinking", "reasoning"}
	// ids are the members that connect a result with its call; the first one counts.
	ids = []string{"tooluseid", "toolcallid", "callid", "id"}
	// results are the members that only a message with a result has.
	results = text.WordSet("tooluseid toolresult functionresponse toolresponse")
)

// callsIn returns the calls in a value, without those of which only the results are there.
func callsIn(n *lenientjson.Node) []*lenientjson.Node {
	c := conversation{}
	c.read(nil, n, "", false)
	return text.Each(c.calls, func(r recorded) *lenientjson.Node { return r.node })
}

// read adds the calls in a value. `id` is the id of an outer value. `inMessage` is true for the parts of a message, most
// of which are not calls.
func (c *conversation) read(in *reader, n *lenientjson.Node, id string, inMessage bool) {
	switch {
	case n.Kind == lenientjson.Array:
		for _, e := range n.Elems {
			c.read(in, e, id, inMessage)
		}
	case isResult(n):
		c.result(n)
	case isEnvelope(n):
		c.speech(in, n)
		for _, m := range n.Members {
			if envelopes[edittools.Bare(m.Key.Text)] && len(m.Value.Elems)+len(m.Value.Members) > 0 {
				c.read(in, m.Value, cmp.Or(idOf(n), id), inMessage || edittools.Bare(m.Key.Text) != "toolcalls")
			}
		}
	case inMessage && !isLikeCall(n), slices.Contains(speeches, jsonshape.StringOf(n, "type")):
	default:
		c.add(recorded{node: n, in: in, id: cmp.Or(idOf(n), idOf(unwrapped(n)), id)})
	}
}

func (c *conversation) add(r recorded) {
	if c.byID == nil {
		c.byID, c.byTool = map[string][]int{}, map[string][]int{}
	}
	i, tool := len(c.calls), nameOf(unwrapped(r.node))
	c.calls = append(c.calls, r)
	c.byID[r.id] = append(c.byID[r.id], i)
	c.byTool[tool] = append(c.byTool[tool], i)
}

// speech reports an edit in the words of a message that a model wrote.
func (c *conversation) speech(in *reader, n *lenientjson.Node) {
	if role := jsonshape.StringOf(n, "role"); in == nil || role != "assistant" && role != "model" {
		return
	}
	for _, m := range n.Members {
		if !envelopes[edittools.Bare(m.Key.Text)] {
			continue
		}
		for _, part := range append([]*lenientjson.Node{m.Value}, m.Value.Elems...) {
			if words := part.Member("text"); words != nil {
				part = words.Value
			}
			if part.Kind == lenientjson.String && reply.HasEdit(part.Text) {
				in.doc.Report(diag.CallUnknown, part.Span, "the text of this message has an edit, which is not read; send the text itself, without the JSON around it")
			}
		}
	}
}

// isEnvelope reports whether a value holds messages, calls or other parts of a conversation.
func isEnvelope(n *lenientjson.Node) bool {
	if n.Kind != lenientjson.Object || nameOf(unwrapped(n)) != "" || hasPath(n) {
		return false
	}
	return slices.ContainsFunc(n.Members, func(m lenientjson.Member) bool {
		return m.Key.Text == "role" || envelopes[edittools.Bare(m.Key.Text)] && (m.Value.Kind == lenientjson.Array || m.Value.Kind == lenientjson.Object)
	})
}

// isLikeCall reports whether a part of a message is a call, even one with mistakes.
func isLikeCall(n *lenientjson.Node) bool {
	inner := unwrapped(n)
	return n.Kind == lenientjson.Object && (nameOf(inner) != "" || inputOf(inner) != nil || hasPath(n) || n.Member("command") != nil)
}

// isResult reports whether a value is the result of a call.
func isResult(n *lenientjson.Node) bool {
	if n.Kind != lenientjson.Object {
		return false
	}
	kind, role := edittools.Bare(jsonshape.StringOf(n, "type")), jsonshape.StringOf(n, "role")
	return role == "tool" || role == "function" ||
		slices.ContainsFunc([]string{"result", "output", "response"}, func(end string) bool { return strings.HasSuffix(kind, end) }) ||
		slices.ContainsFunc(n.Members, func(m lenientjson.Member) bool { return results[edittools.Bare(m.Key.Text)] })
}

// idOf returns the id of a call or a result, or "".
func idOf(n *lenientjson.Node) string {
	for _, name := range ids {
		for _, m := range n.Members {
			if edittools.Bare(m.Key.Text) == name && m.Value.Kind == lenientjson.String {
				return m.Value.Text
			}
		}
	}
	return ""
}

// result stores what a result says about its call: the call with its id or, if it has none, the first call of the same
// tool without a result.
func (c *conversation) result(n *lenientjson.Node) {
	id, name := idOf(n), nameOf(n)
	for _, m := range n.Members {
		if results[edittools.Bare(m.Key.Text)] && m.Value.Kind == lenientjson.Object {
			id, name = cmp.Or(id, idOf(m.Value)), cmp.Or(name, nameOf(m.Value))
		}
	}
	waiting, key := c.byID, id
	if id == "" {
		waiting, key = c.byTool, name
	}
	for key != "" && len(waiting[key]) > 0 {
		call := &c.calls[waiting[key][0]]
		waiting[key] = waiting[key][1:]
		if call.says == reply.Nothing {
			call.says = saysResult(n)
			return
		}
	}
}

// saysResult returns what the result of a call says. A result without a word about a failure says that the call was made.
func saysResult(n *lenientjson.Node) reply.Verb {
	var words strings.Builder
	failed := saysFailed(n, &words)
	s := text.Cut(words.String(), mostWords)
	switch _, says, _ := reply.CallResult(s, text.Span{End: len(s)}); {
	case says != reply.Nothing && says != reply.CallMade:
		return says
	case failed:
		return reply.CallFailed
	}
	return reply.CallMade
}

// mostWords limits the words of a result that are read, in bytes.
const mostWords = 2 << 10

// saysFailed reports whether a member of a result says that its call failed, such as `"is_error": true`. It adds the
// words of the result to `words`.
func saysFailed(n *lenientjson.Node, words *strings.Builder) (failed bool) {
	for _, e := range n.Elems {
		failed = saysFailed(e, words) || failed
	}
	for _, m := range n.Members {
		key, value := edittools.Bare(m.Key.Text), m.Value.Text
		switch {
		case m.Value.Kind == lenientjson.Bool:
			failed = failed || key == "iserror" && value == "true" || (key == "success" || key == "ok") && value == "false"
		case m.Value.Kind == lenientjson.String && key == "error" && value != "":
			failed = true
			words.WriteString(value + "\n")
		case m.Value.Kind == lenientjson.String && key == "status":
			failed = failed || slices.Contains([]string{"error", "failed", "failure"}, strings.ToLower(value))
		case m.Value.Kind == lenientjson.String && (key == "type" || key == "role" || slices.Contains(names, m.Key.Text) || slices.Contains(ids, key)):
		case words.Len() < mostWords:
			failed = saysFailed(m.Value, words) || failed
		}
	}
	if n.Kind == lenientjson.String && words.Len() < mostWords {
		words.WriteString(n.Text + "\n")
	}
	return failed
}

// readAll reads the calls. A call that failed is left out if a later one changes the same file.
func (c *conversation) readAll() {
	later := map[string]bool{} // the files that the calls below change
	leftOut := make([]bool, len(c.calls))
	for i, call := range slices.Backward(c.calls) {
		_, input := parametersOf(call.node)
		name := pathOf(input)
		failed := call.says == reply.CallFailed || call.says == reply.CallRefused
		if leftOut[i] = failed && later[name]; name != "" && !failed && isCall(call.node, call.in.named) {
			later[name] = true
		}
	}
	for i, call := range c.calls {
		at := call.node.Span
		if call.node.Kind == lenientjson.Object {
			at = jsonshape.Bracket(call.node)
		}
		if leftOut[i] {
			call.in.doc.Report(diag.CallIgnored, at, "the result of this call says that it was not made, and a later call changes the same file, so this call is left out")
			continue
		}
		first := len(call.in.changes)
		call.in.call(call.node)
		changes := call.in.changes[first:]
		for j := range changes {
			changes[j].Made = call.says == reply.CallMade
		}
		if len(changes) > 0 && call.says != reply.Nothing && call.says != reply.CallMade {
			call.in.doc.Report(diag.Alternative, at, "the result of this call says that it was not made; apply it only if you want it anyway")
		}
	}
}
