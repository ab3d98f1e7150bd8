package toolcall

import (
	"fmt"
	"strings"
	"testing"

	"github.com/aptix-dev/aptix/server/internal/findreplace"
	"github.com/aptix-dev/aptix/server/internal/format"
	"github.com/aptix-dev/aptix/server/internal/intent"
	"github.com/aptix-dev/aptix/server/tools/parsetest"
)

var subject = parsetest.Subject{Format: Format, Say: func(p format.Parsed) (changes []string) {
	for _, c := range p.Set.Changes {
		changes = append(changes, fmt.Sprintf("%d %s %q", c.Kind, c.Path, c.Content))
		for _, s := range c.Steps {
			changes = append(changes, c.Path+": "+stepSaid(s))
		}
	}
	return changes
}}

func stepSaid(s intent.Step) string {
	switch s := s.(type) {
	case intent.Quoted:
		return stepSaid(s.Step)
	case findreplace.Replacement:
		return fmt.Sprintf("%q -> %q", s.Find, s.Replace)
	case findreplace.WholeLines:
		return fmt.Sprintf("%q -> %q", s.Readings[0].Find, s.Readings[0].Replace)
	case insertion:
		return fmt.Sprintf("%d: %q", s.After, s.Lines)
	}
	return fmt.Sprintf("%T", s)
}

// In two of the cases, texts contain the last tag of their call, and no fence shows where the
// call ends.
func TestPrefixes(t *testing.T) {
	subject.CheckPrefixes(t, parsetest.Prefixes{Exempt: []string{"tags-twice", "tags-content-twice"}, LaterErrors: true})
}

const (
	callText = `{"command": "str_replace", "path": "a.py", "old_str": "a", "new_str": "b"}` + "\n"
	tagText  = "<write_to_file>\n<path>a.py</path>\n<content>\nx\n</content>\n</write_to_file>\n"
)

// A region is a fence that begins with a call, or a call outside of fences.
func TestRegions(t *testing.T) {
	subject.CheckRegions(t, map[string][]string{
		"x\n" + callText + "y\n":                                {callText},
		callText + callText:                                     {callText, callText},
		"```json\n" + callText + callText + "```\n":             {"```json\n" + callText + callText + "```\n"},
		"```\n" + tagText + "```\n":                             {"```\n" + tagText + "```\n"},
		"x\n" + tagText + "\n" + tagText:                        {tagText, tagText},
		"````md\n```json\n" + callText + "```\n````\n":          nil,
		"```go\n" + callText + "```\n":                          {"```go\n" + callText + "```\n"},
		"```js\n{command: \"str_replace\", path: \"a\"}\n```\n": nil,
		"`" + strings.TrimSpace(callText) + "`\n":               nil,
		"<write_to_file> writes a file.\n":                      nil,
		"    " + callText:                                       nil,
		`{"name": "str_replace", "input_schema": {"type": "object", "properties": {"path": {"type": "string"}, "old_str": {"type": "string"}}}}` + "\n": nil,
		`{"type": "function", "function": {"name": "apply_diff", "parameters": {"type": "object", "properties": {"path": {}, "diff": {}}}}}` + "\n":     nil,
		`[{"role": "assistant", "content": [` + strings.TrimSpace(callText) + `]}]` + "\n":                                                              {`[{"role": "assistant", "content": [` + strings.TrimSpace(callText) + `]}]` + "\n"},
		`{"role": "user", "content": "x"}` + "\n" + `{"role": "assistant", "content": [` + strings.TrimSpace(callText) + "]}\nx\n":                      {`{"role": "user", "content": "x"}` + "\n" + `{"role": "assistant", "content": [` + strings.TrimSpace(callText) + "]}\n"},
		`{"path": "a.py", "content": "x"}` + "\n":              nil,
		`{"name": "edit", "version": "1", "path": "x"}` + "\n": nil,
	})
}

func FuzzParse(f *testing.F) {
	f.Add(`{"name":"create","arguments":"{\"path\":\"a\",`)
	f.Add("<apply_diff><args><file><diff><content><![CDATA[]]></content></diff></file></args></apply_diff>")
	subject.Fuzz(f, nil, func(*testing.T, *format.Region, format.Parsed) {})
}
