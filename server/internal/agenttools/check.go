package agenttools

import (
	"context"
	"strings"

	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/check"
)

type checkedReply struct {
	protocol.Report
	Applicable bool   `json:"applicable" jsonschema:"Whether aptix_apply would apply the text, with the same arguments."`
	Feedback   string `json:"feedback" jsonschema:"The problems, and what to send instead; empty if there is nothing to correct."`
	Text       string `json:"text" jsonschema:"The text after the certain repairs; empty if none were requested or none were needed."`
}

var checkTool = define(Tool{
	Name: "aptix_check", Title: "Check edits", ReadOnly: true,
	Description: "Check the edits in a text: report what they would change in the files, and any problems. Nothing is changed.",
}, func(ctx context.Context, host Host, in replyInput) (checkedReply, []protocol.ToolMessage, error) {
	c, err := in.check(ctx, host, "")
	if err != nil {
		return checkedReply{}, nil, err
	}
	out := checkedReply{Report: c.Report(ctx), Applicable: c.Applicable() && !c.matchesNothing(), Feedback: c.Feedback(ctx)}
	if refusal := c.refusal(); refusal != nil && out.Feedback == "" {
		out.Feedback = refusal.Error()
	}
	if in.Fix && c.Documents[0].Text != in.Text {
		out.Text = c.Documents[0].Text
	}
	return out, c.warnings(), nil
})

// maxDiff limits the size of the diff that a model gets, in bytes. The rest is cut off.
const maxDiff = 256 << 10

type previewed struct {
	Files     []protocol.File `json:"files" jsonschema:"The files that would change."`
	Diff      string          `json:"diff" jsonschema:"The change as a unified diff."`
	Truncated bool            `json:"truncated" jsonschema:"Whether the diff was too long, and its end was left out."`
	Shown     bool            `json:"shown" jsonschema:"Whether the person has a message from which they can look at the change."`
}

var previewTool = define(Tool{
	Name: "aptix_preview", Title: "Preview edits", ReadOnly: true,
	Description: "Return the effect of the edits in a text as a unified diff, and show the diff to the person if an editor is running. Nothing is changed.",
}, func(ctx context.Context, host Host, in replyInput) (previewed, []protocol.ToolMessage, error) {
	c, err := in.check(ctx, host, "")
	if err != nil {
		return previewed{}, nil, err
	}
	if refusal := c.refusal(); refusal != nil {
		return previewed{}, nil, refusal
	}
	out := c.diff()
	out.Shown, err = host.Preview(ctx, c.request)
	return out, c.warnings(), err
})

func (c *checked) diff() previewed {
	out := previewed{Files: check.ReportFiles(c.Plan.Files)}
	var b strings.Builder
	for _, f := range c.Plan.Files {
		unified := f.Unified()
		if room := maxDiff - b.Len(); len(unified) > room {
			out.Truncated = true
			unified = unified[:strings.LastIndexByte(unified[:room], '\n')+1]
		}
		if b.WriteString(unified); out.Truncated {
			break
		}
	}
	out.Diff = b.String()
	return out
}
