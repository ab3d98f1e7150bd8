// Package parallel runs several functions at the same time. If a function panics, the panic is raised again in the
// waiting goroutine, which can recover from it. Without this, a panic in a goroutine would end the process.
package parallel

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"sync/atomic"

	"golang.org/x/sync/errgroup"
)

// A Group is an [errgroup.Group] that passes on panics.
type Group struct {
	group    *errgroup.Group
	panicked atomic.Pointer[workerPanic]
}

// New returns a group that runs at most limit functions at once.
func New(limit int) *Group {
	group, _ := WithContext(context.Background(), limit)
	return group
}

// WithContext returns a group like [New], and a context that ends if a function of the group fails or panics.
func WithContext(ctx context.Context, limit int) (*Group, context.Context) {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(limit)
	return &Group{group: group}, ctx
}

var errPanicked = errors.New("panic")

// Go runs f in a new goroutine. If as many functions are running as the limit allows, Go first waits until a
// function ends.
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

// Wait waits until all functions have ended, and returns the first error. If a function panicked, Wait panics, too.
func (g *Group) Wait() error {
	err := g.group.Wait()
	if p := g.panicked.Load(); p != nil {
		panic(p)
	}
	return err
}

type workerPanic struct {
	value any
	stack string
}

func (p *workerPanic) String() string { return fmt.Sprint(p.value) }

// Stack returns the stack of a panic that the caller has just recovered as p. If p came from a function of a group, the
// stack of that function comes first.
func Stack(p any) string {
	stack := string(debug.Stack())
	if p, ok := p.(*workerPanic); ok {
		return p.stack + "\n" + stack
	}
	return stack
}
