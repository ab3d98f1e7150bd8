package toolcall

import (
	"fmt"
	"slices"
	"strconv"
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

// This file reads calls that are written as calls of a function in Python (rule C27). Some agents write their actions in
// this form.

// inPython is what Find leaves for a fence with such calls.
type inPython struct{}

// functionCall matches the beginning of a line with a call. Its group is the name of the function.
var functionCall = lazyregexp.New(`(?m)^(?:\w+ *= *|print\()?(?:\w+\.)*(\w+)\(`)

// A pythonCall is a call of a tool that changes files. The node has its named arguments, or is nil if one of them is an
// expression or has no name.
type pythonCall struct {
	tool string
	at   text.Span
	args *lenientjson.Node
}

func pythonCalls(body string) (all []pythonCall) {
	for at := 0; at < len(body); {
		m := functionCall.FindStringSubmatchIndex(body[at:])
		if m == nil {
			break
		}
		c := pythonCall{tool: body[at+m[2] : at+m[3]]}
		begin := at + m[3]
		args, end := argumentsAt(body, begin)
		at, c.at, c.args = max(end, at+m[1]), text.Span{Start: at + m[2], End: max(end, at+m[1])}, args
		if edittools.Edits(c.tool) {
			all = append(all, c)
		}
	}
	return all
}

// holdsPython reports whether a fence has a call of a known tool for a file of the tree, or for a new file in one of its
// folders. In a document that begins with a title, the fence may be an example.
func (f *finder) holdsPython(r *format.Region) bool {
	if r.Lang != "" && r.Lang != "py" && r.Lang != "python" && r.Lang != "tool_code" || !r.Closed || f.doc.Tree == nil || !strings.Contains(r.Body, "path") {
		return false
	}
	if _, titled := reply.Titled(f.doc); titled || !f.doc.Meter.Pay(eachMatched*len(r.Body)) {
		return false
	}
	return slices.ContainsFunc(pythonCalls(r.Body), func(c pythonCall) bool {
		return c.args != nil && isCall(c.args, c.tool) && f.isPlace(pathOf(c.args))
	})
}

func (inPython) parsed(body string) format.Parsed {
	parsed := format.Parsed{}
	parsed.Set.PathsRepeat = true
	for _, c := range pythonCalls(body) {
		if c.args == nil {
			parsed.Entries++
			parsed.Diagnostics = append(parsed.Diagnostics, diag.New(diag.CallUnknown, c.at, fmt.Sprintf("Aptix reads a call of %q only if each argument has a name, and is a string or another plain value", c.tool)))
			continue
		}
		r := &reader{doc: jsonshape.ReadCalls("{}")}
		r.input(c.tool, c.args, nil)
		parsed.Entries += r.entries
		parsed.Diagnostics = append(parsed.Diagnostics, r.doc.Sorted()...)
		parsed.Set.Changes = append(parsed.Set.Changes, r.changes...)
	}
	parsed.Readable = len(parsed.Set.Changes)
	return parsed
}

// argumentsAt reads the named arguments of a call from its bracket on. It returns nil if one of them is an expression or
// has no name; `end` is then the end of what was read.
func argumentsAt(s string, bracket int) (args *lenientjson.Node, end int) {
	args = &lenientjson.Node{Kind: lenientjson.Object}
	at := bracket + 1
	for {
		at += len(s[at:]) - len(strings.TrimLeft(s[at:], " \t\r\n"))
		if strings.HasPrefix(s[at:], ")") {
			args.Span = text.Span{Start: bracket, End: at + 1}
			return args, at + 1
		}
		name := argumentName.FindStringIndex(s[at:])
		if name == nil {
			return nil, at
		}
		key := &lenientjson.Node{Kind: lenientjson.String, Text: strings.TrimRight(s[at:at+name[1]], " ="), Span: text.Span{Start: at, End: at + name[1]}}
		value := valueAt(s, at+name[1])
		if value == nil {
			return nil, at
		}
		args.Members = append(args.Members, lenientjson.Member{Key: key, Value: value, Span: text.Span{Start: at, End: value.Span.End}})
		at = value.Span.End
		at += len(s[at:]) - len(strings.TrimLeft(s[at:], " \t\r\n"))
		if strings.HasPrefix(s[at:], ",") {
			at++
		} else if !strings.HasPrefix(s[at:], ")") {
			return nil, at
		}
	}
}

var (
	argumentName = lazyregexp.New(`^[A-Za-z_]\w*[ ]*=[ ]*`)
	plainValue   = lazyregexp.New(`^(?:True|False|None|-?\d+)\b`)
)

// valueAt reads a string, a number or a constant, or returns nil.
func valueAt(s string, at int) *lenientjson.Node {
	if word := plainValue.FindString(s[at:]); word != "" {
		n := &lenientjson.Node{Kind: lenientjson.Number, Text: word, Span: text.Span{Start: at, End: at + len(word)}}
		switch word {
		case "True", "False":
			n.Kind, n.Text = lenientjson.Bool, strings.ToLower(word)
		case "None":
			n.Kind, n.Text = lenientjson.Null, ""
		}
		return n
	}
	start, raw := at, strings.HasPrefix(s[at:], "r")
	if raw {
		at++
	}
	for _, quote := range []string{`"""`, `'''`, `"`, `'`} {
		if strings.HasPrefix(s[at:], quote) {
			value, size := unquoted(s[at+len(quote):], quote, raw)
			if size < 0 {
				return nil
			}
			return &lenientjson.Node{Kind: lenientjson.String, Text: value, Span: text.Span{Start: start, End: at + len(quote) + size + len(quote)}}
		}
	}
	return nil
}

// escapes are the escapes of one character in a string of Python.
var escapes = map[byte]string{'n': "\n", 't': "\t", 'r': "\r", '\\': `\`, '\'': "'", '"': `"`, '\n': ""}

// unquoted returns the value of a string of Python that ends with a quote, and the size of its source without the quotes,
// or -1 if it has no end or an escape that is not read.
func unquoted(s, quote string, raw bool) (value string, size int) {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		switch {
		case strings.HasPrefix(s[i:], quote):
			return b.String(), i
		case s[i] == '\n' && len(quote) == 1:
			return "", -1
		case s[i] != '\\' || i+1 == len(s):
			b.WriteByte(s[i])
		case raw:
			b.WriteString(s[i : i+2])
			i++
		case s[i+1] == 'x' || s[i+1] == 'u':
			digits := map[byte]int{'x': 2, 'u': 4}[s[i+1]]
			code, err := strconv.ParseUint(s[i+2:min(len(s), i+2+digits)], 16, 32)
			if err != nil {
				return "", -1
			}
			b.WriteRune(rune(code))
			i += 1 + digits
		case strings.IndexByte("NU01234567abfv", s[i+1]) >= 0:
			return "", -1
		default:
			if plain, ok := escapes[s[i+1]]; ok {
				b.WriteString(plain)
			} else {
				b.WriteString(s[i : i+2])
			}
			i++
		}
	}
	return "", -1
}
