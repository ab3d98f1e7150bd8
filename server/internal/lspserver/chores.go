package lspserver

import (
	"context"
	"sync"
	"time"
)

// chores runs the slow work of notifications in the background, one piece after another, in the order in which the
// notifications arrived. The handler of a notification must not do this work itself: it may wait for a disk, and the
// server reads no messages until the handler returns.
type chores struct {
	mu   sync.Mutex
	last <-chan struct{} // closed when all chores so far are done; nil if there were none
}

func (c *chores) add(f func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	before, done := c.last, make(chan struct{})
	c.last = done
	go func() {
		defer close(done)
		if before != nil {
			<-before
		}
		f()
	}()
}

type choresKey struct{}

// mark records, in the context of a call, the last chore before the call, for [chores.wait].
func (c *chores) mark(ctx context.Context) context.Context {
	c.mu.Lock()
	defer c.mu.Unlock()
	return context.WithValue(ctx, choresKey{}, c.last)
}

// choreTime limits how long a call waits for chores. If a chore hangs, for example because a network folder is gone,
// calls that do not need its result must not hang with it.
const choreTime = 2 * time.Second

// wait waits until the chores that came before the call are done. It stops waiting after choreTime, or if `ctx` ends.
func (c *chores) wait(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, choreTime)
	defer cancel()
	c.waitAll(ctx)
}

// waitAll is like wait, but without a time limit. Calls that change files use it.
func (c *chores) waitAll(ctx context.Context) {
	done, _ := ctx.Value(choresKey{}).(<-chan struct{})
	if done == nil {
		return
	}
	select {
	case <-done:
	case <-ctx.Done():
	}
}
