package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/aptix-dev/aptix/server/tools/layers"
)

const messagesHead = `<!-- Generated from the source by ` + "`make gen`" + `. Do not edit. -->

# Messages

All that Aptix says to a person, so that it can be read in one go: the messages of diagnostics, errors and notifications,
the titles of fixes, buttons and commands, the questions, and the text for a model. They are in the order of the packages in
[ARCHITECTURE.md](../ARCHITECTURE.md#code-map), and within a package in the order of the source. ` + "`%s`" + `, ` + "`{line}`" + ` and the like are filled in, and ` + "`…`" + ` is another
part of the message. A message that begins with "it" or "its" stands after the name of a file, an editor or a block, as in
"a.txt: it is gone". [diagnostics.md](diagnostics.md) has the paragraph about each code, [vscode.md](vscode.md#settings) the settings.
`

// silent lists the folders of packages whose texts are on other pages.
var silent = []string{"diag", "edittools", "protect"}

// unsaid matches calls whose strings no user sees. These calls search a text, query a database,
// write to the log, or report a bug.
var unsaid = regexp.MustCompile(`^(strings|bytes|regexp|lazyregexp|utf8|unicode|filepath|path|os|exec|zap|slices|maps)\.` +
	`|(?i)\blog(ger)?\.(Debug|Info|Warn|Error)$|^panic$|\.(Exec|Query|QueryRow)(Context)?$|^(wordSet|text\.WordSet|words|set|phrases)$`)

// notation matches strings in other languages: SQL, regular expressions, and the keywords of
// formats.
var notation = regexp.MustCompile(`[\x00-\x08\x0b-\x1f]|\(\?:|\b(SELECT|INSERT|CREATE TABLE|ALTER TABLE|ON CONFLICT|ORDER BY|UPDATE \w+ SET|AND a\.)\b|\?1\b|^doc_path\b|^--batch|^p?npm |^go mod |^\*\*\* |^rule [A-Z]` +
	`|^(old|new|deleted|copy|rename|similarity|dissimilarity|index|diff|GIT|literal|blob|git|folder|file) (mode|file mode|from|to|old|new|index|--git|binary|%|\(|rm|mv|am|apply|checkout|restore|…)`)

// tables lists the types whose values are examples, or words to search for.
var tables = []string{"Example", "phrase"}

// prose matches a text of at least two words.
var prose = regexp.MustCompile(`\p{L}[\p{L}'’]+[,;:.)"]* (%|…|["(]*\p{L})|%[sdqv]\S* \p{L}{2}`)

// renderMessages lists the messages of each package, then those of the extension.
func renderMessages(root, _ string) (string, error) {
	var b strings.Builder
	b.WriteString(messagesHead)
	for _, p := range slices.Concat(layers.Layers...) {
		if slices.Contains(silent, filepath.Base(p.Path)) {
			continue
		}
		found, err := goMessages(filepath.Join(root, p.Path))
		if err != nil {
			return "", err
		}
		section(&b, shortPath(p), found)
	}
	found, err := shellMessages(filepath.Join(root, "extension"))
	section(&b, "extension", found)
	return b.String(), err
}

func section(b *strings.Builder, title string, found []string) {
	if len(found) == 0 {
		return
	}
	fmt.Fprintf(b, "\n## %s\n\n`````text\n", title)
	seen := map[string]bool{}
	for _, text := range found {
		if !seen[text] {
			fmt.Fprintln(b, strings.ReplaceAll(text, "\n", `\n`))
		}
		seen[text] = true
	}
	b.WriteString("`````\n")
}

// goMessages returns the strings of a package that are sentences, in the order of its files.
func goMessages(dir string) (found []string, err error) {
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			return nil, err
		}
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ImportSpec, *ast.Field:
				return false
			case *ast.CompositeLit:
				list, ok := n.Type.(*ast.ArrayType)
				return !ok || !slices.Contains(tables, called(list.Elt))
			case *ast.CallExpr:
				return !unsaid.MatchString(called(n.Fun))
			case ast.Expr:
				text, whole := joined(n)
				if prose.MatchString(text) && !notation.MatchString(text) {
					found = append(found, text)
				}
				return !whole
			}
			return true
		})
	}
	return found, err
}

// called returns the name of the called function as the call writes it, such as `fmt.Sprintf`.
func called(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return called(e.X) + "." + e.Sel.Name
	}
	return ""
}

// joined returns the text of a literal, or of a sum that begins or ends with a literal. In the text, "…" stands for
// each part of the sum that is not a literal. `whole` reports whether e is such an expression.
func joined(e ast.Expr) (text string, whole bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		if e.Kind == token.STRING {
			text, err := strconv.Unquote(e.Value)
			return text, err == nil
		}
	case *ast.BinaryExpr:
		left, l := joined(e.X)
		right, r := joined(e.Y)
		if e.Op != token.ADD || !l && !r {
			return "", false
		}
		if !l {
			left = "…"
		}
		if !r {
			right = "…"
		}
		return left + right, true
	}
	return "", false
}

// shown matches the texts in package.json that VS Code shows. Its group captures the text.
var shown = regexp.MustCompile(`"(?:title|description|markdownDescription|displayName|name|label|contents|when clause|modelDescription|userDescription)": ("(?:[^"\\]|\\.)*")`)

// hole matches a part of a template of TypeScript that is filled in. It may contain other templates.
const hole = "\\$\\{(?:[^{}`]|\\{[^{}`]*\\}|`(?:[^`\\\\]|\\\\.)*`)*\\}"

// script matches the comments and the strings of TypeScript. Its groups capture the strings.
var script = regexp.MustCompile("(?s)(?:^|\\s)//[^\n]*|\\w\\(/[^\n]*|/\\*.*?\\*/|'((?:[^'\\\\\n]|\\\\.)*)'|\"((?:[^\"\\\\\n]|\\\\.)*)\"|`((?:" + hole + "|[^`\\\\]|\\\\.)*)`")

var filled = regexp.MustCompile("(?s)" + hole)

// scriptMessages returns the strings of a TypeScript source that are sentences. In a template, "…" stands for a part
// that is filled in and chooses between strings or contains a template. Their sentences come after the template.
func scriptMessages(source string) (found []string) {
	for _, m := range script.FindAllStringSubmatch(source, -1) {
		inside := ""
		text := filled.ReplaceAllStringFunc(strings.Join(m[1:], ""), func(part string) string {
			if !strings.Contains(part, "`") && !strings.Contains(part, " ? ") {
				return part
			}
			inside += part[len("${"):len(part)-1] + "\n"
			return "…"
		})
		if prose.MatchString(text) {
			found = append(found, text)
		}
		if inside != "" {
			found = append(found, scriptMessages(inside)...)
		}
	}
	return found
}

// shellMessages returns the texts that the manifest and the sources of the extension show.
func shellMessages(dir string) (found []string, err error) {
	manifest, err := os.ReadFile(filepath.Join(dir, "package.json"))
	if err != nil {
		return nil, err
	}
	for _, m := range shown.FindAllSubmatch(manifest, -1) {
		text, err := strconv.Unquote(string(m[1]))
		if err != nil {
			return nil, err
		}
		// a text without capitals and spaces is an identifier
		if strings.ToLower(text) != text || strings.Contains(text, " ") {
			found = append(found, text)
		}
	}
	err = filepath.WalkDir(filepath.Join(dir, "src"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasSuffix(path, ".gen.ts") {
			return err
		}
		source, err := os.ReadFile(path)
		found = append(found, scriptMessages(string(source))...)
		return err
	})
	return found, err
}
