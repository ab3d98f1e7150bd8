package agenttools

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/text"
)

type replyInput struct {
	Text   string     `json:"text" jsonschema:"The reply, or one block of it. Blocks are in fences: a file bundle, a structured patch, a line patch, a git patch or an ap patch. A SEARCH/REPLACE block, with its path on the line above, and an apply_patch patch need no fence. A whole file is in a fence below its path."`
	Format formatName `json:"format,omitempty" jsonschema:"How blocks are found: auto, markdown (fenced blocks only), or the format of the whole text. The default is auto."`
	Block  count      `json:"block,omitempty" jsonschema:"Use only the block with this number, counted from 1. By default, all blocks are used, as one change."`
	Fix    bool       `json:"fix,omitempty" jsonschema:"Make the certain repairs first: those with only one possible result."`
	folderInput
}

type formatName string

type folderInput struct {
	Folder string `json:"folder,omitempty" jsonschema:"The workspace folder: its name, or its absolute path. Needed only if several are open."`
}

func (in folderInput) folders(ctx context.Context, host Host) ([]Folder, error) {
	all, err := host.Folders(ctx)
	if err != nil || in.Folder == "" {
		return all, err
	}
	folder, err := choose(all, in.Folder)
	return []Folder{folder}, err
}

func formatNames() []any {
	return append([]any{"auto"}, text.Each(check.FormatNames(), func(name string) any { return name })...)
}

// A checked is a reply that was checked after the requested repairs.
type checked struct {
	*check.Result
	request Request
}

func (in replyInput) check(ctx context.Context, host Host, label string) (*checked, error) {
	folders, err := host.Folders(ctx)
	if err != nil {
		return nil, err
	}
	folder, err := choose(folders, in.Folder)
	if err != nil {
		return nil, err
	}
	format := string(in.Format)
	if format == "auto" {
		format = ""
	}
	return checkReply(ctx, host, Request{Text: in.Text, Format: format, Block: int(in.Block), Folder: folder, Label: label, Fix: in.Fix})
}

func checkReply(ctx context.Context, host Host, r Request) (*checked, error) {
	result, err := r.Check(ctx, host.Where(r.Folder))
	if err == nil {
		return &checked{result, r}, nil
	}
	if no, ok := errors.AsType[*check.NoSuchBlock](err); ok {
		return nil, Refuse("no-such-block", "%v", no)
	}
	if errors.Is(err, fs.ErrPermission) {
		return nil, Refuse("not-permitted", "the files cannot be listed: %v", err)
	}
	return nil, err
}

// choose returns the folder with the name or path `asked`. If that is "", it returns the only folder.
func choose(all []Folder, asked string) (Folder, error) {
	if asked == "" && len(all) == 1 {
		return all[0], nil
	}
	names := text.Each(all, func(f Folder) string { return fmt.Sprintf("%s (%s)", f.Names[0], f.Dir) })
	switch {
	case len(all) == 0:
		return Folder{}, Refuse(string(diag.NoWorkspace), "no folder is open")
	case asked == "":
		return Folder{}, Refuse("folder-needed", "several folders are open: %s; name one of them in \"folder\"", strings.Join(names, ", "))
	}
	found := text.Only(all, func(f Folder) bool { return f.Called(asked) })
	switch len(found) {
	case 0:
		return Folder{}, Refuse("folder-unknown", "no open folder is called %q; the open folders are: %s", asked, strings.Join(names, ", "))
	case 1:
		return found[0], nil
	}
	return Folder{}, Refuse("folder-ambiguous", "several open folders are called %q: %s; give the absolute path", asked, strings.Join(names, ", "))
}

// Called reports whether `name` is the name or the path of the folder.
func (f Folder) Called(name string) bool {
	if filepath.IsAbs(name) {
		name = filepath.Clean(name)
		real, err := filepath.EvalSymlinks(name)
		return name == f.Dir || err == nil && real == f.Dir
	}
	return slices.ContainsFunc(f.Names, func(n string) bool { return n == name || strings.ToLower(n) == name })
}

