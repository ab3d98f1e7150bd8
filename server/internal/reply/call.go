package reply

import (
	"html"
	"slices"
	"sort"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/edittools"
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/lenientjson"
	"github.com/aptix-dev/aptix/server/internal/mdblock"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// callIn adds to the unread parts the calls and other records of edits in a fence, in any notation. It reports whether
// the fence has any.
func (a *lister) callIn(b *mdblock.Block) bool {
	body := strings.TrimSpace(b.Body)
	if b.Lang == "yaml" || b.Lang == "yml" || b.Lang == "toml" {
		return a.files.Meter.Pay(eachSigned*len(body)) && a.pairs(linesOf(body), b.Open)
	}
	switch b.Kind() {
	case mdblock.Untagged, mdblock.JSON, mdblock.Records, mdblock.Markup, mdblock.PlainText, mdblock.Call:
	default:
		return false
	}
	if a.failedBelow(b) {
		return true
	}
	if strings.HasPrefix(body, "<") {
		n := len(a.found)
		a.tags(text.Span{Start: b.Open.End, End: b.Span.End})
		return len(a.found) > n
	}
	return a.json(body, b.Open) || b.Kind() == mdblock.Call && a.pairs(argumentsOf(body), b.Open)
}

// failedBelow reports whether the text below a fence is the result of a call, and begins with the label of an error.
func (a *lister) failedBelow(b *mdblock.Block) bool {
	below := text.Span{Start: b.Span.End, End: len(a.doc)}
	fences := a.document.Fences
	if n := sort.Search(len(fences), func(i int) bool { return fences[i].Span.Start >= b.Span.End }); n < len(fences) {
		below.End = fences[n].Open.Start
	}
	_, _, labelled := CallResult(a.doc, below)
	return labelled
}

func (a *lister) json(body string, at text.Span) bool {
	root, ok := jsonIn(body)
	if !ok {
		return false
	}
	n := len(a.found)
	var r records
	r.readJSON(root, record{})
	a.commandsOf(r, at)
	if !a.records(r, at) {
		for _, one := range r.all {
			for _, name := range a.place(one.path) {
				if one.named && a.files.isFile(name) && a.differs(name, valuesOf(one.codes), false) {
					a.add(Unread{Kind: ToolCall, At: at, Path: name, What: "a tool call with a value for " + name, Sure: true})
				}
			}
		}
	}
	return len(a.found) > n
}

func jsonIn(body string) (root *lenientjson.Node, ok bool) {
	if body == "" || body[0] != '{' && body[0] != '[' || len(body) > largest {
		return nil, false
	}
	root, diagnostics := lenientjson.Parse(body)
	return root, !diag.HasErrors(diagnostics)
}

// valuesOf returns the given codes and, for each name with dots such as `project.version`, also the last part of the
// name.
func valuesOf(codes []string) (all []string) {
	for _, code := range codes {
		if all = append(all, code); !isValue.MatchString(code) {
			all = append(all, code[strings.LastIndexByte(code, '.')+1:])
		}
	}
	return all
}

func (a *lister) pairs(all []pair, at text.Span) bool {
	var r records
	r.readPairs(all)
	return a.records(r, at)
}

// records adds an unread part for each file for which a record has a text or an edit ([lister.changesIn]).
func (a *lister) records(r records, at text.Span) bool {
	paths := map[string]bool{}
	for _, one := range r.all {
		if one.path != "" {
			paths[one.path] = true
		}
	}
	n, said := len(a.found), map[string]bool{}
	for _, one := range r.all {
		if one.path == "" && len(paths) == 1 { // the path is in another part of the value
			for only := range paths {
				one.path = only
			}
		}
		for _, name := range a.place(one.path) {
			if said[name] || !(one.named && one.text != nil || a.files.isFile(name) && a.changesIn(name, one.texts())) {
				continue
			}
			said[name] = true
			where := one.at.Shift(at.Start)
			if one.at.Empty() {
				where = at
			}
			a.add(Unread{Kind: ToolCall, At: where, Path: name, What: "a tool call with a text for " + name, Sure: true})
		}
	}
	return len(a.found) > n
}

// changesIn reports whether the texts of a record are an edit of a file, whatever their names are. Either one text is
// code of the file and another is new code, or one text has several lines of new code. New code is code that the file
// has neither before nor after the reply.
func (a *lister) changesIn(name string, texts []string) bool {
	old, new := false, false
	for _, code := range texts {
		code = strings.TrimSpace(code)
		lines := strings.Contains(code, "\n")
		switch {
		case !text.IsCode(code):
		case lines && a.files.has(name, code), !lines && a.files.hasCode(name, code):
			old = true
		case text.HasWords(code, fewestInRest) || text.IsSentence(code, fewestInRest) || a.anyHas(code):
		case lines:
			return true
		default:
			new = true
		}
	}
	return old && new
}

// besideEdits looks at a block of JSON with a call that edits a file, and adds the commands of the other calls to the
// unread parts.
func (a *lister) besideEdits(body string, at text.Span) {
	if !mayHaveCommand(body) || !a.files.Meter.Pay(2*len(body)) {
		return
	}
	for _, value := range lenientjson.Values(body) {
		if root, ok := jsonIn(strings.TrimSpace(value.In(body))); ok {
			var r records
			r.readJSON(root, record{})
			a.commandsOf(r, at)
		}
	}
}

// besideCalls is [lister.besideEdits] for the blocks outside of fences.
func (a *lister) besideCalls() {
	for _, at := range a.document.Read {
		if end, _ := text.LineEnd(a.doc, at.Start); !at.Empty() && (a.doc[at.Start] == '{' || a.doc[at.Start] == '[') {
			a.besideEdits(at.In(a.doc), text.Span{Start: at.Start, End: end})
		}
	}
}

// mayHaveCommand is a quick test before JSON is parsed. It reports whether a text has, in quotes, the name of a
// parameter with a command, or a name with escapes that begins alike.
func mayHaveCommand(body string) bool {
	for {
		_, after, ok := strings.Cut(body, `"`)
		if !ok {
			return false
		}
		name, _, _ := strings.Cut(after, `"`)
		name = strings.TrimRight(name, `\`) // the quotes of JSON in a string are escaped
		if len(name) <= mostName && name != "" && strings.IndexByte(`bBcCsS_-\`, name[0]) >= 0 && (isCommand(name) || strings.Contains(name, `\`)) {
			return true
		}
		body = after
	}
}

// mostName is the greatest length, in bytes, of the name of a parameter with a command. Each of its characters may be
// an escape of six bytes.
const mostName = 6 * len("command_line")

func (a *lister) commandsOf(r records, at text.Span) {
	for _, command := range r.commands {
		if a.files.Meter.Pay(eachSaid * len(command.value)) {
			where := command.at.Shift(at.Start)
			if command.at.Empty() {
				where = at
			}
			a.shell(command.value, "a tool call", true, func(int) text.Span { return where })
		}
	}
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
	attribute   = lazyregexp.New(`(?m)^[ \t>]*<([A-Za-z][\w:.-]*)(?:[ \t][^<>\n]*?)?[ \t]((?i:(?:file|target|relative|workspace|original|old|source|from|[_-])*(?:path|file|name|target))+)=["']([^"'<>\n]+)["'][^<>\n]*>`)
	pathElement = lazyregexp.New(`(?m)^[ \t>]*<([A-Za-z_-]+)>[ \t]*([^<>\s]+)[ \t]*</([A-Za-z_-]+)>[ \t]*\r?\n?[ \t]*<[A-Za-z]`)
)

var preformattedText = lazyregexp.New(`(?s)<pre\b[^>]*>\s*(?:<code\b[^>]*>)?(.*?)(?:</code>)?\s*</pre>`)

// preformatted adds HTML code blocks to the unread parts if they have another version of a file, or of a part of a
// file. After that, the lines of these blocks count as read.
func (a *lister) preformatted() {
	for _, m := range preformattedText.FindAllStringSubmatchIndex(a.doc, mostUnread) {
		at, body := text.Span{Start: m[0], End: m[1]}, html.UnescapeString(a.doc[m[2]:m[3]])
		name, _, known := a.files.like(body)
		if l, ok := a.lineLabel(LineAbove(a.doc, 0, at.Start), true); ok && (a.files.resembles(l.Path, body) || l.Alone && !a.files.isFile(l.Path) && a.files.isPlace(l.Path)) {
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

// tags looks for elements in a span of the document, and adds two kinds to the unread parts: those with a path and a
// text, and empty ones whose tag means a deletion or a renaming.
func (a *lister) tags(in text.Span) {
	part, n := in.In(a.doc), len(a.found)
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
		// An element without a text is also read, because it may delete or rename a file: `<delete_file path="src/a.py"/>`.
		case lone || strings.HasPrefix(part[m[1]:], "</"+tag+">"):
			does := strings.NewReplacer("_", " ", "-", " ").Replace(tag)
			_, deletes := say(does, Delete)
			_, renames := say(does, Rename)
			if name, ok := a.files.resolve(written); ok && (deletes || renames) && a.files.isFile(name) && (strings.HasSuffix(member, "path") || strings.HasSuffix(member, "file")) {
				a.add(Unread{Kind: Tag, At: at, Path: name, What: "a `<" + tag + ">` for " + name, Sure: true})
			}
		}
	}
	for _, m := range pathElement.FindAllStringSubmatchIndex(part, mostUnread) {
		if tag := part[m[2]:m[3]]; tag == part[m[6]:m[7]] && edittools.IsOneOf(tag, edittools.Paths) && !inReader(part[:m[0]]) {
			a.tag(tag, part[m[4]:m[5]], text.Span{Start: in.Start + m[0], End: in.Start + m[5]})
		}
	}
	if element.MatchString(part) && a.files.Meter.Pay(eachSigned*len(part)) {
		var r records
		r.readPairs(elementsOf(part))
		if a.commandsOf(r, in); len(a.found) == n {
			a.records(r, in)
		}
	}
}

// inReader reports whether a text ends with the tag of a tool that only reads, so that the parameters of its call follow.
func inReader(above string) bool {
	above = strings.TrimRight(above, " \t\r\n")
	tag, ok := strings.CutSuffix(above[strings.LastIndexByte(above, '<')+1:], ">")
	return ok && edittools.Reader(tag)
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

var (
	// tag matches a tag, also around the result of a call.
	tag = lazyregexp.New(`</?[A-Za-z][^<>]*>`)
	// fenceLine matches the first or last line of a fence.
	fenceLine = lazyregexp.New("^[ \t>]*(?:```|~~~)")
)

// resultHead matches a line above the result of a call that names the tool: `[write_to_file for 'a.py'] Result:`.
var resultHead = lazyregexp.New(`^\W*(\w+)\b.*:\s*$`)

// ResultLen returns the length of the result at the beginning of the text below a call: its first paragraph. If no
// other paragraph follows, ResultLen returns 0, because the paragraph may have more than the result.
func ResultLen(below string) int {
	s := strings.TrimLeft(below, " \t\r\n")
	end := blankLine.FindStringIndex(s)
	if end == nil {
		return 0
	}
	return len(below) - len(s) + end[0]
}

var blankLine = lazyregexp.New(`\n[ \t]*\r?\n`)

// errorLabel matches the label or sign with which tools begin the result of a call that failed: `Error: Exit code 2`.
var errorLabel = lazyregexp.New(`^[^\pL❌✗✘✖]*([\pL_]*(?i:error|exception|failure)\b[^\pL:]*:[ \t"']*(\w*)|[❌✗✘✖])`)

// CallResult returns [CallRefused], [CallFailed] or [CallMade], and the span of these words, if the first words below a
// call are its result and say so. Otherwise it returns [Nothing]. `below` is the text between the call and the next block.
// `labelled` is true if the result begins with the label of an error, which is never about anything but the call.
func CallResult(doc string, below text.Span) (at text.Span, says Verb, labelled bool) {
	for _, line := range linesIn(doc, below) {
		words := tag.ReplaceAllStringFunc(line.In(doc), func(tag string) string { return strings.Repeat(" ", len(tag)) })
		label := errorLabel.FindStringSubmatchIndex(words)
		labelled = label != nil && (label[4] < 0 || !slices.Contains(noError, strings.ToLower(words[label[4]:label[5]])))
		head := resultHead.FindStringSubmatch(words)
		if fenceLine.MatchString(words) || !labelled && !text.HasWord(words) || head != nil && edittools.Edits(head[1]) {
			continue
		}
		for _, v := range []Verb{CallRefused, CallFailed, CallMade} {
			if at, ok := say(words, v); ok && (v != CallMade || !labelled) {
				return at.Shift(line.Start), v, labelled
			}
		}
		if labelled {
			return text.Span{Start: label[2], End: len(strings.TrimRight(words, " "))}.Shift(line.Start), CallFailed, true
		}
		break
	}
	return text.Span{}, Nothing, false
}

// noError lists values of a member `error` that stand for no error.
var noError = []string{"null", "none", "nil", "false", "0"}
