package reply

import (
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/shellscript"
	"github.com/aptix-dev/aptix/server/internal/text"
)

type effect struct {
	// does is the verb for messages; `path` is as written, relative to the working folder, or "" if it is unknown
	does, path string
	sure       bool               // the command has no purpose other than this change of a file
	words      []shellscript.Word // the arguments of the command, without its options
	input      string             // the text that the command reads
	output     bool               // the file gets the output of the command
	line       int                // the line in the script, from 0
	patch      *aim               // the files that the command changes with a patch; nil if it applies none
}

var (
	// writesFile matches a call that writes, renames or deletes a file, in the usual languages of scripts.
	writesFile = lazyregexp.New(`(?i)\bf?open\([^()\n]*,\s*(?:mode\s*=\s*)?["'][wax+]|\bwrite_?(?:all)?_?(?:text|bytes|lines|string|file)?(?:sync)?!?\(|append_?(?:all)?_?(?:text|bytes|lines|file)(?:sync)?\(|put_?contents\(|\.dump\(|\bos\.(?:remove|rename|replace|unlink)\(|\bshutil\.\w+\(|\.unlink\(|\b(?:unlink|rm|rename|copyfile)sync\(|\bfile\.(?:delete|rename)\b|\bfileutils\.|inplace\s*=\s*true`)
	literal    = lazyregexp.New("[\"'`]([^\"'`\\s]+)[\"'`]")
	// joint matches the code between the literals of one path: `Path("src") / "a.py"`, `Path("src").glob("*.py")`.
	joint = lazyregexp.New("[\"'`]\\)?\\s*(?:[,/+]\\s*|\\.r?glob\\()[a-z]?[\"'`]")
	mode  = lazyregexp.New(`/[rwax][bt+]*$`) // the mode of a file after its joined path
	// blank matches an expression in a literal: `{name}`, `${name}`, `#{name}`, `%s`.
	blank       = lazyregexp.New(`[$#]?\{[^{}]*\}|%[a-z]`)
	patchHeader = lazyregexp.New(`(?m)^\+\+\+ (?:b/)?([^\s]+)`)
)

const mostEffects = 1000

// deepestInner limits the nesting of scripts inside words of other scripts.
const deepestInner = 4

func effects(script string) []effect { return effectsIn(script, "", 0) }

