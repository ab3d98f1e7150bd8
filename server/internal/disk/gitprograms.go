package disk

import (
	"path"
	"path/filepath"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/fspath"
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
)

// runsProgram matches the keys of git's configuration, and of programs that keep theirs in
// it, whose value is a command or names a program. Their names tell: a key of a program
// that is not known here is mostly named like one of git's.
var runsProgram = lazyregexp.New(`(?s)^(alias|pager)\.|\.[a-z0-9-]*(command|cmd|program|prog|path|hooks?|helper|editor|pager|driver|textconv|browser|viewer|tool|askpass|` +
	`gitproxy|difffilter|script|shell|transferagent|args|external|fsmonitor|process|clean|smudge|uploadpack|receivepack|vcs|tunnel|httpd|update|smtpserver|` +
	`templatedir|attributesfile|allowedsignersfile|revocationfile)$`)

// runByName matches the keys of commands that a person types the name of.
var runByName = lazyregexp.New(`^(alias|guitool)\.`)

// gitPrograms are the files that commands of git's configuration name. What a command does
// with its words is not known, and neither is the folder that it runs in. So each word counts
// as the name of a file, and a name with a folder before it if both are words. The values say
// whether a name is also that of what is in a folder, and of a file with an extension.
type gitPrograms struct {
	absolute map[string]bool
	words    map[string]bool // below some folder that is a word too
	loose    map[string]bool // below any folder
	seen     map[string]bool // all of them
	tooMany  bool            // words to look at
}

// mostWords is how many words of commands count. A configuration with more is none of a
// person's, and all files ask.
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

// A command is one value that is read.
type command struct {
	*gitPrograms
	top    string
	byName bool
}

// expansion matches what a shell puts another text for.
var expansion = lazyregexp.New("\\$\\{[^{}]*\\}|\\$\\([^()]*\\)|`[^`]*`|\\$\\w+|%\\w+%")

const unknown = "\x01" // instead of an expansion

// deepest is how many quotations and expansions within each other are read.
const deepest = 5

// read takes the words of a command as a shell has them, those of quoted words and of
// expansions, which may be commands, and those between all characters that mean something to
// a shell.
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

// word adds a word that may be a name: wide, also what is below it.
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
		return // `cd ..` makes nothing of a tree a program
	}
	put(c.absolute, full, wide)
	put(c.absolute, resolved, wide)
	if !filepath.IsAbs(name) && !strings.HasPrefix(name, "~/") {
		c.relative(filepath.ToSlash(name), wide)
	}
}

// relative adds a name below a folder that is not known.
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

// put adds a name as it is compared.
func put(names map[string]bool, name string, wide bool) {
	name = comparable(name)
	names[name] = names[name] || wide
}

// comparable is a name as any file system folds it.
func comparable(name string) string {
	return fspath.Names{IgnoresCase: true, IgnoresForm: true}.Key(filepath.ToSlash(name))
}

// run reports whether a command may run a file, or read it to know what to run. Its path is
// absolute; relative is that from the top of the working tree.
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

// covers reports whether a name, or a folder that it is in, is among names.
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

// shellWords are the words of a command without their quotes; "" stands for what ends a
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
