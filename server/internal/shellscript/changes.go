package shellscript

import (
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A Change is the effect of a command on a file.
type Change struct {
	Does string // for messages: "edits", "writes", "moves", "deletes", or "restores" for an earlier content
	File string // the file as written, or a pattern such as `src/**/*.py`; "" if the input of the command names the files
}

// operands determines which words of a command name the files that it changes.
type operands int

const (
	allOperands operands = iota
	lastOperand
	exceptFirst // the first operand is a script or a mode
	output      // the operand that begins with `of=`
	noOperands  // the input names the files
	wholeTree   // all files of the folder; an operand may only say which content they get
)

// A tool describes how a command changes files.
type tool struct {
	does  string
	which operands
	needs *lazyregexp.Regexp // an option without which the command changes no file; or nil
}

var (
	// inPlace matches the option with which a program changes its files instead of printing: `sed -i`.
	inPlace = lazyregexp.New(`^(?:-[a-zA-Z]*i|--?in-?place)`)
	// inPlaceOfPerl matches this option of Perl and Ruby, but not options such as `-Mbigint`.
	inPlaceOfPerl = lazyregexp.New(`^-[0alnpsw]*i`)
	// anyInPlace matches this option of a program that is not in the table, only in its long form, because `-i`
	// often means something else.
	anyInPlace = lazyregexp.New(`^--?in-?place(?:=|$)`)
	// commands matches the option before the commands of an editor, without which the editor waits for a person.
	commands = lazyregexp.New(`^(?:-c|-[eE]?s|-S|--cmd)$`)
	hard     = lazyregexp.New(`^--hard$`)
	inFile   = lazyregexp.New(`^(?:-[fIL]|--file|--inplace|--set|--del|--merge)`) // other options with which a program changes its files
)

// tools maps commands, in lower case, to their effects on files. A name may include a subcommand.
var tools = map[string]tool{
	"rm": {does: "deletes"}, "unlink": {does: "deletes"}, "git rm": {does: "deletes"}, "del": {does: "deletes"}, "erase": {does: "deletes"},
	"remove-item": {does: "deletes"}, "ri": {does: "deletes"}, "rd": {does: "deletes"}, "shred": {does: "deletes"},
	"mv": {does: "moves"}, "git mv": {does: "moves"}, "move": {does: "moves"}, "ren": {does: "moves"}, "move-item": {does: "moves"},
	"rename-item": {does: "moves"}, "rename": {does: "moves", which: exceptFirst},
	"cp": {does: "writes", which: lastOperand}, "copy": {does: "writes", which: lastOperand}, "copy-item": {does: "writes", which: lastOperand},
	"ln": {does: "writes", which: lastOperand}, "install": {does: "writes", which: lastOperand}, "rsync": {does: "writes", which: lastOperand},
	"touch": {does: "writes"}, "tee": {does: "writes"}, "sponge": {does: "writes"}, "truncate": {does: "writes"}, "new-item": {does: "writes"},
	"set-content": {does: "writes"}, "add-content": {does: "writes"}, "out-file": {does: "writes"}, "clear-content": {does: "writes"}, "tee-object": {does: "writes"},
	"git checkout": {does: "restores"}, "git restore": {does: "restores"}, "svn revert": {does: "restores"}, "hg revert": {does: "restores"},
	"git stash": {does: "restores", which: wholeTree}, "git revert": {does: "restores", which: wholeTree}, "git reset": {does: "restores", which: wholeTree, needs: hard}, "git config": {does: "edits", needs: inFile},
	"git apply": {does: "writes", which: noOperands}, "patch": {does: "writes", which: noOperands}, "git am": {does: "writes", which: noOperands},
	"sed": {does: "edits", which: exceptFirst, needs: inPlace}, "gsed": {does: "edits", which: exceptFirst, needs: inPlace},
	"perl": {does: "edits", which: exceptFirst, needs: inPlaceOfPerl}, "ruby": {does: "edits", which: exceptFirst, needs: inPlaceOfPerl},
	"awk": {does: "edits", needs: inPlace}, "gawk": {does: "edits", needs: inPlace}, "yq": {does: "edits", needs: inPlace}, "tomlq": {does: "edits", needs: inPlace},
	"xq": {does: "edits", needs: inPlace}, "yq w": {does: "edits"}, "dasel put": {does: "edits"}, "dasel delete": {does: "edits"}, "json": {does: "edits", needs: inFile},
	"xmlstarlet": {does: "edits", needs: inFile}, "crudini": {does: "edits", needs: inFile}, "sd": {does: "edits"}, "rpl": {does: "edits"},
	"ed": {does: "edits"}, "ex": {does: "edits"}, "vi": {does: "edits", needs: commands}, "vim": {does: "edits", needs: commands}, "nvim": {does: "edits", needs: commands},
	"dd": {does: "writes", which: output},
}

// unstash lists the subcommands of `git stash` that do not set changes aside.
var unstash = []string{"pop", "apply", "list", "show", "drop", "clear", "branch"}

// manifests maps the beginnings of commands to the file that they edit. A space at the end of a key requires the end
// of a word.
var manifests = map[string]string{
	"npm pkg set ": "package.json", "npm pkg delete ": "package.json", "pnpm pkg set ": "package.json", "pnpm pkg delete ": "package.json",
	"go mod edit ": "go.mod",
}

// IsTool reports whether a line begins like a command that may change files.
func IsTool(line string) bool {
	words := strings.Fields(strings.TrimLeft(line, " \t$"))
	if len(words) < 2 {
		return false
	}
	name := strings.ToLower(words[0])
	return tools[name].does != "" || tools[name+" "+words[1]].does != ""
}

// ChangesOf returns the changes that the arguments of the i-th command of a script make. It ignores redirects. For a
// command in a loop over files, it returns a change for each file.
func ChangesOf(script []Command, i int) (found []Change) {
	for _, change := range changesAt(script, i) {
		files := []Word{{Text: change.File}}
		if name, expands := strings.CutPrefix(change.File, "$"); expands {
			if variable, all := loopOver(script[:i]); variable != "" && (name == variable || name == "{"+variable+"}") {
				files = all
			}
		}
		found = append(found, text.Each(files, func(file Word) Change { return Change{change.Does, file.Text} })...)
	}
	return found
}

// loopOver returns the variable and the words of the last loop that begins in a script: `for f in src/*.ts`.
func loopOver(script []Command) (variable string, all []Word) {
	for _, c := range slices.Backward(script) {
		if len(c.Words) > 3 && c.Words[0].Text == "for" && c.Words[2].Text == "in" {
			return c.Words[1].Text, c.Words[3:]
		}
	}
	return "", nil
}

// keywords are the words of the shell that may come before a command.
var keywords = []string{"do", "then", "else", "if", "while", "until", "!", "time", "{"}

func changesAt(script []Command, i int) []Change {
	c := script[i]
	for len(c.Words) > 1 && slices.Contains(keywords, c.Words[0].Text) {
		c.Words = c.Words[1:]
	}
	name, args := c.Program()
	if one, pattern := perFile(script[:i], c, name); len(one.Words) > 0 {
		found := ChangesOf([]Command{one}, 0)
		for i := range found {
			found[i].File = strings.ReplaceAll(found[i].File, "{}", pattern)
		}
		return found
	} else if name == "find" && args.Has("-delete") {
		return []Change{{"deletes", pattern}}
	}
	return changesOf(strings.ToLower(name), args)
}

func changesOf(name string, args Arguments) (found []Change) {
	var words strings.Builder
	words.WriteString(name + " ")
	for _, w := range args.Files {
		words.WriteString(w.Text + " ")
	}
	for begins, file := range manifests {
		if strings.HasPrefix(words.String(), begins) {
			found = append(found, Change{"edits", file})
		}
	}
	t, files := tools[name], args.Files
	if t.does == "" && len(files) > 1 {
		t, files = tools[name+" "+files[0].Text], files[1:]
	}
	if t.does == "" {
		t, files = tool{does: "edits", needs: anyInPlace}, args.Files
	}
	if args.IsTrial(name) || t.needs != nil && !slices.ContainsFunc(args.Options, t.needs.MatchString) {
		return found
	}
	switch {
	case t.which == noOperands:
		return append(found, Change{Does: t.does})
	case t.which == wholeTree && len(files) > 0 && slices.Contains(unstash, files[0].Text):
		return found
	case t.which == wholeTree:
		return append(found, Change{t.does, "."})
	case len(files) == 0:
		return found
	case t.which == lastOperand:
		files = files[len(files)-1:]
	case t.which == exceptFirst:
		files = files[1:]
	}
	for _, w := range files {
		file, isOutput := strings.CutPrefix(w.Text, "of=")
		if isOutput || t.which != output {
			found = append(found, Change{t.does, file})
		}
	}
	return found
}

// perFile returns the command that `find -exec` or `xargs` runs for each file, with `{}` instead of the file, and a
// pattern for these files. `before` are the commands above c.
func perFile(before []Command, c Command, name string) (one Command, pattern string) {
	words := c.Words
	switch name {
	case "find":
		pattern = foundBy(words)
		for n, w := range words {
			if slices.Contains([]string{"-exec", "-execdir", "-ok"}, w.Text) {
				one.Words = slices.DeleteFunc(slices.Clone(words[n+1:]), func(w Word) bool { return w.Text == ";" || w.Text == "+" })
				break
			}
		}
	case "xargs":
		pattern = "**/*"
		if n := len(before); n > 0 && c.After == "|" {
			if name, _ := before[n-1].Program(); name == "find" {
				pattern = foundBy(before[n-1].Words)
			}
		}
		for n := 1; n < len(words) && len(one.Words) == 0; n++ {
			switch option := words[n].Text; {
			case slices.Contains([]string{"-I", "-n", "-P", "-d", "-L"}, option):
				n++
			case !strings.HasPrefix(option, "-"):
				one.Words = append(slices.Clone(words[n:]), Word{Text: "{}"})
			}
		}
	}
	return one, pattern
}

// foundBy returns the pattern of the files that `find` finds: `src/**/*.py`.
func foundBy(words []Word) string {
	folder, name := ".", "*"
	for i, w := range words[1:] {
		switch {
		case i == 0 && !strings.HasPrefix(w.Text, "-"):
			folder = strings.TrimSuffix(w.Text, "/")
		case slices.Contains([]string{"-name", "-iname", "-path"}, words[i].Text):
			name = w.Text
		}
	}
	return folder + "/**/" + name
}
