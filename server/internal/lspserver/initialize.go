package lspserver

import (
	"context"
	"encoding/json"
	"slices"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
	"go.uber.org/zap"

	aptix "github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/lspserver/editor"
	"github.com/aptix-dev/aptix/server/internal/lspserver/replies"
	"github.com/aptix-dev/aptix/server/internal/rpc"
	"github.com/aptix-dev/aptix/server/internal/settings"
)

func (s *Server) initialize(_ context.Context, p *protocol.InitializeParams) (*protocol.InitializeResult, error) {
	if err := s.editor.Learn(p); err != nil {
		s.conn.Log().Warn("the initializationOptions are invalid", zap.Error(err))
	}
	s.openFolders(p)
	yes, sync := true, protocol.TextDocumentSyncKindIncremental
	return &protocol.InitializeResult{
		ServerInfo: protocol.ServerInfo{Name: "aptix", Version: protocol.NewOptional(s.config.Version)},
		Capabilities: protocol.ServerCapabilities{
			PositionEncoding: protocol.PositionEncodingKindUTF16,
			TextDocumentSync: &protocol.TextDocumentSyncOptions{OpenClose: &yes, Change: &sync, Save: protocol.Boolean(true)},
			CodeLensProvider: &protocol.CodeLensOptions{},
			CodeActionProvider: &protocol.CodeActionOptions{CodeActionKinds: []protocol.CodeActionKind{
				protocol.CodeActionKindQuickFix, replies.FixAll, replies.BlockKind,
			}},
			CompletionProvider:     &protocol.CompletionOptions{TriggerCharacters: completionTriggers},
			HoverProvider:          protocol.Boolean(true),
			DefinitionProvider:     protocol.Boolean(true),
			DocumentSymbolProvider: protocol.Boolean(true),
			FoldingRangeProvider:   protocol.Boolean(true),
			ExecuteCommandProvider: protocol.ExecuteCommandOptions{Commands: []string{aptix.CommandApply, aptix.CommandPreview, aptix.CommandCheck, aptix.CommandFeedback, aptix.CommandSkip, aptix.CommandDismiss, aptix.CommandRevert}},
			Workspace: &protocol.WorkspaceOptions{
				WorkspaceFolders: &protocol.WorkspaceFoldersServerCapabilities{Supported: &yes, ChangeNotifications: protocol.Boolean(true)},
				FileOperations:   &protocol.FileOperationOptions{DidRename: everyFile, DidDelete: everyFile},
			},
		},
	}, nil
}

var everyFile = protocol.FileOperationRegistrationOptions{
	Filters: []protocol.FileOperationFilter{{Pattern: protocol.FileOperationPattern{Glob: "**/*"}}},
}

// openFolder opens a workspace folder. If that fails, the other folders are used without it.
func (s *Server) openFolder(u uri.URI, name string) {
	if err := s.folders.Add(u, name); err != nil {
		s.conn.Log().Warn("a workspace folder is left out", zap.Error(err))
	}
}

func (s *Server) openFolders(p *protocol.InitializeParams) {
	folders, _ := p.WorkspaceFolders.Get()
	for _, f := range folders {
		s.openFolder(f.URI, f.Name)
	}
	//lint:ignore SA1019 clients older than LSP 3.6 send nothing else
	if root := p.RootURI; len(folders) == 0 && root != nil {
		s.openFolder(*root, "")
	}
}

// initialized requests the settings from the client, and notifications about changed files. It must not wait for the
// responses, because the server reads no messages while it handles a notification.
func (s *Server) initialized(ctx context.Context, _ *protocol.InitializedParams) error {
	if s.greeted.Swap(true) {
		// Ignore a notification that a client sends again by mistake.
		return nil
	}
	s.later(func() { s.listen(ctx) })
	s.spawn(func() {
		defer close(s.fetched)
		s.fetchSettings(ctx)
	})
	s.spawn(func() { s.watchFiles(ctx) })
	s.spawn(s.renewCommand)
	return nil
}

func (s *Server) watchFiles(ctx context.Context) {
	can := s.editor.Capabilities().Workspace
	if can == nil || can.DidChangeWatchedFiles == nil || !editor.Yes(can.DidChangeWatchedFiles.DynamicRegistration) {
		return
	}
	options, err := rpc.Marshal(&protocol.DidChangeWatchedFilesRegistrationOptions{
		Watchers: []protocol.FileSystemWatcher{{GlobPattern: protocol.Pattern("**/*")}},
	})
	if err == nil {
		err = s.editor.RegisterCapability(ctx, &protocol.RegistrationParams{Registrations: []protocol.Registration{{
			ID: "aptix-files", Method: protocol.MethodWorkspaceDidChangeWatchedFiles, RegisterOptions: options,
		}}})
	}
	if err != nil {
		s.conn.Log().Warn("files are not watched", zap.Error(err))
		return
	}
	s.watched.Store(true)
}

func (s *Server) didChangeWatchedFiles(_ context.Context, p *protocol.DidChangeWatchedFilesParams) error {
	s.past.FilesChanged(p.Changes)
	s.touch()
	return nil
}

func (s *Server) didChangeFolders(ctx context.Context, p *protocol.DidChangeWorkspaceFoldersParams) error {
	s.later(func() {
		for _, gone := range p.Event.Removed {
			s.folders.Forget(gone.URI)
		}
		for _, added := range p.Event.Added {
			s.openFolder(added.URI, added.Name)
		}
		s.touch()
		s.tellHistory(ctx)
		s.announce()
	})
	return nil
}

func (s *Server) didChangeConfiguration(ctx context.Context, p *protocol.DidChangeConfigurationParams) error {
	if s.editor.HasConfiguration() {
		s.spawn(func() { s.fetchSettings(ctx) })
		return nil
	}
	var sent struct {
		Aptix json.RawMessage `json:"aptix"`
	}
	if err := json.Unmarshal(p.Settings, &sent); err != nil || sent.Aptix == nil {
		return err
	}
	raw := slices.Clone(sent.Aptix)
	s.later(func() {
		s.useSettings(raw)
		s.touch()
	})
	return nil
}

func (s *Server) fetchSettings(ctx context.Context) {
	if !s.editor.HasConfiguration() {
		return
	}
	values, err := s.editor.Settings(ctx)
	if err != nil || len(values) != 1 {
		s.conn.Log().Warn("settings could not be read", zap.Error(err))
		return
	}
	s.useSettings(json.RawMessage(values[0]))
	s.touch()
}

func (s *Server) useSettings(raw json.RawMessage) {
	parsed, problems := settings.Parse(raw)
	for _, problem := range problems {
		s.conn.Log().Warn("a setting is ignored", zap.String("problem", problem))
	}
	s.past.KeepLimits(parsed)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.settings = parsed
}

func (s *Server) currentSettings() settings.Settings { return locked(s, &s.settings) }

func locked[T any](s *Server, field *T) T {
	s.mu.Lock()
	defer s.mu.Unlock()
	return *field
}
