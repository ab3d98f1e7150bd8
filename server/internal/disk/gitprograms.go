package disk

import (
	"path"
	"path/filepath"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/fspath"
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
)

// runsProgram matches the keys of git's configuration, and of programs that keep theirs in
// it, whose value is a command or names a program. The names suffice, because keys of
// unknown programs are mostly named like git's.
var runsProgram = lazyregexp.New(`(?s)^(alias|pager)\.|\.[a-z0-9-]*(command|cmd|program|prog|path|hooks?|helper|editor|pager|driver|textconv|browser|viewer|tool|askpass|` +
	`gitproxy|difffilter|script|shell|transferagent|args|external|fsmonitor|process|clean|smudge|uploadpack|receivepack|vcs|tunnel|httpd|update|smtpserver|` +
	`templatedir|attributesfile|allowedsignersfile|revocationfile)$`)

// runByName matches the keys of commands that a person runs by typing their name.
var runByName = lazyregexp.New(`^(alias|guitool)\.`)

// gitPrograms holds the files that commands of git's configuration name. The meaning of a
// command's words is unknown, and so is the folder in which it runs. Each word therefore
// counts as the name of a file, and so does a name with a folder before it if both are
// words. The values say whether a name also covers the contents of a folder, and a file
// with an extension.
type gitPrograms struct {
	absolute map[string]bool
	words    map[string]bool // below some folder that is a word, too
	loose    map[string]bool // below any folder
	seen     map[string]bool // all of them
	tooMany  bool            // too many words to check
}

// mostWords is the most words of commands that are read. No person's configuration has
// more; if one does, all files ask.
const mostWords = 50_000

// add adds a value of the configuration of a working tree at top.
func (g *gitPrograms) add(top, key, value string) {
	if g.absolute == nil {
		g.absolute, g.words, g.loose, g.seen = map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]bool{}
	}
	shell := strings.HasPrefix(value, "!")
	if strings.HasPrefix(key, "alias.") && !shell {
		value = "git " + value
	}
	command := command{g, top, runByName.MatchString(key)}
	value = strings.TrimPrefix(value, "!")
	command.read(value, 0)
	command.word(value, false) // some programs are started without a shell
}

// A command is one value that is being read.
type command struct {
	*gitPrograms
	top    string
	byName bool
}

// expansion matches text that a shell replaces.
var expansion = lazyregexp.New("\\$\\{[^{}]*\\}|\\$\\([^()]*\\)|`[^`]*`|\\$\\w+|%\\w+%")

const unknown = "\x01" // replaces an expansion

// deepest is the most nested quotations and expansions that are read.
const deepest = 5

// read collects the words of a command: those that a shell would see, those of quoted words
// and of expansions, which may be commands, and those between all characters with a meaning
// for a shell.
func (c command) read(text string, depth int) {
	if depth > deepest {
		return
	}
	for range deepest { // the innermost first
		text = expansion.ReplaceAllStringFunc(text, func(found string) string {
			c.read(strings.Trim(found, "${}`()"), depth+1)
			return unknown
		})
	}
	const special = " \t\r\n\"'`;&|()<>{}=,:!"
	program := ""
	for _, word := range shellWords(text) {
		if word == "" { // the end of a command
			program = ""
			continue
		}
		isProgram := program == ""
		if isProgram {
			program = path.Base(filepath.ToSlash(word))
		}
		c.word(word, !c.byName && !isProgram && program != "git" && !strings.HasPrefix(program, "git-"))
		if strings.ContainsAny(word, special) && word != text {
			c.read(word, depth+1)
		}
	}
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(special, r) }) {
		c.word(word, false)
	}
}

