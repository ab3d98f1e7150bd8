package lspserver

import (
	"context"
	"sync"
	"time"
)

// chores runs the slow parts of notifications later, one after another, in the order of the stream.
// These parts may wait for a disk, and the server reads no messages while it handles a notification.
type chores struct {
	mu   sync.Mutex
	last <-chan struct{} // closed when all chores so far are done; nil if there were none
}

// add runs f after all earlier chores.
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

// mark records in the context of a call which chores came before it, for [chores.wait].
func (c *chores) mark(ctx context.Context) context.Context {
	c.mu.Lock()
	defer c.mu.Unlock()
	return context.WithValue(ctx, choresKey{}, c.last)
}

// choreTime is the longest time that a call waits for chores. A chore that hangs, for example
// because a network folder is gone, must not block calls that do not depend on it.
const choreTime = 2 * time.Second

// wait waits until the chores from before the call of ctx are done, choreTime is over, or ctx
// ends.
func (c *chores) wait(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, choreTime)
	defer cancel()
	c.waitAll(ctx)
}

// waitAll waits for chores without a time limit, for calls that change files.
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
