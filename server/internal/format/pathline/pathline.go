// Package pathline reads the lines in which a model names the file of a block: a path above
// the block, or in the info string of its fence.
package pathline

import (
	"path"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// Decoration that a path on a line of its own may have.
var (
	before = lazyregexp.New("^(?:[ \t>]|[-*+] |\\d+[.)] |#+|//+|<!--|/\\*|;+|--|==+ |[\\p{So}→]\\x{fe0f}?|</?(?:b|strong|code|summary|h[1-6])>|(?i:step \\d+[:.)]|(?:new|created?|updated?|modified|changed)(?: file)?:|(?:file ?name|file ?path|file|path):)|[*`\"'(\\[“‘«])+")
	after  = lazyregexp.New("(?:[ \t:*`\"')\\]”’»]|-->|\\*/| --+| ==+|</?(?:b|strong|code|summary|h[1-6])>|\\((?i:new|created|create|updated|update|modified|edit|edited|full|complete|whole)(?: file)?\\)| [—–-] (?i:new|created|updated|modified|edited)(?: file)?)+$")
	link   = lazyregexp.New(`^(.*\[)([^\[\]]+)\]\([^()\s:]+\)[ \t:*]*$`)
)

// In returns the path on a line, without decoration, in bytes of the line. It returns false
// if the line is not a path. For a link within the workspace, the path is the text of the
// link.
func In(line string) (text.Span, bool) {
	if m := link.FindStringSubmatchIndex(line); m != nil && len(before.FindString(line)) == m[3] {
		at, ok := In(line[m[4]:m[5]])
		return at.Shift(m[4]), ok
	}
	at := text.Span{Start: len(before.FindString(line)), End: len(line)}
	at.End -= len(after.FindString(at.In(line)))
	if s := at.In(line); strings.HasPrefix(s, "__") && strings.HasSuffix(s, "__") && len(s) > 4 && extension.MatchString(s[:len(s)-2]) {
		at.Start, at.End = at.Start+2, at.End-2
	}
	return at, !at.Empty() && Is(at.In(line))
}

var word = lazyregexp.New("[^\\s`*\"'“”‘’()<>\\[\\],;:]+")

// Only returns the single file that a sentence names, in bytes of it. It returns false if
// there are none or several.
func Only(sentence string) (at text.Span, ok bool) {
	for _, m := range word.FindAllStringIndex(sentence, -1) {
		found := text.Span{Start: m[0], End: m[0] + len(strings.TrimRight(sentence[m[0]:m[1]], ".!?"))}
		switch name := found.In(sentence); {
		case !IsFile(name):
		case ok && name != at.In(sentence):
			return text.Span{}, false
		default:
			at, ok = found, true
		}
	}
	return at, ok
}

var infoMember = lazyregexp.New(`(?:^|[ \t{])(?:path|file|filename|title)="?([^"\s}]+)"?`)

// Info returns the path in the info string of a fence, in bytes of it: `ts src/a.ts`,
// `src/a.ts`, `title=...`.
func Info(info string) (text.Span, bool) {
	if m := infoMember.FindStringSubmatchIndex(info); m != nil {
		at := text.Span{Start: m[2], End: m[3]}
		return at, Is(at.In(info))
	}
	words := strings.FieldsFunc(info, func(r rune) bool { return r == ' ' || r == '\t' || r == ':' })
	if len(words) == 3 && (words[1] == "//" || words[1] == "#") {
		words = []string{words[0], words[2]}
	}
	if len(words) == 0 || len(words) > 2 {
		return text.Span{}, false
	}
	word := words[len(words)-1]
	start := strings.LastIndex(info, word)
	return text.Span{Start: start, End: start + len(word)}, Is(word) && strings.ContainsAny(word, "./")
}

// EndsWith reports whether a path equals another one, or ends with it within a folder.
func EndsWith(whole, part string) bool {
	whole, part = strings.TrimPrefix(whole, "./"), strings.TrimPrefix(part, "./")
	return whole == part || strings.HasSuffix(whole, "/"+part)
}

var (
	pathShape = lazyregexp.New(`^[^\s<>"|?*` + "`" + `{}=,;()]+$`)
	extension = lazyregexp.New(`\.[A-Za-z][A-Za-z0-9_+-]{0,11}$`)
	bareNames = map[string]bool{"Makefile": true, "Dockerfile": true, "LICENSE": true, "README": true, "Gemfile": true, "Rakefile": true, "Procfile": true,
		"Jenkinsfile": true, "Vagrantfile": true, "Justfile": true, "CODEOWNERS": true, "CHANGELOG": true}
)

// Is reports whether a word is certainly a path, because it has an extension, or a folder
// and a name, or is a usual name without an extension.
func Is(s string) bool {
	if !pathShape.MatchString(s) || strings.HasSuffix(s, ".") || strings.HasSuffix(s, "/") || strings.Contains(s, "://") || strings.HasPrefix(s, "-") {
		return false
	}
	base := path.Base(strings.ReplaceAll(s, `\`, "/"))
	return bareNames[base] || extension.MatchString(base) || strings.HasPrefix(base, ".") && len(base) > 1 || strings.Contains(s, "/") && base != "" && !strings.HasPrefix(s, "/")
}

// IsFile reports whether a word is a path with a usual name of a file: with a usual
// extension, or a usual name without one.
func IsFile(s string) bool {
	return Is(s) && (sourceFile.MatchString(s) || bareNames[path.Base(s)])
}

var (
	mention    = lazyregexp.New("[`*\"']([^`*\"'\\s]+)[`*\"']")
	sourceFile = lazyregexp.New(`(?i)(?:^|[\w\])-])\.(?:py|js|mjs|cjs|jsx|ts|tsx|go|rs|java|kt|c|h|cc|cpp|hpp|cs|rb|php|swift|scala|sh|bash|ps1|sql|html?|css|scss|less|vue|svelte|md|rst|txt|json|jsonl|ya?ml|toml|ini|cfg|conf|xml|csv|lock|gradle|lua|pl|r|dart|ex|exs|erl|hs|ml|clj|zig|tf|proto|graphql|ipynb)$`)
)

// Mentions returns the files that a text names between quotes of any kind.
func Mentions(s string) []string {
	var found []string
	for _, m := range mention.FindAllStringSubmatch(s, -1) {
		if name := strings.TrimRight(m[1], ":.,"); Is(name) && sourceFile.MatchString(name) && !slices.Contains(found, name) {
			found = append(found, name)
		}
	}
	return found
}
