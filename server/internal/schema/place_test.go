package schema

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
)

// listed returns the members of an object as "name", or as "name!" if they are required.
func listed(p Place, present map[string]string) string {
	var names []string
	for _, m := range p.Members(present) {
		if m.Required {
			m.Name += "!"
		}
		names = append(names, m.Name)
	}
	return strings.Join(names, " ")
}

func TestMembers(t *testing.T) {
	type present = map[string]string
	for _, c := range []struct {
		at      string
		present present
		want    string
	}{
		{"", nil, "root! files patches"},
		{"", present{"files": ""}, "root!"},
		{"", present{"root": ".", "patches": ""}, ""},
		{"", present{"files": "", "patches": ""}, "root!"},
		{"files", nil, "path! operation content patches"},
		{"files", present{"path": "a"}, "operation content patches"},
		{"files", present{"path": "a", "operation": "create"}, "content!"},
		{"files", present{"operation": "patch"}, "path! patches!"},
		{"files", present{"path": "a", "operation": "delete"}, ""},
		{"files", present{"path": "a", "content": ""}, "operation"},
		{"files", present{"path": "a", "patches": ""}, "operation!"},
		{"files", present{"path": "a", "operation": "x"}, "content patches"},
		{"files patches", nil, "find! replace! limit"},
		{"files patches", present{"find": "x"}, "replace! limit"},
		{"patches", nil, "path! replacements find replace limit"},
		{"patches", present{"path": "a", "replacements": ""}, ""},
		{"patches", present{"path": "a", "find": "x"}, "replace! limit"},
		{"patches replacements", nil, "find! replace! limit"},
		{"", present{"batchKey": "x"}, "files! batchLabel"},
		{"", present{"batchKey": "x", "root": "."}, "files patches"},
		{"files", present{"docPath": "a"}, "originalSha256! changes! fileKey fileLabel"},
		{"files changes", nil, "operation! changeKey description afterLine startLine endLine expectedOriginalLines newLines"},
		{"files changes", present{"operation": "insert"}, "afterLine! newLines! changeKey description"},
		{"files changes", present{"operation": "delete", "startLine": ""}, "endLine! expectedOriginalLines! changeKey description"},
		{"nothing", nil, ""},
		{"files path", nil, ""},
	} {
		if got := listed(At(strings.Fields(c.at)...), c.present); got != c.want {
			t.Errorf("%s with %v: got %q, want %q", c.at, c.present, got, c.want)
		}
	}
}

func TestEverythingHasDocs(t *testing.T) {
	all := jsonschema.Schema{Properties: map[string]*jsonschema.Schema{"": editBlock(), "lines": lineBlock()}}
	var visit func(path string, s *jsonschema.Schema)
	visit = func(path string, s *jsonschema.Schema) {
		if s.Items != nil {
			visit(path, s.Items)
		}
		for name, p := range s.Properties {
			if p.Description == "" && p != editBlock() {
				t.Errorf("%s/%s is not described", path, name)
			}
			for _, v := range (Place{schema: p}).Values() {
				if v.Doc == "" && len(p.Enum) > 0 {
					t.Errorf("%s/%s: %s is not described", path, name, v.Name)
				}
			}
			visit(path+"/"+name, p)
		}
	}
	visit("", &all)
}

func TestValues(t *testing.T) {
	var names []string
	for _, v := range At("files", "operation").Values() {
		names = append(names, v.Name)
	}
	if got := strings.Join(names, " "); got != "create replace delete patch gitPatch" {
		t.Errorf("operations: %s", got)
	}
	if got := fmt.Sprint(At("root").Values()); got != "[{. } {./src }]" {
		t.Errorf("roots: %s", got)
	}
	if At("files", "content").Values() != nil || At("files", "nothing").Values() != nil {
		t.Error("values where there is no list of them")
	}
}
