package searchreplace

import (
	"path"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A located is a path where a body writes it. The span is empty where the path is
// outside the body.
type located struct {
	path string
	span text.Span
}

// A named is the path of a block as far as the text around it says.
type named struct {
	located
	other     string   // a different path that the text next to the block names, too
	inherited string   // of the block before, where the text above speaks against it
	mentions  []string // paths that the text above mentions
}

// outside is what the document says outside a region.
type outside struct {
	above    string   // the path on the line above, where the region cannot hold that line
	path     string   // of the block before
	mentions []string // paths in the text since the block before
}

// named finds the path of a block: inside the fence, in its info string or above it; else it
// is that of the block before, unless the text between them mentions another file.
func (r *reader) named(p pair, from int, outer outside, first bool) named {
	found, _ := pathsAbove(r.lines, from, p.head)
	if first && outer.above != "" {
		found = append(found, located{path: outer.above})
	}
	n := named{}
	for _, f := range found {
		switch {
		case n.path == "" || endsWith(f.path, n.path):
			n.located = f
		case !endsWith(n.path, f.path):
			n.other = f.path
		}
	}
	if n.path != "" {
		return n
	}
	n.mentions = mentions(r.lines.span(from, p.head).In(r.lines.body))
	if first {
		n.mentions = append(slices.Clone(outer.mentions), n.mentions...)
	}
	if r.path.path == "" {
		return n
	}
	if slices.ContainsFunc(n.mentions, func(m string) bool { return !endsWith(r.path.path, m) }) {
		n.inherited = r.path.path
		return n
	}
	n.located = r.path
	return n
}

// endsWith reports whether a path is another one, or that within a folder.
func endsWith(whole, part string) bool {
	whole, part = strings.TrimPrefix(whole, "./"), strings.TrimPrefix(part, "./")
	return whole == part || strings.HasSuffix(whole, "/"+part)
}

// pathsAbove are the paths that the lines next to a block name, the nearest first: a line in
// the fence, the info string of the fence, and the last line of text above. top is the first
// line that belongs to the block by that.
func pathsAbove(l lines, from, head int) (found []located, top int) {
	top = head
	add := func(at text.Span, ok bool) {
		if ok {
			found = append(found, located{path: at.In(l.body), span: at})
		}
	}
	i := lastText(l, from, head)
	if i >= from && !opens(l.text(i)) {
		at, ok := pathLine(l, i)
		if add(at, ok); !ok {
			return found, top
		}
		top, i = i, i-1
	}
	if i >= from && opens(l.text(i)) {
		add(infoPath(l, i))
		top, i = i, lastText(l, from, i)
		if i >= from {
			at, ok := pathLine(l, i)
			if add(at, ok); ok {
				top = i
			}
		}
	}
	return found, top
}

// lastText is the last line before another that is not blank; below from for none.
func lastText(l lines, from, before int) int {
	i := before - 1
	for i >= from && l.blank(i) {
		i--
	}
	return i
}

var (
	fenceLine = lazyregexp.New("^[ \t>]*(?:`{3,}|~{3,})[ \t]*([^`]*)$")
	tagLine   = lazyregexp.New(`^<(?:source|code|pre|codeblock|sourcecode)>[ \t]*([\w+#.-]*)[ \t]*$`)
	closeTag  = lazyregexp.New(`^</(?:source|code|pre|codeblock|sourcecode)>[ \t]*$`)
)

// opens reports whether a line can open a fence.
func opens(line string) bool { return fenceLine.MatchString(line) || tagLine.MatchString(line) }

var infoMember = lazyregexp.New(`(?:^|[ \t{])(?:path|file|filename|title)="?([^"\s}]+)"?`)

// infoPath is the path in the info string of a fence: `ts src/a.ts`, `src/a.ts`, `title=...`.
func infoPath(l lines, i int) (text.Span, bool) {
	at := l.at(i)
	m := fenceLine.FindStringSubmatchIndex(at.In(l.body))
	if m == nil {
		return text.Span{}, false
	}
	info := text.Span{Start: m[2], End: m[3]}.Shift(at.Start)
	if m := infoMember.FindStringSubmatchIndex(info.In(l.body)); m != nil {
		span := text.Span{Start: m[2], End: m[3]}.Shift(info.Start)
		return span, isPath(span.In(l.body))
	}
	words := strings.FieldsFunc(info.In(l.body), func(r rune) bool { return r == ' ' || r == '\t' || r == ':' })
	if len(words) == 0 || len(words) > 2 {
		return text.Span{}, false
	}
	word := words[len(words)-1]
	start := info.Start + strings.LastIndex(info.In(l.body), word)
	return text.Span{Start: start, End: start + len(word)}, isPath(word) && strings.ContainsAny(word, "./")
}

// Decoration that a path on a line of its own may have.
var (
	before = lazyregexp.New("^(?:[ \t>]|[-*+] |\\d+[.)] |#+|//+|<!--|/\\*|;+|--|(?i:file ?name|file ?path|file|path):|[*`\"'(\\[])+")
	after  = lazyregexp.New("(?:[ \t:*`\"')\\]]|-->|\\*/|\\((?i:new|create|created|update|updated|modified|edit|edited)(?: file)?\\))+$")
)

// pathLine is the path that a line is, apart from decoration.
func pathLine(l lines, i int) (text.Span, bool) {
	at := l.at(i)
	at.Start += len(before.FindString(at.In(l.body)))
	at.End -= len(after.FindString(at.In(l.body)))
	return at, !at.Empty() && isPath(at.In(l.body))
}

var (
	pathShape = lazyregexp.New(`^[^\s<>"|?*` + "`" + `{}=,;()]+$`)
	extension = lazyregexp.New(`\.[A-Za-z][A-Za-z0-9_+-]{0,11}$`)
	bareNames = map[string]bool{"Makefile": true, "Dockerfile": true, "LICENSE": true, "README": true, "Gemfile": true, "Rakefile": true, "Procfile": true,
		"Jenkinsfile": true, "Vagrantfile": true, "Justfile": true, "CODEOWNERS": true, "CHANGELOG": true}
)

// isPath reports whether a word is a path for sure: it has an extension, or a folder and a
// name, or is a name that files without an extension have.
func isPath(s string) bool {
	if !pathShape.MatchString(s) || strings.HasSuffix(s, ".") || strings.HasSuffix(s, "/") || strings.Contains(s, "://") || strings.HasPrefix(s, "-") {
		return false
	}
	base := path.Base(strings.ReplaceAll(s, `\`, "/"))
	return bareNames[base] || extension.MatchString(base) || strings.HasPrefix(base, ".") && len(base) > 1 || strings.Contains(s, "/") && base != "" && !strings.HasPrefix(s, "/")
}

var (
	mention_   = lazyregexp.New("[`*\"']([^`*\"'\\s]+)[`*\"']")
	sourceFile = lazyregexp.New(`(?i)(?:^|[\w\])-])\.(?:py|js|mjs|cjs|jsx|ts|tsx|go|rs|java|kt|c|h|cc|cpp|hpp|cs|rb|php|swift|scala|sh|bash|ps1|sql|html?|css|scss|less|vue|svelte|md|rst|txt|json|jsonl|ya?ml|toml|ini|cfg|conf|xml|csv|lock|gradle|lua|pl|r|dart|ex|exs|erl|hs|ml|clj|zig|tf|proto|graphql|ipynb)$`)
)

// mentions are the files that a text names between quotes of any kind.
func mentions(s string) []string {
	var found []string
	for _, m := range mention_.FindAllStringSubmatch(s, -1) {
		if name := strings.TrimRight(m[1], ":.,"); isPath(name) && sourceFile.MatchString(name) && !slices.Contains(found, name) {
			found = append(found, name)
		}
	}
	return found
}
