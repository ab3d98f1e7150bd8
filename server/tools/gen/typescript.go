package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"reflect"
	"strings"
)

// renderTypeScript writes the types of package protocol as TypeScript. It supports only the kinds
// of types that the package uses, and fails for any other.
func renderTypeScript(root, _ string) (string, error) {
	files, err := parsePackage(filepath.Join(root, "protocol"))
	if err != nil {
		return "", err
	}
	ts := typescript{values: constants(files)}
	ts.line("// Code generated from protocol/*.go by `make gen`. DO NOT EDIT.\n")
	for _, file := range files {
		for _, decl := range file.Decls {
			if d, ok := decl.(*ast.GenDecl); ok {
				if err := ts.declaration(d); err != nil {
					return "", err
				}
			}
		}
	}
	return ts.String(), nil
}

func parsePackage(dir string) ([]*ast.File, error) {
	paths, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		return nil, err
	}
	var files []*ast.File
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		src, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, src, parser.ParseComments)
		if err != nil {
			return nil, err
		}
		files = append(files, file)
	}
	if len(files) == 0 {
		return nil, fmt.Errorf("no Go files in %s", dir)
	}
	return files, nil
}

// constants returns the string constants of each named type, in the order of the source, as Go
// literals.
func constants(files []*ast.File) map[string][]string {
	values := map[string][]string{}
	for _, file := range files {
		for _, decl := range file.Decls {
			d, ok := decl.(*ast.GenDecl)
			if !ok || d.Tok != token.CONST {
				continue
			}
			for _, spec := range d.Specs {
				s := spec.(*ast.ValueSpec)
				named, typed := s.Type.(*ast.Ident)
				literal, isLiteral := constant(s)
				if typed && isLiteral {
					values[named.Name] = append(values[named.Name], literal)
				}
			}
		}
	}
	return values
}

// constant returns the literal of a constant, if it has one.
func constant(s *ast.ValueSpec) (literal string, ok bool) {
	if len(s.Values) != 1 {
		return "", false
	}
	l, ok := s.Values[0].(*ast.BasicLit)
	if !ok {
		return "", false
	}
	return l.Value, true
}

type typescript struct {
	strings.Builder
	values map[string][]string // the string constants of each named type, as the function constants returns them
}

func (ts *typescript) line(format string, args ...any) { fmt.Fprintf(ts, format+"\n", args...) }

func (ts *typescript) declaration(d *ast.GenDecl) error {
	for _, spec := range d.Specs {
		var err error
		switch s := spec.(type) {
		case *ast.TypeSpec:
			doc := d.Doc
			if s.Doc != nil {
				doc = s.Doc
			}
			err = ts.typeDeclaration(s, doc)
		case *ast.ValueSpec:
			err = ts.constDeclaration(d, s)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// constDeclaration writes an untyped constant. A constant of a named type is already part of the
// union for that type.
func (ts *typescript) constDeclaration(d *ast.GenDecl, s *ast.ValueSpec) error {
	if s.Type != nil {
		return nil
	}
	literal, ok := constant(s)
	if d.Tok != token.CONST || !ok {
		return fmt.Errorf("%s: only constants with a literal can be generated", s.Names[0].Name)
	}
	doc := s.Doc
	if doc == nil && !d.Lparen.IsValid() {
		doc = d.Doc
	}
	ts.doc("", doc)
	ts.line("export const %s = %s;\n", s.Names[0].Name, literal)
	return nil
}

func (ts *typescript) typeDeclaration(s *ast.TypeSpec, doc *ast.CommentGroup) error {
	ts.doc("", doc)
	switch t := s.Type.(type) {
	case *ast.StructType:
		return ts.interfaceDeclaration(s.Name.Name, t)
	case *ast.Ident:
		if t.Name == "string" && len(ts.values[s.Name.Name]) > 0 {
			ts.line("export type %s = %s;\n", s.Name.Name, strings.Join(ts.values[s.Name.Name], " | "))
			return nil
		}
	}
	return fmt.Errorf("type %s: only structs, and strings with constants, can be generated", s.Name.Name)
}

func (ts *typescript) interfaceDeclaration(name string, t *ast.StructType) error {
	fields, bases := t.Fields.List, []string{}
	for ; len(fields) > 0 && len(fields[len(fields)-1].Names) == 0; fields = fields[:len(fields)-1] {
		base, ok := fields[len(fields)-1].Type.(*ast.Ident)
		if !ok {
			return fmt.Errorf("type %s: only a type of the package can be embedded", name)
		}
		bases = append(bases, base.Name)
	}
	extends := ""
	if len(bases) > 0 {
		extends = " extends " + strings.Join(bases, ", ")
	}
	ts.line("export interface %s%s {", name, extends)
	for _, field := range fields {
		if field.Tag == nil || len(field.Names) != 1 {
			return fmt.Errorf("type %s: every field needs one name and a json tag", name)
		}
		tag := reflect.StructTag(strings.Trim(field.Tag.Value, "`")).Get("json")
		key, options, _ := strings.Cut(tag, ",")
		optional := strings.Contains(options, "omit")
		kind, err := fieldType(field.Type, optional)
		if err != nil {
			return fmt.Errorf("%s.%s: %w", name, key, err)
		}
		ts.doc("  ", field.Doc)
		ts.line("  %s%s: %s;", key, map[bool]string{true: "?"}[optional], kind)
	}
	ts.line("}\n")
	return nil
}

// fieldType returns the TypeScript for the type of a field. A nil pointer is written as null, or
// left out if the field is optional.
func fieldType(expr ast.Expr, optional bool) (string, error) {
	switch t := expr.(type) {
	case *ast.Ident:
		if simple, ok := map[string]string{"string": "string", "bool": "boolean", "int": "number", "int32": "number", "uint32": "number"}[t.Name]; ok {
			return simple, nil
		}
		if ast.IsExported(t.Name) {
			return t.Name, nil
		}
	case *ast.ArrayType:
		inner, err := fieldType(t.Elt, false)
		if strings.Contains(inner, " ") {
			inner = "(" + inner + ")"
		}
		return inner + "[]", err
	case *ast.SelectorExpr:
		if t.Sel.Name == "RawMessage" { // the value may be any JSON
			return "unknown", nil
		}
	case *ast.StarExpr:
		inner, err := fieldType(t.X, false)
		if optional {
			return inner, err
		}
		return inner + " | null", err
	}
	return "", fmt.Errorf("no TypeScript for a field of type %T", expr)
}

// doc writes a Go comment as a TypeScript comment.
func (ts *typescript) doc(indent string, comment *ast.CommentGroup) {
	text := strings.TrimSpace(comment.Text())
	if text == "" {
		return
	}
	lines := strings.Split(strings.ReplaceAll(text, "*/", "*\\/"), "\n")
	if len(lines) == 1 {
		ts.line("%s/** %s */", indent, lines[0])
		return
	}
	ts.line("%s/**", indent)
	for _, line := range lines {
		ts.line("%s", strings.TrimRight(indent+" * "+line, " "))
	}
	ts.line("%s */", indent)
}
