package lspserver

import (
	"context"

	"go.uber.org/zap"

	aptix "github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/agenttools"
	"github.com/aptix-dev/aptix/server/internal/link"
	"github.com/aptix-dev/aptix/server/internal/lspserver/workspace"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// tool answers aptix/tool. With this request, an editor lets its own models call a tool.
func (s *Server) tool(ctx context.Context, p *aptix.ToolParams) (aptix.ToolResult, error) {
	return s.callTool(ctx, &host{Server: s, folders: s.folders.Opened()}, *p), nil
}

func (s *Server) callTool(ctx context.Context, h *host, p aptix.ToolParams) aptix.ToolResult {
	set, refusal := s.fileSet(ctx, false)
	if refusal != nil {
		return agenttools.Answer(nil, nil, refusal)
	}
	h.set = set
	return agenttools.Call(ctx, h, p.Name, p.Arguments, func(err error) {
		s.conn.Log().Error("a tool failed", zap.String("agent", h.agent), zap.Error(err))
	})
}

// listen lets agents in other processes reach this server. If that fails, the server works without agents.
func (s *Server) listen(ctx context.Context) {
	if s.config.StateDir == "" {
		return
	}
	agents, err := link.Listen(ctx, s.config.StateDir, s.config.Version, s.conn.Log(), func(ctx context.Context, c link.Call) aptix.ToolResult {
		return s.callTool(ctx, &host{Server: s, agent: plainName(c.Agent), folders: s.folders.Below(c.Roots)}, c.ToolParams)
	})
	if err != nil {
		s.conn.Log().Error("agents cannot reach this editor", zap.Error(err))
		return
	}
	s.mu.Lock()
	s.agents = agents
	s.mu.Unlock()
	s.announce()
}

// announce writes down which folders are open, so that agents find this server.
func (s *Server) announce() {
	agents := s.reachedBy()
	if agents == nil {
		return
	}
	dirs := text.Each(s.folders.Opened(), func(f *workspace.Folder) string { return f.Root.Dir() })
	if err := agents.Serve(dirs); err != nil {
		s.conn.Log().Error("agents cannot find this editor", zap.Error(err))
	}
}

func (s *Server) reachedBy() *link.Listener { return locked(s, &s.agents) }

func (s *Server) hangUp() {
	if agents := s.reachedBy(); agents != nil {
		agents.Close()
	}
}
