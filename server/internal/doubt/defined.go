package doubt

import (
	"iter"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/text"
)

var (
	// typed matches a line that defines a type, and its name.
	typed = lazyregexp.New(`^[\s\w()]*\b(?:class|struct|interface|enum|trait|record|object|protocol|module)\s+(\w+)[^;=]*$`)
	// called matches the first name before a parenthesis, and the words before that name.
	called = lazyregexp.New(`^([^("'=]*?)(\w+)\s*(?:<[^()]*>)?\(`)
	// receiver matches the receiver of a method in Go, with the `func` before it.
	receiver = lazyregexp.New(`^func\s*\([^)]*\)\s*`)
)

// notNames holds words before a parenthesis that neither name a function nor precede its name.
var notNames = text.WordSet("if for foreach while until elif else elsif unless switch match with try catch return throw new await yield guard when case not and or in assert super this self " +
	"constructor init sizeof typeof using lock synchronized fixed main setUp tearDown")

// shortestName is the length of the shortest name to look for. Shorter names, such as `min`, often belong to the
// language itself.
const shortestName = 4

const shortestDefined = 3

// Defines returns the name of the function or type that the line seems to define, or "" if there is none.
func Defines(line string) (name string) {
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
			// Without a word before the name, for example in JavaScript, the line must have all parameters and open a block.
			name = m[2]
		}
	}
	if len(name) < shortestDefined || notNames[name] || beginsCode[name] || name[0] >= '0' && name[0] <= '9' {
		return ""
	}
	return name
}

// usesOf returns the first line that calls the name. It returns "" if any line may define the name.
func usesOf(lines []string, name string) (used string) {
	for _, line := range lines {
		if !strings.Contains(line, name) || isRemark(line) {
			continue
		}
		for before, after := range mentions(line, name) {
			head, tail := strings.TrimSpace(before), strings.TrimSpace(after)
			imports := strings.Contains(before, "import ") || strings.Contains(before, "use ") || head == "" && (tail == "," || tail == "")
			switch {
			case Defines(line) == name, imports, introduces.MatchString(before),
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

// introduces matches the text before a name that the line defines, or has as a parameter.
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
