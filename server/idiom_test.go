package server_test

import (
	"go/scanner"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// idiom matches words that a native reader stumbles over, where they can be recognized
// without doubt. Names of codes and cases (hunk-stands-already) and code do not count.
var idiom = regexp.MustCompile(`(?i)(?:^|[^\w-])(anew|somebody|(?:is|are|was|were) told|tells of|stands?(?: for)?|stood|blanks)(?:$|[^\w-])`)

// Comments, messages and documentation keep to plain English.
func TestPlainEnglish(t *testing.T) {
	found := map[string][]string{}
	files := 0
	err := filepath.WalkDir("..", func(file string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := strings.TrimPrefix(filepath.ToSlash(file), "../")
		if d.IsDir() && (strings.HasPrefix(d.Name(), ".") && name != ".." || strings.Contains(" node_modules testdata build dist out bin ", " "+d.Name()+" ")) {
			return filepath.SkipDir
		}
		texts, err := textsOf(name, file)
		if err != nil || texts == nil {
			return err
		}
		files++
		for _, text := range texts {
			for _, m := range idiom.FindAllStringSubmatch(text, -1) {
				if strings.HasSuffix(m[1], " for") {
					continue // what a sign means
				}
				found[path.Dir(name)] = append(found[path.Dir(name)], path.Base(name)+": "+strings.ToLower(m[1]))
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if files < 500 {
		t.Errorf("only %d files were read", files)
	}
	for _, dir := range slices.Sorted(maps.Keys(found)) {
		t.Errorf("%s: %d words to avoid:\n\t%s", dir, len(found[dir]), strings.Join(found[dir], "\n\t"))
	}
}

// textsOf returns what a file says in words: comments and messages of Go, with only the
// comments of tests, and the whole of a document or a script; nil for other files.
func textsOf(name, file string) ([]string, error) {
	switch path.Ext(name) {
	case ".go":
		return goTexts(name, file)
	case ".md", ".ts", ".mjs":
		data, err := os.ReadFile(file)
		return []string{string(data)}, err
	}
	return nil, nil
}

func goTexts(name, file string) (texts []string, err error) {
	if name == "server/idiom_test.go" {
		return nil, nil // names the words
	}
	source, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	set := token.NewFileSet()
	var s scanner.Scanner
	s.Init(set.AddFile(file, -1, len(source)), source, nil, scanner.ScanComments)
	texts = []string{""}
	for {
		_, kind, literal := s.Scan()
		switch {
		case kind == token.EOF:
			return texts, nil
		case kind == token.COMMENT, kind == token.STRING && !strings.HasSuffix(name, "_test.go"):
			texts = append(texts, literal)
		}
	}
}
