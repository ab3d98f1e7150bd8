package mcp

import (
	"context"
	"errors"
	"io/fs"

	"go.uber.org/zap"

	"github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/agenttools"
	"github.com/aptix-dev/aptix/server/internal/apply"
)

// Apply applies a reply on disk, without asking anybody.
func (d *diskHost) Apply(ctx context.Context, r agenttools.Request) (protocol.ApplyResult, error) {
	o, err := d.change(ctx, apply.Request{Yes: r.AcceptWarnings, Propose: func(ctx context.Context) (apply.Proposal, error) {
		result, err := r.Check(ctx, d.Where(r.Folder))
		if err != nil {
			return apply.Proposal{}, err
		}
		p := apply.ReplyOf(result, d.writer(d.roots[d.index(r.Folder.Dir)]), r.Name(result, d.agent), source)
		return p, d.mayChange(p)
	}})
	if err != nil {
		return protocol.ApplyResult{Message: "nothing was applied"}, err
	}
	if o.Refusal != nil && o.Refusal.Reason == apply.CannotAsk {
		return o.Result, agenttools.ErrNotAccepted
	}
	if o.Refusal != nil {
		o.Result.Message = "nothing was applied: the files changed in the meantime; check the text again"
	}
	o.Result.Warnings = append(o.Result.Warnings, agenttools.LeftOut(o.Reply)...)
	return o.Result, nil
}

// change applies a request on disk. The error is an [agenttools.Refusal] for a problem that the agent must be told
// about but cannot solve.
func (d *diskHost) change(ctx context.Context, r apply.Request) (apply.Outcome, error) {
	r.AllowProtected = d.AllowProtected
	o, err := d.applier.Apply(ctx, r)
	if o.NotRecorded != nil {
		d.Log.Error("a change could not be recorded in the history", zap.Error(o.NotRecorded))
	}
	switch {
	case errors.Is(err, fs.ErrPermission):
		return o, agenttools.Refuse("not-permitted", "nothing was written: %v", err)
	case err != nil:
		return o, err
	}
	return o, agenttools.NotWritten(o, false)
}

func (d *diskHost) writer(r root) apply.Disk {
	return apply.Disk{Dir: r.Root, Names: r.folder().Names, StateDir: d.StateDir}
}

// mayChange returns a refusal if the proposal would write files, but the server was started without --allow-apply.
func (d *diskHost) mayChange(p apply.Proposal) error {
	if d.AllowApply || p.Refused != "" || len(p.Plan.Files) == 0 || p.Reply != nil && !p.Reply.Applicable() {
		return nil
	}
	return agenttools.Refuse("no-editor", "nothing was written: the person must be asked in an editor, but no editor has %s open. Ask the person to open the folder in an editor with Aptix, "+
		"or to start this server as `aptix mcp --allow-apply`", p.Writer.Root().Dir())
}
