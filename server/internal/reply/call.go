package reply

import (
	"html"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/edittools"
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/lenientjson"
	"github.com/aptix-dev/aptix/server/internal/mdblock"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// namesText reports whether a parameter with this name holds the text of a file: `content`, `NewContent`.
func namesText(name string) bool {
	bare := edittools.Bare(name)
	return edittools.IsText(name) || slices.Contains([]string{"body", "source", "data", "patch"}, bare) || strings.HasSuffix(bare, "content") || strings.HasSuffix(bare, "text") || strings.HasSuffix(bare, "code")
}

func (a *lister) callIn(b *mdblock.Block) bool {
	body := strings.TrimSpace(b.Body)
	if b.Lang == "yaml" || b.Lang == "yml" || b.Lang == "toml" {
		return a.members(body, b.Open)
	}
	switch b.Kind() {
	case mdblock.Untagged, mdblock.JSON, mdblock.Records, mdblock.Markup, mdblock.PlainText, mdblock.Call:
	default:
		return false
	}
	if strings.HasPrefix(body, "<") {
		n := len(a.found)
		a.tags(text.Span{Start: b.Open.End, End: b.Span.End})
		return len(a.found) > n
	}
	return a.json(body, b.Open) || b.Kind() == mdblock.Call && a.arguments(body, b.Open)
}

// argument matches a named argument of a call: `path="src/a.py"`.
var argument = lazyregexp.New(`\b(\w+)\s*=\s*["']([^"'\n]*)`)

// arguments lists the file whose text is an argument of a call in a programming language, and reports whether it found
// one.
func (a *lister) arguments(call string, at text.Span) bool {
	written, hasText := "", false
	for _, m := range argument.FindAllStringSubmatch(call, mostUnread) {
		if edittools.IsOneOf(m[1], edittools.Paths) && IsPath(m[2]) {
			written = m[2]
		}
		hasText = hasText || namesText(m[1])
	}
	names := a.place(written)
	if written == "" || !hasText || len(names) == 0 {
		return false
	}
	a.add(Unread{Kind: ToolCall, At: at, Path: names[0], What: "a tool call with a text for " + names[0], Sure: true})
	return true
}

func (a *lister) json(body string, at text.Span) bool {
	if body == "" || body[0] != '{' && body[0] != '[' || len(body) > largest {
		return false
	}
	root, diagnostics := lenientjson.Parse(body)
	if diag.HasErrors(diagnostics) {
		return false
	}
	n := len(a.found)
	a.commandCalls(root, at)
	var names []string
	for _, t := range TextsIn(root) {
		names = append(names, a.place(t.Path)...)
	}
	slices.Sort(names)
	for _, name := range slices.Compact(names) {
		a.add(Unread{Kind: ToolCall, At: at, Path: name, What: "a tool call with a text for " + name, Sure: true})
	}
	if len(a.found) == n {
		a.valueCalls(root, at)
	}
	return len(a.found) > n
}

// valueCalls lists the calls in a JSON value with a file and a new value for it: `{"file": "a.toml", "key": "x.version",
// "value": "2.0"}`.
func (a *lister) valueCalls(n *lenientjson.Node, at text.Span) {
	for _, e := range n.Elems {
		a.valueCalls(e, at)
	}
	var names, codes []string
	for _, m := range n.Members {
		switch v := m.Value; {
		case v.Kind != lenientjson.String:
			a.valueCalls(v, at)
		case edittools.IsOneOf(m.Key.Text, edittools.Paths) && IsPath(v.Text):
			names = append(names, a.place(v.Text)...)
		case isValue.MatchString(v.Text):
			codes = append(codes, v.Text)
		default:
			codes = append(codes, v.Text, v.Text[strings.LastIndexByte(v.Text, '.')+1:])
		}
	}
	for _, name := range names {
		if a.files.isFile(name) && a.differs(name, codes, false) {
			a.add(Unread{Kind: ToolCall, At: at, Path: name, What: "a tool call with a value for " + name, Sure: true})
		}
	}
}

// besideEdits lists the commands of other calls in a fence whose JSON has a call that edits a file.
func (a *lister) besideEdits(b *mdblock.Block) {
	body := strings.TrimSpace(b.Body)
	if (strings.HasPrefix(body, "[") || strings.HasPrefix(body, "{") && strings.Contains(body, "[")) && mayHaveCommand(body) {
		if root, diagnostics := lenientjson.Parse(body); a.files.Meter.Pay(len(body)) && !diag.HasErrors(diagnostics) {
			a.commandCalls(root, b.Open)
		}
	}
}

// commandCalls lists the commands in the members of a JSON value: `{"command": "git rm src/a.py"}`. A command may also be
// the last of several words, as in `["bash", "-c", "git rm src/a.py"]`. The parameters of a call may be JSON in a string.
func (a *lister) commandCalls(n *lenientjson.Node, at text.Span) {
	for _, e := range n.Elems {
		a.commandCalls(e, at)
	}
	for _, m := range n.Members {
		value := m.Value
		if isCommand(m.Key.Text) && len(value.Elems) > 0 {
			value = value.Elems[len(value.Elems)-1]
		}
		if isCommand(m.Key.Text) && value.Kind == lenientjson.String {
			a.shell(value.Text, "a tool call", true, func(int) text.Span { return at })
			continue
		}
		if value.Kind == lenientjson.String && strings.HasPrefix(value.Text, "{") && edittools.Bare(m.Key.Text) == "arguments" {
			value, _ = lenientjson.Parse(value.Text)
		}
		a.commandCalls(value, at)
	}
}

// mayHaveCommand reports whether a text has a part of the name of such a parameter. This spares other JSON the reading.
func mayHaveCommand(body string) bool {
	return slices.ContainsFunc([]string{"ommand", "OMMAND", "cmd", "CMD", "cript", "CRIPT"}, func(part string) bool { return strings.Contains(body, part) })
}

// isCommand reports whether a parameter of this name has a command of the shell.
func isCommand(name string) bool {
	return slices.Contains([]string{"command", "cmd", "script", "commandline"}, edittools.Bare(name))
}

var (
	pathMember = lazyregexp.New(`(?m)^[ \t-]*["']?([\w-]+)["']?[ \t]*[:=][ \t]*["']?([^\s"']+)["']?[ \t]*\r?$`)
	textMember = lazyregexp.New(`(?m)^[ \t-]*["']?([\w-]+)["']?[ \t]*(?::[ \t]*[|>][+-]?|=[ \t]*(?:"""|\x27{3}))`)
)

func (a *lister) members(body string, at text.Span) bool {
	if !slices.ContainsFunc(textMember.FindAllStringSubmatch(body, mostUnread), func(m []string) bool { return namesText(m[1]) }) {
		return false
	}
	n := len(a.found)
	for _, m := range pathMember.FindAllStringSubmatch(body, mostUnread) {
		if edittools.IsOneOf(m[1], edittools.Paths) && IsFileName(m[2]) {
			for _, name := range a.place(m[2]) {
				a.add(Unread{Kind: ToolCall, At: at, Path: name, What: "a tool call with a text for " + name, Sure: true})
			}
		}
	}
	return len(a.found) > n
}

// A Written is a file and its text, as found in a JSON value.
type Written struct{ Path, Text string }

// TextsIn returns the texts of files in a JSON value: `{"path": ..., "content": ...}`, or `{"src/a.ts": "..."}` with a
// text of several lines. The path may also be in an outer value.
func TextsIn(n *lenientjson.Node) []Written { return textsIn(n, "") }

func textsIn(n *lenientjson.Node, outer string) (found []Written) {
	for _, e := range n.Elems {
		found = append(found, textsIn(e, outer)...)
	}
	w := Written{Path: outer}
	for _, m := range n.Members {
		if m.Value.Kind == lenientjson.String && edittools.IsOneOf(m.Key.Text, edittools.Paths) && IsPath(m.Value.Text) {
			w.Path = m.Value.Text
		}
	}
	hasText := false
	for _, m := range n.Members {
		switch isString := m.Value.Kind == lenientjson.String; {
		case isString && namesText(m.Key.Text):
			w.Text, hasText = m.Value.Text, true
		case isString && strings.Contains(m.Value.Text, "\n") && IsFileName(m.Key.Text):
			found = append(found, Written{m.Key.Text, m.Value.Text})
		case !isString:
			found = append(found, textsIn(m.Value, w.Path)...)
		}
	}
	if w.Path != "" && hasText {
		found = append(found, w)
	}
	return found
}

// place returns the path in the tree that a call means, if the file exists or could be created at that path. Otherwise
// it returns nil.
func (a *lister) place(written string) []string {
	if name, ok := a.files.resolve(written); ok && a.files.isPlace(name) {
		return []string{name}
	}
	return nil
}

var (
	attribute = lazyregexp.New(`(?m)^[ \t>]*<([A-Za-z][\w:.-]*)(?:[ \t][^<>\n]*?)?[ \t]((?i:(?:file|target|relative|workspace|original|old|source|from|[_-])*(?:path|file|name|target))+)=["']([^"'<>\n]+)["'][^<>\n]*>`)
	element   = lazyregexp.New(`(?m)^[ \t>]*<([A-Za-z_-]+)>[ \t]*([^<>\s]+)[ \t]*</([A-Za-z_-]+)>[ \t]*\r?\n?[ \t]*<[A-Za-z]`)
)

// commandTag matches an element that may have a command: `<command>` or `<parameter name="command">`.
var commandTag = lazyregexp.New(`<(?:\w+[ \t]+name=["'])?(\w+)["']?>([^<]+)</`)

var preformattedText = lazyregexp.New(`(?s)<pre\b[^>]*>\s*(?:<code\b[^>]*>)?(.*?)(?:</code>)?\s*</pre>`)

// preformatted lists HTML code blocks with another version of a file, or of a part of a file. The lines of these blocks
// then count as read.
func (a *lister) preformatted() {
	for _, m := range preformattedText.FindAllStringSubmatchIndex(a.doc, mostUnread) {
		at, body := text.Span{Start: m[0], End: m[1]}, html.UnescapeString(a.doc[m[2]:m[3]])
		name, _, known := a.files.like(body)
		if l, ok := a.lineLabel(LineAbove(a.doc, 0, at.Start), true); ok && a.files.resembles(l.Path, body) {
			name = l.Path
		} else if name == "" {
			name = a.files.versionOf(body)
		}
		if name != "" && !known && !a.isRead(at) && !a.files.has(name, body) {
			a.add(Unread{Kind: Fence, At: at, Path: name, What: "a code block for " + name, Sure: true})
			a.document.Read = append(slices.Clone(a.document.Read), at)
			slices.SortFunc(a.document.Read, func(x, y text.Span) int { return x.Start - y.Start })
		}
	}
}

// tags lists the elements in a part of the document that have a path and a text, and empty elements whose tag means a
// deletion or a renaming.
func (a *lister) tags(in text.Span) {
	part := in.In(a.doc)
	if !strings.Contains(part, "</") && !strings.Contains(part, "/>") {
		return
	}
	for _, m := range attribute.FindAllStringSubmatchIndex(part, mostUnread) {
		tag := part[m[2]:m[3]]
		at, written := text.Span{Start: in.Start + m[0], End: in.Start + m[1]}, part[m[6]:m[7]]
		lone := part[m[1]-2] == '/'
		switch member := edittools.Bare(part[m[4]:m[5]]); {
		case !lone && hasText(part[m[1]:], tag):
			if edittools.IsOneOf(member, edittools.Paths) {
				a.tag(tag, written, at)
			}
		// An element without a text may delete or rename a file: `<delete_file path="src/a.py"/>`.
		case lone || strings.HasPrefix(part[m[1]:], "</"+tag+">"):
			does := strings.NewReplacer("_", " ", "-", " ").Replace(tag)
			_, deletes := say(does, Delete)
			_, renames := say(does, Rename)
			if name, ok := a.files.resolve(written); ok && (deletes || renames) && a.files.isFile(name) && (strings.HasSuffix(member, "path") || strings.HasSuffix(member, "file")) {
				a.add(Unread{Kind: Tag, At: at, Path: name, What: "a `<" + tag + ">` for " + name, Sure: true})
			}
		}
	}
	for _, m := range commandTag.FindAllStringSubmatchIndex(part, mostUnread) {
		if command := part[m[4]:m[5]]; isCommand(part[m[2]:m[3]]) && a.files.Meter.Pay(eachSaid*len(command)) {
			a.shell(html.UnescapeString(command), "a tool call", true, func(int) text.Span {
				return text.Span{Start: in.Start + m[0], End: in.Start + m[1]}
			})
		}
	}
	for _, m := range element.FindAllStringSubmatchIndex(part, mostUnread) {
		if tag := part[m[2]:m[3]]; tag == part[m[6]:m[7]] && edittools.IsOneOf(tag, edittools.Paths) {
			a.tag(tag, part[m[4]:m[5]], text.Span{Start: in.Start + m[0], End: in.Start + m[5]})
		}
	}
}

func hasText(rest, tag string) bool {
	end := strings.Index(rest, "</"+tag+">")
	return end > 0 && strings.TrimSpace(rest[:end]) != ""
}

func (a *lister) tag(tag, written string, at text.Span) {
	for _, name := range a.place(written) {
		if IsPath(written) {
			a.add(Unread{Kind: Tag, At: at, Path: name, What: "a `<" + tag + ">` with a text for " + name, Sure: true})
		}
	}
}
