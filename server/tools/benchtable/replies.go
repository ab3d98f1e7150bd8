package main

import (
	"crypto/sha1" // sha1 is needed for git's id of a file's content
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// project is the name of the workspace folder, with which the paths of a line patch begin.
const project = "project"

// gitPatch returns the output of git diff, with three lines of context and the ids of both
// contents.
func gitPatch(edits []edit) string {
	var b strings.Builder
	for _, e := range edits {
		fmt.Fprintf(&b, "diff --git a/%[1]s b/%[1]s\nindex %[2]s..%[3]s 100644\n--- a/%[1]s\n+++ b/%[1]s\n", e.path, blob(e.before()), blob(e.after()))
		moved := 0 // the number of lines added so far, minus the lines removed so far
		for _, c := range e.changes {
			hunk(&b, e.lines, c, moved)
			moved += len(c.new) - 1
		}
	}
	return b.String()
}

func hunk(b *strings.Builder, lines []string, c change, moved int) {
	from, to := max(0, c.line-3), min(len(lines), c.line+4)
	fmt.Fprintf(b, "@@ -%d,%d +%d,%d @@\n", from+1, to-from, from+1+moved, to-from+len(c.new)-1)
	write := func(sign string, lines []string) {
		for _, line := range lines {
			b.WriteString(sign + line + "\n")
		}
	}
	write(" ", lines[from:c.line])
	write("-", lines[c.line:c.line+1])
	write("+", c.new)
	write(" ", lines[c.line+1:to])
}

// blob returns git's id of a file's content, shortened as by git diff.
func blob(content string) string {
	sum := sha1.Sum([]byte(fmt.Sprintf("blob %d\x00%s", len(content), content)))
	return hex.EncodeToString(sum[:5])
}

func apPatch(edits []edit) string {
	const id = "e4a2f1b8"
	var b strings.Builder
	b.WriteString(id + " AP 3.1\n")
	for _, e := range edits {
		fmt.Fprintf(&b, "\n%s FILE\n%s\n", id, e.path)
		for _, c := range e.changes {
			fmt.Fprintf(&b, "\n%[1]s REPLACE\n%[1]s snippet\n%[2]s\n%[1]s content\n%[3]s\n", id, e.lines[c.line], strings.Join(c.new, "\n"))
		}
	}
	return b.String()
}

type object = map[string]any

// structured returns a structured patch that finds whole lines.
func structured(edits []edit) string {
	var patches []object
	for _, e := range edits {
		var replacements []object
		for _, c := range e.changes {
			replacements = append(replacements, object{"find": e.lines[c.line], "replace": strings.Join(c.new, "\n"), "limit": "once"})
		}
		patches = append(patches, object{"path": e.path, "replacements": replacements})
	}
	return fenced(object{"root": ".", "patches": patches})
}

func linePatch(edits []edit) string {
	var files []object
	for _, e := range edits {
		var changes []object
		for _, c := range e.changes {
			changes = append(changes, object{"operation": "replace", "startLine": c.line + 1, "endLine": c.line + 1,
				"expectedOriginalLines": []string{e.lines[c.line]}, "newLines": c.new})
		}
		files = append(files, object{"docPath": project + "/" + e.path, "originalSha256": fmt.Sprintf("%x", sha256.Sum256([]byte(e.before()))), "changes": changes})
	}
	return fenced(object{"files": files})
}

// bundle returns a file bundle that creates the files.
func bundle(after tree) string {
	var files []object
	for _, path := range slices.Sorted(maps.Keys(after)) {
		files = append(files, object{"path": path, "operation": "create", "content": after[path]})
	}
	return fenced(object{"root": ".", "files": files})
}

// fenced returns a Markdown reply with one block of JSON.
func fenced(value object) string {
	var b strings.Builder
	b.WriteString("Here is the change.\n\n```json\n")
	to := json.NewEncoder(&b)
	to.SetEscapeHTML(false)
	to.SetIndent("", "  ")
	if err := to.Encode(value); err != nil {
		panic(err) // never happens, because maps, slices, strings and numbers can always be marshaled
	}
	b.WriteString("```\n")
	return b.String()
}
