package server_test

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// ARCHITECTURE.md and CONTRIBUTING.md name tests, with or without their package.
var (
	namedTest    = regexp.MustCompile("`(?:([a-z]+)\\.)?((?:Test|Benchmark)[A-Z]\\w*)`")
	testFunction = regexp.MustCompile(`(?m)^func ((?:Test|Benchmark)[A-Z]\w*)\(`)
)

func TestNamedTestsExist(t *testing.T) {
	exist := map[string]bool{} // Name and folder.Name
	err := filepath.WalkDir(".", func(file string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(file, "_test.go") {
			return err
		}
		source, err := os.ReadFile(file)
		folder := path.Base(path.Dir(filepath.ToSlash(file)))
		for _, m := range testFunction.FindAllStringSubmatch(string(source), -1) {
			exist[m[1]], exist[folder+"."+m[1]] = true, true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	named := 0
	for _, page := range []string{"../ARCHITECTURE.md", "../CONTRIBUTING.md"} {
		data, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range namedTest.FindAllStringSubmatch(string(data), -1) {
			named++
			if name := strings.Trim(m[0], "`"); !exist[name] {
				t.Errorf("%s names %s, which does not exist", path.Base(page), name)
			}
		}
	}
	if named < 30 {
		t.Errorf("only %d tests are named", named)
	}
}
