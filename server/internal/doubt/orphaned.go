package doubt

import (
	"iter"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/locate"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// orphaned finds a function or type that a whole text lacks completely, although the rest of the text still calls it. A
// model may forget a part of a file that it rewrites. The rule is independent of the language; it drops the doubt if
// any text may define the name.
var orphaned = Rule{
	ID: "orphaned", existing: true, program: true,
	doubts: func(c *Change) *Doubt {
		if !c.Whole || c.Marked {
			return nil
		}
		lost := 0
		for _, r := range c.Runs {
			var gone map[int]bool // nil until first needed
			for i, line := range r.Old {
				if !c.opensDeeper(r.Line-1+i) || definedIn(line) == "" {
					continue
				}
				if gone == nil {
					gone = text.Set(r.gone(c.Meter))
				}
				name := c.lostAt(r.Line-1+i, gone)
				if name == "" {
					continue
				}
				if lost++; lost > mostLost {
					return nil
				}
				if used := c.usesLost(name); used != "" {
					return warn(c.at(r), diag.LinesLost, "line %d of %s, %q, would be lost with the lines below it, but %q still uses %q; the text may lack lines",
						r.Line+i, c.Path, cut(strings.TrimSpace(r.Old[i]), 60), cut(strings.TrimSpace(used), 60), name)
				}
			}
		}
		return nil
	},
}

// mostLost limits the number of lost names to look for, because each search reads the whole text. A text that lacks
// more definitions is a different program, or it lacks so much that another rule asks.
const mostLost = 8

// opensDeeper reports whether the line of the file after index i is indented more, or is only a brace.
func (c *Change) opensDeeper(i int) bool {
	if i+1 >= len(c.old) {
		return false
	}
	below := c.old[i+1]
	return locate.IsBlank(below) || strings.TrimSpace(below) == "{" || len(locate.Indentation(below)) > len(locate.Indentation(c.old[i]))
}

// lostAt returns the name of the function or type that begins at an index of the file's lines, if all its lines are
// gone.
func (c *Change) lostAt(first int, gone map[int]bool) string {
	name := definedIn(c.old[first])
	if name == "" || !gone[first] || overrides.MatchString(c.old[first]) || first > 0 && overrides.MatchString(c.old[first-1]) {
		return ""
	}
	depth, body := len(locate.Indentation(c.old[first])), 0
	for i := first + 1; i < len(c.old); i++ {
		line := c.old[i]
		if locate.IsBlank(line) || body == 0 && strings.TrimSpace(line) == "{" {
			continue
		}
		if len(locate.Indentation(line)) <= depth {
			break
		}
		if text.HasWord(line) && !gone[i] {
			return ""
		}
		body++
	}
	if body == 0 {
		return ""
	}
	return name
}

var (
	// typed matches a line that defines a type, and its name.
	typed = lazyregexp.New(`^[\s\w()]*\b(?:class|struct|interface|enum|trait|record|object|protocol|module)\s+(\w+)[^;=]*$`)
	// called matches the first name before a parenthesis, and the words before that name.
	called = lazyregexp.New(`^([^("'=]*?)(\w+)\s*(?:<[^()]*>)?\(`)
	// receiver matches the receiver of a method in Go, with the `func` before it.
	receiver = lazyregexp.New(`^func\s*\([^)]*\)\s*`)
)

// overrides matches a line which says that the definition overrides another definition. The other definition stays.
var overrides = lazyregexp.New(`(?i)(?:^|[\s@#\[])override\b`)

// notNames holds words before a parenthesis that are not names of functions and do not precede such names.
var notNames = setOf("if for foreach while until elif else elsif unless switch match with try catch return throw new await yield guard when case not and or in assert super this self " +
	"constructor init sizeof typeof using lock synchronized fixed main setUp tearDown")

// shortestName is the length of the shortest name to look for. Shorter names, such as `min`, often belong to the
// language itself.
const shortestName = 4

// definedIn returns the name of the function or type that a line may define, or "".
func definedIn(line string) (name string) {
	body := strings.TrimSpace(line)
	if body == "" || isRemark(line) || strings.IndexByte("})].@#<\"'", body[0]) >= 0 || strings.HasSuffix(body, ";") || strings.HasSuffix(body, ",") {
		return ""
	}
	if m := defining.FindStringSubmatch(body); m != nil && (opensBlock(line) || strings.Contains(line, "(")) {
		name = m[1] + m[2]
	} else if m := typed.FindStringSubmatch(line); m != nil {
		name = m[1]
	} else if m := called.FindStringSubmatch(receiver.ReplaceAllString(body, "func ")); m != nil {
		before := strings.Fields(m[1])
		switch {
		case slices.ContainsFunc(before, func(word string) bool { return notNames[word] }), strings.HasSuffix(m[1], "."):
		case len(before) > 0, strings.HasSuffix(body, "{") && strings.Count(body, "(") == strings.Count(body, ")"):
			// A method without a word before its name, as in JavaScript, has all its parameters on one line.
			name = m[2]
		}
	}
	if len(name) < shortestName || notNames[name] || beginsCode[name] || name[0] >= '0' && name[0] <= '9' {
		return ""
	}
	return name
}

// usesLost returns a line of the text that still calls a name whose definition is lost. It returns "" if any text may
// define the name.
func (c *Change) usesLost(name string) string {
	if c.definedElsewhere(name) {
		return ""
	}
	return usesOf(c.new, name)
}

// usesOf returns the first line that calls a name. It returns "" if any line may define the name.
func usesOf(lines []string, name string) (used string) {
	for _, line := range lines {
		if !strings.Contains(line, name) || isRemark(line) {
			continue
		}
		for before, after := range mentions(line, name) {
			head, tail := strings.TrimSpace(before), strings.TrimSpace(after)
			imports := strings.Contains(before, "import ") || strings.Contains(before, "use ") || head == "" && (tail == "," || tail == "")
			switch {
			case definedIn(line) == name, imports, introduces.MatchString(before),
				strings.HasPrefix(tail, "=") && !strings.HasPrefix(tail, "=="), strings.HasPrefix(tail, ":") && !strings.HasPrefix(tail, "::"):
				return ""
			case used == "" && (strings.HasPrefix(after, "(") || strings.HasSuffix(before, "<")) && ofItself.MatchString(before):
				used = line
			}
		}
	}
	return used
}

// ofItself matches the text before a name that is called as a function, or as a method of the same object.
var ofItself = lazyregexp.New(`(?:^|[^\w.>:$@"'` + "`" + `/\\-]|\b(?:this|self|cls)\.|\$this->|\b(?:self|static|Self)::)$`)

// introduces matches the text before a name that the line defines, or takes as a parameter.
var introduces = lazyregexp.New(`\b(?:def|fn|func|fun|function|sub|class|struct|interface|enum|trait|let|var|val|const|lambda|type|module|define)\b[^=]*$`)

// mentions yields the text before and the text after each occurrence of a name.
func mentions(in, name string) iter.Seq2[string, string] {
	return func(yield func(string, string) bool) {
		for from := 0; name != ""; from += len(name) {
			i := strings.Index(in[from:], name)
			if i < 0 {
				return
			}
			from += i
			if before, after := in[:from], in[from+len(name):]; !isWordStart(after) && !isWordEnd(before) && !yield(before, after) {
				return
			}
		}
	}
}