// refusal explains why a checked reply cannot be applied. It has a message for each problem, or a single message if the
// reply has no block. It is nil if the reply can be applied.
func (c *checked) refusal() *Refusal {
	switch {
	case c.Applicable():
		return nil
	case len(c.Blocks) > 0:
		return &Refusal{Messages: c.messages(diag.Error)}
	case c.Declined:
		return Refuse(string(diag.Declined), "the model says that it cannot make a safe edit")
	}
	return Refuse("no-block", "no Aptix block found: %s; with %q in \"format\", the whole text is read as one block", c.NoBlock(), strings.Join(check.FormatNames(), ", "))
}

const maxMessages = 100

func (c *checked) messages(severity diag.Severity) []protocol.ToolMessage {
	return c.messagesOf(func(d diag.Diagnostic) bool { return d.Severity == severity }, severity == diag.Error)
}

// warnings returns the messages that the caller needs even if the reply can be applied.
func (c *checked) warnings() []protocol.ToolMessage {
	return append(c.messages(diag.Warning), LeftOut(c.Result)...)
}

// LeftOut returns a message that names the parts of a reply that a person left out, or nil.
func LeftOut(c *check.Result) []protocol.ToolMessage {
	if c == nil || c.Skip.Count() == 0 {
		return nil
	}
	var names []string
	for _, b := range c.Blocks {
		inner := 0 // the number of parts inside the file so far
		for i, p := range b.Parts {
			name := p.Path
			if inner++; p.Of < 0 {
				inner = 0
			} else {
				name = fmt.Sprintf("%s %d of %s", b.Format.Part, inner, p.Path)
			}
			if len(c.Blocks) > 1 {
				name += fmt.Sprintf(" in block %d", b.Index)
			}
			if slices.Contains(c.Skip[b.Index], i) {
				names = append(names, name)
			}
		}
	}
	return []protocol.ToolMessage{{Code: string(diag.PartSkipped), Message: "the person left out " + strings.Join(names, ", ") + ": this is not applied; do not send it in a different form"}}
}

// messagesOf returns a message for each diagnostic for which `wanted` returns true. If cutOff is true, it also returns
// a message for each incomplete block.
func (c *checked) messagesOf(wanted func(diag.Diagnostic) bool, cutOff bool) []protocol.ToolMessage {
	at := places{single: len(c.Blocks) == 1}
	messages := []protocol.ToolMessage{}
	left := 0
	say := func(code diag.Code, message string) {
		if len(messages) == maxMessages {
			left++
			return
		}
		messages = append(messages, protocol.ToolMessage{Code: string(code), Message: message})
	}
	add := func(code diag.Code, b *check.Block, offset int, message string) {
		say(code, at.prefix(c.Documents[b.Document].Text, b, offset)+message)
	}
	for i := range c.Blocks {
		b := &c.Blocks[i]
		if cutOff && b.State == check.Incomplete {
			add(diag.BlockIncomplete, b, b.Open.Start, "the block is not closed: the reply was cut off; send the whole block again")
		}
		for _, d := range b.Diagnostics {
			if wanted(d) {
				add(d.Code, b, d.Span.Start, d.Message)
			}
		}
	}
	for _, u := range c.Unread {
		if wanted(u.Diagnostic) {
			say(u.Diagnostic.Code, u.Diagnostic.Message)
		}
	}
	if left > 0 {
		messages = append(messages, protocol.ToolMessage{Code: "more", Message: fmt.Sprintf("and %d more", left)})
	}
	return messages
}

// places describes positions in a reply. It indexes the reply only once.
type places struct {
	single bool
	lines  *text.Lines
}

func (p *places) prefix(doc string, b *check.Block, offset int) string {
	if b.Format.Where != nil && !b.Fenced {
		if at, ok := b.BodyOffset(offset); ok {
			if where := b.Format.Where(b.Region, at); where != "" {
				return where + ": "
			}
		}
	}
	if p.lines == nil {
		p.lines = text.NewLines(doc)
	}
	line := fmt.Sprintf("line %d: ", p.lines.Position(offset).Line+1)
	if p.single {
		return line
	}
	return fmt.Sprintf("block %d, %s", b.Index, line)
}
