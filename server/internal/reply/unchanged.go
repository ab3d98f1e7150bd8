package reply

import (
	"path"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/doubt"
	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/paths"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// Limits of the search for a part of a reply in unchanged files. The search is repeated for each check, so it gives up
// in a larger project.
const (
	mostListed   = 5000    // paths
	mostSearched = 8 << 20 // bytes of text
)

// others calls `see` with the text of each file that the reply does not change, in the form of [squeeze]. It reports
// whether `see` was called for all these files. It skips documents, because they show code without being its source.
func (f *Files) others(see func(name, t string)) bool {
	if f.Tree == nil {
		return false
	}
	if f.rest == nil {
		f.rest = slices.DeleteFunc(slices.Clone(f.listing()), func(name string) bool { _, made := f.Made[name]; return made || document.MatchString(name) })
	}
	size := 0
	for _, name := range f.rest {
		for _, t := range f.texts(name) {
			if size += len(t); size > mostSearched || !f.Meter.Pay(len(t)) {
				return false
			}
			see(name, t)
		}
	}
	return len(f.rest) > 0
}

// listing returns the paths of all files of the tree, sorted, or none if there are too many.
func (f *Files) listing() []string {
	if f.listed == nil && f.Tree != nil {
		seen := 0
		named, all := paths.ByName(f.Tree, func() bool { seen++; return seen <= mostListed && f.Meter.Pay(eachLook) })
		f.listed = []string{}
		for _, of := range named {
			if all {
				f.listed = append(f.listed, of...)
			}
		}
		slices.Sort(f.listed)
	}
	return f.listed
}

// ending returns the only file of the tree whose path ends with the given name. If there is none, or more than one, it
// returns the name itself.
func (f *Files) ending(name string) string {
	if all := f.listing(); f.Meter.Pay(eachSigned * len(all)) {
		if found := text.Only(all, func(file string) bool { return EndsWith(file, name) }); len(found) == 1 {
			return found[0]
		}
	}
	return name
}

// leastStem is the length of the shortest word that may be a name of a file without its extension.
const leastStem = 6

// byStem returns the paths of all files of the tree, by the name without extension in lower case.
func (f *Files) byStem() map[string][]string {
	if f.stems == nil {
		f.stems = map[string][]string{}
		for _, name := range f.listing() {
			stem := strings.ToLower(strings.TrimSuffix(path.Base(name), path.Ext(name)))
			f.stems[stem] = append(f.stems[stem], name)
		}
	}
	return f.stems
}

// stems returns the files of the tree that words of a sentence name without the extension, such as requirements.txt for
// "from the requirements". It ignores a word that names several files.
func (a *lister) stems(words string) (found []mention) {
	named := a.files.byStem()
	for _, at := range wordsIn(words, 200) {
		if all := named[strings.ToLower(at.In(words))]; at.Len() >= leastStem && len(all) == 1 {
			found = append(found, mention{name: all[0], at: at})
		}
	}
	return found
}

// matches reports whether a pattern such as `src/*.py` or `src/**/*.py` matches a file of the tree.
func (f *Files) matches(pattern string) bool {
	folder, base, deep := strings.Cut(pattern, "**/")
	return f.Meter.Pay(eachSigned*len(f.listing())) && slices.ContainsFunc(f.listing(), func(name string) bool {
		if deep {
			below, ok := strings.CutPrefix(name, folder)
			matched, _ := path.Match(base, path.Base(below))
			return ok && matched
		}
		matched, _ := path.Match(pattern, name)
		return matched
	})
}

var document = lazyregexp.New(`(?i)\.(?:md|mdx|rst|adoc|txt|log|csv|lock|svg|min\.\w+)$`)

// holder returns the only file of the tree that contains a text after the reply, or "" if no file or several contain
// it. `any` is false if no file contains it.
func (f *Files) holder(body string) (name string, any bool) {
	runs := runsOf(body)
	return f.onlyAfter(func(t string) bool { return f.holdsAll(t, runs) })
}

// onlyAfter returns the only file of the tree whose text after the reply fulfills a condition, or "" if no file or several
// do. `any` is false if no file does.
func (f *Files) onlyAfter(fulfills func(t string) bool) (name string, any bool) {
	see := func(candidate, t string) {
		if fulfills(t) {
			name += candidate + "\n"
		}
	}
	for made := range f.Made {
		t := f.texts(made)
		see(made, t[len(t)-1])
	}
	if !f.others(see) || strings.Count(name, "\n") != 1 {
		return "", name != ""
	}
	return strings.TrimSuffix(name, "\n"), true
}

// definer returns the only file of the tree with another version of a function or type that a fence defines and a label
// names: "Here's the updated `greet` function:". It returns "" if there is no such file.
func (f *Files) definer(label, body string) string {
	if len(wordedLines(body)) < 2 {
		return "" // only a signature
	}
	tried := map[string]bool{}
	for line := range strings.Lines(body) {
		name := doubt.Defines(text.TrimEOL(line))
		if name == "" || tried[name] || !HasCode(label, name) || text.Indentation(line) != "" && !indented.MatchString(body) {
			continue
		}
		tried[name] = true
		file, _ := f.onlyAfter(func(t string) bool {
			found := false
			f.eachLine(t, name, func(at text.Span) { found = found || doubt.Defines(text.TrimEOL(at.In(t))) == name })
			return found
		})
		if file != "" && !f.has(file, body) {
			return file
		}
	}
	return ""
}

// versionOf returns the only unchanged file that resembles `body`, or "". The file must have the first line and at
// least half of all lines of `body`. Unless `body` has at least half of the file's lines, it must be indented or open a
// block, because other code may be an example of a call.
func (f *Files) versionOf(body string) (name string) {
	lines := wordedLines(body)
	distinct := text.Set(lines)
	if len(lines) < 2 {
		return ""
	}
	opens := indented.MatchString(body) || opensBlock.MatchString(body)
	if !f.others(func(candidate, t string) {
		found, all, first := 0, 0, false
		for line := range strings.Lines(t) {
			line = strings.TrimSuffix(line, "\n")
			all++
			if distinct[line] {
				found++
				first = first || line == lines[0]
			}
		}
		if first && 2*found >= len(lines) && (opens || 2*found >= all) {
			name += candidate + "\n"
		}
	}) || strings.Count(name, "\n") != 1 {
		return ""
	}
	if name = strings.TrimSuffix(name, "\n"); f.has(name, body) {
		return ""
	}
	return name
}

var (
	// indented matches a text whose first line is indented, as inside a block.
	indented = lazyregexp.New(`^(?:[ \t]*\r?\n)*(?:\t| {2})[ \t]*\S`)
	// opensBlock matches a text whose second line is indented.
	opensBlock = lazyregexp.New(`^(?:[ \t]*\r?\n)*\S[^\n]*\n+(?:\t| {2})[ \t]*\S`)
)
