// Package chat holds the texts that teach models in the chat how to write edits. The extension ships these files. The
// package also embeds them in the program, for people who ask a model without the extension's skills.
package chat

import (
	"embed"
	"strings"
)

//go:embed aptix.instructions.md structured.md skills/*/SKILL.md
var files embed.FS

// lessons maps the names of formats to the files of their lessons.
var lessons = map[string]string{
	"bundle":     "skills/aptix-bundle/SKILL.md",
	"structured": "structured.md",
	"git":        "skills/aptix-patch/SKILL.md",
	"ap":         "skills/aptix-ap/SKILL.md",
	"lines":      "skills/aptix-lines/SKILL.md",
}

// Lesson returns the rules of a format with an example, as Markdown, or "" if there is no file for the format.
func Lesson(format string) string {
	if lessons[format] == "" {
		return ""
	}
	text := read(lessons[format])
	if matter, body, ok := strings.Cut(text, "\n---\n"); ok && strings.HasPrefix(matter, "---\n") {
		return body // the text before the body is for the editor
	}
	return text
}

// Always returns the rules that hold in every format, as Markdown.
func Always() string {
	_, always, _ := strings.Cut(read("aptix.instructions.md"), "\n## Always\n\n")
	return always
}

func read(name string) string {
	data, err := files.ReadFile(name)
	if err != nil {
		panic(err) // an embedded file can always be read
	}
	return string(data)
}
