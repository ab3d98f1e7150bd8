package git

import (
	"path"
	"path/filepath"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/fspath"
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
)

// runsProgram matches the keys of git's configuration whose value is a command or names a program. It looks only at the
// key, so it also matches similar keys of other programs.
var runsProgram = lazyregexp.New(`(?s)^(alias|pager)\.|\.[a-z0-9-]*(command|cmd|program|prog|path|hooks?|helper|editor|pager|driver|textconv|browser|viewer|tool|askpass|` +
	`gitproxy|difffilter|script|shell|transferagent|args|external|fsmonitor|process|clean|smudge|uploadpack|receivepack|vcs|tunnel|httpd|update|smtpserver|` +
	`templatedir|attributesfile|allowedsignersfile|revocationfile)$`)

var runByName = lazyregexp.New(`^(alias|guitool)\.`)

// programs has the files that commands in git's configuration name. It is unknown what the words of a command mean, and
// in which folder the command runs. Therefore each word counts as the name of a file. If one word is a folder and
// another is a name, the name in that folder also counts as a file. If a value in the maps is true, the name also
// covers everything in a folder of this name, and a file of this name with an extension.
type programs struct {
	top      string // the top folder of the working tree
	absolute map[string]bool
	words    map[string]bool // names of a file or folder, in a folder whose name is a word, too
	loose    map[string]bool // names of a file or folder in any folder
	seen     map[string]bool
	tooMany  bool
}

// mostWords limits how many words of commands are read. Nobody's configuration has so many words. If a configuration
// has more, the person is asked about every file.
const mostWords = 50_000

// add records the files that a value of git's configuration may name. `top` is the top folder of the configuration's
// working tree.
func (g *programs) add(top, key, value string) {
	if g.absolute == nil {
		g.top, g.absolute, g.words, g.loose, g.seen = top, map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]bool{}
	}
	shell := strings.HasPrefix(value, "!")
	if strings.HasPrefix(key, "alias.") && !shell {
		value = "git " + value
	}
	command := command{g, top, runByName.MatchString(key)}
	value = strings.TrimLeft(value, "!|-") // in LESSOPEN, the command begins with | or |-
	command.read(value, 0)
	// The value as a whole also counts as a name, because git starts some programs without a shell.
	command.word(value, false)
}

type command struct {
	*programs
	top    string
	byName bool
}

// expansion matches text that a shell would replace, such as `$HOME` or `$(date)`.
var expansion = lazyregexp.New("\\$\\{[^{}]*\\}|\\$\\([^()]*\\)|`[^`]*`|\\$\\w+|%\\w+%|\\{[^{}\\s]*,[^{}\\s]*\\}")

// pattern matches text that a shell would replace with names of files, or with the current folder.
var pattern = lazyregexp.New(`[*?]+|\[[^][\s]+\]|~[+-]`)

const unknown = "\x01" // stands for the result of an expansion

const deepest = 5

// read collects the words of a command: the words that a shell would see, the words inside quotes and expansions, which
// may be commands themselves, and the pieces between characters with a meaning in a shell.
func (c command) read(text string, depth int) {
	if depth > deepest {
		return
	}
	text = pattern.ReplaceAllString(text, unknown)
	for range deepest { // replace the innermost expansions first
		text = expansion.ReplaceAllStringFunc(text, func(found string) string {
			c.read(strings.Trim(found, "${}`()"), depth+1)
			return unknown
		})
	}
	const special = " \t\r\n\"'`;&|()<>{}=,:!"
	program := ""
	for _, word := range shellWords(text) {
		if word == "" { // an empty word ends a command
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

// word records a word that may be a name. If `wide` is true, the name also covers everything below it.
func (c command) word(word string, wide bool) {
	if folder, _, ok := strings.Cut(word, unknown); ok {
		c.word(folder[:strings.LastIndex(folder, "/")+1], true)
	}
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
		return
	}
	if at >= 0 {
		if name = strings.TrimLeft(slashed, "/"); name == "" {
			return
		}
		put(c.loose, path.Clean(name), wide)
	}
	full := expanded(c.top, name)
	resolved := fspath.Real(full)
	if resolved == c.top || fspath.IsUnder(resolved, c.top) {
		// A command such as `cd ..` does not make the whole tree a program.
		return
	}
	put(c.absolute, full, wide)
	put(c.absolute, resolved, wide)
	if !filepath.IsAbs(name) && !strings.HasPrefix(name, "~") {
		c.relative(filepath.ToSlash(name), wide)
	}
}

// relative records a name that is relative to an unknown folder.
func (c command) relative(name string, wide bool) {
	inFolder := strings.HasPrefix(name, "./") || strings.HasPrefix(name, "../")
	name = path.Clean(name)
	for strings.HasPrefix(name, "../") {
		name = name[len("../"):]
	}
	put(c.words, name, wide)
	if inFolder {
		put(c.loose, name, wide)
		// A command that leaves the tree may come back, as in `cd sub && ../../repo/x.sh`.
		above := strings.Split(filepath.ToSlash(c.top), "/")
		for i := range above {
			if rest, ok := strings.CutPrefix(name, path.Join(above[i:]...)+"/"); ok {
				put(c.loose, rest, wide)
			}
		}
	}
	// A Python module, as in `python -m tools.clean`.
	if wide && strings.Contains(name, ".") && !strings.Contains(name, "/") {
		put(c.absolute, filepath.Join(c.top, strings.ReplaceAll(name, ".", string(filepath.Separator))), true)
	}
}

func put(names map[string]bool, name string, wide bool) {
	name = Comparable(name)
	names[name] = names[name] || wide
}

// Comparable returns a name in a form for comparisons. Two names have the same form if any file system treats them as
// equal.
func Comparable(name string) string {
	return fspath.Names{IgnoresCase: true, IgnoresForm: true}.Key(filepath.ToSlash(name))
}

// run reports whether a command may run a file, or read the file to find out what to run. `real` is the path of the
// file with links resolved. A name in an unknown folder is compared with every end of the file's path below the
// innermost folder that contains both the working tree and the file. That folder may be above the tree, because a
// command may leave the tree, as in `cd ../tools && ./x.sh`.
func (g programs) run(file, real string) bool {
	if g.tooMany || covers(g.absolute, Comparable(file)) || covers(g.absolute, Comparable(real)) {
		return true
	}
	if len(g.loose)+len(g.words) == 0 {
		return false
	}
	folder := g.top
	for !fspath.IsUnder(folder, file) && folder != filepath.Dir(folder) {
		folder = filepath.Dir(folder)
	}
	relative, err := filepath.Rel(folder, file)
	if err != nil {
		// On Windows, the file is on another drive.
		return true
	}
	relative = Comparable(relative)
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

// covers reports whether `names` covers `name`. If the value of an entry is true, the entry also covers the files in a
// folder of that name, and a file of that name with an extension.
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

// shellWords returns the words of a command without their quotes. An empty word marks the end of a command.
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
