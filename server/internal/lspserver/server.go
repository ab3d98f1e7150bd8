package lspserver

import (
	"context"
	"io"
	"sync"
	"sync/atomic"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"
	"go.uber.org/zap"

	aptix "github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/apply"
	"github.com/aptix-dev/aptix/server/internal/disk"
	"github.com/aptix-dev/aptix/server/internal/fileset"
	"github.com/aptix-dev/aptix/server/internal/history"
	"github.com/aptix-dev/aptix/server/internal/link"
	"github.com/aptix-dev/aptix/server/internal/lspserver/documents"
	"github.com/aptix-dev/aptix/server/internal/lspserver/editor"
	"github.com/aptix-dev/aptix/server/internal/lspserver/past"
	"github.com/aptix-dev/aptix/server/internal/lspserver/previews"
	"github.com/aptix-dev/aptix/server/internal/lspserver/workspace"
	"github.com/aptix-dev/aptix/server/internal/rpc"
	"github.com/aptix-dev/aptix/server/internal/settings"
)

// Config configures a server.
type Config struct {
	Version  string
	Log      *zap.Logger
	History  *history.Store // nil if the history could not be opened
	StateDir string         // the folder for the journal of the server's own writes
	// Recovered is the result of [disk.Recover] at the start. The history is made to agree with it.
	Recovered []disk.Recovered
}

// A Server is the state of one connection. The handlers of its methods are in the other files.
type Server struct {
	config    Config
	conn      *rpc.Conn
	editor    *editor.Editor
	docs      *documents.Set
	folders   *workspace.Folders
	previews  *previews.Previews
	leftOut   leftOut
	chores    chores
	results   results
	textHomes sync.Map // the homes of texts that do not come from a document; the key is the hash of the text
	questions questions
	offered   sync.Map // the offers of agents that wait for an answer: the key is the token, the value an *offer
	past      *past.Past
	changes   atomic.Uint64 // counts the changes that checks depend on, except changes of open documents
	fileSets  fileSets
	applier   *apply.Applier
	abandoned atomic.Int32  // the number of cancelled changes that still wait for the editor
	greeted   atomic.Bool   // whether the client sent "initialized"; before that, it gets no notifications
	watched   atomic.Bool   // whether the client reports changed files
	stale     chan struct{} // has a token if something changed that diagnostics depend on
	fetched   chan struct{} // closed after the client responded to the request for settings

	mu       sync.Mutex
	settings settings.Settings
	focused  uri.URI        // the document in the active editor, if the client reports it
	agents   *link.Listener // nil while agents cannot reach this server
}

// Serve serves one client over `rwc` until it exits, and returns the exit code.
func Serve(ctx context.Context, rwc io.ReadWriteCloser, config Config) int {
	s := &Server{config: config, docs: documents.New(), previews: previews.New(), stale: make(chan struct{}, 1), fetched: make(chan struct{}), settings: settings.Default()}
	s.leftOut.chosen, s.results.kept = map[string]map[string]history.LeftOut{}, map[uri.URI]*keptCheck{}
	s.questions.asked, s.fileSets.sets = map[string]question{}, map[string]*fileset.Set{}
	table := rpc.NewTable()
	s.folders = workspace.New(s.docs)
	s.conn = rpc.NewConn(rwc, table, rpc.Options{Log: config.Log, Before: s.before, Ready: s.chores.wait, Lost: s.docs.Lost})
	s.editor = editor.New(s.conn, table, s.docs, config.StateDir)
	s.applier = apply.New(config.History, s.openFileSet)
	s.past = past.New(config.History, config.StateDir, config.Recovered, s.folders, s.docs, s.conn.Log())
	s.register(table)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	// This channel must exist before the goroutine starts, because a document may be opened in between.
	_, changed := s.docs.Watch()
	go s.keepFresh(ctx, changed)
	tell := func() { s.tellHistory(ctx) }
	// No entry is missed, because the server reads its first message after this call.
	s.spawn(s.past.Watch(ctx, tell))
	s.spawn(func() { s.past.WatchShown(ctx, tell) })
	defer s.folders.CloseAll()
	defer s.fileSets.close()
	defer s.hangUp()
	return s.conn.Run(ctx)
}

