package lspserver

import (
	"context"
	"strings"

	"go.uber.org/zap"

	aptix "github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/agenttools"
	"github.com/aptix-dev/aptix/server/internal/check"
	"github.com/aptix-dev/aptix/server/internal/fileset"
	"github.com/aptix-dev/aptix/server/internal/history"
	"github.com/aptix-dev/aptix/server/internal/link"
	"github.com/aptix-dev/aptix/server/internal/lspconv"
	"github.com/aptix-dev/aptix/server/internal/lspserver/workspace"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// A host is the [agenttools.Host] for one call of a tool. It works on the open folders with the text of open documents,
// and asks the person before it changes anything.
type host struct {
	*Server
	agent   string // chosen by the agent; may be ""
	folders []*workspace.Folder
	set     *fileset.Set // nil if there is none
}

func (h *host) History() *history.Store { return h.config.History }

func (h *host) FileSet() *fileset.Set { return h.set }

func (h *host) Folders(context.Context) ([]agenttools.Folder, error) {
	folders := []agenttools.Folder{}
	snapshot := h.docs.Snapshot()
	for _, f := range h.folders {
		v := f.View(snapshot)
		folders = append(folders, agenttools.Folder{Folder: v.Keys(), Dir: v.Root.Dir(), Active: h.active(v)})
	}
	return folders, nil
}

// active returns the open documents of a folder for agents (rule R30). It leaves out broken documents, because their
// text may be wrong.
func (h *host) active(v workspace.View) []agenttools.Active {
	focus := locked(h.Server, &h.focused)
	var active []agenttools.Active
	for _, path := range v.Paths() {
		doc := v.Open[path]
		if doc.Broken != "" {
			continue
		}
		display, _ := lspconv.Path(doc.URI)
		active = append(active, agenttools.Active{Path: path, Display: display, Text: doc.Text,
			Dirty: v.Unsaved(path), Focused: doc.URI == focus})
	}
	return active
}

func (h *host) Where(f agenttools.Folder) check.Where {
	v, _ := h.view(f.Dir)
	return h.checkSettings(v, nil)
}

// view returns a folder with its current files and documents. It returns false if the folder is no longer open.
func (h *host) view(dir string) (workspace.View, bool) {
	for _, f := range h.folders {
		if f.Root.Dir() == dir {
			return f.View(h.docs.Snapshot()), h.Server.folders.ByURI(f.URI) != nil
		}
	}
	return workspace.View{}, false
}

func (s *Server) didFocus(_ context.Context, p *aptix.ActiveParams) error {
	s.mu.Lock()
	s.focused = lspconv.Canonical(strings.Clone(p.URI))
	s.mu.Unlock()
	if agents := s.reachedBy(); agents == nil || p.URI == "" {
		return nil
	}
	s.later(func() {
		if err := s.reachedBy().Seen(); err != nil {
			s.conn.Log().Warn("agents cannot see which editor was used last", zap.Error(err))
		}
	})
	return nil
}

// tool handles aptix/tool, with which an editor's own models call a tool.
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

// listen makes this server reachable for agents in other processes. If it fails, the server works without agents.
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

// announce publishes which folders are open, so that agents find this server.
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
