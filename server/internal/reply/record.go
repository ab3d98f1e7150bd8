package reply

import (
	"html"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/edittools"
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/lenientjson"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A record has the texts that a reply gives for one file in some structured notation: in an object of JSON, in lines of
// YAML or TOML, in elements, or in named arguments. It may be the call of a tool, or only data.
type record struct {
	path  string    // the file as written; "" if there is none
	named bool      // the name of the member says that its value is a path
	text  *string   // the text of a member whose name says that it is the text of a file
	codes []string  // the other texts
	at    text.Span // the member with the path, as a span of the value; empty in JSON
}

// records collects the records of one value.
type records struct {
	all      []record
	commands []pair // commands of the shell in any of the members
}

// readJSON adds the objects of a JSON value. The path of an object may be in an outer object, and the parameters of a
// call may be JSON in a string.
func (r *records) readJSON(n *lenientjson.Node, outer record) {
	for _, e := range n.Elems {
		r.readJSON(e, outer)
	}
	own := record{path: outer.path, named: outer.named}
	for _, m := range n.Members {
		if m.Value.Kind == lenientjson.String {
			own.name(m.Key.Text, m.Value.Text, own.path == outer.path)
		}
	}
	for _, m := range n.Members {
		value, key := m.Value, m.Key.Text
		if isCommand(key) && len(value.Elems) > 0 { // ["bash", "-c", "git rm src/a.py"]
			value = value.Elems[len(value.Elems)-1]
		}
		switch lines, list := stringsOf(value); {
		case value.Kind == lenientjson.String && isCommand(key):
			r.commands = append(r.commands, pair{key: key, value: value.Text})
		case value.Kind == lenientjson.String && strings.HasPrefix(value.Text, "{") && slices.Contains(edittools.Holders, edittools.Bare(key)):
			if inner, diagnostics := lenientjson.Parse(value.Text); !diag.HasErrors(diagnostics) {
				r.readJSON(inner, own)
			}
		case value.Kind == lenientjson.String && strings.Contains(value.Text, "\n") && IsFileName(key):
			r.all = append(r.all, record{path: key, named: true, text: &value.Text})
		case value.Kind == lenientjson.String:
			own.add(key, value.Text)
		case list:
			own.add(key, lines)
		case IsFileName(key):
			r.readJSON(value, record{path: key})
		default:
			r.readJSON(value, own)
		}
	}
	if own.path != "" || len(own.codes) > 0 {
		r.all = append(r.all, own)
	}
}

// stringsOf returns the strings of a list as lines, or false for any other value.
func stringsOf(n *lenientjson.Node) (lines string, ok bool) {
	for _, e := range n.Elems {
		if e.Kind != lenientjson.String {
			return "", false
		}
		lines += e.Text + "\n"
	}
	return lines, len(n.Elems) > 0
}

// name uses a member as the path of the file if the member's name says that its value is a path. If `may` is true, it
// is enough that the value is a usual name of a file or has a slash. A dot is not enough, because the name of a tool
// may have one.
func (r *record) name(key, value string, may bool) {
	if named := edittools.IsOneOf(key, edittools.Paths); !r.named && IsPath(value) && (named || may && (IsFileName(value) || strings.Contains(value, "/"))) {
		r.path, r.named = value, named
	}
}

func (r *record) add(key, value string) {
	switch {
	case value == r.path || shows(key) || edittools.IsIdle(key):
	case namesText(key):
		r.text = &value
	default:
		r.codes = append(r.codes, value)
	}
}

// texts returns all texts of the record, beginning with the text of a file if there is one.
func (r *record) texts() []string {
	if r.text != nil {
		return append([]string{*r.text}, r.codes...)
	}
	return r.codes
}

// namesText reports whether a parameter with this name holds the text of a file: `content`, `NewContent`.
func namesText(name string) bool {
	bare := edittools.Bare(name)
	return edittools.IsText(name) ||
		slices.Contains([]string{"body", "source", "data", "patch"}, bare) ||
		strings.HasSuffix(bare, "content") ||
		strings.HasSuffix(bare, "text") ||
		strings.HasSuffix(bare, "code")
}

// shows reports whether a member of this name has the output of a program, or words for a person.
func shows(name string) bool { return shown.MatchString(edittools.Bare(name)) }

var shown = lazyregexp.New(`(?:outputs?|results?|responses?|stdout|stderr|messages?|errors?|logs?|description|explanation|reason)$`)

// isCommand reports whether a parameter of this name has a command of the shell.
func isCommand(name string) bool {
	return slices.Contains([]string{"command", "cmd", "script", "commandline", "shell", "bash"}, edittools.Bare(name))
}

// A pair is a member in a notation without brackets around records.
type pair struct {
	key, value string
	at         text.Span // the span of the member in the text of the elements; empty in any other notation
}

// readPairs adds the records of members in their order: each path begins a record.
func (r *records) readPairs(all []pair) {
	own, key := record{}, ""
	for _, p := range all {
		value := strings.Trim(p.value, " \t\r\n")
		if value == "" && IsFileName(p.key) {
			value, p.key = p.key, "path"
		}
		next := record{}
		if next.name(p.key, value, true); next.path != "" && (next.named || own.path == "" || p.key == key) {
			if own.path != "" {
				r.all = append(r.all, own)
				own = record{}
			}
			own.path, own.named, own.at, key = next.path, next.named, p.at, p.key
			continue
		}
		if isCommand(p.key) {
			r.commands = append(r.commands, pair{p.key, value, p.at})
		} else if value != "" {
			own.add(p.key, p.value)
		}
	}
	r.all = append(r.all, own)
}

var (
	// member matches a line such as `- path: src/a.py` or `file = "src/a.py"`.
	member = lazyregexp.New(`^([ \t]*(?:- +)*)(?:["']?([\w./-]+)["']?[ \t]*[:=](?:[ \t]+|$))?(.*)$`)
	// blockMark matches the value of a member whose text is on the lines below.
	blockMark = lazyregexp.New(`^(?:[|>][+-]?\d?|"""|\x27{3})$`)
	// argument matches a named argument of a call: `path="src/a.py"`.
	argument = lazyregexp.New(`\b(\w+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|'((?:[^'\\]|\\.)*)')`)
	// element matches an element without other elements: `<path>src/a.py</path>`, `<arg name="path">src/a.py</arg>`.
	element = lazyregexp.New(`<([\w:-]+)(?:[ \t]+(?:name|key|type)=["']([^"'<>]+)["'])?>([^<]*)</([\w:-]+)>`)
)

// linesOf returns the members in lines of YAML or TOML.
func linesOf(body string) (all []pair) {
	block := -1 // the indentation of the member whose lines are being read
	for _, line := range text.Bodies(text.SplitLines(body)) {
		indentation := len(line) - len(strings.TrimLeft(line, " \t"))
		if block >= 0 && (indentation > block || strings.TrimSpace(line) == "") {
			all[len(all)-1].value += line + "\n"
			continue
		}
		m := member.FindStringSubmatch(line)
		value := strings.TrimRight(m[3], " \t")
		if block = -1; blockMark.MatchString(value) {
			block, value = indentation, ""
		}
		if value = unquoted(value); m[2] != "" || value != "" {
			all = append(all, pair{key: m[2], value: value})
		}
	}
	return all
}

func argumentsOf(call string) (all []pair) {
	for _, m := range argument.FindAllStringSubmatch(call, mostUnread) {
		all = append(all, pair{key: m[1], value: m[2] + m[3]})
	}
	return all
}

func elementsOf(part string) (all []pair) {
	for _, m := range element.FindAllStringSubmatchIndex(part, mostUnread) {
		key := text.Span{Start: m[2], End: m[3]}
		if key.In(part) != part[m[8]:m[9]] {
			continue
		}
		if m[4] >= 0 {
			key = text.Span{Start: m[4], End: m[5]}
		}
		all = append(all, pair{key.In(part), html.UnescapeString(part[m[6]:m[7]]), text.Span{Start: m[0], End: m[1]}})
	}
	return all
}

// A Written is a file and its text, as found in a JSON value.
type Written struct{ Path, Text string }

// TextsIn returns the texts of files in a JSON value: `{"path": ..., "content": ...}`, or `{"src/a.ts": "..."}` with a
// text of several lines. The path may also be in an outer value.
func TextsIn(n *lenientjson.Node) (found []Written) {
	var r records
	r.readJSON(n, record{})
	for _, one := range r.all {
		if one.named && one.text != nil {
			found = append(found, Written{one.path, *one.text})
		}
	}
	return found
}
