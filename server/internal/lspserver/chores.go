package lspserver

import (
	"context"
	"sync"
	"time"
)

// chores are what notifications leave for later because it may wait for a disk: nothing
// is read from the client while a notification is handled. They are done one after the
// other, in the order of the stream.
type chores struct {
	mu   sync.Mutex
	last <-chan struct{} // closed once all so far are done; nil where there were none
}

// add does f after all earlier chores.
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

// mark puts the chores so far into the context of a call, for [chores.wait].
func (c *chores) mark(ctx context.Context) context.Context {
	c.mu.Lock()
	defer c.mu.Unlock()
	return context.WithValue(ctx, choresKey{}, c.last)
}

// choreTime is how long a call waits for chores. One that hangs, as a network folder may
// be gone, must not hold up the calls that have nothing to do with it.
const choreTime = 2 * time.Second

// wait waits until what notifications before the call of ctx left for later is done, or
// choreTime is over, or ctx ends.
func (c *chores) wait(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, choreTime)
	defer cancel()
	c.waitAll(ctx)
}

// waitAll waits without a limit, for a call that changes files.
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
