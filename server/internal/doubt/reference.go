package doubt

import (
	"iter"
	"path"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/lazyregexp"
)

// A Reference is the part of a program's line that names another file of the project, as an import does.
type Reference struct {
	// Path is the path of that file, perhaps without its extension. If a folder has this path, the main file of the
	// folder is meant.
	Path string
	// Ending says that Path is only the end of the path from the root, because the folders above depend on settings.
	Ending bool
	Line   string // the whole line, trimmed

	exts string
}

// May reports whether a file with this extension can be meant.
func (r Reference) May(ext string) bool { return strings.Contains(r.exts, " "+ext+" ") }

const (
	scripts = " .js .jsx .ts .tsx .mjs .cjs .mts .cts .vue .svelte .astro .json "
	styles  = " .css .scss .sass .less "
	sources = " .c .h .cc .cpp .cxx .hh .hpp .inc .m .mm .cu .y .l "
	onJVM   = " .java .kt .scala .groovy "
	quote   = `["']`
)

// namings has the ways in which programs name files, with the extensions of the programs and of the files. The first
// group of an expression holds the path.
var namings = []struct {
	in, of    string
	match     *lazyregexp.Regexp
	separator string // separates folders in the path
	ending    bool   // see [Reference.Ending]
}{
	{scripts, scripts + styles, lazyregexp.New(importsFrom + `(\.\.?/[^"'?#\n]+)` + quote), "/", false},
	{scripts, scripts + styles, lazyregexp.New(importsFrom + `[@~]/([^"'?#\n]+)` + quote), "/", true},
	{" .html .htm ", scripts + styles, lazyregexp.New(`\b(?:src|href)\s*=\s*` + quote + `((?:\.{1,2}/)?[\w@-][^"':?#\n]*\.(?:js|mjs|css))` + quote), "/", false},
	{styles, styles, lazyregexp.New(`@(?:import|use|forward)\s+` + quote + `(\.\.?/[^"'?#\n]+)` + quote), "/", false},
	{sources, sources, lazyregexp.New(`(?m)^[ \t]*#[ \t]*include[ \t]*"([^"\n]+)"`), "/", false},
	{" .rb ", " .rb ", lazyregexp.New(`(?m)^[ \t]*require_relative[ \t(]*` + quote + `([^"'\n]+)` + quote), "/", false},
	{" .py ", " .py ", lazyregexp.New(`(?m)^[ \t]*from[ \t]+(\.+\w[\w.]*)[ \t]+import\b`), ".", false},
	{" .py ", " .py ", lazyregexp.New(`(?m)^[ \t]*(?:from|import)[ \t]+(\w+(?:\.\w+)+)`), ".", true},
	{onJVM, onJVM, lazyregexp.New(`(?m)^import[ \t]+(\w+(?:\.\w+)+)[ \t;]*$`), ".", true},
	{" .php ", " .php ", lazyregexp.New(`(?m)^use[ \t]+\w+\\(\w+(?:\\\w+)+)[ \t]*;`), `\`, true},
}

const importsFrom = `(?:\bfrom\s*|\bimport\s*\(?\s*|\brequire\s*\(\s*)` + quote

// NamesFiles reports whether programs with this extension may have references to other files.
func NamesFiles(ext string) bool {
	for _, n := range namings {
		if strings.Contains(n.in, " "+ext+" ") {
			return true
		}
	}
	return false
}

// References yields the files of the project that a program at the path `file` names.
func References(file, content string) iter.Seq[Reference] {
	return func(yield func(Reference) bool) {
		for _, n := range namings {
			if !strings.Contains(n.in, " "+path.Ext(file)+" ") {
				continue
			}
			for _, at := range n.match.FindAllStringSubmatchIndex(content, -1) {
				from := strings.LastIndexByte(content[:at[2]], '\n') + 1
				line, _, _ := strings.Cut(content[from:], "\n")
				name, dir := content[at[2]:at[3]], path.Dir(file)
				if n.separator != "/" {
					inner := strings.TrimLeft(name, n.separator)
					for range len(name) - len(inner) - 1 {
						dir = path.Dir(dir)
					}
					name = strings.ReplaceAll(inner, n.separator, "/")
				}
				if !n.ending {
					name = path.Join(dir, name)
				}
				if !yield(Reference{name, n.ending, strings.TrimSpace(line), n.of}) {
					return
				}
			}
		}
	}
}
