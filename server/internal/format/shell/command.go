package shell

import (
	"path"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/internal/text"
	"github.com/aptix-dev/aptix/server/internal/wholelines"
)

// A reading is how the arguments of a program are read. It reports false if their effect on files
// is not plain.
type reading func(r *reader, c command, args arguments) bool

// programs are the programs whose effect on files can be read.
var programs = map[string]reading{
	"cd":        (*reader).cd,
	"mkdir":     (*reader).mkdir,
	"touch":     (*reader).touch,
	"rm":        (*reader).rm,
	"git rm":    (*reader).rm,
	"mv":        (*reader).mv,
	"git mv":    (*reader).mv,
	"cp":        (*reader).cp,
	"chmod":     (*reader).chmod,
	"sed":       (*reader).sed,
	"git apply": (*reader).gitApply,
	"patch":     (*reader).gitApply,
	"cat":       (*reader).cat,
	"tee":       (*reader).tee,
	"echo":      (*reader).echo,
	"printf":    (*reader).printf,
}

// harmless are programs that change no file, so that nothing needs to be reported.
var harmless = wordSet(`ls pwd head tail less more grep rg tree wc diff cmp which type test true false : exit set export
	unset source . shopt sleep clear date env whoami file stat du sort uniq cut column jq printenv
	git_status git_diff git_log git_show git_branch git_blame git_fetch git_ls-files git_grep git_rev-parse`)

// Programs and words of the shell's grammar that change files in a way that depends on the files or
// on more than their arguments.
var dependent = wordSet(`ln install rsync truncate dd unlink shred ed ex vi vim nano perl awk gawk xargs eval exec sponge split find
	rename tar unzip unlzma gunzip gzip zip rmdir
	if then else elif fi for while until do done case esac select function { } ( [[ time !
	git_checkout git_restore git_reset git_revert git_stash git_merge git_rebase git_cherry-pick git_clean git_am git_pull
	git_switch git_submodule git_worktree`)

// Programs that run a given script, and words of scripts that write files.
var (
	interpreters = wordSet("python python2 python3 node deno bun ruby php lua sh bash zsh tclsh osascript pwsh")
	writing      = []string{"write", "open(", "unlink", "remove", "rename", "copy", "move", "mkdir", "replace(", "dump(", "save", "rmtree", "rmSync", "touch(", ">"}
)

func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq(words) {
		set[strings.ReplaceAll(word, "_", " ")] = true
	}
	return set
}

// arguments are the words of a command after its program, sorted.
type arguments struct {
	options []string
	files   []word // everything that is not an option
}

// program returns the name of a command's program, of git with its subcommand, and its arguments.
func program(c command) (string, arguments) {
	words := c.words
	for len(words) > 0 && (isAssignment(words[0]) || slices.Contains([]string{"sudo", "command", "nohup"}, words[0].text)) {
		words = words[1:]
	}
	if len(words) == 0 {
		return "", arguments{}
	}
	name := path.Base(words[0].text)
	words = words[1:]
	if name == "git" && len(words) > 0 {
		name, words = "git "+words[0].text, words[1:]
	}
	var args arguments
	ended := false
	for _, w := range words {
		switch {
		case !ended && w.text == "--":
			ended = true
		case !ended && len(w.text) > 1 && w.text[0] == '-':
			args.options = append(args.options, w.text)
		default:
			args.files = append(args.files, w)
		}
	}
	return name, args
}

// isAssignment reports whether a word in front of a program sets a variable for it.
func isAssignment(w word) bool {
	name, _, ok := strings.Cut(w.text, "=")
	return ok && name != "" && strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789") == ""
}

// only reports whether a command has no options but these.
func (a arguments) only(options ...string) bool {
	return !slices.ContainsFunc(a.options, func(o string) bool { return !slices.Contains(options, o) })
}

func (a arguments) has(options ...string) bool {
	return slices.ContainsFunc(a.options, func(o string) bool { return slices.Contains(options, o) })
}