func effectsIn(source, folder string, depth int) []effect {
	var found []effect
	var outer []string // the working folders outside the open groups
	lines := text.NewLines(source)
	script := commandsOf(source)
	for i, c := range script {
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
		all := effectsOf(source, script, i)
		for j, e := range all {
			if e.path != "" && folder != "" && !path.IsAbs(e.path) {
				all[j].path = path.Join(folder, e.path)
			} else if e.patch != nil {
				all[j].patch.folder = path.Join(folder, e.patch.folder)
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

// commandsOf returns the commands of a script. If a quote is not closed, the script is probably for another shell, so
// commandsOf reads each line on its own.
func commandsOf(script string) []shellscript.Command {
	script = backslash.ReplaceAllString(script, "/$1")
	all := shellscript.Read(script)
	if !slices.ContainsFunc(all, func(c shellscript.Command) bool { return c.Broken }) {
		return all
	}
	all = nil
	for line := range text.EachLine(script) {
		for _, c := range shellscript.Read(line.In(script)) {
			c.At = c.At.Shift(line.Start)
			all = append(all, c)
		}
	}
	return all
}

func effectsOf(source string, script []shellscript.Command, i int) []effect {
	c := script[i]
	name, args := c.Program()
	name = strings.ToLower(name)
	var found []effect
	input := ""
	for _, rd := range c.Redirects {
		to := rd.Target.Text
		input += rd.Body.Text
		if strings.HasPrefix(rd.Op, ">") && to != "" && to != "/dev/null" && !isArrow(c) {
			found = append(found, effect{does: "writes", path: to, output: true, sure: name == "cat" || name == "echo" || name == "printf" || name == "write-output"})
		}
	}
	for _, change := range shellscript.ChangesOf(script, i) {
		e := effect{does: change.Does, path: change.File, sure: true, words: args.Files, input: input}
		if (name == "ed" || name == "ex") && input == "" { // the lines below are what a person types into the editor
			e.input = source[c.At.End:]
		}
		if e.path == "" { // a command that applies a patch
			e.path, e.sure, e.patch = patched(input), input != "", aimOf(c)
			if e.patch.reverse {
				e.does, e.path = "restores", "."
			}
		}
		found = append(found, e)
	}
	for _, path := range writtenBy(input + programOf(c, name)) {
		found = append(found, effect{does: "writes", path: path, sure: true})
	}
	return found
}

// inline maps interpreters to the option that precedes a program text: `python -c`.
var inline = map[string]string{"python": "-c", "python3": "-c", "node": "-e", "ruby": "-e", "perl": "-e", "deno": "eval"}

// programOf returns the program that a command passes to an interpreter as an argument, or "". A PowerShell command
// that begins with `[` is itself a program.
func programOf(c shellscript.Command, name string) string {
	if len(c.Words) > 0 && strings.HasPrefix(c.Words[0].Text, "[") {
		return strings.Join(text.Each(c.Words, func(w shellscript.Word) string { return w.Text }), " ")
	}
	for i, w := range c.Words {
		if i+1 < len(c.Words) && inline[name] != "" && w.Text == inline[name] {
			return c.Words[i+1].Text
		}
	}
	return ""
}

// writtenBy returns the paths that a program may write to, with a `*` for each expression in them. The name of the
// written file may be in a variable, so every path in the program is returned.
func writtenBy(program string) (paths []string) {
	if !writesFile.MatchString(program) {
		return nil
	}
	for _, source := range []string{program, joint.ReplaceAllString(program, "/")} {
		for _, m := range literal.FindAllStringSubmatch(source, 20) {
			name := mode.ReplaceAllString(blank.ReplaceAllString(m[1], "*"), "")
			if !slices.Contains(paths, name) && IsPath(strings.ReplaceAll(name, "*", "x")) && (strings.Contains(name, "/") || IsFileName(name)) {
				paths = append(paths, name)
			}
		}
	}
	return paths
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

// shell adds to the unread parts the effects of a script on files of the tree, and on new files in its folders. If
// `sure` is true, it skips commands that may have another purpose. `at` returns the span of a line of the script in the
// document.
func (a *lister) shell(script, noun string, sure bool, at func(line int) text.Span) {
	said := map[string]bool{}
	for _, e := range effects(script) {
		if a.isFull() {
			return
		}
		name, ok := a.files.resolve(e.path)
		e.sure = e.sure || e.output && ok && a.files.isFile(name)
		if back := a.takesBack(e, at(e.line)); back != "" {
			a.add(Unread{Kind: Shell, At: at(e.line), Path: back, What: noun + " that restores " + back + ", which the reply changes above it", Sure: true})
			continue
		}
		if other := a.aimedAt(e); other != "" {
			a.add(Unread{Kind: Shell, At: at(e.line), Path: other, What: noun + " that applies a patch to " + other, Sure: true})
			continue
		}
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
// returns false if the effect removes a file that the reply removes, too. It also returns false if the effect writes a
// file that the reply writes, too, unless it is an edit with other words ([lister.addsWords]).
func (a *lister) touches(e effect, name string) bool {
	if strings.ContainsAny(name, "*?[") && !a.files.isFile(name) {
		return a.files.matches(name)
	}
	made, changed := a.files.Made[name]
	switch {
	case e.does == "deletes":
		return (a.files.isFile(name) || a.files.isFolder(name) && name != ".") && !made.Gone
	case e.does == "moves":
		return a.files.isFile(name) && !made.Gone || a.files.isFolder(name) && name != "."
	case changed && made.After != "" && !a.files.isFolder(name):
		// The reply writes this file itself. A command that edits it is ignored if it adds no words of its own, because it
		// may be another way to make the same change.
		return e.does == "edits" && a.addsWords(name, e)
	}
	return a.files.isFile(name) || IsPath(name) && a.files.isPlace(name)
}

var word = lazyregexp.New(`[\pL_][\pL\d_]+`)

// addsWords reports whether the input of the command has a line of code, or the command itself has a word, that the
// file `name` has neither before nor after the reply.
func (a *lister) addsWords(name string, e effect) bool {
	for line := range strings.Lines(e.input) {
		if line = strings.TrimSpace(line); text.IsCode(line) && !strings.ContainsAny(line, "/\\$") && !a.files.hasCode(name, line) {
			return true
		}
	}
	return slices.ContainsFunc(e.words, func(w shellscript.Word) bool {
		return w.Text != "inplace" && !strings.HasSuffix(e.path, w.Text) && slices.ContainsFunc(word.FindAllStringSubmatch(w.Text, mostUnread), func(m []string) bool {
			return !a.files.hasCode(name, m[0])
		})
	})
}

// An aim tells which files a command changes with a patch. Each name in the patch loses `strip` leading folders, and is
// then relative to `folder`. If `reverse` is true, the command takes the patch back.
type aim struct {
	folder  string
	strip   int
	reverse bool
}

var (
	folderOption = lazyregexp.New(`^(?:(?:-d|--directory)=?(.*)|-C)$`)
	stripOption  = lazyregexp.New(`^(?:-p|--strip)=?(\d*)$`)
)

// aimOf reads the options of `git apply`, `git am` or `patch`.
func aimOf(c shellscript.Command) *aim {
	a := &aim{strip: 1}
	for i, w := range c.Words {
		value := func(m []string) string {
			if i+1 < len(c.Words) {
				return cmp.Or(m[1], c.Words[i+1].Text)
			}
			return m[1]
		}
		if m := folderOption.FindStringSubmatch(w.Text); m != nil {
			a.folder = path.Join(a.folder, value(m))
		} else if m := stripOption.FindStringSubmatch(w.Text); m != nil {
			if n, err := strconv.Atoi(value(m)); err == nil {
				a.strip = n
			}
		}
		a.reverse = a.reverse || w.Text == "-R" || w.Text == "--reverse"
	}
	return a
}

// of returns the file that the command changes in place of `name`, which is the path in a patch without `a/` or `b/`.
func (a aim) of(name string) string {
	if a.strip == 0 {
		return path.Join(a.folder, "b", name)
	}
	folders := strings.Split(name, "/")
	return path.Join(a.folder, strings.Join(folders[min(a.strip-1, len(folders)-1):], "/"))
}

// aimedAt returns the file that a command changes in place of a file that the reply changes, because its options or its
// folder give the names in a patch another meaning. It returns "" if the tree has no such file.
func (a *lister) aimedAt(e effect) string {
	if e.patch == nil || *e.patch == (aim{strip: 1}) {
		return ""
	}
	for _, name := range a.files.changed() {
		other := e.patch.of(name)
		if other == name || path.IsAbs(other) || !a.files.changes(name) || a.files.changes(other) {
			continue
		}
		if a.files.isFile(other) || a.files.isNew(name) && path.Dir(other) != "." && a.files.isFolder(path.Dir(other)) {
			return other
		}
	}
	return ""
}

// takesBack returns a file that an edit above a command changes and that the command restores, or "" if there is none.
// Below the last edit, words may say that the command is only for a person who wants to undo the edits.
func (a *lister) takesBack(e effect, at text.Span) string {
	read := a.document.Read
	if e.does != "restores" || len(read) == 0 || read[0].End > at.Start {
		return ""
	}
	line := LineAbove(a.doc, 0, at.End)
	for _, b := range a.document.Fences {
		if b.Span.Contains(at) {
			line = LineAbove(a.doc, 0, b.Span.Start)
		}
	}
	if read[len(read)-1].End <= at.Start && saysAny(line.In(a.doc), Undo, Perhaps, Condition) {
		return ""
	}
	folder, _ := a.files.resolve(e.path)
	for _, name := range a.files.changed() {
		if a.files.changes(name) && (e.path == "." || name == folder || strings.HasPrefix(name, folder+"/")) {
			return name
		}
	}
	return ""
}
