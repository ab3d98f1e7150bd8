package doubt

import (
	"iter"
	"path"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
	"github.com/aptix-dev/aptix/server/internal/meter"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A Reference is the part of a program's line that names another file of the project, as an import does.
type Reference struct {
	// Path is the path of that file, perhaps without its extension. If a folder has this path, the main file of the
	// folder is meant.
	Path string
	// Ending says that Path is only the end of the path from the root, because the folders above depend on settings.
	Ending bool
	Names  []string // the names that the program takes from the file, if it lists them
	Line   string   // the line with the path, trimmed

	of string // the extensions of the files that can be meant
}

// mainFiles holds the names, without extension, of files that the path of their folder names.
var mainFiles = []string{"index", "__init__"}

// Means reports whether the reference may mean the file at the path `file`. A path that ends with a slash is a folder,
// which a reference of Python may mean.
func (r Reference) Means(file string) bool {
	folder, isFolder := strings.CutSuffix(file, "/")
	ext := path.Ext(file)
	if isFolder && r.of != python || !isFolder && !has(r.of, ext) {
		return false
	}
	name := strings.TrimSuffix(folder, ext)
	is := func(file string) bool {
		return slices.ContainsFunc(r.paths(), func(p string) bool { return file == p || r.Ending && strings.HasSuffix(file, "/"+p) })
	}
	return is(folder) || is(name) || slices.Contains(mainFiles, path.Base(name)) && is(path.Dir(name))
}

// Surely reports whether the reference surely means a program of the project at its path. It may be a picture, or depend
// on settings.
func (r Reference) Surely() bool { return !r.Ending && !has(assets, path.Ext(r.Path)) }

// paths returns the path, and the path without its extension if it has one.
func (r Reference) paths() []string {
	if ext := path.Ext(r.Path); has(r.of, ext) {
		return []string{r.Path, strings.TrimSuffix(r.Path, ext)}
	}
	return []string{r.Path}
}

func has(exts, ext string) bool { return ext != "" && strings.Contains(exts, " "+ext+" ") }

// eachFile is the cost of comparing the ends of two paths, in units of the meter.
const eachFile = 200

// References finds files by the references to them.
type References struct {
	byPath map[string][]string // the key is a path, a path without its extension, or the folder of a main file
	byName map[string][]string // the key is the last component of such a path
}

// NewReferences returns the index of the files and the folders above them.
func NewReferences(files []string) References {
	index := References{map[string][]string{}, map[string][]string{}}
	add := func(p, key string) {
		index.byPath[p] = append(index.byPath[p], key)
		index.byName[path.Base(p)] = append(index.byName[path.Base(p)], key)
	}
	folders := map[string]bool{}
	for _, key := range files {
		name := strings.TrimSuffix(key, path.Ext(key))
		add(name, key)
		if name != key {
			add(key, key)
		}
		if slices.Contains(mainFiles, path.Base(name)) {
			add(path.Dir(key), key)
		}
		for dir := path.Dir(key); dir != "." && !folders[dir]; dir = path.Dir(dir) {
			folders[dir] = true
			add(dir, dir+"/")
		}
	}
	return index
}

// Of returns the files and folders that a reference may mean, or nil if the meter is spent.
func (index References) Of(r Reference, m *meter.Meter) (found []string) {
	for _, p := range r.paths() {
		files := index.byPath[p]
		if r.Ending {
			files = index.byName[path.Base(p)]
		}
		if m.Pay(eachFile * len(files)) {
			found = append(found, text.Only(files, r.Means)...)
		}
	}
	slices.Sort(found)
	return slices.Compact(found)
}

const (
	scripts = " .js .jsx .ts .tsx .mjs .cjs .mts .cts .vue .svelte .astro .json "
	styles  = " .css .scss .sass .less "
	sources = " .c .h .cc .cpp .cxx .hh .hpp .inc .m .mm .cu .y .l "
	python  = " .py "
	onJVM   = " .java .kt .scala .groovy "
	assets  = " .svg .png .jpg .jpeg .gif .webp .avif .ico .woff .woff2 .ttf .mp3 .mp4 .wav .pdf .wasm .html .md .mdx .txt .csv .graphql .gql .glsl .yaml .yml .toml "
	quote   = `["']`
)

// namings has the ways in which programs name files, with the extensions of the programs and of the files. The first
// group of an expression holds the path.
var namings = []struct {
	in, of    string
	match     *lazyregexp.Regexp
	separator string // separates folders in the path
	ending    bool   // see [Reference.Ending]
	// returns the names that a reference takes from the file, given the text above and below; nil if it never lists names
	names func(above, below string) []string
}{
	{scripts, scripts + styles, lazyregexp.New(importsFrom + `(\.\.?/[^"'?#\n]+)` + quote), "/", false, namesOfScript},
	{scripts, scripts + styles, lazyregexp.New(importsFrom + `[@~]/([^"'?#\n]+)` + quote), "/", true, namesOfScript},
	{" .html .htm ", scripts + styles, lazyregexp.New(`\b(?:src|href)\s*=\s*` + quote + `((?:\.{1,2}/)?[\w@-][^"':?#\n]*\.(?:js|mjs|css))` + quote), "/", false, nil},
	{styles, styles, lazyregexp.New(`@(?:import|use|forward)\s+` + quote + `(\.\.?/[^"'?#\n]+)` + quote), "/", false, nil},
	{sources, sources, lazyregexp.New(`(?m)^[ \t]*#[ \t]*include[ \t]*"([^"\n]+)"`), "/", true, nil},
	{" .rb ", " .rb ", lazyregexp.New(`(?m)^[ \t]*require_relative[ \t(]*` + quote + `([^"'\n]+)` + quote), "/", false, nil},
	{python, python, lazyregexp.New(`(?m)^[ \t]*from[ \t]+(\.+\w[\w.]*)`), ".", false, namesOfPython},
	{python, python, lazyregexp.New(`(?m)^[ \t]*(?:from|import)[ \t]+(\w+(?:\.\w+)+)`), ".", true, namesOfPython},
	{onJVM, onJVM, lazyregexp.New(`(?m)^import[ \t]+(\w+(?:\.\w+)+)[ \t;]*$`), ".", true, nil},
	{" .php ", " .php ", lazyregexp.New(`(?m)^use[ \t]+\w+\\(\w+(?:\\\w+)+)[ \t]*;`), `\`, true, nil},
}

const importsFrom = `(?:\bfrom\s*|\bimport\s*\(?\s*|\brequire\s*\(\s*)` + quote

// Limits on the text around a path, in bytes.
const (
	longestList = 4000 // the list of names before or after a path
	longestLine = 100  // the part of the line that is shown, before and after the reference
)

// NamesFiles reports whether programs with this extension may have references to other files.
func NamesFiles(ext string) bool {
	for _, n := range namings {
		if has(n.in, ext) {
			return true
		}
	}
	return false
}

// ReferencesIn yields the references of a program at the path `file`.
func ReferencesIn(file, content string) iter.Seq[Reference] {
	return func(yield func(Reference) bool) {
		for _, n := range namings {
			if !has(n.in, path.Ext(file)) {
				continue
			}
			for _, at := range n.match.FindAllStringSubmatchIndex(content, -1) {
				above, below := content[max(0, at[0]-longestList):at[0]], content[at[1]:min(len(content), at[1]+longestList)]
				before := above[max(strings.LastIndexByte(above, '\n')+1, len(above)-longestLine):]
				rest, _, _ := strings.Cut(below[:min(len(below), longestLine)], "\n")
				name, dir := content[at[2]:at[3]], path.Dir(file)
				if n.separator != "/" {
					inner := strings.TrimLeft(name, n.separator)
					for range len(name) - len(inner) - 1 {
						dir = path.Dir(dir)
					}
					name = strings.ReplaceAll(inner, n.separator, "/")
				}
				ending := n.ending && !strings.HasPrefix(name, ".")
				if !ending {
					name = path.Join(dir, name)
				}
				r := Reference{Path: name, Ending: ending, Line: strings.TrimSpace(before + content[at[0]:at[1]] + rest), of: n.of}
				if n.names != nil {
					r.Names = n.names(above, below)
				}
				if !yield(r) {
					return
				}
			}
		}
	}
}

// namesOfScript returns the names in braces in front of `from` or `= require(`.
func namesOfScript(above, _ string) []string {
	list, closed := strings.CutSuffix(strings.TrimRight(above, " \t\n="), "}")
	at := strings.LastIndexByte(list, '{')
	if !closed || at < 0 {
		return nil
	}
	return namesOf(list[at+1:], "type ", "//")
}

// namesOfPython returns the names after `import`.
func namesOfPython(_, below string) []string {
	list, imports := strings.CutPrefix(strings.TrimLeft(below, " \t"), "import")
	if !imports {
		return nil
	}
	end := "\n"
	if rest, inBrackets := strings.CutPrefix(strings.TrimLeft(list, " \t"), "("); inBrackets {
		list, end = rest, ")"
	}
	list, _, _ = strings.Cut(list, end)
	return namesOf(list, "", "#")
}

// namesOf returns the first word of each item of a list with commas.
func namesOf(list, prefix, comment string) (names []string) {
	for line := range strings.Lines(list) {
		line, _, _ = strings.Cut(line, comment)
		for item := range strings.SplitSeq(line, ",") {
			item = strings.TrimPrefix(strings.TrimSpace(item), prefix)
			if name := item[:len(item)-len(strings.TrimLeftFunc(item, text.InName))]; name != "" && name != "default" {
				names = append(names, name)
			}
		}
	}
	return names
}
