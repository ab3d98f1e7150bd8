package lspserver

import (
	"context"
	"fmt"
	"sync"
	"time"

	"go.uber.org/zap"

	aptix "github.com/aptix-dev/aptix/protocol"
	"github.com/aptix-dev/aptix/server/internal/agenttools"
	"github.com/aptix-dev/aptix/server/internal/apply"
	"github.com/aptix-dev/aptix/server/internal/fileset"
	"github.com/aptix-dev/aptix/server/internal/plan"
	"github.com/aptix-dev/aptix/server/internal/text"
)

// fileSets are those that the settings named, each opened when a tool first needs it.
// They stay open until the server ends, as calls may still use them.
type fileSets struct {
	mu   sync.Mutex
	sets map[string]*fileset.Set // by where they are
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
	if f.sets == nil {
		f.sets = map[string]*fileset.Set{}
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
	f.sets = nil
}

// fileSet is the one of now; nil where there is none. named: files are named by docPath.
// Of one that somebody asked for, a failure is a refusal: then the disk alone may not be
// what holds (rule R29).
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
		return nil, agenttools.Refuse("file-set-failed", "the file set cannot be opened, so it is not known which text of the files holds: %v", err)
	}
	s.conn.Log().Error("going on without the file set", zap.Error(err))
	return nil, nil
}

// settingsTime is how long a client may take to tell its settings.
const settingsTime = 5 * time.Second

// awaitSettings waits for the first settings: a change that is made before they are known
// would go past the file set that they name.
func (s *Server) awaitSettings(ctx context.Context) {
	if !s.greeted.Load() {
		return // nobody asked yet
	}
	ctx, cancel := context.WithTimeout(ctx, settingsTime)
	defer cancel()
	select {
	case <-s.fetched:
	case <-ctx.Done():
	}
}

// behind says why a change must not be made: a shared file set has another text of a
// file. An open document is newer than what any file set has (rule R29). Where it may
// be, set is to be told of it, if there is one.
func (s *Server) behind(ctx context.Context, source string, c *checked) (set *fileset.Set, why string) {
	set, refusal := s.fileSet(ctx, len(c.Named()) > 0)
	if refusal != nil {
		return nil, refusal.Error()
	}
	var closed []plan.File
	for _, f := range c.Plan.Files {
		if c.view.open[f.Path] == nil {
			closed = append(closed, f)
		}
	}
	why, err := apply.Behind(ctx, set, source, c.view.keys(), closed)
	if err != nil {
		s.conn.Log().Warn("the file set failed", zap.Error(err))
	}
	return set, why
}

// upload brings a file set up to a change that is made, and says what it does not have
// now. saved is the disk before the change.
func (s *Server) upload(ctx context.Context, set *fileset.Set, source string, c *checked, saved func(path string) text.Content) []aptix.ToolMessage {
	now := c.view.folder.view(s.docs.Snapshot())
	err := apply.Upload(ctx, set, source, now.keys(), c.Plan.Files, c.Named(), saved)
	if err == nil {
		return nil
	}
	s.conn.Log().Warn("the file set was not brought up to a change", zap.Error(err))
	return []aptix.ToolMessage{{Code: "not-uploaded", Message: fmt.Sprintf("the change is made in the editor, but not in the file set, where nothing was overwritten: %v", err)}}
}

// savedBefore is what the files of a change that are open have on disk now.
func (c *checked) savedBefore() func(path string) text.Content {
	disk := map[string]text.Content{}
	for _, f := range plan.Paths(c.Plan.Files) {
		if c.view.open[f.Path] != nil {
			disk[f.Path] = c.view.onDisk(f.Path)
		}
	}
	return func(path string) text.Content { return disk[path] }
}