// word adds a word that may be a name. If wide is true, it also covers everything below the
// name.
func (c command) word(word string, wide bool) {
	at := strings.LastIndex(word, unknown)
	name := word[at+1:]
	slashed := filepath.ToSlash(name)
	wide = wide || strings.Contains(slashed, "/")
	if was, is := c.seen[word]; name == "" || strings.HasPrefix(name, "-") || is && (was || !wide) {
		return
	}
	c.seen[word] = wide
	c.tooMany = c.tooMany || len(c.seen) > mostWords
	if c.tooMany || at >= 0 && slashed[0] != '/' {
		return // a part of a name says nothing
	}
	if at >= 0 {
		if name = strings.TrimLeft(slashed, "/"); name == "" {
			return
		}
		put(c.loose, path.Clean(name), wide)
	}
	full := expanded(c.top, name)
	resolved := real(full)
	if resolved == c.top || isBelow(resolved, c.top) {
		return // `cd ..` does not turn a part of the tree into a program
	}
	put(c.absolute, full, wide)
	put(c.absolute, resolved, wide)
	if !filepath.IsAbs(name) && !strings.HasPrefix(name, "~/") {
		c.relative(filepath.ToSlash(name), wide)
	}
}

// relative adds a name below an unknown folder.
func (c command) relative(name string, wide bool) {
	inFolder := strings.HasPrefix(name, "./") || strings.HasPrefix(name, "../")
	name = path.Clean(name)
	for strings.HasPrefix(name, "../") {
		name = name[len("../"):]
	}
	put(c.words, name, wide)
	if inFolder {
		put(c.loose, name, wide)
	}
	if wide && strings.Contains(name, ".") && !strings.Contains(name, "/") { // python -m tools.clean
		put(c.absolute, filepath.Join(c.top, strings.ReplaceAll(name, ".", string(filepath.Separator))), true)
	}
}

// put adds a name in its comparable form.
func put(names map[string]bool, name string, wide bool) {
	name = comparable(name)
	names[name] = names[name] || wide
}

// comparable returns a name as any file system folds it.
func comparable(name string) string {
	return fspath.Names{IgnoresCase: true, IgnoresForm: true}.Key(filepath.ToSlash(name))
}

// run reports whether a command may run a file, or read it to find out what to run. file is
// its absolute path, and relative its path from the top of the working tree.
func (g gitPrograms) run(file, relative string) bool {
	if g.tooMany || covers(g.absolute, comparable(file)) || covers(g.absolute, comparable(real(file))) {
		return true
	}
	relative = comparable(relative)
	for i := range relative {
		if i > 0 && relative[i-1] != '/' {
			continue
		}
		_, isFolder := g.words[strings.TrimSuffix(relative[:i], "/")]
		if covers(g.loose, relative[i:]) || isFolder && covers(g.words, relative[i:]) {
			return true
		}
	}
	return false
}

// covers reports whether a name, or a folder that contains it, is among names.
func covers(names map[string]bool, name string) bool {
	if _, is := names[name]; is || names[strings.TrimSuffix(name, path.Ext(name))] {
		return true
	}
	for dir := path.Dir(name); dir != "." && dir != "/"; dir = path.Dir(dir) {
		if names[dir] {
			return true
		}
	}
	return false
}

// shellWords returns the words of a command without their quotes. A "" marks the end of a
// command.
func shellWords(text string) []string {
	var words []string
	var word strings.Builder
	var quote rune
	escaped := false
	end := func() {
		if word.Len() > 0 {
			words = append(words, word.String())
			word.Reset()
		}
	}
	for _, r := range text {
		switch {
		case escaped:
			escaped = false
			word.WriteRune(r)
		case r == '\\' && quote != '\'':
			escaped = true
		case quote != 0:
			if r == quote {
				quote = 0
			} else {
				word.WriteRune(r)
			}
		case r == '"' || r == '\'':
			quote = r
		case strings.ContainsRune(" \t\r", r):
			end()
		case strings.ContainsRune(";&|()<>\n", r):
			end()
			words = append(words, "")
		default:
			word.WriteRune(r)
		}
	}
	end()
	return words
}
