package agenttools

import (
	"context"
	"errors"

	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/apply"
	"github.com/aptix-dev/aptix/server/internal/history"
)

type revertInput struct {
	folderInput
	ID    string `json:"id,omitempty" jsonschema:"The id of a change in the history, as aptix_apply and workspace_write_patch return it. The default is the last change that has not been reverted."`
	Merge bool   `json:"merge,omitempty" jsonschema:"Keep later edits to the files if they are on other lines."`
}

var revertTool = define(Tool{
	Name: "aptix_revert", Title: "Revert a change",
	Description: "Revert an earlier change by Aptix, all or nothing. If files have been edited since, they are named and nothing is written, unless \"merge\" keeps those edits. " +
		"In an editor the person may be asked first. A revert is also in the history; reverting it applies the change again.",
}, func(ctx context.Context, host Host, in revertInput) (protocol.RevertResult, []protocol.ToolMessage, error) {
	id, err := in.id(ctx, host)
	var answer protocol.RevertResult
	if err == nil {
		answer, err = host.Revert(ctx, protocol.RevertParams{ID: id, Merge: in.Merge})
	}
	switch {
	case errors.Is(err, history.ErrNotFound), errors.Is(err, history.ErrAmbiguous):
		return answer, nil, Refuse("unknown-id", "%v", err)
	case err != nil:
		return answer, nil, err
	}
	if !answer.Applied && !answer.Verified {
		return answer, nil, &Refusal{Messages: notReverted(answer), Result: answer}
	}
	warnings := answer.Warnings
	answer.Warnings = nil // they are in the envelope
	if !answer.Verified {
		warnings = append(warnings, protocol.ToolMessage{Code: "not-verified", Message: answer.Message})
	}
	return answer, warnings, nil
})

// id returns the id of the change to revert. If the input names only a folder, it returns the last change in the
// folder.
func (in revertInput) id(ctx context.Context, host Host) (string, error) {
	if in.Folder == "" {
		return in.ID, nil
	}
	folders, err := in.folders(ctx, host)
	if err != nil || in.ID != "" || host.History() == nil {
		return in.ID, err
	}
	return apply.Last(ctx, host.History(), folders[0].Dir)
}

func notReverted(r protocol.RevertResult) []protocol.ToolMessage {
	messages := []protocol.ToolMessage{{Code: "not-reverted", Message: r.Message}}
	for _, c := range r.Conflicts {
		message := c.Path + ": " + c.Why
		if c.Mergeable {
			message += "; \"merge\" keeps those edits"
		}
		messages = append(messages, protocol.ToolMessage{Code: "edited-since", Message: message})
	}
	return messages
}
