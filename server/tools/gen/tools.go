package main

import (
	"fmt"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/aptix-dev/aptix/server/internal/agenttools"
	"github.com/aptix-dev/aptix/server/internal/edittools"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A languageModelTool is a tool in package.json, with the members that it has there.
type languageModelTool struct {
	Name             string             `json:"name"`
	DisplayName      string             `json:"displayName"`
	ModelDescription string             `json:"modelDescription"`
	UserDescription  string             `json:"userDescription"`
	Tags             []string           `json:"tags"`
	InPrompt         bool               `json:"canBeReferencedInPrompt"`
	ReferenceName    string             `json:"toolReferenceName"`
	When             string             `json:"when"`
	InputSchema      *jsonschema.Schema `json:"inputSchema"`
}

// withoutMCP is the condition under which the extension offers its own tools. Otherwise the chat
// gets the same tools from the extension's MCP server, which other hosts of agents can use, too.
const withoutMCP = "config.chat.mcp.access != 'all'"

// renderLanguageModelTools replaces contributes.languageModelTools in package.json.
func renderLanguageModelTools(_, old string) (string, error) {
	var all []languageModelTool
	for _, t := range agenttools.All {
		all = append(all, languageModelTool{
			Name: t.Name, DisplayName: t.Title, ModelDescription: t.Description, UserDescription: firstSentence(t.Description),
			Tags: []string{"aptix"}, InPrompt: true, ReferenceName: t.Name, When: withoutMCP, InputSchema: t.Input(),
		})
	}
	value, err := marshal(all)
	if err != nil {
		return "", err
	}
	return replaceMember(old, "/contributes/languageModelTools", value)
}

func firstSentence(s string) string {
	first, _, _ := strings.Cut(s, ". ")
	return strings.TrimSuffix(first, ".") + "."
}

// renderToolsTable replaces the table of tools between its markers.
func renderToolsTable(_, old string) (string, error) {
	var b strings.Builder
	b.WriteString("| Tool | What it does | Arguments |\n| --- | --- | --- |\n")
	for _, t := range agenttools.All {
		fmt.Fprintf(&b, "| `%s` | %s | %s |\n", t.Name, firstSentence(t.Description), arguments(t.Input()))
	}
	return replaceMarked(old, "tools", b.String())
}

// arguments returns a list of the names of a tool's arguments. The names of optional arguments end
// in "?".
func arguments(s *jsonschema.Schema) string {
	required := map[string]bool{}
	for _, name := range s.Required {
		required[name] = true
	}
	var names []string
	for _, name := range s.PropertyOrder {
		switch {
		case required[name]:
			names = append(names, "`"+name+"`")
		default:
			names = append(names, "`"+name+"`?")
		}
	}
	return strings.Join(names, ", ")
}

// renderEditTools replaces the table of the tools whose calls are read.
func renderEditTools(_, old string) (string, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "| Tool or command | Parameters besides the path | Does |\n| --- | --- | --- |\n| all tools | the path: %s | |\n", inCode(edittools.Paths))
	for _, row := range edittools.Rows[edittools.Creates:] {
		other := text.Each(row.Accepts.Names(), func(list string) string { return inCode(strings.TrimSuffix(list, edittools.Paths)) })
		fmt.Fprintf(&b, "| %s | %s | %s |\n", inCode(row.Tools), strings.TrimPrefix(strings.Join(other, "; "), "; "), row.Does)
	}
	return replaceMarked(old, "edittools", b.String())
}

// inCode returns a list of names as code in Markdown.
func inCode(names string) string {
	return strings.Join(text.Each(strings.Fields(names), func(name string) string { return "`" + name + "`" }), ", ")
}
