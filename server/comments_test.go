package server_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// wording counts words and phrases of one package's comments that show how it reads.
type wording struct {
	words, where, what, conditions int
	functions, copulas             int      // function comments, and those that begin "X is" or "X are"
	translated                     []string // the translated phrases of one file, with the words to write instead
}

func (w *wording) add(o wording) {
	w.words += o.words
	w.where += o.where
	w.what += o.what
	w.conditions += o.conditions
	w.functions += o.functions
	w.copulas += o.copulas
}

// String returns the ratios: per 1,000 words, and in percent of the function comments.
func (w wording) String() string {
	rate := func(n int) float64 { return 1000 * float64(n) / float64(max(w.words, 1)) }
	return fmt.Sprintf("%6d words: where %4.1f, what %4.1f, if %4.1f; %3d of %3d functions (%d %%) are",
		w.words, rate(w.where), rate(w.what), rate(w.conditions), w.copulas, w.functions, 100*w.copulas/max(w.functions, 1))
}

// problems lists the limits that w exceeds. A short text may exceed each limit by slack,
// because its limits are so small that one more word could exceed them.
func (w wording) problems(slack int) (problems []string) {
	limit := func(n, most int, name string) {
		if n > most {
			problems = append(problems, fmt.Sprintf("%s: %d, at most %d", name, n, most))
		}
	}
	limit(w.copulas, w.functions/10+slack, `function comments that begin "X is"`)
	limit(w.where, 3*w.words/1000+slack, `"where"`)
	limit(w.what, 3*w.words/1000+slack, `"what"`)
	if least := 5*w.words/1000 - 2*slack; w.conditions < least {
		problems = append(problems, fmt.Sprintf(`"if": %d, at least %d`, w.conditions, least))
	}
	return problems
}

// The comments of Go read as a native speaker writes them: function comments begin with
// a verb, and conditions with "if". The limits are far above the ratios of gopls and esbuild.
// Run with -v to see the ratios of every package.
func TestPlainEnglish(t *testing.T) {
	packages := map[string]wording{}
	for _, root := range []string{"protocol", "server", "extension/chat"} {
		err := filepath.WalkDir(filepath.Join("..", filepath.FromSlash(root)), func(file string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || filepath.Ext(file) != ".go" {
				return err
			}
			w, err := wordingOf(file)
			if err != nil {
				return err
			}
			for _, problem := range w.translated {
				t.Errorf("%s: %s", file, problem)
			}
			dir := strings.TrimPrefix(path.Dir(filepath.ToSlash(file)), "../")
			w.add(packages[dir])
			packages[dir] = w
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	var all wording
	for _, dir := range slices.Sorted(maps.Keys(packages)) {
		w := packages[dir]
		t.Logf("%-20s %v", dir, w)
		all.add(w)
		for _, problem := range w.problems(1) {
			t.Errorf("%s: %s", dir, problem)
		}
	}
	t.Logf("all %d packages: %v", len(packages), all)
	for _, problem := range all.problems(0) {
		t.Errorf("all packages: %s", problem)
	}
}

// translated matches phrases that only a translation has, with the words to write instead.
var translated = []struct {
	phrase *regexp.Regexp
	plain  string
}{
	{regexp.MustCompile(`\breplac(?:es?|ing) (?:[^\s.,;:()]+ ){1,7}by\b`), `"replaces X with Y"`},
	{regexp.MustCompile(`\bpresent (?:content|file|line|place|state|text|tree|version)s?\b`), `"current", or "now"`},
	{regexp.MustCompile(`\bin silence\b`), `"silently"`},
	{regexp.MustCompile(`\bless deep\b`), `"indented less"`},
	{regexp.MustCompile(`\bof no width\b`), `"zero-width"`},
}

var commentWord = regexp.MustCompile(`[A-Za-z][A-Za-z']*`)

// wordingOf counts the words of one file's comments. It counts none in a generated file.
func wordingOf(file string) (w wording, err error) {
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments)
	if err != nil || ast.IsGenerated(f) {
		return wording{}, err
	}
	for _, group := range f.Comments {
		line := strings.Join(strings.Fields(group.Text()), " ")
		for _, t := range translated {
			if found := t.phrase.FindString(line); found != "" {
				w.translated = append(w.translated, fmt.Sprintf("%q: write %s", found, t.plain))
			}
		}
		for _, word := range commentWord.FindAllString(group.Text(), -1) {
			w.words++
			switch strings.ToLower(word) {
			case "where":
				w.where++
			case "what":
				w.what++
			case "if":
				w.conditions++
			}
		}
	}
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Doc != nil {
			w.functions++
			if words := strings.Fields(fn.Doc.Text()); len(words) > 1 && (words[1] == "is" || words[1] == "are") {
				w.copulas++
			}
		}
	}
	return w, nil
}
