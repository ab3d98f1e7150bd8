package mdblock

import "slices"

// A Kind is the kind of text that the tag of a fence names.
type Kind int

// The kinds. OtherCode is for tags without an entry in kinds.
const (
	OtherCode  Kind = iota
	Untagged        // no tag
	JSON            // one JSON value
	Records         // several JSON values
	Patch           // a diff
	AP              // an ap patch
	Shell           // commands of a POSIX shell, perhaps with their output
	OtherShell      // commands of another shell
	Shown           // output of a program, a drawing, or anything else that is only shown
	PlainText
	Markdown
	Markup // XML or HTML
	Call   // calls of tools
)

var kinds = map[string]Kind{
	"":     Untagged,
	"json": JSON, "jsonc": JSON, "json5": JSON,
	"jsonl": Records, "ndjson": Records,
	"patch": Patch, "diff": Patch, "udiff": Patch,
	"ap":   AP,
	"bash": Shell, "sh": Shell, "shell": Shell, "zsh": Shell, "console": Shell, "shell-session": Shell, "shellsession": Shell, "terminal": Shell, "cmd-line": Shell,
	"fish": OtherShell, "powershell": OtherShell, "pwsh": OtherShell, "ps1": OtherShell, "cmd": OtherShell, "bat": OtherShell, "batch": OtherShell, "dos": OtherShell,
	"output": Shown, "log": Shown, "stdout": Shown, "console-output": Shown, "tree": Shown, "mermaid": Shown, "http": Shown,
	"text": PlainText, "txt": PlainText, "plaintext": PlainText,
	"md": Markdown, "markdown": Markdown, "mdx": Markdown,
	"xml": Markup, "html": Markup,
	"tool_call": Call, "tool_calls": Call, "tool_use": Call, "tool_code": Call, "function": Call, "tool": Call,
}

// Tags returns the tags of a kind, in lower case.
func Tags(kind Kind) []string {
	var tags []string
	for tag, k := range kinds {
		if k == kind {
			tags = append(tags, tag)
		}
	}
	slices.Sort(tags)
	return tags
}

// Kind returns the kind that the tag of a block names.
func (b Block) Kind() Kind { return kinds[b.Lang] }

// IsProse reports whether the tag names Markdown or plain text. Edits in such a block are only examples.
func (b Block) IsProse() bool { return b.Kind() == Markdown || b.Kind() == PlainText }

// IsCommands reports whether the tag names a shell.
func (b Block) IsCommands() bool { return b.Kind() == Shell || b.Kind() == OtherShell }
