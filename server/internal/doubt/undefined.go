package doubt

import (
	"cmp"
	"iter"
	"path"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/meter"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// eachSearch is the cost, in units of the meter, of each byte that is searched for uses of a removed definition.
const eachSearch = 16

// undefined finds a removed line that was the only one to import or define a name, although other lines still use the
// name. It looks for definitions only in languages in which a file must import the names of other files before it can
// use them.
var undefined = Rule{
	ID: "undefined", existing: true, program: true,
	doubts: func(c *Change) *Doubt {
		for _, r := range c.Runs {
			for i, line := range r.Old {
				fn, names := Defines(line), c.definedBy(line)
				if fn == "" && len(names) == 0 {
					continue
				}
				still := c.stillDefined()
				mayHave := func(name string) bool { return c.nameCounts().mayHave(name) }
				names = slices.DeleteFunc(names, func(name string) bool { return still.names[name] })
				lost := fn != "" && len(still.functions[fn]) == 0
				if lost && !mayHave(fn) {
					fn, lost = "", false
				}
				if (lost || slices.ContainsFunc(names, mayHave)) && !c.Meter.Pay(eachSearch*len(c.Before())) {
					return nil
				}
				if name, used := c.leftBehind(r, i, fn); used != "" {
					return warn(c.at(r), diag.LinesLost, "line %d of %s would lose the name `%s`, but %q still uses it; write the name if it should stay", r.Line+i, c.Path, name, text.Cut(strings.TrimSpace(used), 60))
				}
				for _, name := range names {
					if file, used := c.usedByOther(name, line); used != "" {
						return warn(c.at(r), diag.LinesLost,
							"line %d of %s defines `%s` and would be lost, but %s still uses that name: %q; the reply may lack an edit of that file", r.Line+i, c.Path, name, file, text.Cut(used, 60))
					}
					if !mayHave(name) {
						continue
					}
					if used := c.usedWithout(name, line); used != "" {
						return warn(c.at(r), diag.LinesLost,
							"line %d of %s defines `%s` and would be lost, but %q still uses that name; write the line if it should stay", r.Line+i, c.Path, name, text.Cut(strings.TrimSpace(used), 60))
					}
				}
			}
		}
		return nil
	},
}

var (
	importing = lazyregexp.New(`^(?:from\s+\S+\s+)?(?:import|use)\s+(?:static\s+|type\s+)?([^"'=]+?)(?:\s+from\s+["'].*)?;?\s*$`)
	required  = lazyregexp.New(`^(?:const|let|var)\s+(\{[^}]*\}|\w+)\s*=\s*(?:await\s+)?(?:require|import)\(`)
	defining  = lazyregexp.New(`^(?:(?:export|default|async|pub(?:\(\w+\))?|static|abstract|declare)\s+)*(?:const|let|var|def|fn|function\*?|class|struct|interface|enum|type|trait)\s+(\w+)|^(\w+)(?:\s*:\s*[\w\[\]., |]+)?\s*=[^=]`)
)

// ownNames lists the extensions of languages in which a file must import the functions of other files.
var ownNames = []string{".py", ".js", ".mjs", ".jsx", ".ts", ".tsx", ".rs"}

// packagers lists the extensions of languages in which an import ends with a name, and a file also sees the names of
// its own package.
var packagers = []string{".java", ".kt", ".kts", ".scala", ".groovy", ".php"}

// goImport matches an import in Go. Its groups are another name for the package, if any, and the path without a
// version at the end.
var goImport = lazyregexp.New(`^\s*(?:import\s+)?(\w+\s+)?"([\w./-]+?)(?:/v\d+)?"\s*$`)

// definedBy returns the names that a line imports or defines. It returns nil for an indented line, except for an import
// in Go.
func (c *Change) definedBy(line string) (names []string) {
	if m := goImport.FindStringSubmatch(line); m != nil && c.ext() == ".go" {
		return []string{cmp.Or(strings.TrimSpace(m[1]), path.Base(m[2]))}
	}
	own := slices.Contains(ownNames, c.ext())
	if line == "" || line[0] == ' ' || line[0] == '\t' || line[0] == '}' || !own && !slices.Contains(packagers, c.ext()) {
		return nil
	}
	if m := importing.FindStringSubmatch(line); m != nil {
		return imported(m[1])
	}
	if !own {
		return nil
	}
	if m := required.FindStringSubmatch(line); m != nil {
		return imported(m[1])
	}
	if m := defining.FindStringSubmatch(line); m != nil {
		return []string{m[1] + m[2]}
	}
	return nil
}

// imported returns the names in the list of an import, such as `File` and `Read` for `{fs::File, io::Read}`.
func imported(list string) (names []string) {
	list, _, _ = strings.Cut(list, " #")
	for _, part := range strings.FieldsFunc(list, func(r rune) bool { return strings.ContainsRune(",{}()", r) }) {
		words := strings.FieldsFunc(part, func(r rune) bool { return strings.ContainsRune(" \t.:\\/", r) })
		if len(words) > 0 && firstWord(words[len(words)-1]) == words[len(words)-1] {
			names = append(names, words[len(words)-1])
		}
	}
	return names
}

// onlyQuoted reports whether a line has a name only in strings. It returns false if a string may contain code, such
// as `"{name}"`.
func onlyQuoted(line, name string) bool {
	return !strings.ContainsAny(line, "{$") && !hasName(bare(line), name)
}

// usedWithout returns a remaining line that needs the given name, which only the line `lost` defined. It returns "" if
// there is none, or if another line may define the name now, for example as a parameter.
func (c *Change) usedWithout(name, lost string) (used string) {
	packaged := slices.Contains(packagers, c.ext())
	for _, r := range c.Runs {
		for _, line := range r.New {
			at, _ := nameIn(line, name)
			switch {
			case strings.Contains(line, name) && (slices.Contains(c.definedBy(line), name) || c.ext() == ".go" && goImport.MatchString(line)), isAlone(line, name), strings.TrimSpace(line) == strings.TrimSpace(lost):
				return "" // The line imports the name, or is the lost line at another place.
			case strings.Contains(line, "*") && strings.Contains(line, "import"):
				return ""
			case isMember(line, name):
				return "" // This line may import the name: `use std::{fs::File, io::{self, Read}};`
			case at < 0 || isRemark(line) || onlyQuoted(line, name):
			case !isArgument(line, at, name):
				return "" // This line may define the name, so the name is not undefined.
			case used == "" && !packaged:
				used = line
			}
		}
	}
	if !c.had(name) || !c.Meter.Pay(len(c.Before())/meter.Line) {
		return ""
	}
	for line := range c.kept() {
		if strings.Contains(line, name) && slices.Contains(c.definedBy(line), name) {
			return ""
		}
		code, _ := noteAt(line)
		at, needs := nameIn(code, name)
		switch {
		case at < 0 || isRemark(line) || onlyQuoted(line, name):
		case isAlone(line, name), !needs || strings.Contains(line, " from ") || naming.MatchString(line[:at]):
			return "" // This line may define the name, so the name is not undefined.
		case used == "":
			used = line
		}
	}
	if used != "" && packaged && (strings.Contains(lost, " "+packageIn(c.oldLines())+"."+name) || c.definedElsewhere(name)) {
		return "" // A file sees the types of its own package.
	}
	return used
}

// A definitions holds the names of removed definitions that the changed text still defines.
type definitions struct {
	lines     []string         // all lines of the text
	functions map[string][]int // the indexes of the lines that define each name, by [Defines]
	names     map[string]bool  // the names that [Change.definedBy] returns
}

func (c *Change) stillDefined() *definitions {
	if c.defines == nil {
		d := &definitions{lines: c.after(), functions: map[string][]int{}, names: map[string]bool{}}
		lost := map[string]bool{}
		for _, r := range c.Runs {
			for _, line := range r.Old {
				for _, name := range append(c.definedBy(line), Defines(line)) {
					lost[name] = true
				}
			}
		}
		for i, line := range d.lines {
			if !slices.ContainsFunc(text.Names(line), func(word string) bool { return lost[word] }) {
				continue
			}
			if fn := Defines(line); fn != "" {
				d.functions[fn] = append(d.functions[fn], i)
			}
			for _, name := range c.definedBy(line) {
				d.names[name] = true
			}
		}
		c.defines = d
	}
	return c.defines
}

// leftBehind returns a name that is no longer defined, and a line that still uses the name. Old line i is the first
// line of the function or type `fn`. The name is `fn` if `fn` was renamed; otherwise, it is a parameter that is missing
// in the new version of line i. Both results are "" if there is no such name.
func (c *Change) leftBehind(r Run, i int, fn string) (name, used string) {
	if fn == "" {
		return "", ""
	}
	lines, at := c.stillDefined().lines, c.stillDefined().functions[fn]
	if len(at) == 0 {
		isOther := func(line string) bool {
			return Defines(line) != "" && text.Indentation(line) == text.Indentation(r.Old[i])
		}
		if used = usesOf(lines, fn); used == "" {
			return "", ""
		}
		renamed := len(r.gone(c.Meter)) == 0 && strings.Contains(r.Old[i], "(") && slices.ContainsFunc(r.New, isOther)
		if !renamed || c.definedElsewhere(fn) {
			return "", ""
		}
		return fn, used
	}
	first := lines[at[0]]
	if len(at) > 1 || c.has(first) {
		return "", "" // Two functions have this name, or its first line stays.
	}
	is := text.Set(c.parameters(fn, first))
	gone := text.Set(slices.DeleteFunc(c.parameters(fn, r.Old[i]), func(name string) bool { return is[name] }))
	if len(gone) == 0 || !strings.Contains(first, fn+"(") || !strings.Contains(first, ")") {
		return "", "" // No parameter is gone, or the lines below may have more parameters.
	}
	depth := len(text.Indentation(first))
	for _, line := range lines[at[0]+1:] {
		if text.HasWord(line) && len(text.Indentation(line)) <= depth {
			break
		}
		for lost := range gone {
			for before, after := range mentions(line, lost) {
				switch tail := strings.TrimSpace(after); {
				case isRemark(line):
				case introduces.MatchString(before), strings.HasPrefix(tail, "=") && !strings.HasPrefix(tail, "=="), strings.HasPrefix(tail, ":"), strings.TrimSpace(before) == "" && strings.HasPrefix(tail, ","):
					delete(gone, lost) // This line may define the name again, so the name is not gone.
				case used == "" && !strings.HasSuffix(before, ".") && tail != "" && strings.IndexByte("),.[", tail[0]) >= 0:
					name, used = lost, line
				}
			}
		}
	}
	if !gone[name] {
		return "", ""
	}
	return name, used
}

// parameters returns the names of the parameters on the first line of a function. It returns nil if the line is not
// clearly the first line of a function, or does not end the list of parameters.
func (c *Change) parameters(fn, line string) (names []string) {
	before, list, _ := strings.Cut(line, fn+"(")
	list, _, closed := strings.Cut(list, ")")
	typed := slices.Contains([]string{".c", ".h", ".cc", ".cpp", ".hpp", ".java", ".cs", ".dart"}, c.ext())
	if !closed || !typed && !function.MatchString(before) || c.ext() == ".php" {
		return nil
	}
	for part := range strings.SplitSeq(list, ",") {
		part, _, _ = strings.Cut(part, "=")
		if words := aWord.FindAllStringSubmatch(part, -1); typed && len(words) > 1 && len(strings.Fields(part)) > 1 {
			names = append(names, words[len(words)-1][0])
		} else if !typed && len(words) > 0 {
			names = append(names, words[0][0])
		}
	}
	return names
}

var function = lazyregexp.New(`\b(?:def|fn|func|fun|function|sub)\b`)

var aWord = lazyregexp.New(`[A-Za-z_]\w*`)

// usedByOther returns another file, and a line in it that still uses the name. The removed line `lost` defined the
// name, and this file no longer has it. The other line must import the name from the module of this file, or call it
// as a member of that module.
func (c *Change) usedByOther(name, lost string) (file, used string) {
	if c.Users == nil || !defining.MatchString(lost) || len(name) < shortestName || c.nameCounts().of(name) > 0 {
		return "", ""
	}
	module := strings.TrimSuffix(path.Base(c.Path), path.Ext(c.Path))
	if slices.Contains([]string{"__init__", "index", "mod", "lib"}, module) {
		module = path.Base(path.Dir(c.Path))
	}
	for file, other := range c.Users {
		if !strings.Contains(other, name) || !strings.Contains(other, module) {
			continue
		}
		for line := range strings.Lines(other) {
			line = strings.TrimSpace(line)
			imports := strings.Contains(line, name) && slices.Contains(c.definedBy(line), name) && !defining.MatchString(line)
			for range mentions(line, module) {
				if imports {
					return file, line
				}
			}
			if strings.Contains(line, module+"."+name+"(") || strings.Contains(line, module+"::"+name+"(") {
				return file, line
			}
		}
	}
	return "", ""
}

// definedElsewhere reports whether another text of the reply, or another file in the folder, defines a name.
func (c *Change) definedElsewhere(name string) bool {
	defines := func(line string) bool { return strings.Contains(line, name) && Defines(line) == name }
	if c.Others != nil && slices.ContainsFunc(c.Others(), defines) {
		return true
	}
	if c.Siblings != nil {
		for file, other := range c.Siblings {
			if strings.TrimSuffix(path.Base(file), path.Ext(file)) == name || strings.Contains(other, name) && slices.ContainsFunc(linesOf(other), defines) {
				return true
			}
		}
	}
	return false
}

func (c *Change) kept() iter.Seq[string] {
	return func(yield func(string) bool) {
		next := 0
		for i, line := range c.oldLines() {
			for next < len(c.Runs) && i+1 >= c.Runs[next].Line+len(c.Runs[next].Old) {
				next++
			}
			if (next == len(c.Runs) || i+1 < c.Runs[next].Line) && !yield(line) {
				return
			}
		}
	}
}

func isAlone(line, name string) bool { return strings.Trim(line, " \t,") == name }

// isMember reports whether the line names a member of a module, such as `fs::File,`, and calls nothing.
func isMember(line, name string) bool {
	_, after, found := strings.Cut(line, "::"+name)
	return found && !isWordStart(after) && !strings.Contains(line, "(")
}

// isArgument reports whether a line calls a name, uses a member of it, or passes it to a call whose opening bracket is
// on the same line.
func isArgument(line string, at int, name string) bool {
	if naming.MatchString(line[:at]) {
		return false
	}
	after := line[at+len(name):]
	return strings.HasPrefix(after, "(") || strings.HasPrefix(after, ".") || strings.Contains(line[:at], "(") && strings.Contains(after, ")")
}

// naming matches the text before a name that the line defines.
var naming = lazyregexp.New(`(?:\b(?:def|fn|func|function|class|import|use|as|for|let|var|const|lambda|type)\b[^=]*)$`)

// nameIn returns the first place at which the line needs the name, because it calls the name or uses a member of it.
// If there is none, it returns the last place of the name, or -1, and `needs` is false.
func nameIn(line, name string) (at int, needs bool) {
	at = -1
	for before, after := range mentions(line, name) {
		decorates := strings.TrimLeft(before, " \t") == "@"
		if !decorates && before != "" && strings.IndexByte(".:\"'`-$@#/\\", before[len(before)-1]) >= 0 {
			continue
		}
		if at < 0 || !needs {
			at, needs = len(before), decorates ||
				after != "" && strings.IndexByte(".([{!<", after[0]) >= 0 ||
				strings.HasPrefix(after, "::") ||
				name[0] >= 'A' && name[0] <= 'Z' && !strings.HasPrefix(strings.TrimLeft(after, " "), "=")
		}
	}
	return at, needs
}

func isWordEnd(s string) bool {
	return s != "" && isWordStart(s[len(s)-1:])
}

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
