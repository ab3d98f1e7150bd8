package main

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/aptix-dev/aptix/server/internal/check"
)

// taken lists the strokes with Shift that VS Code 1.118 itself uses after Ctrl+K or Cmd+K on
// Windows, macOS and Linux. Few strokes without Shift, or with Ctrl, are free.
var taken = []string{"shift+enter", "shift+o"}

func TestKeysAreFree(t *testing.T) {
	used := map[string][]string{}
	for _, k := range extensionKeys {
		if k.When == "" {
			t.Errorf("%s works everywhere", k.Key)
		}
		if _, ok := slices.BinarySearch(listedCommands(), k.Command); !ok {
			t.Errorf("%s runs %s, which is not listed in commands.go", k.Key, k.Command)
		}
		if slices.Contains(used[k.Key], k.When) {
			t.Errorf("%s has two meanings when %s", k.Key, k.When)
		}
		used[k.Key] = append(used[k.Key], k.When)
		first, second, ok := strings.Cut(k.Key, " ")
		if !ok {
			continue // this key of VS Code does nothing under the condition
		}
		if first != "ctrl+k" || !regexp.MustCompile(`^shift\+([a-z]|up|down)$`).MatchString(second) || slices.Contains(taken, second) {
			t.Errorf("%s may be VS Code's own", k.Key)
		}
		if k.Mac != "cmd+k "+second {
			t.Errorf("%s is %s on macOS", k.Key, k.Mac)
		}
	}
	for _, command := range []string{"aptix.applyActive", "aptix.previewActive", "aptix.nextBlock", "aptix.previousBlock", "aptix.history.revertLast", "aptix.previewClipboard", "aptix.chat.preview"} {
		if !slices.ContainsFunc(extensionKeys, func(k key) bool { return k.Command == command && k.readme != "" }) {
			t.Errorf("%s has no key that README.md lists", command)
		}
	}
}

// The menus of files are shown only for files that are one block as a whole.
func TestMenusAreOfOurFiles(t *testing.T) {
	raw := manifest(t)
	conditions := regexp.MustCompile(`resourceFilename =~ /(.*?)/i"`).FindAllStringSubmatch(string(raw), -1)
	if len(conditions) != 4 {
		t.Fatalf("%d menu items are about files by name", len(conditions))
	}
	for _, c := range conditions {
		name := regexp.MustCompile("(?i)" + strings.ReplaceAll(c[1], `\\`, `\`))
		for _, f := range check.Formats {
			for _, ending := range f.Files.Names {
				if !name.MatchString("a" + ending) {
					t.Errorf("%s files have no menu", ending)
				}
			}
		}
		for _, other := range []string{"a.json", "ap", "a.apx", "a.diff.md"} {
			if name.MatchString(other) {
				t.Errorf("%s has a menu", other)
			}
		}
	}
}
