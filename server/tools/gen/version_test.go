package main

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// The newest version in the changelog equals that of the extension. The build reads the server's
// version from extension/package.json, too.
func TestVersions(t *testing.T) {
	changelog := version(t, "CHANGELOG.md", `(?m)^## (\d+\.\d+\.\d+)$`)
	for file, pattern := range map[string]string{
		"extension/package.json": `(?m)^  "version": "([^"]*)"`,
		"package-lock.json":      `"extension": \{\s+"name": "aptix",\s+"version": "([^"]*)"`,
	} {
		if got := version(t, file, pattern); got != changelog {
			t.Errorf("%s has the version %s, but the newest of CHANGELOG.md is %s", file, got, changelog)
		}
	}
}

func version(t *testing.T, file, pattern string) string {
	t.Helper()
	root, err := moduleRoot()
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(root, file))
	if err != nil {
		t.Fatal(err)
	}
	found := regexp.MustCompile(pattern).FindSubmatch(data)
	if found == nil {
		t.Fatalf("%s has no version", file)
	}
	return string(found[1])
}
