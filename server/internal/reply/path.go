package reply

import (
	"path"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// Characters and words that may surround a path on a line of its own.
var (
	before = lazyregexp.New("^(?:[ \t>]|[-*+] |\\(?(?:\\d+|[a-zA-Z]|[ivx]+)[.)](?:\\*\\*)? |#+|//+|<!--|/\\*|;+|--|==+ |[\\p{So}→]\\x{fe0f}?|</?(?:b|strong|code|details|summary|h[1-6])>|(?i:(?:(?:step|schritt|étape|paso|passo|шаг|चरण|الخطوة|stap|ステップ|手順|步骤) ?(?:\\d+|[一二三四五六七八九十])|第(?:\\d+|[一二三四五六七八九十])步|\\d+단계)(?:[:.)：]| ?[–—-] )|(?:new|added|updated|modified|changed)\\]|(?:new|created?|updated?|modified|changed)(?: file)?:|(?:file ?name|file ?path|file|path):)|[*`\"'(\\[“‘«])+")
	after  = lazyregexp.New("^(?:[^" + notInPath + "]|\\([\\w.@-]+\\)/)*?((?:(?:::?|#)[\\pL_][\\pL\\d_.]*(?:\\(\\))?|[:#]L?\\d+(?:[-–:]L?\\d+)*|,? [(\\[]?(?i:lines?|L) ?\\d+(?: ?(?:[-–]|to) ?L?\\d+)?[)\\]]?|[ \t:：*`\"')\\]”’»]|-->|\\*/| --+| ==+|</?(?:b|strong|code|details|summary|h[1-6])>|[(（](?i:new|created|create|updated|update|modified|edit|edited|full|complete|whole|neu|nuev[oa]|nouveau|nouvelle|nov[oa]|nuov[oa]|нов\\pL+|新(?:建|增|規|文件)?|신규|새 파일|جديد|नई|vollständig|komplett|complet[oa]?|полн\\pL+|完整(?:文件)?|全文|전체)(?: file)?[)）]|[(（](?i:new (?:autoload|class|component|config|controller|fixture|function|header|helper|hook|middleware|migration|model|module|package|page|partial|route|scene|schema|script|service|store|stylesheet|template|test|type|view|widget)s?)[)）]| [—–-] (?i:new|created|updated|modified|edited)(?: file)?)+)$")
	link   = lazyregexp.New(`^(.*\[)([^\[\]]+)\]\((file:[^()\s]+|https?://[^()\s]+|[^()\s:]+)\)[ \t:*]*$`)
)

// PathIn returns the path on a line as a span of the line, without the characters around the path. It returns false if
// the line has anything else.
//
// In a link within the workspace, the path is the text of the link, or its target if only the target has folders and
// both have the same extension: `[app.ts](src/app.ts)`. The path is also the text of the link if a messenger mistook a
// file name for a web address: `[src/main.go](http://main.go)`.
func PathIn(line string) (text.Span, bool) {
	at := text.Span{Start: len(before.FindString(line)), End: len(line)}
	if strings.Contains(line, "](") {
		if m := link.FindStringSubmatchIndex(line); m != nil && at.Start == m[3] {
			at, ok := PathIn(line[m[4]:m[5]])
			at = at.Shift(m[4])
			target := text.Span{Start: m[6], End: m[7]}
			if s := target.In(line); strings.HasPrefix(s, "file://") {
				target.Start += len("file://")
			}
			if ok && !strings.Contains(at.In(line), "/") && strings.Contains(target.In(line), "/") && ending(target.In(line)) == ending(at.In(line)) && IsFileName(target.In(line)) {
				return target, true
			}
			scheme, site, _ := strings.Cut(target.In(line), "://")
			isSite := scheme == "http" || scheme == "https"
			return at, ok && (!isSite || strings.HasSuffix(at.In(line), strings.TrimSuffix(site, "/")))
		}
	}
	if m := after.FindStringSubmatchIndex(at.In(line)); m != nil {
		at.End = at.Start + m[2]
	}
	if s := at.In(line); strings.HasPrefix(s, "__") && strings.HasSuffix(s, "__") && len(s) > 4 && extension.MatchString(ending(s[:len(s)-2])) {
		at.Start, at.End = at.Start+2, at.End-2
	}
	return at, !at.Empty() && IsPath(at.In(line))
}

// beginsPath reports whether nothing but marks, such as that of a heading, and the number of a step is before a path.
func beginsPath(line string, at text.Span) bool {
	return len(before.FindString(line[:at.Start])) == at.Start
}

// OnlyPath returns the span of the only path in a sentence. It returns false if the sentence has no path or several.
func OnlyPath(sentence string) (at text.Span, ok bool) {
	for _, found := range wordsIn(sentence, -1) {
		switch name := found.In(sentence); {
		case !IsFileName(name):
		case ok && name != at.In(sentence):
			return text.Span{}, false
		default:
			at, ok = found, true
		}
	}
	return at, ok
}

var (
	infoPath  = lazyregexp.New(`(?:^|[\s{,])(?i:[\w-]*(?:path|file|filename|title|name|src))[ \t]*[=:][ \t]*["']?([^\s"'{},]+)`)
	infoOther = lazyregexp.New(`\S+=(?:"[^"]*"|'[^']*'|\S+)|\{[^}]*\}|\b(?i:showLineNumbers|linenums|copy)\b|[ \t]\(?(?i:lines?|L) ?\d+(?: ?[-–] ?\d+)?\)?|:\d[\d,:-]*(?:\s|$)`)
	infoMarks = "()[]<>\"'|:-#/"
)

// InfoPath returns the span of the path in the info string of a fence: `ts src/a.ts`, `ts:src/a.ts`, `title=...`.
// Besides a path without a key, the info string may have only one word, such as a language.
func InfoPath(info string) (text.Span, bool) {
	for _, m := range infoPath.FindAllStringSubmatchIndex(info, -1) {
		if at := (text.Span{Start: m[2], End: m[3]}); IsPath(at.In(info)) {
			return at, true
		}
	}
	rest := infoOther.ReplaceAllString(info, " ")
	words := strings.FieldsFunc(rest, func(r rune) bool { return r == ' ' || r == '\t' || r == ':' || r == '|' })
	words = slices.DeleteFunc(words, func(w string) bool { return strings.Trim(w, infoMarks+"0123456789") == "" })
	if len(words) == 0 || len(words) > 2 {
		return text.Span{}, false
	}
	word := strings.Trim(words[len(words)-1], `()[]<>"'`)
	start := strings.LastIndex(info, word)
	return text.Span{Start: start, End: start + len(word)}, IsPath(word) && strings.ContainsAny(word, `./\`)
}

// EndsWith reports whether the path `whole` is `part`, or ends with a slash and `part`.
func EndsWith(whole, part string) bool {
	whole, part = strings.TrimPrefix(whole, "./"), strings.TrimPrefix(part, "./")
	return whole == part || strings.HasSuffix(whole, "/"+part)
}

// notInPath lists the characters that no path in a reply has.
const notInPath = "\t\n\f\r <>\"|?*`{}=,;()"

var (
	extension = lazyregexp.New(`^\.[A-Za-z][A-Za-z0-9_+-]{0,11}$`)
	bareNames = map[string]bool{"Makefile": true, "Dockerfile": true, "LICENSE": true, "README": true, "Gemfile": true, "Rakefile": true, "Procfile": true,
		"Jenkinsfile": true, "Vagrantfile": true, "Justfile": true, "CODEOWNERS": true, "CHANGELOG": true,
		"makefile": true, "justfile": true, "Snakefile": true, "Podfile": true, "Brewfile": true, "Caddyfile": true, "Fastfile": true, "Pipfile": true, "Containerfile": true, "go.mod": true, "go.sum": true}
)

// groups matches folders in parentheses, in which some frameworks group the routes of a site: `app/(auth)/page.tsx`.
var groups = lazyregexp.New(`(^|/)(?:\([\w.@-]+\)/)+`)

// IsPath reports whether a word is certainly a path: it has an extension or a slash, or is a well-known name such as
// Makefile or the path of a file of the system.
func IsPath(s string) bool {
	if strings.Contains(s, ")/") {
		s = groups.ReplaceAllString(s, "$1")
	}
	if s == "" || strings.ContainsAny(s, notInPath) || strings.HasSuffix(s, ".") || strings.HasSuffix(s, "/") || strings.Contains(s, "://") || strings.HasPrefix(s, "-") {
		return false
	}
	base := path.Base(strings.ReplaceAll(s, `\`, "/"))
	return bareNames[base] ||
		strings.Contains(base, ".") && extension.MatchString(ending(base)) ||
		strings.HasPrefix(base, ".") && len(base) > 1 ||
		strings.Contains(s, "/") && base != "" && !strings.HasPrefix(s, "/") ||
		strings.ContainsAny(s, `/\`) && ofSystem.MatchString(s)
}

// ofSystem matches a file of a computer outside of any project, such as `/etc/hosts`. Other paths with a slash at the
// beginning may be routes of a server.
var ofSystem = lazyregexp.New(`^(?:/(?:etc|usr|var|opt|home|root|tmp|srv|proc|sys|Users|Library)/|[A-Za-z]:[\\/]).*[^\\/]$`)

// ending returns the part of a path that begins at its last dot.
func ending(path string) string { return path[max(0, strings.LastIndexByte(path, '.')):] }

// isSource reports whether a path has a usual extension. In a folder, any short extension is usual: `lib/net.tcl`.
func isSource(path string) bool {
	dot := strings.LastIndexByte(path, '.')
	last := path[max(0, dot-1):max(0, dot)]
	return dot >= 0 &&
		(sourceEndings[strings.ToLower(path[dot+1:])] || inFolder.MatchString(path)) &&
		(last == "" || text.HasWord(last) || strings.Contains("_])-", last))
}

// inFolder matches a path with a folder and a short extension. The folder has no dot, unlike the name of a server.
var inFolder = lazyregexp.New(`^(?:\.[/\\])?[\w-]+[/\\](?:.*[/\\])?[^/\\]+\.[a-z][a-z0-9]{0,7}$`)

// IsFileName reports whether a word is a path whose name is usual for files: it has a usual extension, or is a
// well-known name without one.
func IsFileName(s string) bool {
	return IsPath(s) && (isSource(s) || bareNames[path.Base(s)] || dotFile.MatchString(path.Base(s)))
}

var (
	dotFile       = lazyregexp.New(`^\.(?:env(?:\.\w+)?|\w+ignore|\w+rc|gitattributes|gitmodules|editorconfig)$`)
	frameworks    = lazyregexp.New(`(?i)^(?:node|next|nuxt|vue|react|express|three|d3|angular|ember|chart|alpine)\.js$`)
	sourceEndings = text.WordSet("py js mjs cjs jsx ts tsx go rs java kt c h cc cpp hpp cs rb php swift scala sh bash ps1 sql htm html css scss less vue svelte md rst txt json jsonl yml yaml toml ini cfg conf xml csv lock gradle lua pl r dart ex exs erl hs ml clj zig tf proto graphql ipynb " +
		"adoc astro bat bib cabal cljs cmake csproj cshtml ejs elm fsproj gd gemspec godot groovy hbs hcl jl json5 jsonc kts mdx nim nix pas plist pug qmd razor resx rmd rpy sass sbt slint sln sol sv svg tcl tex tfvars tres tscn vb vbproj vhd xaml")
)

// NamesCode reports whether a name without a folder is probably not the name of a file. It may be a product such as
// Node.js, or a part of a program, such as `Store.remove` above a text with the word `remove`.
func NamesCode(name, body string) bool {
	return !strings.Contains(name, "/") && (frameworks.MatchString(name) || !IsFileName(name) && HasCode(body, strings.TrimPrefix(ending(name), ".")))
}

// Mentioned returns the files that a text names.
func Mentioned(s string) []string {
	var found []string
	for _, at := range wordsIn(s, -1) {
		if name := at.In(s); IsPath(name) && isSource(name) && !frameworks.MatchString(name) && !slices.Contains(found, name) {
			found = append(found, name)
		}
	}
	return found
}
