package check

import (
	"context"
	"fmt"
	"strings"

	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/text"
)

const (
	// quotedLines is how much of a block or of a file is repeated for one problem.
	quotedLines = 30
	// closest is how many places are named for one problem.
	closest = 3
)

// request asks for what can always be applied.
const request = `Please send the change as an Aptix file bundle instead: one fenced json block that holds
{"root": ".", "files": [{"path": "...", "operation": "create | replace | delete", "content": "..."}]}
with the whole content of every file that changes, as one JSON string each (newlines as \n, quotes as \").
`

// Feedback is the problems of a reply as a text for the model that wrote it:
// block, file, what was looked for, what is there, and what to send again.
// It is empty where there is nothing to complain of.
func (r *Result) Feedback(ctx context.Context) string {
	if r.Declined {
		return request
	}
	ctx, cancel := context.WithTimeout(ctx, suggestTime)
	defer cancel()
	var b strings.Builder
	for i := range r.Blocks {
		r.blockFeedback(ctx, &b, &r.Blocks[i])
	}
	if b.Len() == 0 {
		return ""
	}
	return "Your last reply was checked and nothing of it was applied. These are its problems:\n" + b.String() +
		"\nSend the blocks with problems again, complete and corrected, and leave the others out.\n"
}

func (r *Result) blockFeedback(ctx context.Context, b *strings.Builder, block *Block) {
	doc := r.Documents[block.Document].Text
	head := fmt.Sprintf("\nBlock %d (%s, beginning on line %d of the reply):\n", block.Index, block.Format.Name,
		text.NewLines(doc).Position(block.Open.Start).Line+1)
	if block.State == Incomplete {
		b.WriteString(head + "\n- The block is not closed: the reply was cut off. Send it again from its first line.\n")
		return
	}
	for _, d := range block.Diagnostics {
		if d.Severity > diag.Warning {
			continue
		}
		b.WriteString(head)
		head = ""
		problem(ctx, b, doc, block, d)
	}
}

func problem(ctx context.Context, b *strings.Builder, doc string, block *Block, d diag.Diagnostic) {
	b.WriteString("\n- ")
	if path := block.pathAt(d.Span); path != "" && !strings.Contains(d.Message, path) {
		b.WriteString(path + ": ")
	}
	b.WriteString(d.Message + "\n")
	if quote := d.Span.In(doc); strings.Contains(quote, " ") {
		quoted(b, "The block has:", quote)
	}
	for i, fix := range d.AllFixes(ctx) {
		if i == closest {
			break
		}
		quoted(b, fix.Title+":", written(fix))
	}
}

// written is what a fix would write into the block.
func written(fix diag.Fix) string {
	var parts []string
	for _, e := range fix.Edits {
		if strings.TrimSpace(e.New) != "" {
			parts = append(parts, e.New)
		}
	}
	return strings.Join(parts, "\n")
}

func quoted(b *strings.Builder, head, s string) {
	if s == "" {
		return
	}
	b.WriteString("  " + head + "\n")
	lines := text.SplitLines(s)
	for i, line := range lines {
		if i == quotedLines {
			fmt.Fprintf(b, "    ... (%d more lines)\n", len(lines)-i)
			return
		}
		b.WriteString("    " + text.TrimEOL(line) + "\n")
	}
}

// pathAt is the path of the entry that a span of the document lies in; "" where
// it lies in none.
func (b *Block) pathAt(span text.Span) string {
	for _, c := range b.Set.Changes {
		if b.HostSpan(c.At).Contains(span) {
			return c.Path
		}
	}
	return ""
}
