// Package chat holds what models are taught in the chat. The extension ships the files; they are embedded for those
// who ask a model without its skills.
package chat

import (
	"embed"
	"strings"
)

//go:embed aptix.instructions.md structured.md skills/*/SKILL.md
var files embed.FS

// lessons are the files by the names of formats.
var lessons = map[string]string{
	"bundle":     "skills/aptix-bundle/SKILL.md",
	"structured": "structured.md",
	"git":        "skills/aptix-patch/SKILL.md",
	"ap":         "skills/aptix-ap/SKILL.md",
	"lines":      "skills/aptix-lines/SKILL.md",
}

// Lesson is the rules of a format, with an example, as Markdown; "" for a format that no model is taught.
func Lesson(format string) string {
	if lessons[format] == "" {
		return ""
	}
	text := read(lessons[format])
	if matter, body, ok := strings.Cut(text, "\n---\n"); ok && strings.HasPrefix(matter, "---\n") {
		return body // what is before it is for the editor
	}
	return text
}

// Always is what holds in every format, as Markdown.
func Always() string {
	_, always, _ := strings.Cut(read("aptix.instructions.md"), "\n## Always\n\n")
	return always
}

func read(name string) string {
	data, err := files.ReadFile(name)
	if err != nil {
		panic(err) // it is embedded
	}
	return string(data)
}
