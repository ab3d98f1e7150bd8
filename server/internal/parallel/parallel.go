// Package parallel does several things at the same time. A panic of one of them is a panic of who waits for them, who may
// survive it: nobody can recover from that of a goroutine without a caller, and it ends the process.
package parallel

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
)

// A Group is an [errgroup.Group] with panics.
type Group struct {
	group    *errgroup.Group
	panicked atomic.Pointer[workerPanic]
}

// New is a group that does limit things at once.
func New(limit int) *Group {
	group, _ := WithContext(context.Background(), limit)
	return group
}

// WithContext is a group like that of [New], and a context that ends when one of its functions fails or panics.
func WithContext(ctx context.Context, limit int) (*Group, context.Context) {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(limit)
	return &Group{group: group}, ctx
}

var errPanicked = errors.New("panic")

// Go does f in a goroutine of its own, as soon as the limit allows it.
func (g *Group) Go(f func() error) {
	g.group.Go(func() (err error) {
		defer func() {
			if p := recover(); p != nil {
				g.panicked.CompareAndSwap(nil, &workerPanic{p, Stack(p)})
				err = errPanicked
			}
		}()
		return f()
	})
}

// Wait waits until all functions have ended, and returns the first error. If one panicked, so does Wait.
func (g *Group) Wait() error {
	err := g.group.Wait()
	if p := g.panicked.Load(); p != nil {
		panic(p)
	}
	return err
}

// A workerPanic is what Wait panics with.
type workerPanic struct {
	value any
	stack string
}

func (p *workerPanic) String() string { return fmt.Sprint(p.value) }

// Stack is the stack of a panic, for who has just recovered p: where a function of a group panicked, that comes first.
func Stack(p any) string {
	stack := string(debug.Stack())
	if p, ok := p.(*workerPanic); ok {
		return p.stack + "\n" + stack
	}
	return stack
}