// command reads one command.
func (r *reader) command(c command) {
	name, args := program(c)
	conditional := c.after == "||"
	expanded := expandedWord(c, args)
	switch read := programs[name]; {
	case c.broken:
		r.unreadable(c, "has a quote or a parenthesis that is not closed")
	case read != nil && !conditional && !c.piped && c.after != "|" && expanded == "" && r.hereDocsEnd(c) && read(r, c, args):
	case r.hasNoEnd(c):
	case r.isHarmless(c, name, args):
	case name == "" && len(c.redirects) == 0:
	case read != nil && expanded != "":
		r.unreadable(c, "has `"+expanded+"`, which the shell would expand", r.takeLiterally(c)...)
	case read != nil || dependent[name]:
		r.unreadable(c, "changes files in a way that the command alone does not show")
	case interpreters[name] && r.scriptWrites(c, name, args):
		r.unreadable(c, "runs a script that may change files")
	case r.writesFile(c):
		r.unreadable(c, "writes its output to a file")
	default:
		r.left(c)
	}
}

// expandedWord returns the first word, or the here-document's delimiter, of a command that
// the shell would replace by another text, or "".
func expandedWord(c command, args arguments) string {
	for _, w := range args.files {
		if !w.plain {
			return w.text
		}
	}
	for _, rd := range c.redirects {
		if !rd.target.plain || rd.body.expands {
			return rd.op + " " + rd.target.text
		}
	}
	return ""
}

// takeLiterally offers to put the delimiter of a here-document in quotes, so that its text is taken
// as it is written.
func (r *reader) takeLiterally(c command) []diag.Fix {
	for _, rd := range c.redirects {
		if rd.body.expands && rd.body.closed {
			return []diag.Fix{{Title: "Take the text as it is written", Edits: []text.Edit{{Span: rd.target.at, New: "'" + rd.target.text + "'"}}}}
		}
	}
	return nil
}

// isHarmless reports whether a command changes no file.
func (r *reader) isHarmless(c command, name string, args arguments) bool {
	if r.writesFile(c) {
		return false
	}
	switch name {
	case "cat", "echo", "printf":
		return true
	case "tee":
		return len(args.files) == 0 || args.files[0].text == "/dev/null"
	case "sed":
		return !slices.ContainsFunc(args.options, func(o string) bool { return strings.HasPrefix(o, "-i") || strings.HasPrefix(o, "--in-place") })
	case "find":
		return !args.has("-delete", "-exec", "-execdir", "-ok", "-fprint")
	case "git apply", "patch":
		return args.has("--check", "--stat", "--dry-run")
	}
	return harmless[name]
}

// writesFile reports whether the output of a command goes to a file.
func (r *reader) writesFile(c command) bool {
	for _, rd := range c.redirects {
		switch {
		case strings.HasPrefix(rd.op, "<") || rd.op == "2>&" || rd.target.text == "/dev/null" || strings.HasPrefix(rd.target.text, "&"):
		default:
			return true
		}
	}
	return false
}

// scriptWrites reports whether the script of an interpreter has a word that writes files.
func (r *reader) scriptWrites(c command, name string, args arguments) bool {
	script := c.at.In(r.body)
	for _, rd := range c.redirects {
		script += rd.body.text
	}
	if len(args.files) > 0 && !args.has("-c", "-e", "--eval") && !slices.ContainsFunc(c.redirects, func(rd redirect) bool { return strings.HasPrefix(rd.op, "<<") }) {
		return false // a program of the project, which the person may run
	}
	script = strings.TrimPrefix(script, name)
	return slices.ContainsFunc(writing, func(s string) bool { return strings.Contains(script, s) })
}

// longestDir limits the path of a folder, so that a script with many `cd` does not take
// memory that is quadratic in its length.
const longestDir = 1024