// before records the state of the documents and chores when a call arrives. The call uses exactly this state, even if a
// later notification changes it.
func (s *Server) before(ctx context.Context) context.Context {
	return s.chores.mark(s.docs.Before(ctx))
}

// later runs `f` after the work of all notifications that have arrived so far. A handler uses it for work that may
// block on a disk.
func (s *Server) later(f func()) {
	s.chores.add(func() { s.guard(f) })
}

// spawn runs `f` in a goroutine. A panic of `f` is logged, and stops nothing else.
func (s *Server) spawn(f func()) {
	go s.guard(f)
}

func (s *Server) guard(f func()) {
	_ = s.conn.Guard("notification", func() error { f(); return nil })
}

func (s *Server) register(t *rpc.Table) {
	s.docs.Register(t)
	rpc.OnCall(t, protocol.MethodInitialize, s.initialize)
	rpc.OnNotification(t, protocol.MethodInitialized, s.initialized)
	rpc.OnNotification(t, protocol.MethodWorkspaceDidChangeWorkspaceFolders, s.didChangeFolders)
	rpc.OnNotification(t, protocol.MethodWorkspaceDidChangeConfiguration, s.didChangeConfiguration)
	rpc.OnNotification(t, protocol.MethodWorkspaceDidChangeWatchedFiles, s.didChangeWatchedFiles)
	rpc.OnCall(t, protocol.MethodTextDocumentCodeLens, s.codeLens)
	rpc.OnCall(t, protocol.MethodTextDocumentCodeAction, s.codeAction)
	rpc.OnCall(t, protocol.MethodTextDocumentCompletion, s.completion)
	rpc.OnCall(t, protocol.MethodTextDocumentHover, s.hover)
	rpc.OnCall(t, protocol.MethodTextDocumentDefinition, s.definition)
	rpc.OnCall(t, protocol.MethodTextDocumentDocumentSymbol, s.documentSymbol)
	rpc.OnCall(t, protocol.MethodTextDocumentFoldingRange, s.foldingRange)
	rpc.OnCall(t, protocol.MethodWorkspaceExecuteCommand, s.executeCommand)
	rpc.OnCall(t, aptix.MethodPreview, s.preview)
	rpc.OnCall(t, aptix.MethodContent, s.content)
	rpc.OnCall(t, aptix.MethodBlocks, s.blocks)
	rpc.OnCall(t, aptix.MethodPartsAt, s.partsAt)
	rpc.OnCall(t, aptix.MethodAddress, s.address)
	rpc.OnCall(t, aptix.MethodInstallCommand, s.installCommand)
	rpc.OnCall(t, aptix.MethodTool, s.tool)
	rpc.OnCall(t, aptix.MethodOfferParts, s.offerParts)
	rpc.OnCall(t, aptix.MethodChatAnswer, s.chatAnswer)
	rpc.OnCall(t, aptix.MethodChatPrompt, s.chatPrompt)
	rpc.OnCall(t, aptix.MethodChatCheck, s.chatCheck)
	rpc.OnNotification(t, aptix.MethodActive, s.didFocus)
	rpc.OnCall(t, aptix.MethodHistory, s.past.List)
	rpc.OnCall(t, aptix.MethodHistoryEntry, s.past.Entry)
	rpc.OnCall(t, aptix.MethodHistoryFiles, s.historyFiles)
	rpc.OnCall(t, aptix.MethodReview, s.past.Review)
	rpc.OnCall(t, aptix.MethodUnseen, s.past.Unseen)
}

// touch makes all kept checks out of date, and triggers new diagnostics. It must be called after a change on which
// checks depend.
func (s *Server) touch() {
	s.changes.Add(1)
	select {
	case s.stale <- struct{}{}:
	default:
	}
}

// tellHistory tells the editor that entries of the history, or their states, have changed.
func (s *Server) tellHistory(ctx context.Context) {
	// A reply that was applied or reverted now needs other lenses.
	s.touch()
	if !s.greeted.Load() {
		return
	}
	if err := s.editor.HistoryChanged(ctx); err != nil {
		s.conn.Log().Warn("the editor could not be told that the history has changed", zap.Error(err))
	}
}
