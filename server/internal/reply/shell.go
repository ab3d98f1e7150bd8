package reply

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/shellscript"
	"github.com/aptix-dev/aptix/server/internal/text"
)

type operands int

const (
	allOperands operands = iota
	lastOperand
	exceptFirst // all operands but the first, which is the script of sed
	noOperands
)

// A tool describes a command that changes files: the verb for messages, and the operands that are changed.
type tool struct {
	does  string
	which operands
}

// tools maps the names of commands, in lower case, to their effects on files. Names for `git` include the subcommand.
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

// manifests maps the beginnings of commands to the file that these commands edit. A space at the end of a key requires
// the end of a word.
var manifests = map[string]string{
	"npm pkg set ": "package.json", "npm pkg delete ": "package.json", "pnpm pkg set ": "package.json", "pnpm pkg delete ": "package.json",
	"go mod edit ": "go.mod",
}

// inPlace maps commands to the option that makes them change their files instead of printing: `sed -i`.
var inPlace = map[string]*regexp.Regexp{
	"sed": regexp.MustCompile(`^(?:-[a-zA-Z]*i|--in-place)`), "gsed": regexp.MustCompile(`^(?:-[a-zA-Z]*i|--in-place)`),
	"perl": regexp.MustCompile(`^-[0alnpsw]*i`), "ruby": regexp.MustCompile(`^-[0alnpsw]*i`),
}

type effect struct {
	// does is the verb for messages; path is as written, relative to the working folder, or "" if it is unknown
	does, path string
	sure       bool // the command has no purpose other than this change of a file
	line       int  // the line in the script, from 0
}

var (
	scriptWrite = lazyregexp.New(`(?:\bopen\(\s*f?['"]([^'"\n]+)['"]\s*,\s*(?:mode\s*=\s*)?['"][wax+]|Path\(\s*f?['"]([^'"\n]+)['"]\s*\)\s*\.write_(?:text|bytes)|\b(?:write|append)File(?:Sync)?\(\s*['"` + "`" + `]([^'"` + "`" + `\n]+)['"` + "`" + `]|\bFile\.write\(\s*['"]([^'"\n]+)['"]|\bos\.(?:remove|rename)\(\s*['"]([^'"\n]+)['"]|\b(?:unlink|rm)Sync\(\s*['"]([^'"\n]+)['"])`)
	writesText  = lazyregexp.New(`\.write_(?:text|bytes)\(|\.write\(|(?:write|append)File(?:Sync)?\(|\.dump\(`)
	literal     = lazyregexp.New(`['"]([^'"\s]+)['"]`)
	patchHeader = lazyregexp.New(`(?m)^\+\+\+ (?:b/)?([^\s]+)`)
)

const mostEffects = 1000

// deepestInner limits the nesting of scripts inside words of other scripts.
const deepestInner = 4

func effects(script string) []effect { return effectsIn(script, "", 0) }

func effectsIn(script, folder string, depth int) []effect {
	var found []effect
	var outer []string // the working folders outside the open groups
	lines := text.NewLines(script)
	for _, c := range commandsOf(script) {
		name, args := c.Program()
		name = strings.ToLower(name)
		switch {
		case c.Group == "(":
			outer = append(outer, folder)
		case c.Group == ")" && len(outer) > 0:
			folder, outer = outer[len(outer)-1], outer[:len(outer)-1]
		case name == "cd" && len(args.Files) == 1 && len(folder) < mostLine:
			folder = path.Join(folder, args.Files[0].Text)
			continue
		}
		all := effectsOf(c, name, args)
		for i, e := range all {
			if e.path != "" && folder != "" && !path.IsAbs(e.path) {
				all[i].path = path.Join(folder, e.path)
			}
		}
		for _, inner := range c.Inner() {
			if depth < deepestInner {
				all = append(all, effectsIn(inner, folder, depth+1)...)
			}
		}
		for _, e := range all {
			if len(found) == mostEffects {
				return found
			}
			e.line += lines.At(c.At.Start)
			found = append(found, e)
		}
	}
	return found
}

// backslash matches a backslash that separates the parts of a path, as on Windows.
var backslash = lazyregexp.New(`\\(\w)`)

// commandsOf returns the commands of a script. An unclosed quote suggests a script for another shell; commandsOf then
// reads each line on its own.
func commandsOf(script string) []shellscript.Command {
	script = backslash.ReplaceAllString(script, "/$1")
	all := shellscript.Read(script)
	if !slices.ContainsFunc(all, func(c shellscript.Command) bool { return c.Broken }) {
		return all
	}
	all = nil
	for at := 0; at < len(script); {
		end, next := text.LineEnd(script, at)
		for _, c := range shellscript.Read(script[at:end]) {
			c.At = c.At.Shift(at)
			all = append(all, c)
		}
		at = next
	}
	return all
}

