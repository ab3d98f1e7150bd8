package lspserver

import (
	"context"
	"sync"

	"go.uber.org/zap"

	"github.com/aptix-dev/aptix/server/internal/agenttools"
	"github.com/aptix-dev/aptix/server/internal/apply"
	"github.com/aptix-dev/aptix/server/internal/fileset"
)

// fileSets has the file sets that settings have named. A set is opened when it is first needed. It stays open until the
// server exits, because calls may still be using it.
type fileSets struct {
	mu   sync.Mutex
	sets map[string]*fileset.Set // key: the location of the set
}

func (f *fileSets) open(ctx context.Context, where string) (*fileset.Set, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if set := f.sets[where]; set != nil {
		return set, nil
	}
	set, err := fileset.Open(ctx, where)
	if err != nil {
		return nil, err
	}
	f.sets[where] = set
	return set, nil
}

func (f *fileSets) close() {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, set := range f.sets {
		_ = set.Close()
	}
	clear(f.sets)
}

// fileSet returns the current file set, or nil if there is none. `named` is true if the change names files by docPath.
// If the settings name a set that cannot be opened, fileSet returns a refusal, because the text on disk might be out of
// date (rule R29).
func (s *Server) fileSet(ctx context.Context, named bool) (*fileset.Set, *agenttools.Refusal) {
	if s.config.StateDir == "" {
		return nil, nil
	}
	s.awaitSettings(ctx)
	where, asked := apply.FileSetAt(s.currentSettings().FileSet, s.config.StateDir, named)
	if where == "" {
		return nil, nil
	}
	set, err := s.fileSets.open(ctx, where)
	switch {
	case err == nil:
		return set, nil
	case asked:
		return nil, agenttools.Refuse("file-set-failed", "the file set cannot be opened, so it is unknown whether the texts on disk are current: %v", err)
	}
	s.conn.Log().Error("continuing without the file set", zap.Error(err))
	return nil, nil
}

// awaitSettings waits until the first settings have arrived, or until `ctx` ends. Without them, a change would ignore
// the file set and the questions that the settings require.
func (s *Server) awaitSettings(ctx context.Context) {
	if !s.greeted.Load() {
		// The settings have not been requested yet, so a wait for them could last forever.
		return
	}
	select {
	case <-s.fetched:
	case <-ctx.Done():
	}
}

func (s *Server) openFileSet(ctx context.Context, named bool) (*fileset.Set, error) {
	set, refusal := s.fileSet(ctx, named)
	if refusal != nil {
		return nil, &apply.Refusal{Reason: apply.FileSetDiffers, Message: refusal.Error()}
	}
	return set, nil
}
