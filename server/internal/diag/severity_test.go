package diag_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/tools/codes"
)

var severities = map[string]diag.Severity{"Error": diag.Error, "Warning": diag.Warning, "Info": diag.Info, "Hint": diag.Hint}

// If the source gives a code a severity, the table must allow the pair.
// casetest.TestSeverities checks severities that are chosen at run time.
func TestSourceKeepsToTheTable(t *testing.T) {
	sources := parseAll(t, "..")
	docs := documented(t, sources["../diag"])
	pairs := 0
	for dir, files := range sources {
		helpers := severityHelpers(files)
		for _, file := range files {
			ast.Inspect(file, func(n ast.Node) bool {
				for code, severity := range pairsIn(n, helpers) {
					pairs++
					if doc, ok := docs[code]; !ok || !codes.MayBe(doc.Code, severity) {
						t.Errorf("%s gives diag.%s as %s, but the table says %s", dir, code, severity, doc.Code.Severity())
					}
				}
				return true
			})
		}
	}
	if pairs < 150 {
		t.Errorf("only %d codes were found with a severity", pairs)
	}
}

// documented maps the name of each code's constant to its entry.
func documented(t *testing.T, files []*ast.File) map[string]codes.Doc {
	t.Helper()
	byCode := map[diag.Code]codes.Doc{}
	for _, d := range codes.All() {
		byCode[d.Code] = d
	}
	docs := map[string]codes.Doc{}
	for _, file := range files {
		ast.Inspect(file, func(n ast.Node) bool {
			spec, ok := n.(*ast.ValueSpec)
			if ok && len(spec.Values) == 1 {
				if value, ok := spec.Values[0].(*ast.BasicLit); ok {
					docs[spec.Names[0].Name] = byCode[diag.Code(strings.Trim(value.Value, `"`))]
				}
			}
			return true
		})
	}
	return docs
}

// severityHelpers returns the functions of a package that take a code and give it one
// severity, named in their body.
func severityHelpers(files []*ast.File) map[string]diag.Severity {
	helpers := map[string]diag.Severity{}
	for _, file := range files {
		for _, decl := range file.Decls {
			f, ok := decl.(*ast.FuncDecl)
			if !ok || f.Body == nil || !takesCode(f) {
				continue
			}
			named := map[diag.Severity]bool{}
			ast.Inspect(f.Body, func(n ast.Node) bool {
				if name, ok := ofDiag(n); ok && severities[name] != 0 {
					named[severities[name]] = true
				}
				return true
			})
			if len(named) == 1 {
				for s := range named {
					helpers[f.Name.Name] = s
				}
			}
		}
	}
	return helpers
}

func takesCode(f *ast.FuncDecl) bool {
	return slices.ContainsFunc(f.Type.Params.List, func(p *ast.Field) bool {
		name, ok := ofDiag(p.Type)
		return ok && name == "Code"
	})
}

// pairsIn returns the codes, by constant, to which a literal or call gives a severity.
func pairsIn(n ast.Node, helpers map[string]diag.Severity) map[string]diag.Severity {
	var parts []ast.Expr
	var severity diag.Severity
	switch n := n.(type) {
	case *ast.CompositeLit:
		for _, e := range n.Elts {
			if kv, ok := e.(*ast.KeyValueExpr); ok {
				parts = append(parts, kv.Value)
			}
		}
	case *ast.CallExpr:
		parts, severity = n.Args, helpers[calledName(n)]
		if as, ok := n.Fun.(*ast.SelectorExpr); ok && as.Sel.Name == "As" {
			if made, ok := as.X.(*ast.CallExpr); ok {
				parts = append(parts, made.Args...)
			}
		}
	}
	codes := map[string]diag.Severity{}
	for _, part := range parts {
		if name, ok := ofDiag(part); ok && severities[name] != 0 {
			severity = severities[name]
		} else if ok {
			codes[name] = 0
		}
	}
	if severity == 0 {
		return nil
	}
	for code := range codes {
		codes[code] = severity
	}
	return codes
}

func calledName(call *ast.CallExpr) string {
	switch f := call.Fun.(type) {
	case *ast.Ident:
		return f.Name
	case *ast.SelectorExpr:
		return f.Sel.Name
	}
	return ""
}

// ofDiag returns the name X of an expression diag.X.
func ofDiag(n ast.Node) (string, bool) {
	s, ok := n.(*ast.SelectorExpr)
	if !ok {
		return "", false
	}
	pkg, ok := s.X.(*ast.Ident)
	return s.Sel.Name, ok && pkg.Name == "diag"
}

// parseAll reads the Go files below root, except tests, grouped by folder.
func parseAll(t *testing.T, root string) map[string][]*ast.File {
	t.Helper()
	files := map[string][]*ast.File{}
	err := filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		dir := filepath.ToSlash(filepath.Dir(path))
		files[dir] = append(files[dir], file)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// Exceptions name existing codes, and no severity twice.
func TestExceptions(t *testing.T) {
	found := 0
	for _, d := range codes.All() {
		seen := []diag.Severity{d.Code.Severity()}
		for _, e := range codes.Exceptions[d.Code] {
			if slices.Contains(seen, e.Severity) || e.When == "" {
				t.Errorf("%s: the exception %s %q", d.Code, e.Severity, e.When)
			}
			seen = append(seen, e.Severity)
			found++
		}
	}
	if found == 0 {
		t.Error("no code has an exception")
	}
}
