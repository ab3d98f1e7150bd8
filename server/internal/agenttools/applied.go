package agenttools

import (
	"context"
	"errors"

	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/diag"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// apply applies a checked reply. `result` turns the host's result into the result of the tool. If nothing was applied,
// apply returns a refusal with this result.
func (c *checked) apply(ctx context.Context, host Host, result func(protocol.ApplyResult) any) (protocol.ApplyResult, []protocol.ToolMessage, error) {
	if refusal := c.refusal(); refusal != nil {
		return protocol.ApplyResult{}, nil, refusal
	}
	answer, err := host.Apply(ctx, c.request)
	if errors.Is(err, ErrNotAccepted) {
		return answer, nil, c.notAccepted()
	}
	if err != nil {
		return answer, nil, err
	}
	if !answer.Applied && !answer.Verified {
		refusal := Refuse("not-applied", "%s", answer.Message)
		refusal.Result = result(answer)
		return answer, nil, refusal
	}
	if missed := c.missed(); !answer.Applied && missed != nil {
		return answer, nil, &Refusal{Messages: missed, Result: result(answer)}
	}
	warnings := append(c.messages(diag.Warning), answer.Warnings...)
	answer.Warnings = nil // they are in the envelope
	if !answer.Verified {
		warnings = append(warnings, protocol.ToolMessage{Code: "not-verified", Message: answer.Message})
	}
	return answer, warnings, nil
}

// ErrNotAccepted means that neither a person nor the agent accepted the doubts of a change. Nothing was written.
var ErrNotAccepted = errors.New("the change has warnings that somebody must agree to first")

func (c *checked) notAccepted() *Refusal {
	doubts := c.messagesOf(diag.Diagnostic.Asks, false)
	return &Refusal{Messages: append(doubts, protocol.ToolMessage{Code: "warnings-not-accepted",
		Message: `nothing was written: read the warnings, and send edits that cause none; if the change is intended exactly as it is, call again with "acceptWarnings": true`})}
}

// matchesNothing reports whether the reply changes nothing because no text that it would replace is in its file. A
// model must not count this reply as a success.
func (c *checked) matchesNothing() bool { return len(c.Plan.Files) == 0 && c.missed() != nil }

func (c *checked) missed() []protocol.ToolMessage {
	return text.Only(c.messages(diag.Warning), func(m protocol.ToolMessage) bool { return m.Code == string(diag.FindNotFound) })
}

type applyInput struct {
	replyInput
	Label          string `json:"label,omitempty" jsonschema:"A description of the change, for the person's history."`
	AcceptWarnings bool   `json:"acceptWarnings,omitempty" jsonschema:"Apply even if warnings need confirmation, because the change is intended exactly as it is. In an editor the person is still asked."`
}

type applied struct {
	protocol.ApplyResult
	Feedback string `json:"feedback" jsonschema:"If nothing was applied because of problems in the text: the problems, and what to send instead."`
}

var applyTool = define(Tool{
	Name: "aptix_apply", Title: "Apply edits",
	Description: "Apply all edits in a text to the files, all or nothing. The text is a reply with fenced blocks, or one block: a file bundle, a structured patch (find and replace), " +
		"a line patch, a git patch (unified diff), an ap patch, SEARCH/REPLACE blocks, an apply_patch patch, or whole files below their paths. In an editor the person sees the change and is asked first, and can undo it. " +
		"If anything is wrong, nothing is written, and the answer says how to correct it. Without an editor, a change with warnings that need confirmation is refused and the warnings are returned, unless acceptWarnings is true. " +
		"Applying the same text again changes nothing.",
}, func(ctx context.Context, host Host, in applyInput) (applied, []protocol.ToolMessage, error) {
	c, err := in.check(ctx, host, in.Label)
	if err != nil {
		return applied{}, nil, err
	}
	c.request.AcceptWarnings = in.AcceptWarnings
	answer, warnings, err := c.apply(ctx, host, func(r protocol.ApplyResult) any { return applied{ApplyResult: r} })
	if refusal, ok := errors.AsType[*Refusal](err); ok && refusal.Result == nil {
		refusal.Result = applied{protocol.ApplyResult{Message: "nothing was applied", Files: []protocol.File{}, Left: []string{}}, c.Feedback(ctx)}
	}
	return applied{ApplyResult: answer}, warnings, err
})
