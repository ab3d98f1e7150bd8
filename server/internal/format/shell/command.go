package shell

import (
	"path"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/findreplace"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/shellscript"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A reading reads the arguments of a program. It returns false if the effect on files is unclear.
type reading func(r *reader, c shellscript.Command, args shellscript.Arguments) bool

// programs are the programs and options whose effect on files is clear from the arguments.
var programs = map[string]struct {
	read    reading
	options string
}{
	"cd":        {(*reader).cd, ""},
	"pushd":     {(*reader).pushd, ""},
	"popd":      {(*reader).popd, ""},
	"mkdir":     {each(intent.Change{Kind: intent.MakeDir}), "-p -v -pv --parents"},
	"touch":     {each(intent.Change{Kind: intent.Edit, MayCreate: true}), ""},
	"rm":        {(*reader).rm, "-r -f -rf -fr -R -Rf -v --recursive --force"},
	"git rm":    {(*reader).rm, "-r -f -rf -fr -q --force --quiet"},
	"mv":        {fromTo(intent.Rename), "-f -v -n"},
	"git mv":    {fromTo(intent.Rename), "-f -v --force --verbose"},
	"cp":        {fromTo(intent.Copy), "-f -v -n -p"},
	"chmod":     {(*reader).chmod, ""},
	"sed":       {(*reader).sed, "-i --in-place -i.bak -E -r -e"},
	"git apply": {(*reader).gitApply, "- -p1 -p0 -v --verbose --index --whitespace=fix --whitespace=nowarn --3way -3 -N --unidiff-zero --recount"},
	"patch":     {(*reader).gitApply, "- -p1 -p0 -N --forward"},
	"cat":       {(*reader).cat, ""},
	"tee":       {(*reader).tee, "-a --append"},
	"echo":      {(*reader).echo, ""},
}

// harmless are the programs that change no files. They are not reported.
var harmless = wordSet(`ls pwd head tail less more grep rg tree wc diff cmp which type test true false : exit set export
	unset source . shopt sleep clear date whoami file stat du sort uniq cut column jq printenv
	git_status git_diff git_log git_show git_branch git_blame git_fetch git_ls-files git_grep git_rev-parse`)

// dependent are programs and keywords that may change files, besides those of [shellscript.ChangesOf]. Their effect
// depends on more than their arguments, for example on the contents of files.
var dependent = wordSet(`nano vi vim perl awk gawk xargs eval exec split find
	tar unzip unlzma gunzip gzip zip rmdir
	if then else elif fi for while until do done case esac select function { } ( [[ time !
	builtin trap alias
	git_checkout git_restore git_reset git_revert git_stash git_merge git_rebase git_cherry-pick git_clean git_am git_pull
	git_switch git_submodule git_worktree`)

// asking holds the programs that people run for their exit status. After such a program, `&&` may keep the next command
// from running.
var asking = wordSet("[ test false grep rg diff cmp which type")

// Interpreters of scripts, and words that scripts use to write files.
var (
	interpreters = wordSet("python python2 python3 node deno bun ruby php lua sh bash zsh tclsh osascript pwsh")
	writing      = []string{"write", "open(", "unlink", "remove", "rename", "copy", "move", "mkdir", "replace(", "dump(", "save", "rmtree", "rmSync", "touch(", ">"}
)

func wordSet(words string) map[string]bool {
	return text.Set(text.Each(strings.Fields(words), func(word string) string { return strings.ReplaceAll(word, "_", " ") }))
}

func (r *reader) command(c shellscript.Command) {
	name, args := c.Program()
	r.conditional = r.uncertain || c.After == "||" || c.After == "&&" && r.conditional
	expanded := expandedWord(c, args)
	program, read := programs[name]
	switch {
	case c.Broken:
		r.unreadable(c, "has an unclosed quote or parenthesis")
	case c.Group == "(":
		r.outer = append(r.outer, r.state)
		r.uncertain = r.conditional
	case c.Group == ")" && len(c.Redirects) == 0:
		r.conditional = r.conditional || r.exited
		// The group ran in its own shell, which ends with it.
		last := len(r.outer) - 1
		r.state, r.outer = r.outer[last], r.outer[:last]
	case slices.ContainsFunc(c.Inner(), r.writes):
		r.unreadable(c, "has a command in `$(...)` or backticks that changes files")
	case len(c.Words) == 1 && r.ends[c.Words[0].Text]:
		r.unreadable(c, "repeats the end of a here-document, so the text of the here-document ends too early")
	case r.exited && (read && !r.isHarmless(c, name, args) || r.writesFile(c)):
		r.unreadable(c, "is below `exit`, so the shell would not run it")
	case read && !r.conditional && !c.Apart && c.After != "|" && expanded == "" && args.Only(strings.Fields(program.options)...) && !slices.ContainsFunc(c.Redirects, openHereDoc) && program.read(r, c, args):
	case r.hasNoEnd(c):
	case r.isHarmless(c, name, args):
	case name == "" && len(c.Redirects) == 0:
	case read && expanded != "":
		r.unreadable(c, "has `"+expanded+"`, which the shell would expand", r.takeLiterally(c)...)
	case read || dependent[name] || len(shellscript.ChangesOf([]shellscript.Command{c}, 0)) > 0 || strings.HasPrefix(name, "-") && slices.ContainsFunc(args.Files, isProgram):
		r.unreadable(c, "changes files in a way that cannot be read from the command")
	case interpreters[name] && r.scriptWrites(c, name, args):
		r.unreadable(c, "runs a script that may change files")
	case r.writesFile(c):
		r.unreadable(c, "writes its output to a file")
	default:
		r.left(c)
	}
	r.exited = r.exited || name == "exit" && !r.conditional && c.After != "&&"
	r.conditional = r.conditional || asking[name]
	for _, rd := range c.Redirects {
		r.goesOn(rd)
		if rd.Body.Closed {
			r.ends[rd.Target.Text] = true
		}
	}
}

func isProgram(w shellscript.Word) bool { return programs[w.Text].read != nil || dependent[w.Text] }

// deepestInner limits the nesting of scripts. A deeper script counts as one that changes files.
const deepestInner = 8

// writes reports whether a script that is an argument of a command, as in `sh -c`, changes files.
func (r *reader) writes(script string) bool {
	return r.depth == deepestInner || (&reader{body: script, room: r.room, depth: r.depth + 1}).all().Entries > 0
}

// expandedWord returns the first word or redirect of a command that the shell would expand, such as `$NAME`, or "".
func expandedWord(c shellscript.Command, args shellscript.Arguments) string {
	for _, w := range args.Files {
		if !w.Plain {
			return w.Text
		}
	}
	for _, rd := range c.Redirects {
		if !rd.Target.Plain || rd.Target.Braces || rd.Body.Expands {
			return rd.Op + " " + rd.Target.Text
		}
	}
	return ""
}

// takeLiterally returns the fix that quotes the delimiter of a here-document, so that the shell does not expand the
// text.
func (r *reader) takeLiterally(c shellscript.Command) []diag.Fix {
	for _, rd := range c.Redirects {
		if rd.Body.Expands && rd.Body.Closed {
			return []diag.Fix{{Title: "Use the text as written", Edits: []text.Edit{{Span: rd.Target.At, New: "'" + rd.Target.Text + "'"}}}}
		}
	}
	return nil
}

func (r *reader) isHarmless(c shellscript.Command, name string, args shellscript.Arguments) bool {
	if r.writesFile(c) {
		return false
	}
	switch name {
	case "cat", "echo", "printf":
		return true
	case "tee":
		return len(args.Files) == 0 || args.Files[0].Text == "/dev/null"
	case "sed":
		return !slices.ContainsFunc(args.Options, func(o string) bool { return strings.HasPrefix(o, "-i") || strings.HasPrefix(o, "--in-place") })
	case "find":
		return !args.Has("-delete", "-exec", "-execdir", "-ok", "-fprint")
	}
	return harmless[name] || args.IsTrial(name)
}

func (r *reader) writesFile(c shellscript.Command) bool {
	for _, rd := range c.Redirects {
		switch {
		case strings.HasPrefix(rd.Op, "<") || rd.Op == "2>&" || rd.Target.Text == "/dev/null" || strings.HasPrefix(rd.Target.Text, "&"):
		default:
			return true
		}
	}
	return false
}

// scriptWrites reports whether the script of an interpreter contains a word that scripts use to write files.
func (r *reader) scriptWrites(c shellscript.Command, name string, args shellscript.Arguments) bool {
	script := c.At.In(r.body)
	for _, rd := range c.Redirects {
		script += rd.Body.Text
	}
	if len(args.Files) > 0 && !args.Has("-c", "-e", "--eval") && !slices.ContainsFunc(c.Redirects, func(rd shellscript.Redirect) bool { return strings.HasPrefix(rd.Op, "<<") }) {
		// A program of the project is not an unread edit, because a person can run it.
		return false
	}
	script = strings.TrimPrefix(script, name)
	return slices.ContainsFunc(writing, func(s string) bool { return strings.Contains(script, s) })
}

// longestDir limits the length of a folder's path, in bytes. Without a limit, many `cd` commands could take memory
// in proportion to the square of the script's length.
const longestDir = 1024

func (r *reader) cd(c shellscript.Command, args shellscript.Arguments) bool {
	if len(args.Files) != 1 || len(c.Redirects) > 0 {
		return false
	}
	to := args.Files[0].Text
	// `-` is the folder before the last cd.
	if to == "-" {
		return false
	}
	if path.IsAbs(to) {
		r.dir = path.Clean(to)
	} else if r.dir = path.Join(r.dir, to); r.dir == "." {
		r.dir = ""
	}
	if len(r.dir) > longestDir {
		r.dir = ""
		return false
	}
	return true
}

// mostPushed limits the number of folders to which a script can return.
const mostPushed = 16

func (r *reader) pushd(c shellscript.Command, args shellscript.Arguments) bool {
	from := r.dir
	if r.writesFile(c) || len(r.pushed) == mostPushed || len(args.Files) == 1 && strings.HasPrefix(args.Files[0].Text, "+") {
		return false
	}
	c.Redirects = nil // they hide the list of folders, which pushd prints
	if !r.cd(c, args) {
		return false
	}
	// The shell around a group has the same folders, so append must not write into its list.
	r.pushed = append(slices.Clone(r.pushed), from)
	return true
}

func (r *reader) popd(c shellscript.Command, args shellscript.Arguments) bool {
	last := len(r.pushed) - 1
	if last < 0 || len(args.Files) > 0 || r.writesFile(c) {
		return false
	}
	r.dir, r.pushed = r.pushed[last], r.pushed[:last]
	return true
}

// eachFile reads a command that makes the same change to each of the files.
func (r *reader) eachFile(c shellscript.Command, files []shellscript.Word, change intent.Change) bool {
	if len(files) == 0 || len(c.Redirects) > 0 {
		return false
	}
	for _, w := range files {
		if w.Expand() == nil {
			return false
		}
	}
	for _, w := range files {
		for _, name := range w.Expand() {
			one := w
			one.Text = strings.TrimSuffix(name, "/")
			change.Path, change.PathAt = r.path(one)
			if w.Braces {
				change.PathAt = intent.Literal{}
			}
			r.add(c, change)
		}
	}
	return true
}

// each reads a program that makes the same change to all files in its arguments.
func each(change intent.Change) reading {
	return func(r *reader, c shellscript.Command, args shellscript.Arguments) bool {
		return r.eachFile(c, args.Files, change)
	}
}

func (r *reader) rm(c shellscript.Command, args shellscript.Arguments) bool {
	kind := intent.Delete
	if args.Has("-r", "-rf", "-fr", "-R", "-Rf", "--recursive") {
		kind = intent.DeleteAll
	}
	files := text.Only(args.Files, func(w shellscript.Word) bool { return !r.forget(w) })
	return len(files) == 0 && len(args.Files) > 0 || r.eachFile(c, files, intent.Change{Kind: kind})
}

// fromTo reads a program whose arguments name files and, at the end, their new path or folder.
func fromTo(kind intent.Kind) reading {
	return func(r *reader, c shellscript.Command, args shellscript.Arguments) bool {
		last := len(args.Files) - 1
		if last < 1 || len(c.Redirects) > 0 || slices.ContainsFunc(args.Files, func(w shellscript.Word) bool { return w.Braces }) {
			return false
		}
		for _, w := range args.Files[:last] {
			change := intent.Change{Kind: kind, MayBeInto: true}
			change.Path, change.PathAt = r.path(w)
			change.To, change.ToAt = r.path(args.Files[last])
			if strings.HasSuffix(change.To, "/") || args.Files[last].Text == "." {
				change = change.Into()
			}
			r.add(c, change)
		}
		return true
	}
}

func (r *reader) chmod(c shellscript.Command, args shellscript.Arguments) bool {
	if len(args.Files) < 2 {
		return false
	}
	switch args.Files[0].Text {
	case "+x", "a+x", "u+x", "755", "0755":
	default:
		return false
	}
	return r.eachFile(c, args.Files[1:], intent.Change{Kind: intent.Edit, Mode: 0o755})
}

// put adds a change that writes a file or appends lines to it, and returns the path. A missing file is created.
func (r *reader) put(c shellscript.Command, to shellscript.Word, content string, at intent.Literal, appends bool) string {
	change := intent.Change{Kind: intent.Write, Content: content, ContentAt: at}
	if appends {
		change = intent.Change{Kind: intent.Edit, MayCreate: true, Steps: []intent.Step{appended(c, content, at)}}
	}
	change.Path, change.PathAt = r.path(to)
	r.add(c, change)
	return change.Path
}

func appended(c shellscript.Command, content string, at intent.Literal) findreplace.WholeLines {
	lines := findreplace.Reading{Replace: content}
	if at.Span != (text.Span{}) {
		lines.FindAt, lines.ReplaceAt, lines.Both = at, at, added{at.Span}
	}
	return findreplace.WholeLines{Readings: []findreplace.Reading{lines}, Scope: findreplace.Scope{Appends: true, AtEnd: true}, At: c.At, ReplaceName: "the new text"}
}

// An added is the notation of lines that a here-document appends to a file.
type added struct{ at text.Span }

func (a added) WriteBoth(_, replace string) text.Edit { return text.Edit{Span: a.at, New: replace} }