func effectsOf(c shellscript.Command, name string, args shellscript.Arguments) []effect {
	var found []effect
	input := ""
	for _, rd := range c.Redirects {
		to := rd.Target.Text
		input += rd.Body.Text
		if strings.HasPrefix(rd.Op, ">") && to != "" && to != "/dev/null" && !isArrow(c) {
			found = append(found, effect{does: "writes", path: to, sure: name == "cat" || name == "echo" || name == "printf" || name == "write-output"})
		}
	}
	does, which := tools[name].does, tools[name].which
	if option, ok := inPlace[name]; ok && slices.ContainsFunc(args.Options, option.MatchString) {
		does, which = "writes", exceptFirst
	}
	words := name + " "
	for _, w := range args.Files {
		words += w.Text + " "
	}
	for begins, file := range manifests {
		if strings.HasPrefix(words, begins) {
			found = append(found, effect{does: "writes", path: file, sure: true})
		}
	}
	if does != "" && !args.IsTrial(name) {
		for _, w := range operandsOf(args.Files, which) {
			found = append(found, effect{does: does, path: w.Text, sure: true})
		}
		if which == noOperands {
			found = append(found, effect{does: does, path: patched(input), sure: input != ""})
		}
	}
	for _, path := range writtenBy(input + programOf(c, name)) {
		if IsPath(path) {
			found = append(found, effect{does: "writes", path: path, sure: true})
		}
	}
	return found
}

// inline maps interpreters to the option that precedes a program text: `python -c`.
var inline = map[string]string{"python": "-c", "python3": "-c", "node": "-e", "ruby": "-e", "perl": "-e", "deno": "eval"}

// programOf returns the program that a command passes to an interpreter as an argument, or "".
func programOf(c shellscript.Command, name string) string {
	for i, w := range c.Words {
		if i+1 < len(c.Words) && inline[name] != "" && w.Text == inline[name] {
			return c.Words[i+1].Text
		}
	}
	return ""
}

// writtenBy returns the paths that a program may write to, as the program spells them.
func writtenBy(program string) (paths []string) {
	all := scriptWrite.FindAllStringSubmatch(program, 20)
	// The name of the written file may be in a variable.
	if writesText.MatchString(program) {
		all = append(all, literal.FindAllStringSubmatch(program, 20)...)
	}
	return text.Each(all, func(m []string) string { return strings.Join(m[1:], "") })
}

// isArrow reports whether the `>` of a command is not a redirect but part of an arrow in prose, `->` or `=>`.
func isArrow(c shellscript.Command) bool {
	return slices.ContainsFunc(c.Words, func(w shellscript.Word) bool { return w.Text == "-" || w.Text == "=" })
}

func patched(diff string) string {
	if m := patchHeader.FindStringSubmatch(diff); m != nil {
		return m[1]
	}
	return ""
}

func operandsOf(files []shellscript.Word, which operands) []shellscript.Word {
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

// shell lists the effects of a script on files of the tree, and on new files in its folders. If sure is true, it skips
// commands that may have another purpose. at returns the span of a line of the script in the document.
func (a *lister) shell(script, noun string, sure bool, at func(line int) text.Span) {
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
		case strings.Contains(e.path, "$") && e.sure && !said[e.path]:
			said[e.path] = true
			a.add(Unread{Kind: Shell, At: at(e.line), What: noun + " that " + e.does + " the file " + e.path})
			continue
		case !ok && e.sure && !said[e.path] && strings.HasPrefix(name, "../"):
			said[e.path] = true
			a.add(Unread{Kind: Shell, At: at(e.line), What: noun + " that " + e.does + " " + e.path + ", outside of the folder", Sure: true})
			continue
		case !ok || e.path == "" || sure && !e.sure || said[e.does+name]:
			continue
		case !a.touches(e, name):
			continue
		}
		said[e.does+name] = true
		a.add(Unread{Kind: Shell, At: at(e.line), Path: name, What: noun + " that " + e.does + " " + name, Sure: e.sure})
	}
}

// touches reports whether an effect changes an existing file or folder, or creates a file in a folder of the tree. It
// ignores files that the reply itself writes or deletes.
func (a *lister) touches(e effect, name string) bool {
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
		// The reply writes this file itself.
		return false
	}
	return a.files.isFile(name) || IsPath(name) && a.files.isPlace(name)
}