// cd changes the folder that the paths of later commands are relative to.
func (r *reader) cd(c command, args arguments) bool {
	if len(args.options) > 0 || len(args.files) != 1 || len(c.redirects) > 0 {
		return false
	}
	to := args.files[0].text
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

// eachFile reads a command that does the same to each file that it names.
func (r *reader) eachFile(c command, files []word, change func(path string) intent.Change) bool {
	if len(files) == 0 || len(c.redirects) > 0 {
		return false
	}
	for _, w := range files {
		if w.expand() == nil {
			return false
		}
	}
	for _, w := range files {
		for _, name := range w.expand() {
			one := w
			one.text = strings.TrimSuffix(name, "/")
			to, at := r.path(one)
			if w.braces {
				at = intent.Literal{}
			}
			it := change(to)
			it.Path, it.PathAt = to, at
			r.add(c, it)
		}
	}
	return true
}

func (r *reader) mkdir(c command, args arguments) bool {
	return args.only("-p", "-v", "-pv", "--parents") && r.eachFile(c, args.files, func(string) intent.Change { return intent.Change{Kind: intent.MakeDir} })
}

func (r *reader) touch(c command, args arguments) bool {
	return args.only() && r.eachFile(c, args.files, func(string) intent.Change { return intent.Change{Kind: intent.Edit, MayCreate: true} })
}

func (r *reader) rm(c command, args arguments) bool {
	kind := intent.Delete
	if args.has("-r", "-rf", "-fr", "-R", "-Rf", "--recursive") {
		kind = intent.DeleteAll
	}
	if !args.only("-r", "-f", "-rf", "-fr", "-R", "-Rf", "-v", "-q", "--recursive", "--force") {
		return false
	}
	var files []word
	for _, w := range args.files {
		if !r.forget(w) {
			files = append(files, w)
		}
	}
	return len(files) == 0 && len(args.files) > 0 || r.eachFile(c, files, func(string) intent.Change { return intent.Change{Kind: kind} })
}

func (r *reader) mv(c command, args arguments) bool {
	return args.only("-f", "-v", "-n") && r.fromTo(c, args, intent.Rename)
}

func (r *reader) cp(c command, args arguments) bool {
	return args.only("-f", "-v", "-n", "-p") && r.fromTo(c, args, intent.Copy)
}

// fromTo reads a command that names a file and its new path, or a folder that ends in a
// slash.
func (r *reader) fromTo(c command, args arguments, kind intent.Kind) bool {
	if len(args.files) != 2 || len(c.redirects) > 0 || args.files[0].braces || args.files[1].braces {
		return false
	}
	change := intent.Change{Kind: kind}
	change.Path, change.PathAt = r.path(args.files[0])
	change.To, change.ToAt = r.path(args.files[1])
	if strings.HasSuffix(change.To, "/") || args.files[1].text == "." {
		change.To, change.ToAt = path.Join(change.To, path.Base(change.Path)), intent.Literal{}
	}
	r.add(c, change)
	return true
}

func (r *reader) chmod(c command, args arguments) bool {
	if len(args.files) < 2 || len(args.options) > 0 {
		return false
	}
	switch args.files[0].text {
	case "+x", "a+x", "u+x", "755", "0755":
	default:
		return false
	}
	return r.eachFile(c, args.files[1:], func(string) intent.Change { return intent.Change{Kind: intent.Edit, Mode: 0o755} })
}

// append adds a change that appends lines to a file, or creates it with these lines.
func (r *reader) append(c command, to word, content string, at intent.Literal) {
	change := intent.Change{Kind: intent.Edit, MayCreate: true}
	change.Path, change.PathAt = r.path(to)
	lines := wholelines.Reading{Replace: content}
	if at.Span != (text.Span{}) {
		lines.FindAt, lines.ReplaceAt, lines.Both = at, at, added{at.Span}
	}
	change.Steps = []intent.Step{wholelines.Edit{
		Readings: []wholelines.Reading{lines},
		Scope:    wholelines.Scope{Appends: true, AtEnd: true},
		At:       c.at, ReplaceName: "the new text",
	}}
	r.add(c, change)
}

// added writes the lines that a here-document adds to a file. It has no text to find.
type added struct{ at text.Span }

// WriteBoth implements [findreplace.Writer].
func (a added) WriteBoth(_, replace string) text.Edit { return text.Edit{Span: a.at, New: replace} }
