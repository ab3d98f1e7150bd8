package reply

import (
	"path"
	"regexp"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// Selects the operands of a command that are the files it changes.
type operands int

const (
	allOperands operands = iota
	lastOperand
	exceptFirst // sed's script comes first
	noOperands
)

// A tool is a command that changes files: its effect, and the affected operands.
type tool struct {
	does  string
	which operands
}

// tools maps the names of commands, in lower case; names for `git` include the subcommand.
var tools = map[string]tool{
	"rm": {"deletes", allOperands}, "unlink": {"deletes", allOperands}, "git rm": {"deletes", allOperands}, "del": {"deletes", allOperands},
	"erase": {"deletes", allOperands}, "remove-item": {"deletes", allOperands}, "ri": {"deletes", allOperands},
	"mv": {"moves", allOperands}, "git mv": {"moves", allOperands}, "move": {"moves", allOperands}, "ren": {"moves", allOperands},
	"move-item": {"moves", allOperands}, "rename-item": {"moves", allOperands},
	"cp": {"writes", lastOperand}, "copy": {"writes", lastOperand}, "copy-item": {"writes", lastOperand}, "ln": {"writes", lastOperand}, "install": {"writes", lastOperand},
	"touch": {"writes", allOperands}, "tee": {"writes", allOperands}, "truncate": {"writes", allOperands}, "new-item": {"writes", allOperands},
	"set-content": {"writes", allOperands}, "add-content": {"writes", allOperands}, "out-file": {"writes", allOperands},
	"git apply": {"writes", noOperands}, "patch": {"writes", noOperands}, "git am": {"writes", noOperands},
	"git checkout": {"writes", allOperands}, "git restore": {"writes", allOperands},
}

// inPlace maps commands to the option that makes them change their files.
var inPlace = map[string]*regexp.Regexp{
	"sed": regexp.MustCompile(`^(?:-[a-zA-Z]*i|--in-place)`), "gsed": regexp.MustCompile(`^(?:-[a-zA-Z]*i|--in-place)`),
	"perl": regexp.MustCompile(`^-[a-zA-Z]*i`), "ruby": regexp.MustCompile(`^-[a-zA-Z]*i`),
}

// An effect is the effect of a command on one file.
type effect struct {
	does, path string // the path as written, relative to the working folder; "" if unknown
	sure       bool   // the command has no other purpose
	line       int    // in the script, from 0
}

var (
	heredoc     = lazyregexp.New(`<<[-~]?\s*(?:'(\w+)'|"(\w+)"|\\?(\w+))`)
	scriptWrite = lazyregexp.New(`(?:\bopen\(\s*f?['"]([^'"\n]+)['"]\s*,\s*(?:mode\s*=\s*)?['"][wax+]|Path\(\s*f?['"]([^'"\n]+)['"]\s*\)\s*\.write_(?:text|bytes)|\b(?:write|append)File(?:Sync)?\(\s*['"` + "`" + `]([^'"` + "`" + `\n]+)['"` + "`" + `]|\bFile\.write\(\s*['"]([^'"\n]+)['"]|\bos\.(?:remove|rename)\(\s*['"]([^'"\n]+)['"]|\b(?:unlink|rm)Sync\(\s*['"]([^'"\n]+)['"])`)
	writesText  = lazyregexp.New(`\.write_(?:text|bytes)\(|\.write\(|(?:write|append)File(?:Sync)?\(`)
	literal     = lazyregexp.New(`(?:Path|open|File|join|resolve)\(\s*['"]([^'"\n]+)['"]`)
	patchHeader = lazyregexp.New(`(?m)^\+\+\+ (?:b/)?([^\s]+)`)
)

// mostEffects limits the listed effects of one script.
const mostEffects = 1000

// effects returns the effects of a script's commands on files.
func effects(script string) []effect {
	var found []effect
	lines := text.SplitLines(script)
	folder := ""
	for i := 0; i < len(lines) && len(found) < mostEffects; i++ {
		first, line := i, strings.TrimSpace(lines[i])
		for strings.HasSuffix(line, `\`) && i+1 < len(lines) {
			i++
			line = strings.TrimSuffix(line, `\`) + " " + strings.TrimSpace(lines[i])
		}
		body := ""
		if m := heredoc.FindStringSubmatch(line); m != nil {
			end := m[1] + m[2] + m[3]
			var b strings.Builder
			for i++; i < len(lines) && strings.TrimSpace(lines[i]) != end; i++ {
				b.WriteString(lines[i])
			}
			body = b.String()
			line = strings.Replace(line, m[0], "", 1)
		}
		var of []effect
		of, folder = effectsOf(line, body, folder)
		for _, e := range of {
			e.line = first
			found = append(found, e)
		}
	}
	return found
}

// effectsOf returns the effects of one line, given the text on standard input and the
// working folder. It also returns the working folder for the next line.
func effectsOf(line, input, folder string) ([]effect, string) {
	if len(line) > mostLine {
		line = line[:mostLine]
	}
	var found []effect
	for _, command := range commandsOf(line) {
		for len(command) > 0 && (command[0] == "$" || command[0] == ">" && len(command) > 2 || command[0] == "sudo" || command[0] == "PS>" || strings.Contains(command[0], "=") && !strings.ContainsAny(command[0], "/>")) {
			command = command[1:]
		}
		if len(command) == 0 || strings.HasPrefix(command[0], "#") {
			continue
		}
		if command[0] == "cd" && len(command) == 2 {
			folder = path.Join(folder, command[1])
			continue
		}
		for _, e := range effectsOfCommand(command, input) {
			if e.path != "" && folder != "" && !path.IsAbs(e.path) {
				e.path = path.Join(folder, e.path)
			}
			found = append(found, e)
		}
	}
	return found, folder
}

func effectsOfCommand(command []string, input string) []effect {
	var found []effect
	name := strings.ToLower(path.Base(command[0]))
	args, redirected := splitRedirections(command[1:])
	for _, to := range redirected {
		found = append(found, effect{does: "writes", path: to, sure: name == "cat" || name == "echo" || name == "printf" || name == "write-output"})
	}
	if name == "git" && len(args) > 0 {
		name, args = "git "+args[0], args[1:]
	}
	which, changes := tools[name].which, tools[name].does != ""
	does := tools[name].does
	if option, ok := inPlace[name]; ok && hasOption(args, option) {
		does, which, changes = "writes", exceptFirst, true
	}
	if changes {
		files := operandsOf(args, which)
		for _, p := range files {
			found = append(found, effect{does: does, path: p, sure: true})
		}
		if which == noOperands {
			found = append(found, effect{does: "writes", path: patched(input), sure: input != ""})
		}
	}
	for _, m := range scriptWrite.FindAllStringSubmatch(input, 20) {
		found = append(found, effect{does: "writes", path: strings.Join(m[1:], ""), sure: true})
	}
	return found
}

func patched(diff string) string {
	if m := patchHeader.FindStringSubmatch(diff); m != nil {
		return m[1]
	}
	return ""
}

func hasOption(args []string, option *regexp.Regexp) bool {
	for _, a := range args {
		if option.MatchString(a) {
			return true
		}
	}
	return false
}

// operandsOf returns the files among the arguments of a command.
func operandsOf(args []string, which operands) []string {
	var files []string
	for _, a := range args {
		if !strings.HasPrefix(a, "-") {
			files = append(files, a)
		}
	}
	switch {
	case len(files) == 0 || which == noOperands:
		return nil
	case which == lastOperand:
		return files[len(files)-1:]
	case which == exceptFirst:
		return files[1:]
	}
	return files
}

// splitRedirections separates the words of a command from the files that its output goes
// to.
func splitRedirections(words []string) (rest, to []string) {
	for i := 0; i < len(words); i++ {
		w := words[i]
		switch {
		case (w == ">" || w == ">>" || w == ">|") && i+1 < len(words):
			i++
			if words[i] != "/dev/null" && words[i] != "&1" && words[i] != "&2" {
				to = append(to, words[i])
			}
		case w == "<" && i+1 < len(words):
			i++
		default:
			rest = append(rest, w)
		}
	}
	return rest, to
}

// commandsOf splits a line into commands, and the commands into words, like a shell without
// expansion.
func commandsOf(line string) [][]string {
	var all [][]string
	var command []string
	var word strings.Builder
	in, quote := false, byte(0)
	endWord := func() {
		if in {
			command = append(command, word.String())
		}
		word.Reset()
		in = false
	}
	endCommand := func() {
		endWord()
		if len(command) > 0 {
			all = append(all, command)
		}
		command = nil
	}
	for i := 0; i < len(line); i++ {
		c := line[i]
		switch {
		case quote != 0:
			if c == quote {
				quote = 0
			} else {
				word.WriteByte(c)
			}
		case c == '\'' || c == '"':
			quote, in = c, true
		case c == ' ' || c == '\t':
			endWord()
		case c == ';' || c == '|' || c == '&' && i+1 < len(line) && line[i+1] == '&':
			endCommand()
			i += strings.IndexFunc(line[i:]+" ", func(r rune) bool { return !strings.ContainsRune(";|&", r) }) - 1
		case c == '>' && i > 0 && (line[i-1] == '2' || line[i-1] == '&') || c == '>' && i > 0 && line[i-1] == '-':
			word.WriteByte(c) // redirected errors, or an arrow
		case c == '>':
			endWord()
			if n := len(command); n > 0 && command[n-1] == ">" {
				command[n-1] = ">>"
			} else {
				command = append(command, ">")
			}
		case c == '#' && !in:
			endCommand()
			return all
		default:
			word.WriteByte(c)
			in = true
		}
	}
	endCommand()
	return all
}

// shell lists the effects of a script on files of the tree, or on new ones in its folders.
// at maps a line of the script to its span in the document.
func (a *account) shell(script, noun string, at func(line int) text.Span) {
	said := map[string]bool{}
	for _, e := range effects(script) {
		if a.isFull() {
			return
		}
		name, ok := a.files.resolve(e.path)
		switch {
		case e.path == "" && e.sure:
			a.add(Unread{Kind: Shell, At: at(e.line), What: noun + " that applies a patch", Sure: true})
			continue
		case !ok || e.path == "" || said[e.does+name]:
			continue
		case !a.touches(e, name):
			continue
		}
		said[e.does+name] = true
		a.add(Unread{Kind: Shell, At: at(e.line), Path: name, What: noun + " that " + e.does + " " + name, Sure: e.sure})
	}
}

// touches reports whether an effect changes an existing file, or creates one in a folder of
// the tree. It ignores files that the reply writes anyway.
func (a *account) touches(e effect, name string) bool {
	if strings.ContainsAny(name, "*?[") {
		name = path.Dir(name)
		return e.does != "writes" && name != "." && a.files.isFolder(name)
	}
	made, changed := a.files.Made[name]
	switch {
	case e.does == "deletes":
		return (a.files.isFile(name) || a.files.isFolder(name) && name != ".") && !made.Gone
	case e.does == "moves":
		return a.files.isFile(name) && !made.Gone || a.files.isFolder(name) && name != "."
	case changed && made.After != "" && !a.files.isFolder(name):
		return false // the reply writes the file
	}
	return a.files.isFile(name) || IsPath(name) && a.files.isPlace(name)
}
