package server_test

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// Pages name tests, with or without their package. SECURITY.md also names cases and
// scripts.
var (
	namedTest    = regexp.MustCompile("`(?:([a-z]+)\\.)?((?:Test|Benchmark|Fuzz)[A-Z]\\w*)`")
	testFunction = regexp.MustCompile(`(?m)^func ((?:Test|Benchmark|Fuzz)[A-Z]\w*)\(`)
	namedCase    = regexp.MustCompile("`([a-z-]+/[a-z0-9-]+)`|script ([a-z]+\\.txtar)")
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
	for _, page := range pages(t) {
		for _, m := range namedTest.FindAllStringSubmatch(contents(t, page), -1) {
			named++
			if name := strings.Trim(m[0], "`"); !exist[name] {
				t.Errorf("%s names %s, which does not exist", page, name)
			}
		}
	}
	if named < 150 {
		t.Errorf("only %d tests are named", named)
	}
}

func TestNamedCasesExist(t *testing.T) {
	named := namedCase.FindAllStringSubmatch(contents(t, "SECURITY.md"), -1)
	for _, m := range named {
		places := []string{"../testdata/cases/" + m[1] + ".txtar", "../testdata/conformance/" + m[1] + ".txtar"}
		if m[2] != "" {
			places = []string{"internal/cli/testdata/" + m[2], "internal/cli/testdata/shared/" + m[2]}
		}
		if !slices.ContainsFunc(places, func(p string) bool { _, err := os.Stat(p); return err == nil }) {
			t.Errorf("SECURITY.md names %s, which does not exist", m[0])
		}
	}
	if len(named) < 20 {
		t.Errorf("only %d cases are named", len(named))
	}
}
