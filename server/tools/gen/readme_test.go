package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const pages = "https://github.com/aptix-dev/aptix/blob/HEAD/"
const pictures = "https://raw.githubusercontent.com/aptix-dev/aptix/HEAD/"

var (
	readmeLink    = regexp.MustCompile(`\]\((https://[^)#]+)`)
	readmeCommand = regexp.MustCompile(`\*\*(?:Aptix: )?([A-Z][^*]+)\*\*`)
)

// The page of the extension is read on the Marketplace, on which relative links do not work.
func TestReadmeOfExtensionLinksWhatExists(t *testing.T) {
	extension, _ := walkthroughs(t)
	raw, err := os.ReadFile(filepath.Join(extension, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for _, m := range readmeLink.FindAllStringSubmatch(string(raw), -1) {
		path, page := strings.CutPrefix(m[1], pages)
		picture, isPicture := strings.CutPrefix(m[1], pictures)
		if !page && !isPicture {
			continue
		}
		found++
		if isPicture {
			path = picture
		}
		if _, err := os.Stat(filepath.Join(extension, "..", path)); err != nil {
			t.Errorf("README.md of the extension links %s: %v", m[1], err)
		}
	}
	if found < 20 {
		t.Errorf("only %d links were found", found)
	}
	if strings.Count(string(raw), "](") != len(readmeLink.FindAllString(string(raw), -1)) {
		t.Error("README.md of the extension has a relative link, which leads nowhere on the Marketplace")
	}
}

// Bold text in the page names a command, a lens, or one of a few other things.
func TestReadmeOfExtensionNamesCommandsThatExist(t *testing.T) {
	known := []string{"No telemetry, works offline.", "History", "Fix and Apply"}
	for _, c := range extensionCommands {
		known = append(known, c.Title)
	}
	extension, _ := walkthroughs(t)
	raw, err := os.ReadFile(filepath.Join(extension, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	names := readmeCommand.FindAllStringSubmatch(string(raw), -1)
	for _, m := range names {
		if !slices.Contains(known, m[1]) {
			t.Errorf("README.md of the extension names %q, which is no command", m[1])
		}
	}
	if len(names) < 5 {
		t.Errorf("only %d names were found", len(names))
	}
}
