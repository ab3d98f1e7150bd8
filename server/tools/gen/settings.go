package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"path/filepath"
	"reflect"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/settings"
)

// A setting describes a field of settings.Settings, for people.
type setting struct {
	key, scope, doc string
	kind            string // the type of the setting in JSON
	initial         any    // the default value
	values          []string
	valueDocs       []string // the description of each value in values
}

// allSettings reads the settings. Names, scopes and defaults come from the struct, and comments
// from its source.
func allSettings(root string) ([]setting, error) {
	files, err := parsePackage(filepath.Join(root, "server/internal/settings"))
	if err != nil {
		return nil, err
	}
	docs := comments(files)
	defaults := reflect.ValueOf(settings.Default())
	var all []setting
	for i := range defaults.NumField() {
		field := defaults.Type().Field(i)
		s := setting{
			key:     settings.Section + "." + field.Tag.Get("key"),
			scope:   field.Tag.Get("scope"),
			doc:     docs["Settings."+field.Name],
			kind:    map[reflect.Kind]string{reflect.String: "string", reflect.Bool: "boolean", reflect.Int: "integer", reflect.Slice: "array"}[field.Type.Kind()],
			initial: defaults.Field(i).Interface(),
		}
		if enum, ok := s.initial.(interface{ Values() []string }); ok {
			s.values = enum.Values()
		}
		for _, v := range s.values {
			s.valueDocs = append(s.valueDocs, docs[field.Type.Name()+"="+v])
		}
		if s.doc == "" || s.scope == "" || s.kind == "" {
			return nil, fmt.Errorf("the setting %s needs a comment, a scope, and to be a string, a bool, an int or a list of strings", s.key)
		}
		all = append(all, s)
	}
	return all, nil
}

// comments returns the comments of struct fields, by "Type.Field", and of constants, by
// "Type=value". Each comment is on one line.
func comments(files []*ast.File) map[string]string {
	docs := map[string]string{}
	put := func(key string, doc *ast.CommentGroup) { docs[key] = strings.Join(strings.Fields(doc.Text()), " ") }
	for _, file := range files {
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.TypeSpec:
				if t, ok := n.Type.(*ast.StructType); ok {
					for _, f := range t.Fields.List {
						put(n.Name.Name+"."+f.Names[0].Name, f.Doc)
					}
				}
			case *ast.ValueSpec:
				if named, ok := n.Type.(*ast.Ident); ok && len(n.Values) == 1 {
					if l, ok := n.Values[0].(*ast.BasicLit); ok {
						put(named.Name+"="+strings.Trim(l.Value, `"`), n.Doc)
					}
				}
			}
			return true
		})
	}
	return docs
}

// renderConfiguration replaces contributes.configuration in package.json.
func renderConfiguration(root, old string) (string, error) {
	all, err := allSettings(root)
	if err != nil {
		return "", err
	}
	value, err := configuration(all)
	if err != nil {
		return "", err
	}
	return replaceMember(old, "/contributes/configuration", value)
}

func configuration(all []setting) ([]byte, error) {
	var b bytes.Buffer
	b.WriteString(`{"title":"Aptix","properties":{`)
	for i, s := range all {
		if i > 0 {
			b.WriteByte(',')
		}
		property, err := property(s)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&b, "%q:%s", s.key, property)
	}
	b.WriteString("}}")
	return b.Bytes(), nil
}

func property(s setting) ([]byte, error) {
	var minimum *int
	var items any
	if s.kind == "array" {
		items = map[string]string{"type": "string"}
	}
	if s.kind == "integer" {
		minimum = new(0)
	}
	return marshal(struct {
		Type         string   `json:"type"`
		Items        any      `json:"items,omitempty"`
		Minimum      *int     `json:"minimum,omitempty"`
		Enum         []string `json:"enum,omitempty"`
		Descriptions []string `json:"markdownEnumDescriptions,omitempty"`
		Default      any      `json:"default"`
		Scope        string   `json:"scope"`
		Description  string   `json:"markdownDescription"`
	}{s.kind, items, minimum, s.values, s.valueDocs, s.initial, s.scope, s.doc})
}

// renderSettingsTable replaces the table of settings between its markers.
func renderSettingsTable(root, old string) (string, error) {
	all, err := allSettings(root)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString("| Setting | Default | Meaning |\n| --- | --- | --- |\n")
	for _, s := range all {
		initial, err := marshal(s.initial)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&b, "| `%s` | `%s` | %s |\n", s.key, initial, meaning(s))
	}
	return replaceMarked(old, "settings", b.String())
}

// replaceMarked replaces the text between the two markers with a name.
func replaceMarked(old, name, text string) (string, error) {
	start, end := "<!-- gen:"+name+" -->\n", "<!-- /gen:"+name+" -->"
	before, rest, ok := strings.Cut(old, start)
	_, after, ok2 := strings.Cut(rest, end)
	if !ok || !ok2 {
		return "", fmt.Errorf("the markers %s and %s are missing", strings.TrimSpace(start), end)
	}
	return before + start + text + end + after, nil
}

func meaning(s setting) string {
	text := s.doc
	for i, v := range s.values {
		text += fmt.Sprintf(" `%s`: %s", v, s.valueDocs[i])
	}
	return strings.ReplaceAll(text, "|", `\|`)
}
